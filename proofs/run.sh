#!/usr/bin/env bash
# Runs the registered properties, and prints a row for each as soon as it is there.
#
#   proofs/run.sh [NAME...]                        by Kani: proofs
#   proofs/run.sh --planted [NAME...]              each with a bug in the production code: Kani must find a claim that fails
#   proofs/run.sh --enumerate [NAME...]            all small inputs one after another, for which Kani is not needed
#   proofs/run.sh --enumerate --planted [NAME...]  the bugs, found so at the size of the proof
#   proofs/run.sh --trusted                        every function that AUDIT.md asks to read, with its properties and theorems, and those without
#   proofs/run.sh --list                           the inventory: what is claimed, for what, when it was proved, and the bug
#
# Fails if a proof fails or takes too long, a harness is missing, a cover is not met or a bug is not found through a claim.
# The package and the limit for each harness are in the root's Cargo.toml; PROOFS_LOG names a file that keeps all output.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

engine=kani mode=proof
while [[ ${1:-} == --* ]]; do
    case $1 in
        --planted) mode=planted ;;
        --enumerate) engine=enumeration ;;
        --list) mode=list ;;
        --trusted) mode=trusted ;;
        *) echo "$1 is no option; see the head of proofs/run.sh" >&2; exit 2 ;;
    esac
    shift
done

log=${PROOFS_LOG:-$(mktemp)}
: > "$log"
cargo build --quiet --locked -p muffliato-proofs --bin inventory
inventory=${CARGO_TARGET_DIR:-$root/target}/debug/inventory
registered=$("$inventory")

if [ $mode = trusted ]; then
    "$inventory" trusted "$root"
    exit
fi
if [ $mode = list ]; then
    awk -F '\t' '{ printf "%s\n    %s\n    code    %s\n    proof   %s\n    Kani    %s\n    bug     %s\n", $1, $5, $6, $2, $3, $4 }' <<< "$registered"
    exit
fi
if [ $engine = kani ] && ! cargo kani --version > /dev/null 2>&1; then
    echo "cargo kani does not answer: cargo install --locked kani-verifier && cargo kani setup, or take --enumerate" >&2
    exit 2
fi

names=()
for name in "$@"; do
    grep -q "^$name"$'\t' <<< "$registered" || { echo "$name is not registered; proofs/run.sh --list shows the names" >&2; exit 2; }
    names+=("$name")
done
[ $# -gt 0 ] || mapfile -t names < <(cut -f 1 <<< "$registered")
field() { awk -F '\t' -v name="$1" -v at="$2" '$1 == name { print $at }' <<< "$registered"; }

good=0
# Name, covers, seconds, result, and what it says more: the measured time of a proof, the bug that was planted.
row() {
    local more=3
    [ $mode = proof ] || more=4
    printf '%-52s %8s %9s  %-24s %s\n' "$1" "$2" "$3" "$4" "$(field "$1" $more)"
    if [[ $4 == proved || $4 == enumerated || $4 == "bug found" ]]; then good=$((good + 1)); fi
}
printf '%-52s %8s %9s  %-24s %s\n' property covers seconds result "$([ $mode = proof ] && echo 'measured before' || echo 'planted bug')"

# Kani's output on harnesses: one line for each, with name, covers, seconds and result, when all of it is there.
read_kani() {
    awk -v mode=$mode '
        function finish() {
            if (name == "") return
            if (verdict == "") verdict = "NO ANSWER"
            else if (verdict == "proved" && unmet) verdict = "COVER NOT MET"
            else if (verdict == "FAILED" && claim != "") verdict = "CLAIM FAILS"
            else if (verdict == "FAILED" && unwinding) verdict = "UNWIND TOO SMALL"
            if (mode == "planted") verdict = verdict == "CLAIM FAILS" ? "bug found" : (verdict == "proved" ? "BUG NOT FOUND" : verdict)
            print name "\t" covers "\t" seconds "\t" verdict "\t" claim
            fflush()
            name = ""
        }
        match($0, /Checking harness [^ ]*/) {
            finish()
            count = split(substr($0, RSTART + 17, RLENGTH - 17), parts, "::")
            name = parts[count - 1]; covers = "-"; seconds = "-"; verdict = ""; claim = ""; unmet = 0; unwinding = 0
        }
        match($0, /[0-9]+ of [0-9]+ cover properties satisfied/) {
            split(substr($0, RSTART, RLENGTH), words, " ")
            covers = words[1] "/" words[3]; unmet = words[1] != words[3]
        }
        /^Failed Checks: claim fails: / { claim = claim (claim == "" ? "" : "; ") substr($0, 29) }
        /^Failed Checks: unwinding assertion/ { unwinding = 1 }
        /VERIFICATION:- SUCCESSFUL/ { verdict = "proved" }
        /VERIFICATION:- FAILED/ { verdict = "FAILED" }
        /CBMC timed out/ { verdict = "TIMEOUT"; finish() }
        /CBMC appears to have run out of memory/ { verdict = "OUT OF MEMORY"; finish() }
        match($0, /Verification Time: [0-9.]+/) { seconds = substr($0, RSTART + 19, RLENGTH - 19); finish() }
        END { finish() }
    '
}

# Runs Kani in this folder on these properties. Covers are copied, and one copy is unreachable, if code is optimised.
kani() {
    local harnesses=() name
    for name in "$@"; do harnesses+=(--harness "harnesses::$name::proof"); done
    CARGO_PROFILE_DEV_OPT_LEVEL=0 cargo kani "${harnesses[@]}" 2>&1 | tee -a "$log" | read_kani || true
}

# Enumerates one property in this folder; the same line as from Kani.
enumeration() {
    local started=$SECONDS output result=enumerated claim=""
    output=$(cargo test --quiet --locked -p muffliato-proofs --lib -- --exact "table::harnesses::$1::exhaustive" 2>&1) || result=FAILED
    printf '%s\n' "$output" >> "$log"
    claim=$(sed -n 's/^claim fails: //p' <<< "$output" | head -1)
    if [ -n "$claim" ]; then result="CLAIM FAILS"; fi
    if [ $mode = planted ]; then
        case $result in
            "CLAIM FAILS") result="bug found" ;;
            enumerated) result="BUG NOT FOUND" ;;
        esac
    elif [ $result = enumerated ] && ! grep -q '^test result: ok. 1 passed' <<< "$output"; then
        result=MISSING
    fi
    printf '%s\t-\t%s\t%s\t%s\n' "$1" $((SECONDS - started)) "$result" "$claim"
}

show() {
    while IFS=$'\t' read -r name covers seconds result claim; do
        answered+=" $name "
        row "$name" "$covers" "$seconds" "$result"
        if [ -n "$claim" ]; then printf '%-52s claim: %s\n' "" "$claim"; fi
    done
}

answered=""
if [ $mode = planted ]; then
    copy=$root/target/planted
    rm -rf "$copy" && mkdir -p "$copy"
    tar --exclude=./target --exclude=./.git -cf - . | tar -xf - -C "$copy"
    # Dependencies need not be built again.
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target} MUFFLIATO_ONLY_THE_PROOF=1
    for name in "${names[@]}"; do
        file=$("$inventory" plant "$name" "$copy")
        show < <(cd "$copy" && "$engine" "$name")
        cp "$root/$file" "$copy/$file"
    done
elif [ $engine = kani ]; then
    show < <(kani "${names[@]}")
else
    for name in "${names[@]}"; do show < <(enumeration "$name"); done
fi

for name in "${names[@]}"; do
    [[ $answered == *" $name "* ]] || row "$name" - - MISSING
done
echo "$good of ${#names[@]} as expected"
if [ $good -lt ${#names[@]} ]; then
    echo "all output is in $log" >&2
    exit 1
fi

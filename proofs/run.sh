#!/usr/bin/env bash
# Runs Kani on the registered properties and prints a table.
#
#   proofs/run.sh                     all properties
#   proofs/run.sh NAME...             only these
#   proofs/run.sh --planted [NAME...] the harnesses with planted bugs, which Kani must find
#
# Fails if a proof fails, a harness is missing or a cover is not met. With a path in KANI_LOG, Kani's output is kept there.
set -euo pipefail
cd "$(dirname "$0")/.."

harness=proof
features=()
if [ "${1:-}" = --planted ]; then
    harness=planted
    features=(--features planted)
    shift
fi

if ! cargo kani --version > /dev/null 2>&1; then
    echo "cargo kani does not answer: cargo install --locked kani-verifier && cargo kani setup" >&2
    exit 2
fi

# Name, size, unwinding and expected seconds of each property. INVENTORY can name the program that prints them.
registered=$(${INVENTORY:-cargo run --quiet --locked -p muffliato-proofs --bin inventory})
wanted=""
for name in "$@"; do
    line=$(printf '%s\n' "$registered" | awk -F '\t' -v name="$name" '$1 == name')
    if [ -z "$line" ]; then
        echo "$name is not registered; the names are in proofs/README.md" >&2
        exit 2
    fi
    wanted+="$line"$'\n'
done
wanted=${wanted:-$registered}

chosen=()
while IFS=$'\t' read -r name _; do
    [ -n "$name" ] && chosen+=(--harness "harnesses::$name::$harness")
done <<< "$wanted"

log=${KANI_LOG:-$(mktemp)}
# What counts is what Kani says of each harness.
cargo kani -p muffliato-proofs ${features[@]+"${features[@]}"} "${chosen[@]}" > "$log" 2>&1 || true

printf '%s\n' "$wanted" | awk -F '\t' -v log_file="$log" -v harness="$harness" '
    BEGIN {
        while ((getline line < log_file) > 0) {
            if (match(line, /Checking harness [^ ]*/)) {
                current = substr(line, RSTART + 17, RLENGTH - 17)
                sub(/\.\.\.$/, "", current)
                count = split(current, parts, "::")
                current = parts[count - 1] "::" parts[count]
                covers[current] = "-"
            } else if (match(line, /[0-9]+ of [0-9]+ cover properties satisfied/)) {
                split(substr(line, RSTART, RLENGTH), words, " ")
                covers[current] = words[1] "/" words[3]
                unmet[current] = words[1] != words[3]
            } else if (line ~ /VERIFICATION:- SUCCESSFUL/) {
                result[current] = "proved"
            } else if (line ~ /VERIFICATION:- FAILED/) {
                result[current] = "FAILED"
            } else if (match(line, /Verification Time: [0-9.]+/)) {
                seconds[current] = substr(line, RSTART + 19, RLENGTH - 19)
            }
        }
        printf "%-52s %5s %8s %9s %9s  %s\n", "property", "size", "covers", "seconds", "expected", "result"
    }
    $1 != "" {
        key = $1 "::" harness
        if (!(key in result)) {
            outcome = "MISSING"
        } else if (result[key] == "proved" && harness == "planted") {
            outcome = "bug found"
        } else if (result[key] == "proved" && unmet[key]) {
            outcome = "COVER NOT MET"
        } else {
            outcome = result[key]
        }
        if (outcome !~ /^(proved|bug found)$/) bad++
        printf "%-52s %5s %8s %9s %9s  %s\n", $1, $2, covers[key], seconds[key], $4, outcome
        total++
    }
    END {
        printf "%d of %d as expected\n", total - bad, total
        exit bad > 0
    }
' || {
    echo "Kani's output is in $log" >&2
    exit 1
}

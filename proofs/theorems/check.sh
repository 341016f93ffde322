#!/usr/bin/env bash
# What a build of the theorems must pass besides compiling:
#   nothing is admitted and no axiom is declared; README.md names every theorem, and only theorems and claims that are there;
#   the theorems assume what assumptions.txt says; each false statement of refused.txt is refused.
# With --renew, assumptions.txt is written again.
set -euo pipefail
cd "$(dirname "$0")"

fail() { echo "proofs/theorems: $*" >&2; exit 1; }

flags=(-Q . Muffliato -w -notation-overridden,-ambiguous-paths)
mapfile -t files < <(grep '\.v$' _CoqProject)
scratch=$(mktemp -d)
trap 'wait; rm -rf "$scratch"' EXIT

if grep -nE '\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|bypass_check)\b' "${files[@]}"; then
    fail "a proof is missing or an axiom is declared above"
fi

# The mapping: file and name of each theorem.
awk -F '|' '/^\| .*`.*\.v`/ { gsub(/[` ]/, "", $3); gsub(/[` ]/, "", $4); print $4, $3 }' README.md | sort > "$scratch/named"
for file in "${files[@]}"; do
    sed -nE "s/^Theorem ([A-Za-z0-9_']+).*/$file \1/p" "$file"
done | sort > "$scratch/proved"
diff "$scratch/named" "$scratch/proved" > "$scratch/difference" || {
    cat "$scratch/difference"
    fail "README.md (<) and the files (>) do not name the same theorems"
}

claims=../../conformance/CLAIMS.md
for claim in $(grep -o 'CLAIMS\.md#[a-z0-9-]*' README.md | cut -d '#' -f 2 | sort -u); do
    grep -qx "## $claim" "$claims" || fail "README.md names the claim $claim, which the ledger does not have"
done

# What the theorems assume.
{
    for file in "${files[@]}"; do echo "From Muffliato Require ${file%.v}."; done
    while read -r file name; do
        echo "Goal True. idtac \"$name: \". Abort. Print Assumptions ${file%.v}.$name."
    done < "$scratch/named"
} > "$scratch/assumptions.v"
coqc "${flags[@]}" "$scratch/assumptions.v" > "$scratch/assumptions.txt"
cat "$scratch/assumptions.txt"
if [ "${1:-}" = --renew ]; then
    cp "$scratch/assumptions.txt" assumptions.txt
fi
diff assumptions.txt "$scratch/assumptions.txt" || fail "the theorems assume something else than assumptions.txt says"

# False statements: file, true words, false words. Coq must read the statement and refuse its proof.
refuse() {
    IFS=$'\t' read -r file true false _ <<< "$1"
    [ "$(grep -cF -- "$true" "$file")" = 1 ] || fail "refused.txt: '$true' is not in exactly one line of $file"
    line=$(grep -nF -- "$true" "$file" | cut -d: -f1)
    place=$(mktemp -d -p "$scratch")
    TRUE=$true FALSE=$false awk -v line="$line" '
        NR == line { at = index($0, ENVIRON["TRUE"]); $0 = substr($0, 1, at - 1) ENVIRON["FALSE"] substr($0, at + length(ENVIRON["TRUE"])) }
        { print }' "$file" > "$place/$file"
    proof=$(awk -v line="$line" 'NR >= line && /^Proof\./ { print NR; exit }' "$file")
    end=$(awk -v line="$line" 'NR >= line && /Qed\.$/ { print NR; exit }' "$file")
    if coqc "${flags[@]}" "$place/$file" > "$place/answer" 2>&1; then
        fail "$file: '$false' in place of '$true' was accepted"
    fi
    where=$(sed -nE 's/^File ".*", line ([0-9]+), .*/\1/p' "$place/answer" | head -1)
    if [ -z "$where" ] || [ "$where" -lt "$proof" ] || [ "$where" -gt "$end" ]; then
        cat "$place/answer"
        fail "$file: the error is not in the proof of '$false' (lines $proof to $end)"
    fi
    echo "refused in $file: $false"
}
for file in "${files[@]}"; do
    grep -q "^$file	" refused.txt || fail "refused.txt has no false statement for $file"
done
mapfile -t plants < <(grep -v '^#' refused.txt)
running=()
for plant in "${plants[@]}"; do
    refuse "$plant" &
    running+=($!)
    if [ "${#running[@]}" -ge 2 ]; then
        wait "${running[0]}"
        running=("${running[@]:1}")
    fi
done
for job in "${running[@]}"; do wait "$job"; done
echo "$(grep -cE ': (certificate|linear.claim_of_system|rounding.claim_on_grid) :=' instances.v) certificates on file, with the verdicts of the crate"
echo "$(wc -l < "$scratch/named") theorems, ${#plants[@]} false statements refused"

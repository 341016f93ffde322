#!/usr/bin/env bash
# Runs the registered properties one after another, and fails if one does not end as it should.
#
#   proofs/run.sh [NAME...]                        by Kani: proved, with every cover reached
#   proofs/run.sh --planted [NAME...]              with a bug in the production code: a claim must fail
#   proofs/run.sh --enumerate [--planted] [NAME...]    the same by enumeration, for which Kani is not needed
#   proofs/run.sh --list                           what is claimed of which code, up to which size, its time, and its bug
#   proofs/run.sh --trusted                        every function that AUDIT.md asks to read, with its properties and theorems
set -euo pipefail
cd "$(dirname "$0")/.."
inventory() { cargo run --quiet --locked -p muffliato-proofs --bin inventory -- "$@"; }
kani() { CARGO_PROFILE_DEV_OPT_LEVEL=0 cargo kani --features floats --harness "harnesses::$1::proof"; }
enumerate() { cargo test --quiet --locked -p muffliato-proofs --lib -- --exact "table::harnesses::$1::exhaustive"; }

engine=kani root=$PWD place=$PWD
while [[ ${1:-} == --* ]]; do
    case $1 in
        --enumerate) engine=enumerate ;;
        --planted) place=$root/target/planted ;;
        --list | --trusted) inventory "${1#--}" "$root"; exit ;;
        *) echo "$1 is no option; see the head of proofs/run.sh" >&2; exit 2 ;;
    esac
    shift
done
names=$(inventory names "$@")
if [ "$place" != "$root" ]; then
    rm -rf "$place" && mkdir -p "$place"
    tar --exclude=./target --exclude=./.git -cf - . | tar -xf - -C "$place"
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target} MUFFLIATO_ONLY_THE_PROOF=1
fi
failed=0
for name in $names; do
    if [ "$place" != "$root" ]; then file=$(inventory plant "$name" "$place"); fi
    started=$SECONDS status=0
    output=$(cd "$place" && $engine "$name" 2>&1) || status=$?
    result=$(inventory verdict "$status" <<< "$output")
    if [ "$place" != "$root" ]; then cp "$file" "$place/$file"; fi
    printf '%-56s %5d s  %s\n' "$name" $((SECONDS - started)) "$result"
    case $place:$result in
        "$root:as claimed" | "$root/target/planted:a claim fails"*) ;;
        *) failed=1; printf '%s\n' "$output" >&2 ;;
    esac
done
exit $failed

#!/usr/bin/env bash
# Mutation testing: changes the engines in one place at a time and asks whether a test notices. Lists the survivors.
# Needs cargo-mutants (cargo install --locked cargo-mutants) and hours:
#
#   tests/mutants.sh                        all mutants of the checkers, of what decides a promise and of the exact engine, every 60th of the fast engine's accounting
#   tests/mutants.sh certificate 0/1        all mutants of the checkers
#   tests/mutants.sh fast 30/60 fast 15/60  of these every 60th, from the 30th on, and from the 15th on
#   tests/mutants.sh fast again             the survivors, after tests were added
#
# The results stay in OUT (target/mutation), and new ones join them.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-target/mutation}
[ $# -gt 0 ] || set -- certificate 0/1 account 0/1 reference 0/1 fast 0/60

# Of the fast engine first the unit tests; its tests of simulation and learning are left out, and the long ones of noise.
quick=(-C=--lib -- -- --skip noise::)
fast=(-C=--lib -C=--tests -- -- --skip noise:: --skip learning:: --skip simulation)
reference=(-C=--lib -C=--tests)
# The rule of plans and that of statistics are tested where plans and losses are.
certificate=("${reference[@]}" --test-package=muffliato-{certificate,design,account})
account=("${reference[@]}")

# run FOLDER ENGINE TESTS ARGUMENTS: cargo-mutants, with its results in FOLDER. Survivors (2) and time-outs (3) are results.
run() {
    local folder="$out/$1" engine=$2 status=0
    local -n tests=$3
    shift 3
    rm -rf "$out/unfinished" "$folder"
    mkdir -p "$out/unfinished"
    CARGO_TARGET_DIR=$(realpath "$out")/target \
        cargo mutants --package "muffliato-$engine" --output "$out/unfinished" "$@" "${tests[@]}" || status=$?
    case $status in
        0 | 2 | 3) mv "$out/unfinished" "$folder" ;;
        *) exit "$status" ;;
    esac
}

# rerun FOLDER ENGINE SURVIVORS: what is named there, with all tests of the engine.
rerun() {
    local only=()
    while read -r mutant; do
        only+=(--re "^$(sed 's/[][\.*^$+?(){}|]/\\&/g' <<< "$mutant")\$")
    done < <(cat "${@:3}")
    [ ${#only[@]} = 0 ] || run "$1" "$2" "$2" "${only[@]}"
}

while [ $# -gt 0 ]; do
    folder="$1-${2/\//-of-}"
    if [ "$2" = again ]; then
        [ "$1" = fast ] && tried='*-all' || tried='*'
        rerun "again-$1" "$1" "$out/$1-"$tried/mutants.out/missed.txt
    elif [ ! -e "$out/$folder" ]; then
        [ "$1" = fast ] && first=quick || first=$1
        run "$folder" "$1" "$first" --shard "$2" --sharding round-robin
        [ "$1" != fast ] || rerun "$folder-all" fast "$out/$folder/mutants.out/missed.txt"
    fi
    shift 2
done
printf '\nSurvivors:\n'
cat "$out"/*/mutants.out/missed.txt | sort -u

#!/usr/bin/env bash
# Mutation testing: changes the engines in one place at a time and asks whether a test notices. Writes docs/mutants.md.
# Needs cargo-mutants (cargo install --locked cargo-mutants) and hours:
#
#   tests/mutants.sh                        all mutants of the exact engine, every 60th of the fast engine's accounting
#   tests/mutants.sh fast 30/60 fast 15/60  of these every 60th, from the 30th on, and from the 15th on
#
# The results stay in OUT (target/mutation), and new ones join them. Delete it to begin anew.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-target/mutation}
[ $# -gt 0 ] || set -- reference 0/1 fast 0/60

# Tests of simulation and learning are left out, and the long ones of noise.
fast=(bad_input_and_cancellation bounds_enclose bounds_limits gram guarantee one_shot one_shot_certified spectral threads)

# mutate ENGINE SHARE: results in $out/ENGINE-SHARE, unless they are there. Survivors (2) and time-outs (3) are results.
mutate() {
    local engine=$1 share=$2 status=0 tests
    local folder="$out/$engine-${share/\//-of-}"
    [ ! -e "$folder" ] || return 0
    case $engine in
        reference) tests=(-C=--lib -C=--tests) ;;
        fast) tests=(-C=--lib "${fast[@]/#/-C=--test=}" -- -- --skip noise::) ;;
    esac
    rm -rf "$out/unfinished"
    mkdir -p "$out/unfinished"
    cargo mutants --package "muffliato-$engine" --shard "$share" --sharding round-robin --output "$out/unfinished" "${tests[@]}" || status=$?
    case $status in
        0 | 2 | 3) mv "$out/unfinished" "$folder" ;;
        *) exit "$status" ;;
    esac
}

while [ $# -gt 0 ]; do
    mutate "$1" "$2"
    shift 2
done
for engine in reference fast; do
    cargo mutants --package "muffliato-$engine" --list > "$out/$engine.list"
done
UPDATE_MUTANTS="$out" cargo test --test mutants

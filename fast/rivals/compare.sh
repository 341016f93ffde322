#!/bin/sh
# Runs every row of the comparison, ours and the rival's, and prints the table. Rows can be named; all otherwise.
# Needs python3 with requirements.txt (pip install -r fast/rivals/requirements.txt).
set -eu
cd "$(dirname "$0")/../.."
cargo build --release --quiet --package muffliato-fast --features simd --example ours
cargo build --release --quiet --bin muffliato
# numpy asks for large pages by itself; so does ours then, where the system gives them on request.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
built=${CARGO_TARGET_DIR:-target}/release
exec python3 fast/rivals/compare.py "$built/examples/ours" "$built/muffliato" "$@"

#!/bin/sh
# Counts the instructions of one read-card request in the engine alone (request body to answer body, in memory), with
# callgrind: what 1,200 requests cost more than 200, divided by 1,000. The limit is 13,700.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --example engine_instructions
binary="${CARGO_TARGET_DIR:-target}/release/examples/engine_instructions"
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$1" 2>&1 | sed -n 's/.*Collected : *//p'
}
few=$(count 200)
many=$(count 1200)
each=$(((many - few) / 1000))
echo "$each instructions a request"
test "$each" -le 13700

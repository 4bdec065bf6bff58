#!/bin/sh
# Counts the instructions of one read-card request in the engine alone (request body to answer body, in memory), with
# callgrind: what 2,200 requests cost more than 1,200, divided by 1,000. Warm: every request has the same document. Cold:
# each has one that the engine has not seen, which is parsed, checked, planned and kept in place of another (by then the
# cache is full); that their bodies are made is counted too. Memory comes from the allocator of the server. The limits are
# 11,000 and 52,000; the goal of a warm request is 10,000.
set -eu
cd "$(dirname "$0")/.."
cargo build --profile dist --example engine_instructions
binary="${CARGO_TARGET_DIR:-target}/dist/examples/engine_instructions"
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$1" "$2" 2>&1 | sed -n 's/.*Collected : *//p'
}
each() {
    few=$(count 1200 "$1")
    many=$(count 2200 "$1")
    echo $(((many - few) / 1000))
}
warm=$(each warm)
cold=$(each cold)
echo "$warm instructions a warm request, $cold a cold one"
test "$warm" -le 11000
test "$cold" -le 52000

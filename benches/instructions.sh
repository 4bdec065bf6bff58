#!/bin/sh
# Counts the instructions of one request in the engine alone (request body to answer body, in memory), with callgrind: what 2,200
# requests cost more than 1,200, divided by 1,000. Warm: every request has the same document. Cold: each has one that the
# engine has not seen, which is parsed, checked, planned and kept in place of another (by then the cache is full).
set -eu
cd "$(dirname "$0")/.."
cargo build --release -p graphql-js-reference --example engine_instructions
binary="${CARGO_TARGET_DIR:-target}/release/examples/engine_instructions"
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$1" "$2" 2>&1 | sed -n 's/.*Collected : *//p'
}
each() {
    echo $((($(count 2200 "$1") - $(count 1200 "$1")) / 1000))
}
warm=$(each warm)
cold=$(each cold)
echo "$warm instructions a warm request, $cold a cold one"

#!/usr/bin/env bash
# What a version costs: the size of generated/, the build time of the server, the size of its binary and its memory once it
# listens, with 1, 2, 10 and 50 versions of which each adds one field to the one before. The target (issue 5): a version
# costs its delta, under 2 % of the build time and under 30 KB of memory.
#
# What was measured of generated/ (21 November 2026; toy versions on top of 2026-10, bytes):
#
#   | versions | a dispatch for each version | one dispatch for all that have a type alike |
#   |---|---|---|
#   | 1  |    56,066 |  56,066 |
#   | 2  |    78,063 |  59,307 |
#   | 10 |   258,000 |  85,236 |
#   | 50 | 1,263,280 | 214,876 |
#   | each further one | 24,637 | 3,241 |
#
# What was measured of the server (22 November 2026, `CARGO_INCREMENTAL=0 PROFILE=dev bash benches/versions.sh`; two cores
# with other builds on them, which makes the seconds of processor time uncertain by a tenth):
#
#   | versions | build (s) | binary (bytes) | memory at start (KB) | once each answered (KB) |
#   |---|---|---|---|---|
#   | 1  | 103.2 | 120,787,456 | 48,252 | 50,500 |
#   | 2  | 115.1 | 120,840,344 | 47,752 | 50,916 |
#   | 10 | 110.2 | 121,294,248 | 48,024 | 55,324 |
#   | 50 | 134.4 | 123,579,376 | 48,140 | 76,400 |
#   | each further one | 0.62 % | 56,978 | nothing | 529 |
#
# An engine reads its schema when it is first asked, so a version costs memory when it is used and not before. Of those 0.5 MB
# (massif, a debug server with 2026-10 and 2027-01) 260 KB were the registry of a second model that checked documents; the
# rules read our own now (165 KB), which plans documents and answers introspection too.
#
# Usage: bash benches/versions.sh [counts…]          by default 1 2 10 50
#   PROFILE=dev bash benches/versions.sh 1 2 10      faster, for a first look; the default is dist
#   PROFILE=release bash benches/versions.sh         a build without the last, long step of dist
#   CARGO_INCREMENTAL=0 …                            with dev: the whole of each build, not what the compiler kept
#   ONLY=generated bash benches/versions.sh          the size of generated/ alone: builds no server
#
# Works in a temporary copy of the committed tree, with a target folder of its own (TARGET, kept when it is given): the
# checkout stays as it is. The first build is not timed; it builds the dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."

counts=("$@")
[ ${#counts[@]} -gt 0 ] || counts=(1 2 10 50)
profile="${PROFILE:-dist}"
flags=()
[ "$profile" = dev ] || flags=(--profile "$profile")

folder="$(mktemp -d)"
server=""
stop() {
  [ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
  server=""
}
trap 'stop; rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR="${TARGET:-$folder/target}"
unset CI # the copy's generated/ is written, not compared

tree="$folder/tree"
mkdir "$tree"
# Its files are new: a target folder that was used before would else take what it holds for up to date.
git archive HEAD | tar -xm -C "$tree"
cd "$tree"
# Only the first version stays: what a version costs is asked of toys, which differ by one field each.
first="$(basename "$(ls schema/*.graphql | sort | head -n 1)" .graphql)"
for later in $(ls schema/*.graphql | sort | tail -n +2); do
  module="v$(basename "$later" .graphql | tr - _)"
  rm -r "$later" "src/resolver/$module"
  sed -i "/^mod $module;/d" src/resolver/mod.rs
done
awk '/^\[\[version\]\]/ { n++ } n < 2' schema/versions.toml > "$folder/versions.toml"
mv "$folder/versions.toml" schema/versions.toml

# next_month 2026-12: the version after it.
next_month() {
  local year=$((10#${1%-*})) month=$((10#${1#*-} + 1))
  if [ $month -gt 12 ]; then year=$((year + 1)) month=1; fi
  printf '%04d-%02d' "$year" "$month"
}

# add_versions <number>: adds toy versions until there are that many; each adds a field to the last.
added=1
last="$first"
add_versions() {
  while [ "$added" -lt "$1" ]; do
    local version field
    version="$(next_month "$last")"
    field="toy${version/-/}"
    awk -v field="$field" '{ print } /^type Card implements Node \{/ { print "  \"A toy.\"\n  " field ": String" }' \
      "schema/$last.graphql" > "schema/$version.graphql"
    printf '\n[[version]]\nname = "%s"\nstatus = "current"\npublished = 2026-10-01\n' "$version" >> schema/versions.toml
    [ -e src/resolver/toy.rs ] || {
      sed -i 's/^mod v2026_10;/mod toy;\nmod v2026_10;/' src/resolver/mod.rs
      printf '//! Toy versions.\n\nuse std::borrow::Cow;\n\nuse crate::generated;\nuse crate::model::Card;\nuse crate::resolver::Context;\n' \
        > src/resolver/toy.rs
    }
    cat >> src/resolver/toy.rs <<RUST

impl generated::v${version/-/_}::Card for Card {
    fn $field<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        None
    }
}
RUST
    last="$version"
    added=$((added + 1))
  done
}

build() { cargo build --quiet "${flags[@]}" --bin card-service; }

# Seconds of processor time of the last of two builds of the server alone: the first one also settles what depends on the
# number of versions, and other work on the machine does not count.
timed_build() {
  build
  touch src/lib.rs
  local TIMEFORMAT='%U %S'
  { time build 2> "$folder/build.log"; } 2> "$folder/seconds" || { cat "$folder/build.log" >&2; return 1; }
  awk '{ printf "%.1f", $1 + $2 }' "$folder/seconds"
}

# Kilobytes of memory of a server that has just begun to listen, and once each version has answered a request.
memory() {
  local token address
  export CONFIG=/dev/null DATA_DIR="$folder/data$1" LISTEN=127.0.0.1:0
  "$binary" init > /dev/null
  "$binary" partner add Toy --json > /dev/null
  token="$("$binary" key issue --partner Toy --mode live --json | sed -n 's/.*"token": *"\([^"]*\)".*/\1/p')"
  "$binary" serve > "$folder/address" 2>/dev/null &
  server=$!
  for _ in $(seq 200); do
    ! grep -q http "$folder/address" || break
    sleep 0.05
  done
  grep -q http "$folder/address" || { echo "the server does not listen" >&2; stop; exit 1; }
  sleep 0.5
  awk '/^VmRSS/ { printf "%s ", $2 }' "/proc/$server/status"
  address="$(grep -o 'http://[0-9.:]*' "$folder/address" | head -n 1)"
  for schema in schema/*.graphql; do
    curl -sf -H "X-Service-Access-Token: $token" -H 'Content-Type: application/json' -d '{"query":"{ __typename }"}' \
      "$address/partner/api/$(basename "$schema" .graphql)/graphql" > /dev/null
  done
  awk '/^VmRSS/ { print $2 }' "/proc/$server/status"
  stop
}

if [ "${ONLY:-}" = generated ]; then
  cargo build --quiet -p schema-tool --features check --bin schema
  printf '| versions | generated/ (bytes) | lines | time to generate (s) |\n|---|---|---|---|\n'
  for count in "${counts[@]}"; do
    add_versions "$count"
    start="$(date +%s.%N)"
    "$CARGO_TARGET_DIR/debug/schema" generate --root "$tree" > /dev/null
    end="$(date +%s.%N)"
    find generated -type f -print0 | xargs -0 cat | wc -c -l | awk -v n="$added" -v a="$start" -v b="$end" \
      '{ printf "| %s | %s | %s | %.2f |\n", n, $2, $1, b - a }'
  done
  exit
fi

binary="$CARGO_TARGET_DIR/$([ "$profile" = dev ] && echo debug || echo "$profile")/card-service"
build

printf '| versions | generated/ (bytes) | build of the server (s of processor time) | binary (bytes) | memory at start (KB) | once each answered (KB) |\n'
printf '|---|---|---|---|---|---|\n'
base=""
for count in "${counts[@]}"; do
  add_versions "$count"
  seconds="$(timed_build)"
  generated="$(find generated -type f -print0 | xargs -0 cat | wc -c)"
  size="$(stat -c %s "$binary")"
  # The middle of three starts.
  kilobytes="$(for run in 1 2 3; do memory "$count-$run"; done | sort -n | sed -n 2p)"
  printf '| %s | %s | %s | %s | %s | %s |\n' "$added" "$generated" "$seconds" "$size" $kilobytes
  row="$added $generated $seconds $size $kilobytes"
  base="${base:-$row}"
done

# What one more version costs, from the first row to the last.
echo "$base $row" | awk '$7 > $1 {
  n = $7 - $1
  printf "\nEach further version: %.0f bytes of generated/, %.2f %% of the build time, %.0f bytes of binary, %.1f KB of memory at\n", \
    ($8 - $2) / n, 100 * ($9 - $3) / $3 / n, ($10 - $4) / n, ($11 - $5) / n
  printf "start, %.1f KB once it has answered.\n", ($12 - $6) / n
}'

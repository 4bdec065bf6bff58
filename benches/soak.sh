#!/usr/bin/env bash
# One server on each database under mixed load for ten minutes, both at once: memory and open files of each fifth of the time,
# which must stay flat.
# Usage: bash benches/soak.sh [seconds]    3600 for an hour
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/need
need_postgres
folder="$(mktemp -d)"
chmod a+x "$folder" # PostgreSQL runs as a user of its own
trap 'bash .ci/postgres stop "$folder" >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT
TEST_POSTGRES_URL="$(bash .ci/postgres start "$folder")"
export TEST_POSTGRES_URL SOAK_SECONDS="${1:-600}"
cargo test --workspace --all-features --test conformance chaos::soak -- --nocapture

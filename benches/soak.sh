#!/usr/bin/env bash
# One server under mixed load for ten minutes: memory and open files of each fifth of the time, which must stay flat.
# Usage: bash benches/soak.sh [seconds]
set -euo pipefail
cd "$(dirname "$0")/.."
SOAK_SECONDS="${1:-600}" cargo test --all-features --test conformance chaos::soak -- --nocapture

#!/usr/bin/env bash
# Measures `card-service move` from SQLite to PostgreSQL with fsync and back, on this machine: cards with three events, an order
# and a customer each, and portraits of 100 kB. Prints the time, the processor time and the memory of each move.
# Usage: bash benches/move.sh [cards] [portraits]   CARD_SERVICE=<a binary> measures that one; 4 GB of disk in TMPDIR
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/need
need_postgres
need python3 python3
cards="${1:-1000000}"
portraits="${2:-10000}"
if [ -z "${CARD_SERVICE:-}" ]; then
  cargo build --profile dist --workspace --all-features --bin card-service
  CARD_SERVICE="${CARGO_TARGET_DIR:-$PWD/target}/dist/card-service"
fi

folder="$(mktemp -d)"
chmod a+x "$folder" # PostgreSQL runs as a user of its own
end() {
  bash .ci/postgres stop "$folder/postgres" >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap end EXIT
postgres="$(bash .ci/postgres start "$folder/postgres")"
export CONFIG=/dev/null DATA_DIR="$folder/data"

# Runs a move: from, to, where the media are, where they go.
measure() {
  DATABASE_URL="$1" MEDIA_URL="file://$3" python3 - "$CARD_SERVICE" move --to "$2" --media-to "$4" --json <<'END'
import json, resource, subprocess, sys, time
began = time.time()
moved = json.loads(subprocess.run(sys.argv[1:], check=True, stdout=subprocess.PIPE).stdout)["moved"]
used = resource.getrusage(resource.RUSAGE_CHILDREN)
rows = sum(table["rows"] for table in moved)
print(f"{rows} rows: {time.time() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processor time, {used.ru_maxrss >> 10} MiB")
END
}

DATABASE_URL="sqlite://$folder/data/from.db" "$CARD_SERVICE" init >/dev/null 2>&1
DATABASE_URL="sqlite://$folder/data/from.db" "$CARD_SERVICE" partner add Bench --json >/dev/null
python3 - "$folder/data" "$cards" "$portraits" <<'END'
import os, sqlite3, sys
folder, cards, portraits = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
database = sqlite3.connect(f"{folder}/from.db")
partner, = database.execute("SELECT id FROM partners").fetchone()
os.makedirs(f"{folder}/media/photo")
for i in range(portraits):
    with open(f"{folder}/media/photo/{i:036}.jpeg", "wb") as file:
        file.write(os.urandom(100_000))
database.execute("PRAGMA synchronous = OFF")
at = 1_790_000_000_000
insert = lambda table, columns, row: database.executemany(
    f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(columns.split(',')))})", (row(i) for i in range(cards)))
ids = [os.urandom(16) for _ in range(cards)]
insert("customers", "id, partner_id, email, name, test, created_at",
    lambda i: (ids[i], partner, f"pieter.{i}@voorbeeld.example", "Pieter van den Berg", 0, at + i))
insert("cards", "id, partner_id, external_dossier_id, external_funeral_director_id, deceased_first_name, deceased_last_name,"
    "deceased_date_of_birth, deceased_date_of_death, livestream_url, family_contact_name, family_contact_email, memorial_text,"
    "status, slug, test, created_at, updated_at, event_count, ordered_at, activated_at",
    lambda i: (ids[i], partner, f"2026-{i}", "UV-88", "Johanna", "van den Berg", "1941-03-09", "2026-10-01",
        "https://live.example.org/abc", "Pieter van den Berg", f"pieter.{i}@voorbeeld.example", "In liefdevolle herinnering. " * 8,
        "ACTIVE", f"johanna-van-den-berg-{i:08x}", 0, at + i, at + i, 3, at + i, at + i))
insert("orders", "id, card_id, partner_id, customer_id, number, price_cents, actor, test, ordered_at",
    lambda i: (os.urandom(16), ids[i], partner, ids[i], f"K{i:09}", 4950, "FAMILY", 0, at + i))
for number, topic in enumerate(["CARDS_CREATE", "CARDS_ORDERED", "CARDS_ACTIVATED"], 1):
    insert("events", "id, partner_id, card_id, topic, sequence, actor, changed_fields, test, occurred_at",
        lambda i: (os.urandom(16), partner, ids[i], topic, number, "PARTNER", "[]", 0, at + i))
database.commit()
END
du -h "$folder/data/from.db" | cut -f1
echo "SQLite to PostgreSQL"
measure "sqlite://$folder/data/from.db" "$postgres" "$folder/data/media" "$folder/data/there"
echo "PostgreSQL to SQLite"
measure "$postgres" "sqlite://$folder/data/back.db" "$folder/data/there" "$folder/data/back"

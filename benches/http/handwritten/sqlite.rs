//! The statements by hand on SQLite: one connection that reads, and one thread that writes with group commit and
//! `synchronous = FULL`. A savepoint isolates each card of a group.

use std::path::Path;
use std::sync::Mutex;

use chrono::{DateTime, Utc};
use rusqlite::types::Null;
use rusqlite::{Connection, Row, params};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use super::json::{Card, Key, NewCard, Theme, Themes};

/// How many units share a commit at most.
const GROUP_MAX: usize = 64;

// The statements of the real server: src/store/queries.
const READ: &str = "SELECT id, partner_id, external_dossier_id, external_funeral_director_id, theme_id, deceased_first_name, \
    deceased_last_name, deceased_date_of_birth, deceased_date_of_death, deceased_photo_key, livestream_url, family_contact_name, \
    family_contact_email, layout, visibility, memorial_text, status, slug, test, created_at, updated_at, event_count, \
    ordered_at, activated_at, offline_since, farewell_date, farewell_time, farewell_place, farewell_address, farewell_note, \
    deceased_photo_focal_point FROM cards WHERE id = ?1";
const THEMES: &str = "SELECT id, number, handle, title, description, images, videos, demo_url, position FROM themes \
    WHERE retired_at IS NULL ORDER BY position, number LIMIT ?1";
const INSERT_KEY: &str = "INSERT INTO idempotency_keys (partner_id, mode, key, fingerprint, bound, created_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
const INSERT_CARD: &str = "INSERT INTO cards (id, partner_id, external_dossier_id, test, created_at, \
    external_funeral_director_id, theme_id, deceased_first_name, deceased_last_name, deceased_date_of_birth, \
    deceased_date_of_death, deceased_photo_key, livestream_url, family_contact_name, family_contact_email, layout, visibility, \
    memorial_text, status, slug, updated_at, event_count, ordered_at, activated_at, farewell_date, farewell_time, \
    farewell_place, farewell_address, farewell_note, deceased_photo_focal_point) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, \
    ?25, ?26, ?27, ?28, ?29, ?30) \
    ON CONFLICT (partner_id, external_dossier_id) DO NOTHING";
const BIND_CARD: &str = "INSERT INTO idempotency_cards (partner_id, mode, key, ordinal, card_id, input) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const FOLLOWERS: &str = "SELECT id, api_version FROM webhook_subscriptions WHERE partner_id = ?1 AND topic = ?2 \
    AND (test = 0 OR ?3)";
const INSERT_EVENT: &str = "INSERT INTO events (id, partner_id, card_id, topic, sequence, actor, changed_fields, test, \
    occurred_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const BIND_REQUEST: &str = "UPDATE idempotency_keys SET bound = 1, fingerprint = ?4, response = ?5 WHERE partner_id = ?1 \
    AND mode = ?2 AND key = ?3 AND response IS NULL AND (bound = 0 OR fingerprint = ?4)";

pub(crate) struct Database {
    reader: Mutex<Connection>,
    jobs: mpsc::Sender<Job>,
    partner: Uuid,
}

enum Job {
    Create(Box<NewCard>, oneshot::Sender<Vec<u8>>),
    /// Stores the response under the key of its request.
    Bind(Key, Vec<u8>),
}

impl Database {
    pub(crate) fn open(path: &Path, partner: Uuid) -> Self {
        let (jobs, queue) = mpsc::channel::<Job>(1024);
        let writer = connect(path);
        writer.execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;").expect("pragmas");
        std::thread::spawn(move || write_loop(&writer, partner, queue));
        Self { reader: Mutex::new(connect(path)), jobs, partner }
    }

    pub(crate) fn card(&self, id: Uuid) -> Vec<u8> {
        let connection = self.reader.lock().expect("one thread");
        let mut select = connection.prepare_cached(READ).expect("the same SQL");
        let read = select.query_row([&id.as_bytes()[..]], |row| {
            assert_eq!(row.get_ref(1)?.as_blob(), Ok(&self.partner.as_bytes()[..]), "the partner reads its own cards");
            Ok(card_answer(id, row))
        });
        read.expect("a card")
    }

    pub(crate) fn themes(&self, first: i64) -> Vec<u8> {
        let connection = self.reader.lock().expect("one thread");
        let mut select = connection.prepare_cached(THEMES).expect("the same SQL");
        let mut rows = select.query([first + 1]).expect("a read");
        let mut themes = Themes::new(first);
        while let Some(row) = rows.next().expect("a read") {
            themes.add(&Theme {
                id: Uuid::from_slice(row.get_ref(0).and_then(|id| Ok(id.as_blob()?)).expect("a column"))
                    .expect("an id"),
                number: row.get(1).expect("a number"),
                handle: text(row, 2).expect("text"),
                title: text(row, 3).expect("text"),
                images: text(row, 5).expect("text"),
                position: row.get(8).expect("a number"),
            });
        }
        themes.answer()
    }

    pub(crate) async fn create(&self, new: NewCard) -> Vec<u8> {
        let (answer, done) = oneshot::channel();
        let key = new.key.clone();
        self.jobs.send(Job::Create(Box::new(new), answer)).await.expect("the writer runs");
        let answer = done.await.expect("the writer answers");
        if let Some(key) = key {
            self.jobs.send(Job::Bind(key, answer.clone())).await.expect("the writer runs");
        }
        answer
    }
}

fn connect(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("the database that the real server made");
    connection.set_prepared_statement_cache_capacity(32);
    connection
        .execute_batch(
            "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456;",
        )
        .expect("pragmas");
    connection
}

fn text<'r>(row: &'r Row<'_>, column: usize) -> Option<&'r str> {
    row.get_ref(column).expect("a column").as_str_or_null().expect("text")
}

fn card_answer(id: Uuid, row: &Row<'_>) -> Vec<u8> {
    let time = |column: usize| -> DateTime<Utc> {
        DateTime::from_timestamp_millis(row.get(column).expect("milliseconds")).expect("in range")
    };
    let card = Card {
        id,
        external_dossier_id: text(row, 2).expect("text"),
        external_funeral_director_id: text(row, 3),
        first_name: text(row, 5),
        last_name: text(row, 6),
        date_of_birth: text(row, 7),
        date_of_death: text(row, 8),
        livestream_url: text(row, 10),
        family_name: text(row, 11),
        family_email: text(row, 12),
        status: text(row, 16).expect("text"),
        test: row.get(18).expect("a flag"),
        created_at: time(19),
        updated_at: time(20),
    };
    card.answer()
}

fn write_loop(connection: &Connection, partner: Uuid, mut queue: mpsc::Receiver<Job>) {
    while let Some(first) = queue.blocking_recv() {
        connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
        let mut answers = Vec::new();
        let (mut next, mut count) = (Some(first), 0);
        while let Some(job) = next {
            match job {
                Job::Create(new, answer) => {
                    execute(connection, "SAVEPOINT job", ());
                    insert(connection, partner, &new);
                    execute(connection, "RELEASE job", ());
                    answers.push((new.answer(), answer));
                }
                Job::Bind(key, response) => bind(connection, partner, &key, &response),
            }
            count += 1;
            next = if count < GROUP_MAX { queue.try_recv().ok() } else { None };
        }
        connection.execute_batch("COMMIT").expect("a commit");
        for (json, answer) in answers {
            let _ = answer.send(json);
        }
    }
}

/// Runs a statement, which is kept prepared; returns the number of changed rows.
fn execute(connection: &Connection, sql: &str, parameters: impl rusqlite::Params) -> usize {
    connection.prepare_cached(sql).expect("the same SQL").execute(parameters).expect("a change")
}

/// Inserts the card with its event, and the record of its key.
fn insert(connection: &Connection, partner: Uuid, new: &NewCard) {
    let (id, partner, at, input) =
        (&new.id.as_bytes()[..], &partner.as_bytes()[..], new.at.timestamp_millis(), &new.input);
    if let Some(key) = &new.key {
        let claimed =
            execute(connection, INSERT_KEY, params![partner, "live", key.text, &key.fingerprint[..], false, at]);
        assert_eq!(claimed, 1, "every key is new");
    }
    let (dossier, deceased) = (&input.external_dossier_id, &input.deceased);
    let born = deceased.date_of_birth.to_string();
    let card = params![
        id,
        partner,
        dossier,
        false,
        at,
        Null,
        Null,
        deceased.first_name,
        deceased.last_name,
        born,
        Null,
        Null,
        Null,
        Null,
        Null,
        "PORTRAIT",
        "OPEN",
        Null,
        "DRAFT",
        Null,
        at,
        1,
        Null,
        Null,
        Null,
        Null,
        Null,
        Null,
        Null,
        Null
    ];
    assert_eq!(execute(connection, INSERT_CARD, card), 1, "every dossier number is new");
    if let Some(key) = &new.key {
        execute(connection, BIND_CARD, params![partner, "live", key.text, 0, id, &key.input[..]]);
    }
    let event = &new.event_id.as_bytes()[..];
    execute(connection, INSERT_EVENT, params![event, partner, id, "CARDS_CREATE", 1, "PARTNER", "[]", false, at]);
    let mut followers = connection.prepare_cached(FOLLOWERS).expect("the same SQL");
    assert!(!followers.exists(params![partner, "CARDS_CREATE", false]).expect("a read"), "nothing is subscribed");
}

fn bind(connection: &Connection, partner: Uuid, key: &Key, response: &[u8]) {
    let response = std::str::from_utf8(response).expect("JSON is text");
    let values = params![&partner.as_bytes()[..], "live", key.text, &key.fingerprint[..], response];
    assert_eq!(execute(connection, BIND_REQUEST, values), 1, "the key has no response yet");
}

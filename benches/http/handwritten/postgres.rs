//! The statements by hand on PostgreSQL: few connections, each with the requests of many clients in its pipeline. A create
//! sends its whole transaction at once. Responses are stored behind, many at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, NaiveDate, Utc};
use tokio::sync::mpsc;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row, Statement};
use uuid::Uuid;

use super::json::{Card, Key, NewCard, Theme, Themes};

const CONNECTIONS: usize = 4;

/// How many responses are stored together at most.
const BOUND_MAX: usize = 64;

// The statements of the real server: src/store/queries.
const READ: &str = "SELECT id, partner_id, external_dossier_id, external_funeral_director_id, theme_id, deceased_first_name, \
    deceased_last_name, deceased_date_of_birth, deceased_date_of_death, deceased_photo_key, livestream_url, family_contact_name, \
    family_contact_email, layout, visibility, memorial_text, status, slug, test, created_at, updated_at, event_count, \
    ordered_at, activated_at, offline_since, farewell_date, farewell_time, farewell_place, farewell_address, farewell_note, \
    deceased_photo_focal_point FROM cards WHERE id = $1";
const THEMES: &str = "SELECT id, number, handle, title, description, images, videos, demo_url, position FROM themes \
    WHERE retired_at IS NULL ORDER BY position, number LIMIT $1";
const INSERT_KEY: &str = "INSERT INTO idempotency_keys (partner_id, mode, key, fingerprint, bound, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
const INSERT_CARD: &str = "INSERT INTO cards (id, partner_id, external_dossier_id, test, created_at, \
    external_funeral_director_id, theme_id, deceased_first_name, deceased_last_name, deceased_date_of_birth, \
    deceased_date_of_death, deceased_photo_key, livestream_url, family_contact_name, family_contact_email, layout, visibility, \
    memorial_text, status, slug, updated_at, event_count, ordered_at, activated_at, farewell_date, farewell_time, \
    farewell_place, farewell_address, farewell_note, deceased_photo_focal_point) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, \
    $25, $26, $27, $28, $29, $30) \
    ON CONFLICT (partner_id, external_dossier_id) DO NOTHING";
const BIND_CARD: &str = "INSERT INTO idempotency_cards (partner_id, mode, key, ordinal, card_id, input) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const FOLLOWERS: &str = "SELECT id, api_version FROM webhook_subscriptions WHERE partner_id = $1 AND topic = $2 \
    AND (test = false OR $3)";
const INSERT_EVENT: &str = "INSERT INTO events (id, partner_id, card_id, topic, sequence, actor, changed_fields, test, \
    occurred_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
const BIND_REQUEST: &str = "UPDATE idempotency_keys SET bound = true, fingerprint = $4, response = $5 WHERE partner_id = $1 \
    AND mode = $2 AND key = $3 AND response IS NULL AND (bound = false OR fingerprint = $4)";

/// A parameter of a statement.
type Value<'a> = dyn ToSql + Sync + 'a;

pub(crate) struct Database {
    connections: Vec<Connection>,
    next: AtomicUsize,
    /// Responses to store under the keys of their requests.
    bind: mpsc::UnboundedSender<(Key, Vec<u8>)>,
    partner: Uuid,
}

struct Connection {
    client: Client,
    read: Statement,
    themes: Statement,
    insert_key: Statement,
    insert_card: Statement,
    bind_card: Statement,
    followers: Statement,
    insert_event: Statement,
}

impl Database {
    pub(crate) async fn connect(url: &str, partner: Uuid) -> Self {
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            let client = client(url).await;
            let prepare = async |sql| client.prepare(sql).await.expect("the same SQL");
            connections.push(Connection {
                read: prepare(READ).await,
                themes: prepare(THEMES).await,
                insert_key: prepare(INSERT_KEY).await,
                insert_card: prepare(INSERT_CARD).await,
                bind_card: prepare(BIND_CARD).await,
                followers: prepare(FOLLOWERS).await,
                insert_event: prepare(INSERT_EVENT).await,
                client,
            });
        }
        let (bind, responses) = mpsc::unbounded_channel();
        tokio::spawn(bind_loop(client(url).await, partner, responses));
        Self { connections, next: AtomicUsize::new(0), bind, partner }
    }

    fn connection(&self) -> &Connection {
        &self.connections[self.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS]
    }

    pub(crate) async fn card(&self, id: Uuid) -> Vec<u8> {
        let c = self.connection();
        let row = c.client.query_one(&c.read, &[&id]).await.expect("a card");
        assert_eq!(row.get::<_, Uuid>(1), self.partner, "the partner reads its own cards");
        card_answer(id, &row)
    }

    pub(crate) async fn themes(&self, first: i64) -> Vec<u8> {
        let c = self.connection();
        let rows = c.client.query(&c.themes, &[&(first + 1)]).await.expect("a read");
        let mut themes = Themes::new(first);
        for row in &rows {
            themes.add(&Theme {
                id: row.get(0),
                number: row.get(1),
                handle: row.get(2),
                title: row.get(3),
                images: row.get(5),
                position: row.get(8),
            });
        }
        themes.answer()
    }

    pub(crate) async fn create(&self, new: NewCard) -> Vec<u8> {
        self.connection().create(self.partner, &new).await;
        let answer = new.answer();
        if let Some(key) = new.key {
            self.bind.send((key, answer.clone())).expect("the task runs");
        }
        answer
    }
}

impl Connection {
    /// Sends all statements of the transaction before the first answer: each future sends its statement when it is first
    /// polled, in this order, and no other task runs in between.
    async fn create(&self, partner: Uuid, new: &NewCard) {
        let NewCard { id, event_id, at, input, key } = new;
        let none: Option<&str> = None;
        let claim = async {
            let Some(key) = key else { return };
            let values: [&Value<'_>; 6] = [&partner, &"live", &key.text, &&key.fingerprint[..], &false, at];
            assert_eq!(self.client.execute(&self.insert_key, &values).await.expect("a row"), 1, "every key is new");
        };
        let card = async {
            let (dossier, deceased) = (&input.external_dossier_id, &input.deceased);
            let values: [&Value<'_>; 30] = [
                id,
                &partner,
                dossier,
                &false,
                at,
                &none,
                &None::<Uuid>,
                &deceased.first_name,
                &deceased.last_name,
                &deceased.date_of_birth,
                &None::<NaiveDate>,
                &none,
                &none,
                &none,
                &none,
                &"PORTRAIT",
                &"OPEN",
                &none,
                &"DRAFT",
                &none,
                at,
                &1_i64,
                &None::<DateTime<Utc>>,
                &None::<DateTime<Utc>>,
                &None::<NaiveDate>,
                &none,
                &none,
                &none,
                &none,
                &none,
            ];
            let inserted = self.client.execute(&self.insert_card, &values).await.expect("a row");
            assert_eq!(inserted, 1, "every dossier number is new");
        };
        let bind = async {
            let Some(key) = key else { return };
            let values: [&Value<'_>; 6] = [&partner, &"live", &key.text, &0_i32, id, &&key.input[..]];
            self.client.execute(&self.bind_card, &values).await.expect("a row");
        };
        let event = async {
            let values: [&Value<'_>; 9] =
                [event_id, &partner, id, &"CARDS_CREATE", &1_i64, &"PARTNER", &"[]", &false, at];
            self.client.execute(&self.insert_event, &values).await.expect("a row");
        };
        let followers = async {
            let rows = self.client.query(&self.followers, &[&partner, &"CARDS_CREATE", &false]).await.expect("a read");
            assert!(rows.is_empty(), "nothing is subscribed");
        };
        let (begun, (), (), (), (), (), committed) = tokio::join!(
            biased;
            self.client.batch_execute("BEGIN"),
            claim,
            card,
            bind,
            event,
            followers,
            self.client.batch_execute("COMMIT"),
        );
        begun.expect("a transaction");
        committed.expect("a commit");
    }
}

/// Connects with plans that do not depend on how many rows a table had when a statement was planned first.
async fn client(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
    tokio::spawn(connection);
    client.batch_execute("SET enable_seqscan = off").await.expect("a setting");
    client
}

/// Stores the responses that have come, as one transaction.
async fn bind_loop(client: Client, partner: Uuid, mut responses: mpsc::UnboundedReceiver<(Key, Vec<u8>)>) {
    let statement = client.prepare(BIND_REQUEST).await.expect("the same SQL");
    let mut batch = Vec::new();
    while responses.recv_many(&mut batch, BOUND_MAX).await > 0 {
        let updates = batch.drain(..).map(async |(key, response)| {
            let response = std::str::from_utf8(&response).expect("JSON is text");
            let values: [&Value<'_>; 5] = [&partner, &"live", &key.text, &&key.fingerprint[..], &response];
            client.execute(&statement, &values).await.expect("a change")
        });
        let updates = futures_util::future::join_all(updates);
        let (begun, changed, committed) =
            tokio::join!(biased; client.batch_execute("BEGIN"), updates, client.batch_execute("COMMIT"));
        begun.and(committed).expect("a transaction");
        assert!(changed.into_iter().all(|rows| rows == 1), "no key has a response yet");
    }
}

fn card_answer(id: Uuid, row: &Row) -> Vec<u8> {
    let date = |column: usize| row.get::<_, Option<NaiveDate>>(column).map(|date| date.to_string());
    let (date_of_birth, date_of_death) = (date(7), date(8));
    let card = Card {
        id,
        external_dossier_id: row.get(2),
        external_funeral_director_id: row.get(3),
        first_name: row.get(5),
        last_name: row.get(6),
        date_of_birth: date_of_birth.as_deref(),
        date_of_death: date_of_death.as_deref(),
        livestream_url: row.get(10),
        family_name: row.get(11),
        family_email: row.get(12),
        status: row.get(16),
        test: row.get(18),
        created_at: row.get(19),
        updated_at: row.get(20),
    };
    card.answer()
}

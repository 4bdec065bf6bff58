//! Rows that compare the service with itself: the processor time of an answer with [`SMALL`] cards in the database, divided
//! by that with `--grown` cards. Each card has an event and an invitee, the cards whose pages are read are spread over all.

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

use crate::Options;
use crate::comparison::{Comparison, Cost, Meter};
use crate::database::{Database, Engine, Sql, card_id, execute};
use crate::load;
use crate::postgres::Postgres;
use crate::process::Process;
use crate::table::{Figures, Row};
use crate::workload::Workload;

/// The cards of the smaller database.
const SMALL: usize = 100_000;
/// Rows that one statement adds.
const AT_ONCE: usize = 1_000_000;
/// Cards whose customizer is read, and as many whose invitee list is.
const OPENED: usize = 100;
/// People on each of those lists, besides the one of every card.
const INVITEES: usize = 20;
/// The processor time may grow by a fifth.
const GOAL: f64 = 1.0 / 1.2;

/// What is requested.
#[derive(Clone, Copy)]
enum Request {
    Api(Workload),
    Customizer,
    InviteeList,
}

impl Request {
    const ALL: [Self; 6] = [
        Self::Api(Workload::Read),
        Self::Api(Workload::Themes),
        Self::Customizer,
        Self::InviteeList,
        Self::Api(Workload::Create),
        Self::Api(Workload::KeyedCreate),
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Api(workload) => workload.name(),
            Self::Customizer => "customizer",
            Self::InviteeList => "invitees",
        }
    }
}

/// Measures both databases in turn, and prints a row for each kind of request.
pub(crate) fn print(options: &Options, postgres: Option<&Postgres>) {
    if !options.rows.iter().any(|row| row == "growth") {
        return;
    }
    let engine = if postgres.is_some() { Engine::Postgres } else { Engine::Sqlite };
    let (small, large) = (Grown::start(SMALL, postgres), Grown::start(options.grown, postgres));
    let (time, postmaster) = (Duration::from_secs_f64(options.seconds), postgres.map(|server| server.id));
    for request in Request::ALL {
        let round = |grown: &Grown| grown.round(request, options.connections, time, postmaster);
        round(&large); // fills the caches
        round(&small);
        let comparison = Comparison::measure(options.rounds, || round(&large), || round(&small));
        let (row, cards) = (format!("+{}", request.name()), Some(options.grown));
        let (autovacuum, figures) = (postgres.map(|_| true), Figures::ProcessorTime(comparison));
        Row { row, database: engine, cards, autovacuum, figures, goal: GOAL }.print(options.json);
    }
}

/// A server on a database of its own.
struct Grown {
    // Dropped in this order.
    process: Process,
    database: Database,
    customizers: Vec<Vec<u8>>,
    invitee_lists: Vec<Vec<u8>>,
    next: Cell<usize>,
}

impl Grown {
    fn start(cards: usize, postgres: Option<&Postgres>) -> Self {
        let began = std::time::Instant::now();
        let mut database = match postgres {
            None => Database::sqlite(SMALL.min(cards)),
            Some(server) => Database::postgres(&server.url, SMALL.min(cards), false),
        };
        grow(&mut database, cards, if postgres.is_some() { Engine::Postgres } else { Engine::Sqlite });
        eprintln!("{cards} cards were written in {:.0} s", began.elapsed().as_secs_f64());
        // The ids of the rows are of 2024: the server would delete what is past its retention.
        let kept = ["RETENTION_DRAFTS", "RETENTION_INVITEES", "RETENTION_EVENTS"].map(|name| (name, "off".to_owned()));
        let process = database.serve_with(&kept);
        let page = |n: usize, target, path, step| {
            let card = n % OPENED * (cards / OPENED) + n / OPENED;
            opened(process.address, &database.token, &card_id(card), target, path, step)
        };
        let customizers = (OPENED..2 * OPENED).map(|n| page(n, "CUSTOMIZER", "bewerken", "/thema")).collect();
        let invitee_lists = (0..OPENED).map(|n| page(n, "INVITEE_LIST", "gasten", "")).collect();
        Self { process, database, customizers, invitee_lists, next: Cell::new(0) }
    }

    fn round(&self, request: Request, connections: usize, time: Duration, postmaster: Option<u32>) -> Cost {
        let meter = Meter::start(self.process.id(), postmaster);
        let run = |start, make: &dyn Fn(usize) -> Vec<u8>| {
            load::run(self.process.address, connections, time, start, &self.next, make)
        };
        const PAGE: &str = "<!DOCTYPE html>";
        let outcome = match request {
            Request::Api(workload) => {
                let make = workload.requests(&self.database.token, self.database.cards);
                run(workload.answer_start(), &make)
            }
            Request::Customizer => run(PAGE, &|n| self.customizers[n % OPENED].clone()),
            Request::InviteeList => run(PAGE, &|n| self.invitee_lists[n % OPENED].clone()),
        };
        meter.stop(outcome.answers, outcome.rate, Some(outcome.p99_us))
    }
}

/// Adds cards until there are so many, and invitees to all of them.
fn grow(database: &mut Database, cards: usize, engine: Engine) {
    let Sql { id, event_id, .. } = Sql::of(engine);
    let (invitee_id, at, random, end, begin) = match engine {
        Engine::Sqlite => (
            "unhex('01930000000070008003' || printf('%012x', i))",
            "unixepoch('now', '-1 day') * 1000 + i",
            "randomblob(16)",
            "PRAGMA optimize; PRAGMA journal_mode = WAL;",
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -500000;",
        ),
        Engine::Postgres => (
            "('01930000-0000-7000-8003-' || lpad(to_hex(i), 12, '0'))::uuid",
            "now() - interval '1 day' + i * interval '1 millisecond'",
            "gen_random_uuid()",
            "VACUUM (ANALYZE)",
            // Foreign keys are checked by triggers, which a replica does not run.
            "SET session_replication_role = replica; SET synchronous_commit = off;",
        ),
    };
    let numbers = |from: usize, to: usize| match engine {
        Engine::Sqlite => format!(
            "(WITH RECURSIVE n (i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT {}) AS numbers",
            to - from
        ),
        Engine::Postgres => format!("generate_series({from}, {}) AS numbers (i)", to - 1),
    };
    let first = "(SELECT c.* FROM cards c ORDER BY c.id LIMIT 1) AS card";
    let invitee = |id: &str, card: &str, n: &str| {
        format!(
            "INSERT INTO invitees (id, card_id, name, email, email_folded, token, created_at, mail_count)
             SELECT {id}, {card}, 'Pieter van den Berg', 'gast-' || {n} || '@example.org', 'gast-' || {n} || '@example.org',
                 'token-' || {n} || '-' || i, {at}, 0"
        )
    };
    let mut statements = Vec::new();
    for from in (0..cards).step_by(AT_ONCE) {
        let (from, to) = (from, cards.min(from + AT_ONCE));
        let added = numbers(from.max(SMALL), to.max(SMALL));
        if to > SMALL {
            statements.push(format!(
                "INSERT INTO cards (id, partner_id, external_dossier_id, external_funeral_director_id, deceased_first_name,
                     deceased_last_name, deceased_date_of_birth, deceased_date_of_death, livestream_url, family_contact_name,
                     family_contact_email, status, test, created_at, updated_at, event_count)
                 SELECT {id}, partner_id, '2026-' || i, external_funeral_director_id, deceased_first_name,
                     deceased_last_name, deceased_date_of_birth, deceased_date_of_death, livestream_url, family_contact_name,
                     family_contact_email, status, test, {at}, {at}, event_count FROM {first} CROSS JOIN {added};
                 INSERT INTO events (id, partner_id, card_id, topic, sequence, actor, changed_fields, test, occurred_at)
                 SELECT {event_id}, partner_id, {id}, 'CARDS_CREATE', 1, 'PARTNER', '[]', test, {at}
                     FROM {first} CROSS JOIN {added};"
            ));
        }
        statements.push(format!("{} FROM {};", invitee(invitee_id, id, "0"), numbers(from, to)));
    }
    for n in 0..OPENED {
        let card = card_id(n * (cards / OPENED));
        let value = match engine {
            Engine::Sqlite => format!("x'{}'", card.replace('-', "")),
            Engine::Postgres => format!("'{card}'::uuid"),
        };
        statements.push(format!(
            "UPDATE cards SET status = 'ORDERED', ordered_at = created_at WHERE id = {value}; {} FROM {};",
            invitee(random, &value, &format!("{n} || '-' || i")),
            numbers(1, 1 + INVITEES),
        ));
    }
    match engine {
        Engine::Sqlite => {
            let connection = rusqlite::Connection::open(database.path()).expect("nothing else has it open");
            let run = |sql: &str| connection.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            run(begin);
            for statement in statements {
                run(&format!("BEGIN; {statement} COMMIT;"));
            }
            run("ANALYZE;");
            run(end);
        }
        Engine::Postgres => {
            for statement in statements {
                execute(&database.url, &format!("{begin} {statement}"));
            }
            execute(&database.url, end);
            execute(&database.url, "CHECKPOINT"); // what is written later counts in a round
        }
    }
    database.cards = cards;
}

/// Opens a card for a family, and returns the request of its page.
fn opened(address: SocketAddr, token: &str, card: &str, target: &str, path: &str, step: &str) -> Vec<u8> {
    const OPEN: &str = "mutation ($id: ID!, $target: CardSessionTarget!) { cardSessionCreate(cardId: $id, target: $target) { \
                        cardSession { url } userErrors { message } } }";
    let variables = json!({ "id": format!("gid://service/Card/{card}"), "target": target });
    let body = json!({ "query": OPEN, "variables": variables }).to_string();
    let answer = exchange(
        address,
        &format!(
            "POST /partner/api/2026-10/graphql HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n\
             X-Service-Access-Token: {token}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    );
    let json: Value = answer.split("\r\n\r\n").nth(1).and_then(|body| serde_json::from_str(body).ok()).expect("JSON");
    let url = json["data"]["cardSessionCreate"]["cardSession"]["url"].as_str().unwrap_or_else(|| panic!("{json}"));
    let link = &url[url.find("/s/").expect("a session link")..];
    let redeemed = exchange(address, &format!("GET {link} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n"));
    let cookie = redeemed.lines().find_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
    let cookie = cookie.unwrap_or_else(|| panic!("no cookie: {redeemed}"));
    format!("GET /{path}/{card}{step} HTTP/1.1\r\nHost: bench\r\nCookie: {cookie}\r\n\r\n").into_bytes()
}

/// Sends a request on a connection of its own; returns the whole answer.
fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers with text");
    answer
}

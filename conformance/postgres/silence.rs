//! A PostgreSQL that stops answering: requests get their 503 in time, the server recovers once it is reachable again, and
//! shutdown works meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use card_service::base::limits;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_postgres::NoTls;

use super::proxy::Proxy;
use crate::app::{Database, FreshDatabase, Program, http_client, run_alone, wait_for};
use crate::webhook::follow::Followed;

const CALLERS: usize = 8;
/// Longest time to an answer while the database is silent.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
/// Longest time from the database's return until every request succeeds.
const RECOVERED_WITHIN: Duration = Duration::from_secs(5);
const READINESS_WITHIN: Duration = Duration::from_secs(4);

/// An answer to a caller or to the health check: its start and duration.
#[derive(Clone, Copy, Debug)]
struct Seen {
    is_health: bool,
    began: Instant,
    took: Duration,
    status: u16,
}

/// Sends reads, writes and health requests until it is stopped.
struct Callers {
    stop: Arc<AtomicBool>,
    running: Vec<tokio::task::JoinHandle<Vec<Seen>>>,
}

impl Callers {
    fn start(base: &str, token: &str) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let caller = |n: usize| {
            let (stop, base, token) = (Arc::clone(&stop), base.to_owned(), token.to_owned());
            tokio::spawn(async move {
                let mut seen = Vec::new();
                for round in 0_usize.. {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    let began = Instant::now();
                    let request = match n {
                        0 => http_client().get(format!("{base}/health/ready")),
                        _ => http_client()
                            .post(format!("{base}/partner/api/2026-10/graphql"))
                            .header("x-service-access-token", &token)
                            .json(&document(n, round)),
                    };
                    let answer = request.timeout(Duration::from_secs(60)).send().await.expect("an answer");
                    let (status, is_health) = (answer.status().as_u16(), n == 0);
                    let _ = answer.bytes().await;
                    seen.push(Seen { is_health, began, took: began.elapsed(), status });
                    sleep(Duration::from_millis(30)).await;
                }
                seen
            })
        };
        let running = (0..=CALLERS).map(caller).collect();
        Self { stop, running }
    }

    async fn end(self) -> Vec<Seen> {
        self.stop.store(true, Ordering::SeqCst);
        let mut seen = Vec::new();
        for caller in self.running {
            seen.extend(caller.await.expect("no caller panics"));
        }
        seen
    }
}

fn document(caller: usize, round: usize) -> Value {
    let dossier = format!("{caller}-{round}");
    match round % 2 {
        // The fields of a mutation run one after the other, within the time limit of one.
        0 => json!({
            "query": "mutation ($a: CardCreateInput!, $b: CardCreateInput!, $c: CardCreateInput!) {
                a: cardCreate(input: $a) { card { id } } b: cardCreate(input: $b) { card { id } }
                c: cardCreate(input: $c) { card { id } }
            }",
            "variables": {
                "a": { "externalDossierId": format!("{dossier}-a") },
                "b": { "externalDossierId": format!("{dossier}-b") },
                "c": { "externalDossierId": format!("{dossier}-c") },
            },
        }),
        _ => json!({ "query": "{ themes(first: 1) { nodes { id } } }" }),
    }
}

/// The service behind a proxy, with a partner that gets notifications.
async fn behind_a_proxy(database: FreshDatabase) -> (Proxy, Followed) {
    let proxy = Proxy::start(&database.url);
    let program = Program::with(&proxy.url, database.folder.path()).create_database();
    let followed = Followed::with(database, program).await;
    (proxy, followed)
}

/// Freezes the database under load; returns the answers, and the time since when new connections were served.
async fn frozen_for(time: Duration, database: FreshDatabase) -> (Vec<Seen>, Instant) {
    let url = database.url.clone();
    let (proxy, followed) = behind_a_proxy(database).await;
    let serving = followed.program.serve();
    let callers = Callers::start(&serving.base, &followed.token);
    sleep(Duration::from_secs(1)).await;
    if !time.is_zero() {
        proxy.freeze();
        sleep(time).await;
    }
    queue_mail(&url).await;
    proxy.serve_new();
    let served = Instant::now();
    sleep_until(served + RECOVERED_WITHIN + Duration::from_secs(2)).await;
    let seen = callers.end().await;
    // Workers continue: notifications of everything that was committed before, during and after, and a mail.
    followed.everything_arrives(Duration::from_secs(40)).await;
    mail_is_worked_on(&url).await;
    assert!(serving.terminate());
    (seen, served)
}

/// Inserts a mail directly into the queue, without waking the worker.
async fn queue_mail(database: &str) {
    let mail = "INSERT INTO mails (id, card_id, kind, created_at, due_at, attempts)
                SELECT gen_random_uuid(), id, 'CARD_ONLINE', moment, moment, 0
                FROM cards, date_trunc('milliseconds', now()) AS moment LIMIT 1";
    assert_eq!(execute(database, mail).await, 1);
}

/// Waits until a worker has processed this mail: sent or failed, its due time changes.
async fn mail_is_worked_on(database: &str) {
    let untouched = "UPDATE mails SET attempts = attempts WHERE due_at = created_at";
    wait_for("a worker looks at mails", || async { (execute(database, untouched).await == 0).then_some(()) }).await;
}

/// Runs a statement directly on the database; returns the number of changed rows.
async fn execute(database: &str, sql: &str) -> u64 {
    let (client, connection) = tokio_postgres::connect(database, NoTls).await.expect("PostgreSQL answers");
    tokio::spawn(connection);
    client.execute(sql, &[]).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn check(seen: &[Seen], served: Instant) {
    for one in seen {
        let within = if one.is_health { READINESS_WITHIN } else { ANSWERED_WITHIN };
        assert!(one.took < within, "{one:?}, {:?} after the return", one.began.checked_duration_since(served));
        assert!(matches!(one.status, 200 | 503), "{one:?}");
    }
    let well = |one: &Seen| one.status == 200;
    let later = |one: &&Seen| one.began > served + RECOVERED_WITHIN;
    assert!(seen.iter().filter(later).all(well), "{:?}", seen.iter().filter(later).find(|one| !well(one)));
    assert!(seen.iter().filter(later).count() > CALLERS, "requests go on");
    assert!(seen.iter().any(|one| one.took > limits::DATABASE_SLOW), "the silence was noticed");
}

#[test]
fn silent_database_is_503_in_time_until_it_is_back() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let (seen, served) = frozen_for(Duration::from_secs(9), database).await;
        check(&seen, served);
        let unready = seen.iter().filter(|one| one.is_health && one.status == 503).count();
        assert!(unready > 1, "readiness says so");
    });
}

#[test]
fn dead_connections_are_replaced_while_new_ones_are_served() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let (seen, served) = frozen_for(Duration::ZERO, database).await;
        check(&seen, served);
    });
}

#[test]
fn server_ends_in_its_time_while_the_database_is_silent() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let (proxy, followed) = behind_a_proxy(database).await;
        let serving = followed.program.serve();
        let callers = Callers::start(&serving.base, &followed.token);
        sleep(Duration::from_secs(1)).await;
        proxy.freeze();
        sleep(Duration::from_millis(500)).await;
        callers.stop.store(true, Ordering::SeqCst);
        let began = Instant::now();
        let ended = tokio::task::spawn_blocking(move || serving.terminate()).await.expect("it is waited for");
        assert!(ended, "it ends well");
        let most = limits::DRAIN + limits::CLOSE + limits::THREADS_END;
        assert!(began.elapsed() < most, "{:?}", began.elapsed());
        for caller in callers.running {
            let _ = caller.await; // an answer may be broken off with the server
        }
    });
}

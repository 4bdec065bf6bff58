//! A server that gets SIGTERM: it reports that it is not ready, serves for the time of DRAIN_DELAY, and then stops
//! (decisions, section 9).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::app::{FreshDatabase, Program, Serving, http_client, keeping_client};

/// Rolling restarts in a run; set ROLLING_RESTARTS for more.
const RESTARTS: usize = 2;
const CLIENTS: usize = 8;

/// The addresses of the replicas that are ready, as a balancer knows them.
type Ready = Arc<Mutex<Vec<String>>>;

/// Sends a request over an open connection; returns the head of the response.
async fn live(stream: &mut TcpStream) -> String {
    stream.write_all(b"GET /health/live HTTP/1.1\r\nhost: kaarten.example\r\n\r\n").await.expect("bytes go out");
    let mut response = vec![0; 4096];
    let length = stream.read(&mut response).await.expect("a response");
    String::from_utf8_lossy(&response[..length]).into_owned()
}

async fn terminate(serving: Serving) -> bool {
    tokio::task::spawn_blocking(move || serving.terminate()).await.expect("it is waited for")
}

async fn readiness(base: &str) -> Option<u16> {
    let answer = http_client().get(format!("{base}/health/ready")).timeout(Duration::from_secs(2)).send().await;
    Some(answer.ok()?.status().as_u16())
}

/// Asks each replica ten times a second whether it is ready, as a balancer does.
async fn balance(replicas: Arc<Mutex<Vec<String>>>, ready: Ready) {
    loop {
        let all = replicas.lock().expect("no panic").clone();
        let mut now = Vec::new();
        for base in all {
            if readiness(&base).await == Some(200) {
                now.push(base);
            }
        }
        *ready.lock().expect("no panic") = now;
        sleep(Duration::from_millis(100)).await;
    }
}

/// Creates cards over kept connections and never tries a second time; returns how many.
async fn client(number: usize, token: String, ready: Ready, stop: Arc<AtomicBool>) -> usize {
    let http = keeping_client();
    let document = "mutation ($d: String!) { cardCreate(input: { externalDossierId: $d }) { card { id } } }";
    let mut round = 0;
    while !stop.load(Ordering::SeqCst) {
        let base = {
            let ready = ready.lock().expect("no panic");
            ready[(number + round) % ready.len()].clone()
        };
        let request = http
            .post(format!("{base}/partner/api/2026-10/graphql"))
            .header("x-service-access-token", &token)
            .json(&json!({ "query": document, "variables": { "d": format!("{number}-{round}") } }));
        let answer =
            request.send().await.unwrap_or_else(|error| panic!("request {round} of client {number}: {error:?}"));
        assert_eq!(answer.status(), 200, "request {round} of client {number}");
        let body: serde_json::Value = answer.json().await.expect("a whole response");
        assert!(body["data"]["cardCreate"]["card"]["id"].is_string(), "{body}");
        round += 1;
        sleep(Duration::from_millis(20)).await;
    }
    round
}

on_sqlite! {
    async fn draining_server_is_not_ready_and_serves_until_the_delay_is_over(database: FreshDatabase) {
        let serving = Program::new(&database).set("DRAIN_DELAY", "2").serve();
        let base = serving.base.clone();
        let address = base.strip_prefix("http://").expect("an address").to_owned();
        let mut kept = TcpStream::connect(&address).await.expect("it accepts");
        assert!(!live(&mut kept).await.contains("connection: close"));
        let began = Instant::now();
        let ended = tokio::spawn(terminate(serving));
        while readiness(&base).await == Some(200) {
            assert!(!ended.is_finished(), "it reports that it stops before it has stopped");
        }
        let report: serde_json::Value =
            http_client().get(format!("{base}/health/ready")).send().await.expect("it accepts").json().await.expect("JSON");
        assert_eq!((&report["ready"], &report["process"]), (&json!(false), &json!("stopping")));
        let response = live(&mut kept).await;
        assert!(response.starts_with("HTTP/1.1 200 ") && response.contains("connection: close"), "{response}");
        assert_eq!(kept.read(&mut [0; 1]).await.expect("the end of the connection"), 0);
        assert!(ended.await.expect("no panic"), "it exits with 0");
        let took = began.elapsed();
        assert!(took >= Duration::from_secs(2), "{took:?}");
        assert!(TcpStream::connect(&address).await.is_err(), "it does not accept");
    }

    async fn connections_that_wait_to_be_accepted_are_answered(database: FreshDatabase) {
        let serving = Program::new(&database).serve();
        let (address, pid) = (serving.base.replace("http://", ""), serving.pid().to_string());
        serving.signal("STOP");
        let mut waiting = Vec::new();
        for _ in 0..100 {
            let mut stream = TcpStream::connect(&address).await.expect("the kernel accepts");
            stream.write_all(b"GET /health/live HTTP/1.1\r\nhost: kaarten.example\r\n\r\n").await.expect("bytes go out");
            waiting.push(stream);
        }
        serving.signal("TERM");
        assert!(std::process::Command::new("kill").args(["-CONT", &pid]).status().expect("kill runs").success());
        for (number, mut stream) in waiting.into_iter().enumerate() {
            let mut response = String::new();
            let read = stream.read_to_string(&mut response).await;
            assert!(read.is_ok() && response.starts_with("HTTP/1.1 200 "), "{number}: {read:?} {response}");
        }
    }

    async fn delay_is_from_0_to_15_seconds(database: FreshDatabase) {
        let program = Program::new(&database);
        for wrong in ["16", "-1", "5s"] {
            let said = program.clone().set("DRAIN_DELAY", wrong).expect_failure(&["serve"]);
            assert!(said.contains("DRAIN_DELAY"), "{said}");
        }
        // Without a setting: not at all, and five seconds under an orchestrator.
        for (orchestrator, seconds) in [(None, 0..5), (Some("KUBERNETES_SERVICE_HOST"), 5..u64::MAX)] {
            let program = orchestrator.into_iter().fold(program.clone(), |program, name| program.set(name, "10.0.0.1"));
            let serving = program.serve();
            let began = Instant::now();
            assert!(terminate(serving).await);
            assert!(seconds.contains(&began.elapsed().as_secs()), "{orchestrator:?}: {:?}", began.elapsed());
        }
    }
}

on_both_databases! {
    async fn rolling_restarts_cut_no_request_off(database: FreshDatabase) {
        let program = Program::new(&database).set("DRAIN_DELAY", "3");
        let token = program.token("live");
        let mut replicas = vec![program.serve(), program.serve()];
        let bases = Arc::new(Mutex::new(replicas.iter().map(|replica| replica.base.clone()).collect::<Vec<_>>()));
        let ready: Ready = Arc::new(Mutex::new(bases.lock().expect("no panic").clone()));
        let balancer = tokio::spawn(balance(Arc::clone(&bases), Arc::clone(&ready)));
        let stop = Arc::<AtomicBool>::default();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| tokio::spawn(client(number, token.clone(), Arc::clone(&ready), Arc::clone(&stop))))
            .collect();
        let restarts = std::env::var("ROLLING_RESTARTS").map_or(RESTARTS, |text| text.parse().expect("a number"));
        for _ in 0..restarts {
            let next = program.serve();
            bases.lock().expect("no panic").push(next.base.clone());
            while !ready.lock().expect("no panic").contains(&next.base) {
                sleep(Duration::from_millis(20)).await;
            }
            replicas.push(next);
            let old = replicas.remove(0);
            let base = old.base.clone();
            assert!(terminate(old).await, "it exits with 0");
            bases.lock().expect("no panic").retain(|other| *other != base);
        }
        stop.store(true, Ordering::SeqCst);
        let mut created = 0;
        for client in clients {
            created += client.await.expect("no request is cut off");
        }
        balancer.abort();
        assert!(created > restarts * CLIENTS, "{created} cards: clients were at work");
        replicas.into_iter().for_each(|replica| assert!(replica.terminate()));
    }
}

//! `webhook listen`: brings notifications from a running server to a receiver on this machine, which the server may not reach.

use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::Receiver;
use std::time::{SystemTime, UNIX_EPOCH};

use card_service::base::limits::LISTEN_POLL;
use card_service::model::SigningSecret;
use serde_json::{Value, json};

use crate::app::mock_server::{Reply, Seen};
use crate::app::{FreshDatabase, MockServer, Program, Serving, lines_of, wait_for};
use crate::webhook::arrival::{Arrival, arrivals, assert_signed};

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const LOCAL: &str = "/local";

/// A server whose partner follows new cards with a test key, at an address that answers 503; and a local receiver.
struct Scene {
    program: Program,
    serving: Serving,
    receiver: MockServer,
    token: String,
    folder: std::path::PathBuf,
}

/// A running `webhook listen --json`; killed when it is dropped.
struct Listening {
    child: Child,
    lines: Mutex<Receiver<String>>,
}

impl Scene {
    async fn new(database: &FreshDatabase) -> Self {
        let receiver = MockServer::start().await;
        let folder = database.folder.path().to_owned();
        std::fs::write(folder.join("receiver.pem"), &receiver.root).expect("the folder can be written");
        let program = Program::on(database)
            .set("EGRESS_ALLOW", &receiver.https.to_string())
            .set("EGRESS_CA", &folder.join("receiver.pem").display().to_string());
        let token = program.token("test");
        let serving = program.serve();
        receiver.on("/away", Reply::Status(503));
        receiver.on(LOCAL, Reply::Status(204));
        Self { program, serving, receiver, token, folder }
    }

    async fn subscribe(&self, topic: &str, path: &str) -> String {
        let to = format!("https://{}{path}", self.receiver.https);
        self.serving.subscribe(&self.token, topic, &to).await
    }

    async fn create(&self, dossier: &str) -> String {
        self.serving.create(&self.token, json!({ "externalDossierId": dossier })).await
    }

    /// The developer's machine: no database, a token and the address of the service.
    fn developer(&self) -> Program {
        Program::with("postgres://nobody@127.0.0.1:1/none", &self.folder)
            .set("SERVICE_URL", &self.serving.base)
            .set("TOKEN", &self.token)
    }

    fn to(&self) -> String {
        format!("http://{}{LOCAL}", self.receiver.http)
    }

    /// Starts the command, and returns it with its first line.
    async fn listen(&self, developer: &Program, more: &[&str]) -> (Listening, Value) {
        let to = self.to();
        let arguments = [&["webhook", "listen", "--json", "--forward-to", &to], more].concat();
        let mut child = developer.command(&arguments).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let lines = Mutex::new(lines_of(&mut child));
        let listening = Listening { child, lines };
        let first = listening.line().await;
        (listening, first)
    }

    /// Runs a command that ends with an error; it shows no token.
    async fn refuses(&self, program: Program, said: &str) {
        // The receiver, which shares this thread, answers meanwhile.
        let run = move || program.run(&["webhook", "listen", "--forward-to", "http://127.0.0.1:1/a"]);
        let output = tokio::task::spawn_blocking(run).await.expect("it ends");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(said) && !error.contains(&self.token), "{said}: {error}");
    }

    fn arrived(&self) -> Vec<Arrival> {
        arrivals(self.receiver.seen(), LOCAL)
    }
}

impl Listening {
    /// Waits for a line; the receiver, which shares this thread, answers meanwhile.
    async fn line(&self) -> Value {
        let line = wait_for("a line", || {
            std::future::ready(self.lines.lock().expect("no panic with the lock").try_recv().ok())
        })
        .await;
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends Ctrl-C and waits; whether it ended well.
    async fn interrupt(mut self) -> bool {
        let pid = self.child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
        let child = &mut self.child;
        let ended = wait_for("the end of the command", || std::future::ready(child.try_wait().expect("a child")));
        ended.await.success() && sent.success()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("past 1970").as_secs() as i64
}

on_both_databases! {
    async fn listen_posts_each_event_once_as_the_service_would(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        let subscription = scene.subscribe("CARDS_CREATE", "/away").await;
        scene.subscribe("CARDS_CREATE", "/away/second").await;
        scene.create("before").await;
        let (listening, first) = scene.listen(&scene.developer(), &[]).await;
        assert_eq!((&first["listening"], &first["forwardTo"]), (&json!(scene.serving.base), &json!(scene.to())));
        let secret = SigningSecret::parse(first["secret"].as_str().expect("a secret is made")).expect("a secret");

        let card = scene.create("2026-0142").await;
        let line = listening.line().await;
        assert_eq!(
            (&line["topic"], &line["card"], &line["externalDossierId"], &line["sequence"], &line["status"], &line["error"]),
            (&json!("CARDS_CREATE"), &json!(card), &json!("2026-0142"), &json!(1), &json!(204), &json!(null))
        );
        scene.create("after").await;
        assert_eq!(listening.line().await["externalDossierId"], "after", "two subscriptions are one notification");
        tokio::time::sleep(LISTEN_POLL * 2).await;
        let [arrival, _] = scene.arrived().try_into().expect("two, without repeats");
        assert_signed(&arrival, &secret, now());
        assert_eq!(line["id"], arrival.json["id"]);
        let sent = |seen: &Seen| seen.path == "/away" && arrivals(vec![seen.clone()], "/away")[0].card() == card;
        let real = scene.receiver.seen().into_iter().find(sent).expect("the service tried its address too");
        assert_eq!(real.body, arrival.seen.body, "byte for byte what the service sends");
        let names = |seen: &Seen| {
            let mut names: Vec<_> = seen.headers.keys().map(ToString::to_string).collect();
            names.retain(|name| name.starts_with("webhook-") || name.starts_with("x-service-") || name.contains("type") || name == "user-agent");
            names.sort();
            names
        };
        assert_eq!(names(&real), names(&arrival.seen));
        for name in ["webhook-id", "x-service-topic", "x-service-api-version", "x-service-test", "content-type", "user-agent"] {
            assert_eq!(arrival.header(name), real.headers[name], "{name}");
        }
        assert!(arrival.header("x-service-subscription-id").starts_with("gid://service/WebhookSubscription/"));
        assert!(!subscription.is_empty() && arrival.header("x-service-attempt") == "1");
        assert!(listening.interrupt().await, "Ctrl-C ends it well");
    }

    async fn listen_goes_on_where_it_stopped(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        scene.subscribe("CARDS_CREATE", "/away").await;
        scene.subscribe("CARDS_UPDATE", "/away").await;
        scene.create("before").await;
        let state = scene.folder.join("listen.json").display().to_string();
        let developer = scene.developer().set("WEBHOOK_SECRET", SECRET);
        let (first, introduced) = scene.listen(&developer, &["--state", &state, "--topic", "CARDS_CREATE"]).await;
        assert_eq!((&introduced["secret"], &introduced["fingerprint"]), (&json!(null), &json!("5036e143")));
        scene.create("1").await;
        assert_eq!(first.line().await["externalDossierId"], "1");
        assert!(first.interrupt().await);
        scene.create("2").await;
        scene.create("3").await;
        let (second, _) = scene.listen(&developer, &["--state", &state, "--topic", "CARDS_CREATE"]).await;
        let told = [second.line().await, second.line().await].map(|line| line["externalDossierId"].clone());
        assert_eq!(told, [json!("2"), json!("3")], "in order");
        drop(second);
        let everything = [json!("before"), json!("1"), json!("2"), json!("3")];
        let (third, _) = scene.listen(&developer, &["--since", "1h"]).await;
        for dossier in everything {
            assert_eq!(third.line().await["externalDossierId"], dossier);
        }
        let secret = SigningSecret::parse(SECRET).expect("the vector");
        scene.arrived().iter().for_each(|arrival| assert_signed(arrival, &secret, now()));
    }

    async fn listen_reports_a_receiver_and_a_service_that_are_away(database: FreshDatabase) {
        let mut scene = Scene::new(&database).await;
        scene.subscribe("CARDS_CREATE", "/away").await;
        scene.receiver.on(LOCAL, Reply::Status(500));
        let (listening, _) = scene.listen(&scene.developer(), &[]).await;
        scene.create("1").await;
        assert_eq!(listening.line().await["status"], 500);
        scene.receiver.on(LOCAL, Reply::Reset);
        scene.create("2").await;
        let line = listening.line().await;
        assert!(line["status"].is_null() && line["error"].is_string(), "{line}");
        scene.receiver.on(LOCAL, Reply::Status(204));
        let address = scene.serving.base.trim_start_matches("http://").to_owned();
        assert!(scene.serving.terminate());
        tokio::time::sleep(LISTEN_POLL * 2).await;
        scene.serving = scene.program.clone().set("LISTEN", &address).serve();
        scene.create("3").await;
        assert_eq!(listening.line().await["externalDossierId"], "3", "it goes on when the service is back");
    }

    async fn listen_refuses_what_it_cannot_work_with(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        let developer = scene.developer();
        let (live, unknown) = (scene.program.key("live").0, "pcs_test_00000000000000000000ABCDEFGHIJ13o6sa");
        let not_the_service = format!("http://{}", scene.receiver.http);
        scene.refuses(developer.clone(), "No subscription follows this").await;
        scene.subscribe("CARDS_CREATE", "/away").await;
        scene.refuses(developer.clone().set("TOKEN", ""), "set TOKEN").await;
        scene.refuses(developer.clone().set("TOKEN", "pcs_test_wrong"), "no access token").await;
        scene.refuses(developer.clone().set("TOKEN", &live), "live key").await;
        scene.refuses(developer.clone().set("TOKEN", unknown), "UNAUTHENTICATED").await;
        scene.refuses(developer.clone().set("SERVICE_URL", ""), "SERVICE_URL").await;
        scene.refuses(developer.clone().set("SERVICE_URL", "http://kaarten.example"), "https").await;
        scene.refuses(developer.clone().set("SERVICE_URL", "http://127.0.0.1:1"), "cannot be reached").await;
        scene.refuses(developer.clone().set("SERVICE_URL", &not_the_service), "is not the address of the service").await;
        scene.refuses(developer.clone().set("WEBHOOK_SECRET", "whsec_a"), "WEBHOOK_SECRET").await;
        for arguments in [
            &["--forward-to", "localhost:3000"][..],
            &["--forward-to", "ftp://localhost/a"],
            &["--forward-to", "http://user:password@localhost/a"],
            &["--forward-to", "http://localhost", "--service", "http://kaarten.example"],
            &["--forward-to", "http://localhost", "--topic", "CARDS_DELETE"],
            &["--forward-to", "http://localhost", "--since", "yesterday"],
            &[],
        ] {
            let output = developer.run(&[&["webhook", "listen"], arguments].concat());
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        }
        let state = scene.folder.join("other.json");
        std::fs::write(&state, "no JSON").expect("a file");
        let state = state.display().to_string();
        let said = developer.refused(&["webhook", "listen", "--forward-to", "http://127.0.0.1:1/a", "--state", &state]);
        assert!(said.contains("not a file of webhook listen"), "{said}");
        assert!(scene.arrived().is_empty());
    }
}

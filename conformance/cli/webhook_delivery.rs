//! `webhook list|show|attempts|resume|resend|replay`, with a running server that sends to a mock receiver.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::mock_server::{Reply, Seen};
use crate::app::{FreshDatabase, MockServer, Program, Serving};

/// How long a notification may take on a busy machine.
const SENT_WITHIN: Duration = Duration::from_secs(30);
const PATH: &str = "/hook";

/// A server, a partner that follows new cards, and the receiver of its notifications.
struct Scene {
    program: Program,
    serving: Serving,
    receiver: MockServer,
    token: String,
    subscription: String,
}

impl Scene {
    async fn new(database: &FreshDatabase) -> Self {
        let receiver = MockServer::start().await;
        let root = database.folder.path().join("receiver.pem");
        std::fs::write(&root, &receiver.root).expect("the folder can be written");
        let program = Program::on(database)
            .set("EGRESS_ALLOW", &receiver.https.to_string())
            .set("EGRESS_CA", &root.display().to_string());
        program.json(&["partner", "add", "Noord"]);
        program.json(&["webhook", "secret", "issue", "--partner", "Noord"]);
        let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
        let token = issued["token"].as_str().expect("a token").to_owned();
        let serving = program.serve();
        let document = "mutation ($to: URL!) {
            webhookSubscriptionCreate(topic: CARDS_CREATE, webhookSubscription: { callbackUrl: $to }) {
                webhookSubscription { id } userErrors { message }
            }
        }";
        let to = format!("https://{}{PATH}", receiver.https);
        let data = serving.data(&token, document, json!({ "to": to })).await;
        let id = &data["webhookSubscriptionCreate"]["webhookSubscription"]["id"];
        let subscription = id.as_str().unwrap_or_else(|| panic!("{data}")).to_owned();
        Self { program, serving, receiver, token, subscription }
    }

    async fn create(&self, dossier: &str) {
        let document = "mutation ($id: String!) { cardCreate(input: { externalDossierId: $id }) { card { id } } }";
        let data = self.serving.data(&self.token, document, json!({ "id": dossier })).await;
        assert!(data["cardCreate"]["card"]["id"].is_string(), "{data}");
    }

    /// The subscription as `webhook list` has it.
    fn listed(&self) -> Value {
        let listed = self.program.json(&["webhook", "list", "--partner", "Noord"]);
        assert_eq!(listed["subscriptions"].as_array().map(Vec::len), Some(1), "{listed}");
        listed["subscriptions"][0].clone()
    }

    /// Waits until the listed subscription is as it should be.
    async fn until(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let listed = self.listed();
            if is_so(&listed) {
                return listed;
            }
            assert!(started.elapsed() < SENT_WITHIN, "{what}: {listed}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until the receiver has seen this many notifications.
    async fn seen(&self, count: usize) -> Vec<Seen> {
        let started = Instant::now();
        loop {
            let seen = self.receiver.seen();
            if seen.len() >= count {
                assert_eq!(seen.len(), count, "{seen:?}");
                return seen;
            }
            assert!(started.elapsed() < SENT_WITHIN, "{count} are to arrive: {seen:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Runs a command that has to be refused; what it says.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.program.run(arguments);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.code() == Some(1) && !said.contains("panicked"), "{arguments:?}: {said}");
        said
    }

    /// The text of a command for people.
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.program.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

fn header<'a>(seen: &'a Seen, name: &str) -> &'a str {
    seen.headers[name].to_str().expect("ASCII")
}

on_both_databases! {
    async fn resumed_subscription_gets_the_events_it_missed(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        scene.receiver.on(PATH, Reply::Status(410));
        scene.create("1").await;
        let paused = scene.until("410 pauses", |listed| listed["state"] == "paused").await;
        assert_eq!((&paused["pauseReason"], &paused["topic"]), (&"GONE".into(), &"CARDS_CREATE".into()), "{paused}");
        scene.create("2").await;
        assert_eq!(scene.listed()["pending"], 2);

        let told = scene.refused(&["webhook", "resume", &scene.subscription]);
        assert!(told.contains("2 notifications") && told.contains("--yes"), "{told}");
        assert_eq!(scene.listed()["state"], "paused");
        scene.receiver.on(PATH, Reply::Status(204));
        let resumed = scene.program.json(&["webhook", "resume", &scene.subscription, "--yes"]);
        assert_eq!(resumed["released"], 2, "{resumed}");
        scene.until("both arrive", |listed| listed["state"] == "sending" && listed["pending"] == 0).await;

        let seen = scene.seen(3).await;
        let shown = scene.program.json(&["webhook", "show", &scene.subscription]);
        let deliveries = shown["deliveries"].as_array().expect("a list");
        assert!(deliveries.len() == 2 && deliveries.iter().all(|one| one["state"] == "DELIVERED"), "{shown}");
        let event = header(&seen[0], "webhook-id");
        let attempted = scene.program.json(&["webhook", "attempts", event]);
        let statuses: Vec<_> = attempted["attempts"].as_array().expect("a list").iter().map(|a| &a["status"]).collect();
        assert_eq!(statuses, [410, 204], "{attempted}");
        assert_eq!(seen[1..].iter().filter(|again| header(again, "webhook-id") == event).count(), 1);

        let table = scene.text(&["webhook", "show", &scene.subscription]);
        assert!(table.contains(event) && table.contains("State         sending"), "{table}");
        let table = scene.text(&["webhook", "attempts", event]);
        assert!(table.contains("status 410") && table.contains("status 204"), "{table}");
        assert!(scene.text(&["webhook", "list"]).contains(&scene.subscription));
    }

    async fn notification_is_sent_again_alone_and_with_all_of_its_time(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        scene.receiver.on(PATH, Reply::Status(204));
        scene.create("1").await;
        let first = scene.seen(1).await;
        scene.until("it is noted", |listed| listed["pending"] == 0).await;
        let event = header(&first[0], "webhook-id").to_owned();

        assert!(scene.refused(&["webhook", "resend", &event]).contains("--yes"));
        let resent = scene.program.json(&["webhook", "resend", &event, "--yes"]);
        assert_eq!(resent["delivery"]["event"], event.as_str(), "{resent}");
        let twice = scene.seen(2).await;
        assert_eq!(header(&twice[1], "webhook-id"), event);
        assert_eq!((header(&twice[0], "x-service-attempt"), header(&twice[1], "x-service-attempt")), ("1", "2"));
        scene.until("it is noted", |listed| listed["pending"] == 0).await;

        let replay = ["webhook", "replay", &scene.subscription, "--since", "1h"];
        assert!(scene.refused(&replay).contains("--yes"));
        let replayed = scene.program.json(&[&replay[..], &["--yes"]].concat());
        assert_eq!(replayed["replayed"], 1, "{replayed}");
        assert_eq!(header(&scene.seen(3).await[2], "webhook-id"), event);
        let none = ["webhook", "replay", &scene.subscription, "--since", "2999-01-01T00:00:00Z", "--yes"];
        scene.refused(&none);
    }

    async fn missing_subscription_or_delivery_is_reported_in_a_sentence(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        let missing = "gid://service/WebhookSubscription/0191d9a0-0000-7000-8000-000000000000";
        for arguments in [
            &["webhook", "list", "--partner", "Zuid"][..],
            &["webhook", "show", missing],
            &["webhook", "show", "gid://service/Card/0191d9a0-0000-7000-8000-000000000000"],
            &["webhook", "resume", missing, "--yes"],
            &["webhook", "replay", missing, "--since", "1h", "--yes"],
            &["webhook", "attempts", "evt_01JD0000000000000000000000"],
            &["webhook", "attempts", "evt_é"],
            &["webhook", "resend", "0191d9a0-0000-7000-8000-000000000000", "--yes"],
        ] {
            scene.refused(arguments);
        }
    }
}

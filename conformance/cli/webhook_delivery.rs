//! `webhook list|show|pause|resume|replay`, with a running server that sends to a mock receiver.

use serde_json::{Value, json};

use crate::app::mock_server::{Reply, Seen};
use crate::app::{FreshDatabase, MockServer, Program, Serving, wait_for};

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
        let program = Program::new(database)
            .set("EGRESS_ALLOW", &receiver.https.to_string())
            .set("EGRESS_CA", &root.display().to_string());
        let token = program.token("live");
        let serving = program.serve();
        let mut scene = Self { program, serving, receiver, token, subscription: String::new() };
        scene.subscription = scene.subscribe("CARDS_CREATE", PATH).await;
        scene
    }

    /// Subscribes to a topic at a path of the receiver; returns the id.
    async fn subscribe(&self, topic: &str, path: &str) -> String {
        let to = format!("https://{}{path}", self.receiver.https);
        self.serving.subscribe(&self.token, topic, &to).await
    }

    async fn create(&self, dossier: &str) -> String {
        self.serving.create(&self.token, json!({ "externalDossierId": dossier })).await
    }

    /// The subscription as `webhook list` has it.
    fn list(&self) -> Value {
        let listed = self.program.json(&["webhook", "list", "--partner", "Noord"]);
        assert_eq!(listed["subscriptions"].as_array().map(Vec::len), Some(1), "{listed}");
        listed["subscriptions"][0].clone()
    }

    /// Waits until the listed subscription is as it should be.
    async fn until(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let is_so = &is_so;
        wait_for(what, || async { Some(self.list()).filter(|listed| is_so(listed)) }).await
    }

    /// Waits until the receiver has seen this many notifications.
    async fn wait_for_requests(&self, count: usize) -> Vec<Seen> {
        let all = || async { Some(self.receiver.requests()).filter(|seen| seen.len() >= count) };
        let seen = wait_for(&format!("{count} are to arrive"), all).await;
        assert_eq!(seen.len(), count, "{seen:?}");
        seen
    }
}

fn header<'a>(seen: &'a Seen, name: &str) -> &'a str {
    seen.headers[name].to_str().expect("ASCII")
}

on_both_databases! {
    async fn subscription_that_the_operator_pauses_gets_nothing_until_it_is_resumed(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        scene.receiver.reply(PATH, Reply::Status(200));
        scene.create("1").await;
        scene.wait_for_requests(1).await;
        scene.until("it is noted", |listed| listed["pending"] == 0).await;
        let paused = scene.program.json(&["webhook", "pause", &scene.subscription])["subscription"].clone();
        assert_eq!((&paused["state"], &paused["pauseReason"]), (&"paused".into(), &"OPERATOR".into()), "{paused}");
        assert_ne!(paused["updatedAt"], paused["createdAt"], "its partner sees a change");
        assert_eq!(scene.program.json(&["webhook", "pause", &scene.subscription])["subscription"], paused, "once more");
        let shown = scene.program.text(&["webhook", "show", &scene.subscription]);
        assert!(shown.contains("by the operator (resume it with --yes)"), "{shown}");
        scene.create("2").await;
        scene.until("it waits", |listed| listed["pending"] == 1).await;
        scene.wait_for_requests(1).await;
        scene.program.json(&["webhook", "resume", &scene.subscription, "--yes"]);
        scene.wait_for_requests(2).await;
        let unknown = "gid://service/WebhookSubscription/00000000-0000-7000-8000-000000000000";
        scene.program.expect_failure(&["webhook", "pause", unknown]);
    }

    async fn resumed_subscription_gets_the_events_it_missed(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        scene.receiver.reply(PATH, Reply::Status(410));
        scene.create("1").await;
        let paused = scene.until("410 pauses", |listed| listed["state"] == "paused").await;
        assert_eq!((&paused["pauseReason"], &paused["topic"]), (&"GONE".into(), &"CARDS_CREATE".into()), "{paused}");
        scene.create("2").await;
        assert_eq!(scene.list()["pending"], 2);

        let report = scene.program.expect_failure(&["webhook", "resume", &scene.subscription]);
        assert!(report.contains("2 notifications") && report.contains("--yes"), "{report}");
        assert_eq!(scene.list()["state"], "paused");
        scene.receiver.reply(PATH, Reply::Status(204));
        let resumed = scene.program.json(&["webhook", "resume", &scene.subscription, "--yes"]);
        assert_eq!(resumed["released"], 2, "{resumed}");
        scene.until("both arrive", |listed| listed["state"] == "sending" && listed["pending"] == 0).await;

        let seen = scene.wait_for_requests(3).await;
        let shown = scene.program.json(&["webhook", "show", &scene.subscription]);
        let deliveries = shown["deliveries"].as_array().expect("a list");
        assert!(deliveries.len() == 2 && deliveries.iter().all(|one| one["state"] == "DELIVERED"), "{shown}");
        let event = header(&seen[0], "webhook-id");
        let attempted = scene.program.json(&["webhook", "show", event]);
        let statuses: Vec<_> = attempted["attempts"].as_array().expect("a list").iter().map(|a| &a["status"]).collect();
        assert_eq!(statuses, [410, 204], "{attempted}");
        assert_eq!(seen[1..].iter().filter(|again| header(again, "webhook-id") == event).count(), 1);

        let table = scene.program.text(&["webhook", "show", &scene.subscription]);
        assert!(table.contains(event) && table.contains("State         sending"), "{table}");
        let table = scene.program.text(&["webhook", "show", event]);
        assert!(table.contains("status 410") && table.contains("status 204"), "{table}");

        scene.receiver.reply(PATH, Reply::Reset);
        scene.create("3").await;
        scene.until("it fails", |listed| listed["state"] == "failing").await;
        let shown = scene.program.json(&["webhook", "show", &scene.subscription]);
        let failing = shown["deliveries"].as_array().into_iter().flatten().find(|one| one["state"] == "DUE").expect("one");
        let failing = failing["id"].as_str().expect("an id");
        let attempted = scene.program.json(&["webhook", "show", failing]);
        let cause = "The connection was closed before the answer.";
        assert_eq!(attempted["attempts"][0]["cause"], cause, "{attempted}");
        assert!(scene.program.text(&["webhook", "show", failing]).contains(cause));
        assert!(scene.program.text(&["webhook", "list"]).contains(&scene.subscription));
    }

    async fn notification_is_sent_again_alone_and_with_all_of_its_time(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        scene.receiver.reply(PATH, Reply::Status(204));
        scene.create("1").await;
        let first = scene.wait_for_requests(1).await;
        scene.until("it is noted", |listed| listed["pending"] == 0).await;
        let event = header(&first[0], "webhook-id").to_owned();

        assert!(scene.program.expect_failure(&["webhook", "replay", &event]).contains("--yes"));
        let resent = scene.program.json(&["webhook", "replay", &event, "--yes"]);
        assert_eq!(resent["delivery"]["event"], event.as_str(), "{resent}");
        let twice = scene.wait_for_requests(2).await;
        assert_eq!(header(&twice[1], "webhook-id"), event);
        assert_eq!((header(&twice[0], "x-service-attempt"), header(&twice[1], "x-service-attempt")), ("1", "2"));
        scene.until("it is noted", |listed| listed["pending"] == 0).await;

        let replay = ["webhook", "replay", &scene.subscription, "--since", "1h"];
        assert!(scene.program.expect_failure(&replay).contains("--yes"));
        let replayed = scene.program.json(&[&replay[..], &["--yes"]].concat());
        assert_eq!(replayed["replayed"], 1, "{replayed}");
        assert_eq!(header(&scene.wait_for_requests(3).await[2], "webhook-id"), event);
        assert!(scene.program.expect_failure(&["webhook", "replay", &scene.subscription]).contains("--since 24h"));
        let none = ["webhook", "replay", &scene.subscription, "--since", "2999-01-01T00:00:00Z", "--yes"];
        scene.program.expect_failure(&none);
    }

    async fn event_of_two_subscriptions_is_looked_up_by_delivery(database: FreshDatabase) {
        let scene = Scene::new(&database).await;
        scene.receiver.reply(PATH, Reply::Status(500));
        scene.subscribe("CARDS_CREATE", "/other").await;
        let updates = scene.subscribe("CARDS_UPDATE", "/updates").await;
        let card = scene.create("1").await;
        let event = header(&scene.wait_for_requests(2).await[0], "webhook-id").to_owned();
        let refused = scene.program.expect_failure(&["webhook", "show", &event]);
        let ids = refused.split_once("Name one of its deliveries: ").and_then(|(_, ids)| ids.trim_end().strip_suffix('.'));
        let ids: Vec<&str> = ids.unwrap_or_else(|| panic!("{refused}")).split(", ").collect();
        assert!(ids.len() == 2 && refused.contains("went to 2 subscriptions"), "{refused}");
        for id in ids {
            scene.program.json(&["webhook", "show", id]);
        }
        // The first one failed and is due again, the second one waits for it.
        let document = "mutation ($id: ID!, $name: String!) {
            cardUpdate(id: $id, input: { deceased: { firstName: $name } }) { userErrors { message } }
        }";
        for name in ["Anna", "Johanna"] {
            let data = scene.serving.data(&scene.token, document, json!({ "id": card, "name": name })).await;
            assert_eq!(data["cardUpdate"]["userErrors"], json!([]), "{data}");
        }
        assert_eq!(scene.program.json(&["webhook", "show", &updates])["subscription"]["pending"], 2);
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
            &["webhook", "show", "evt_é"],
            &["webhook", "replay", "0191d9a0-0000-7000-8000-000000000000", "--yes"],
        ] {
            scene.program.expect_failure(arguments);
        }
        let unknown = "evt_01JD0000000000000000000000";
        let refused = scene.program.expect_failure(&["webhook", "show", unknown]);
        assert!(refused.starts_with(&format!("There is no delivery {unknown}.")), "{refused}");
    }
}

//! Health checks, for balancers and operators.

use std::time::Instant;

use card_service::base::limits::READINESS_KEPT;
use serde_json::{Value, json};

use crate::app::{Answer, FreshDatabase, Program, TestApp, free_addresses, http_client};

async fn ready(base: &str) -> (u16, Value) {
    let answer = http_client().get(format!("{base}/health/ready")).send().await.expect("the server answers");
    let answer = Answer::read(answer).await;
    (answer.status, answer.json())
}

on_both_databases! {
    async fn health_of_a_running_server_is_good(app: TestApp) {
        let live = app.get("/health/live").await;
        assert_eq!((live.status, live.text().as_str()), (200, "ok\n"));
        let checks = json!({ "ready": true, "process": "ok", "database": "ok", "object_store": "ok" });
        let (status, report) = ready(&app.url("")).await;
        assert_eq!((status, &report), (200, &checks), "the public response has no warnings");
        let (status, mut report) = ready(&app.metrics_url("")).await;
        let mut take = |name: &str| report.as_object_mut().and_then(|report| report.remove(name));
        let (warnings, details) = (take("warnings"), take("checks"));
        assert_eq!((status, &report), (200, &checks));
        assert_eq!(details.expect("an object")["egress"]["outcome"], "failed");
        assert!(warnings.expect("a list").to_string().contains("EGRESS_ALLOW is set"));
        assert_eq!(app.metrics_get("/health/live").await.text(), "ok\n");
    }

    async fn readiness_costs_one_look_a_second_however_many_ask(app: TestApp) {
        // The object store fails: the cached result is served until it expires, then the new one.
        let folder = app.folder().join("media");
        let checks = async || ready(&app.url("")).await.1["object_store"].clone();
        assert_eq!(checks().await, "ok");
        std::fs::remove_dir_all(&folder).expect("the folder goes");
        std::fs::write(&folder, b"no folder").expect("a file takes its place");
        let begun = Instant::now();
        let at_once = checks().await;
        assert!(at_once == "ok" || begun.elapsed() > READINESS_KEPT / 2, "a fresh result is not asked for again");
        tokio::time::sleep(READINESS_KEPT).await;
        assert_eq!(checks().await, "does not answer");
        std::fs::remove_file(&folder).expect("the file goes");
        std::fs::create_dir_all(&folder).expect("the folder comes back");
        tokio::time::sleep(READINESS_KEPT).await;
        assert_eq!(checks().await, "ok");
    }

    async fn certificate_expiry_is_a_warning_from_two_weeks_before(app: TestApp) {
        let warnings = async || {
            let (status, report) = ready(&app.metrics_url("")).await;
            assert_eq!(status, 200, "a danger is no reason to serve nobody: {report}");
            report["warnings"].as_array().expect("a list").iter().map(Value::to_string).collect::<String>()
        };
        let before = warnings().await;
        app.services().certificate.set(app.now().plus(chrono::Duration::days(15)));
        assert_eq!(warnings().await, before, "it is far from its end");
        app.pass(chrono::Duration::days(2));
        assert!(warnings().await.contains("ends within 14 days"));
        app.pass(chrono::Duration::days(13));
        assert!(warnings().await.contains("has ended"));
        app.services().certificate.set(app.now().plus(chrono::Duration::days(90)));
        assert_eq!(warnings().await, before, "it was renewed");
    }
}

on_sqlite! {
    async fn dangers_are_said_at_start_and_to_who_asks_for_readiness(database: FreshDatabase) {
        let [free] = free_addresses();
        let program = Program::new(&database).set("METRICS_LISTEN", &free.to_string());
        program.json(&["partner", "add", "Noord"]);
        let warnings = async |program: &Program| {
            let serving = program.serve();
            let (_, report) = ready(&serving.base).await;
            assert!(report.get("warnings").is_none(), "{report}");
            let (status, report) = ready(&format!("http://{free}")).await;
            assert_eq!(status, 200, "a danger is no reason to serve nobody: {report}");
            report["warnings"].as_array().expect("a list").clone()
        };
        assert!(warnings(&program).await.is_empty());
        let open = program.clone().set("EGRESS_ALLOW", "127.0.0.1").set("PUBLIC_BASE_URL", "http://192.0.2.1");
        let report = warnings(&open).await;
        assert!(report.len() == 2 && report[0].as_str().expect("a text").contains("PUBLIC_BASE_URL"), "{report:?}");
        assert!(!report[1].as_str().expect("a text").contains("live keys"), "{report:?}");
        program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
        let report = warnings(&open).await;
        assert!(report.iter().any(|one| one.as_str().expect("a text").contains("EGRESS_ALLOW is set while live keys")), "{report:?}");
    }

    async fn server_without_its_object_store_reports_it_and_serves(database: FreshDatabase) {
        // A port without a listener.
        let program = Program::new(&database)
            .set("MEDIA_URL", "s3://kaarten/media")
            .set("AWS_ENDPOINT", "http://127.0.0.1:1")
            .set("AWS_ALLOW_HTTP", "true")
            .set("AWS_ACCESS_KEY_ID", "a")
            .set("AWS_SECRET_ACCESS_KEY", "b")
            .set("AWS_REGION", "x");
        let serving = program.serve();
        let (status, report) = ready(&serving.base).await;
        assert_eq!((status, &report["object_store"]), (200, &json!("does not answer")), "{report}");
    }
}

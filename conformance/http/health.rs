//! Health checks, for balancers and operators.

use serde_json::{Value, json};

use crate::app::{Answer, Database, FreshDatabase, Program, TestApp, http_client, run_alone};

async fn ready(base: &str) -> (u16, Value) {
    let answer = http_client().get(format!("{base}/health/ready")).send().await.expect("the server answers");
    let answer = Answer::read(answer).await;
    (answer.status, answer.json())
}

on_both_databases! {
    async fn health_of_a_running_server_is_good(app: TestApp) {
        let live = Answer::read(app.http().get(app.url("/health/live")).send().await.expect("an answer")).await;
        assert_eq!((live.status, live.text().as_str()), (200, "ok\n"));
        let (status, told) = ready(&app.url("")).await;
        let parts = ["process", "database", "object_store"].map(|part| told[part].clone());
        assert_eq!((status, &told["ready"], parts), (200, &json!(true), ["ok", "ok", "ok"].map(Value::from)), "{told}");
    }

    async fn certificate_that_ends_is_a_danger_two_weeks_before_and_ever_after(app: TestApp) {
        let warnings = async || {
            let (status, told) = ready(&app.url("")).await;
            assert_eq!(status, 200, "a danger is no reason to serve nobody: {told}");
            told["warnings"].as_array().expect("a list").iter().map(Value::to_string).collect::<String>()
        };
        let before = warnings().await;
        app.services().certificate.tell(app.now().plus(chrono::Duration::days(15)));
        assert_eq!(warnings().await, before, "it is far from its end");
        app.pass(chrono::Duration::days(2));
        assert!(warnings().await.contains("ends within 14 days"));
        app.pass(chrono::Duration::days(13));
        assert!(warnings().await.contains("has ended"));
        app.services().certificate.tell(app.now().plus(chrono::Duration::days(90)));
        assert_eq!(warnings().await, before, "it was renewed");
    }
}

#[test]
fn dangers_are_said_at_start_and_to_who_asks_for_readiness() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
        let program = Program::on(&database);
        program.json(&["partner", "add", "Noord"]);
        let warnings = async |program: &Program| {
            let serving = program.serve();
            let (status, told) = ready(&serving.base).await;
            assert_eq!(status, 200, "a danger is no reason to serve nobody: {told}");
            told["warnings"].as_array().expect("a list").clone()
        };
        assert!(warnings(&program).await.is_empty());
        let open = program.clone().set("EGRESS_ALLOW", "127.0.0.1").set("PUBLIC_BASE_URL", "http://kaarten.example");
        let told = warnings(&open).await;
        assert!(told.len() == 2 && told[0].as_str().expect("a text").contains("PUBLIC_BASE_URL"), "{told:?}");
        assert!(!told[1].as_str().expect("a text").contains("live keys"), "{told:?}");
        program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
        let told = warnings(&open).await;
        assert!(told[1].as_str().expect("a text").contains("live keys"), "{told:?}");
    });
}

#[test]
fn server_without_its_object_store_says_so_and_goes_on() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
        // A port on which nobody listens.
        let program = Program::on(&database)
            .set("MEDIA_URL", "s3://kaarten/media")
            .set("AWS_ENDPOINT", "http://127.0.0.1:1")
            .set("AWS_ALLOW_HTTP", "true")
            .set("AWS_ACCESS_KEY_ID", "a")
            .set("AWS_SECRET_ACCESS_KEY", "b")
            .set("AWS_REGION", "x");
        let serving = program.serve();
        let (status, told) = ready(&serving.base).await;
        assert_eq!((status, &told["object_store"]), (200, &json!("does not answer")), "{told}");
    });
}

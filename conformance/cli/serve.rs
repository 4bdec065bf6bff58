//! `serve`: its first line, the migration, shutdown without loss, wrong settings.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, free_addresses, http_client, wait_for};

on_both_databases! {
    async fn server_started_again_keeps_what_it_was_given(database: FreshDatabase) {
        let program = Program::new(&database);
        let serving = program.serve();
        let token = &program.token("live");
        let id = serving.create(token, json!({ "externalDossierId": "1" })).await;
        assert!(serving.terminate(), "a server that gets SIGTERM exits with 0");

        let serving = program.serve();
        let read = "query ($id: ID!) { card(id: $id) { externalDossierId } }";
        let data = serving.data(token, read, json!({ "id": id })).await;
        assert_eq!(data["card"]["externalDossierId"], "1");
        // Killed: the next start finds everything all the same.
        serving.kill();
        let data = program.serve().data(token, read, json!({ "id": id })).await;
        assert_eq!(data["card"]["externalDossierId"], "1");
    }

    async fn servers_on_one_database_see_each_others_cards(database: FreshDatabase) {
        let program = Program::new(&database);
        let [one, other] = [program.serve(), program.serve()];
        let token = &program.token("live");
        let create = "mutation { cardCreate(input: { externalDossierId: \"1\" }) { card { id } userErrors { code } } }";
        let (first, second) =
            tokio::join!(one.data(token, create, Value::Null), other.data(token, create, Value::Null));
        let made = [&first, &second].into_iter().filter(|data| data["cardCreate"]["card"]["id"].is_string());
        assert_eq!(made.count(), 1, "{first} {second}");
    }
}

on_sqlite! {
    async fn reload_without_a_certificate_is_logged_and_harmless(database: FreshDatabase) {
        let log = database.folder.path().join("log");
        let serving = Program::new(&database).serve_with_log(&log);
        // Recipes of logrotate for other servers send these.
        for ignored in ["USR1", "USR2"] {
            serving.signal(ignored);
        }
        for times in 1..=2 {
            serving.signal("HUP");
            let is_logged = || async {
                let said = std::fs::read_to_string(&log).expect("a log");
                (said.matches("SIGHUP").count() >= times).then_some(())
            };
            wait_for("the signal is logged", is_logged).await;
        }
        let live = http_client().get(format!("{}/health/live", serving.base)).send().await.expect("an answer");
        assert_eq!(live.status(), 200);
        assert!(serving.terminate(), "it still ends well when it is asked to");
    }

    async fn server_stopped_right_after_start_exits_with_0(database: FreshDatabase) {
        let program = Program::new(&database);
        for round in 0..20 {
            assert!(program.serve().terminate(), "round {round}");
        }
    }

    async fn server_stopped_at_its_first_answer_exits_with_0(database: FreshDatabase) {
        let [address] = free_addresses();
        let program = Program::new(&database).set("LISTEN", &address.to_string());
        let mut server = program.command(&["serve"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let live = format!("http://{address}/health/live");
        wait_for("it answers", || async { http_client().get(&live).send().await.ok() }).await;
        let sent = Command::new("kill").args(["-TERM", &server.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        assert!(server.wait().expect("the server ends").success());
    }
}

#[test]
fn port_in_use_is_reported_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = taken.local_addr().expect("an address").to_string();
    let url = format!("sqlite://{}", folder.path().join("card-service.db").display());
    let said = Program::with(&url, folder.path()).create_database().set("LISTEN", &address).expect_failure(&["serve"]);
    assert!(said.contains(&address), "{said}");
}

#[test]
fn settings_are_printed_with_their_origin_and_without_secrets() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("settings.toml");
    std::fs::write(&file, "mail_from = \"Kaart <post@kaarten.example>\"\ninvitations_per_day = 48\n").expect("a file");
    let file = file.to_str().expect("UTF-8");
    let program = Program::with("postgres://kaart:hemelsblauw@db.example/cards?password=hemelsblauw", folder.path())
        .set("AWS_SECRET_ACCESS_KEY", "hemelsblauw")
        .set("SMTP_URL", "smtps://kaart:hemelsblauw@mail.example")
        .set("INVITATIONS_PER_DAY", "12");
    let shown = program.json(&["serve", "--print-config", "--config", file]);
    let of = |name: &str| shown["settings"][name].clone();
    assert_eq!(of("MAIL_FROM"), json!({ "value": "Kaart <post@kaarten.example>", "origin": "file" }));
    assert_eq!(of("INVITATIONS_PER_DAY"), json!({ "value": "12", "origin": "environment" }));
    assert_eq!(of("RATE_LIMIT_RESTORE"), json!({ "value": "50", "origin": "default" }));
    assert_eq!(of("DATABASE_URL")["value"], "postgres://kaart:hidden@db.example/cards?hidden");
    let text = program.clone().set("CONFIG", file).text(&["serve", "--print-config"]);
    assert!(text.contains("post@kaarten.example") && !text.contains("hemelsblauw"), "{text}");
    assert!(!shown.to_string().contains("hemelsblauw"), "{shown}");
}

#[test]
fn errors_of_settings_file_and_environment_are_listed_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("settings.toml");
    std::fs::write(&file, "listn = \"127.0.0.1:0\"\ninvitations_per_day = 0\n").expect("a file");
    let arguments = ["--config", file.to_str().expect("UTF-8"), "partner", "list"];
    let said = Program::with("mysql://localhost/cards", folder.path()).expect_failure(&arguments);
    for name in ["listn", "INVITATIONS_PER_DAY", "DATABASE_URL"] {
        assert!(said.contains(name), "{name} is named in: {said}");
    }
}

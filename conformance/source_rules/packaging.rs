//! The files for operators match the binary: every metric of a dashboard or an alert is in `/metrics`, every alert has its
//! line in the runbook, and every setting of the packaging exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::app::mock_server::{GIF, Reply};
use crate::app::{Database, TestApp, run};

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the names of our metrics in a text. A name with a colon is that of a recording rule.
fn figures_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'));
    let ours = |word: &&str| word.starts_with("card_service") || word.starts_with("process_");
    words.filter(|word| ours(word) && word.contains('_') && *word != "card_service").map(str::to_owned).collect()
}

/// Collects the expressions of a dashboard.
fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("expr").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| expressions(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| expressions(item, found)),
        _ => {}
    }
}

/// Returns the names of the alerts, in order.
fn alerts() -> Vec<String> {
    let rules = read("docs/operating/alerts.yml");
    rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ").map(str::to_owned)).collect()
}

#[test]
fn figure_of_a_dashboard_or_alert_is_in_metrics() {
    run(Database::Postgres, "figures_of_dashboard", |app: TestApp| async move {
        // One of everything that is counted: a family without a member shows no line.
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().on("/hook", Reply::Status(200));
        let photo = app.mock_server().photo("/a.gif", "image/gif", GIF);
        caller.keyed("k").create(json!({ "externalDossierId": "1", "deceased": { "photoUrl": photo } })).await.gid();
        app.settle(&subscription, card_service::model::DeliveryState::Delivered, 1).await;
        app.services().certificate.set(app.services().clock.now()); // as a server with TLS does
        app.get("/kaart/nergens").await;
        let recorded = read("docs/operating/alerts.yml");
        let recorded = recorded.lines().filter_map(|line| line.trim().strip_prefix("- record: ")).map(str::to_owned);
        let there: BTreeSet<_> = figures_in(&app.figures().await).into_iter().chain(recorded).collect();

        let dashboard: Value = serde_json::from_str(&read("docs/operating/dashboard.json")).expect("JSON");
        let mut asked = Vec::new();
        expressions(&dashboard, &mut asked);
        assert!(asked.len() > 10, "{asked:?}");
        let rules = ["alerts.yml", "checks.yml"].map(|name| (name, read(&format!("docs/operating/{name}"))));
        for (from, text) in [("dashboard.json", asked.join(" "))].into_iter().chain(rules) {
            let named = figures_in(&text);
            assert!(!named.is_empty(), "{from}: {named:?}");
            let missing: Vec<_> = named.difference(&there).collect();
            assert!(missing.is_empty(), "{from} asks for {missing:?}; there are {there:#?}");
        }
    });
}

#[test]
fn alert_has_its_line_in_the_runbook_and_no_other_has() {
    let runbook = read("docs/operating.md");
    let told =
        runbook.lines().filter_map(|line| line.strip_prefix("| CardService").and_then(|rest| rest.split(' ').next()));
    let told: Vec<_> = told.map(|name| format!("CardService{name}")).collect();
    assert!(!told.is_empty());
    assert_eq!(told, alerts());
}

#[test]
fn setting_of_the_packaging_exists() {
    let settings = read("docs/settings.md");
    let known = |name: &str| settings.contains(&format!("| `{name}` |"));
    let compose = read("packaging/compose.yaml");
    let service = compose.split("card-service:").nth(1).expect("the service is in it");
    let environment = service.split("environment:").nth(1).and_then(|rest| rest.split("volumes:").next());
    let composed = environment.expect("it has settings").lines().filter_map(|line| line.trim().split_once(": "));
    let composed: Vec<_> = composed.map(|(name, _)| name.to_owned()).collect();
    let image = read("packaging/Dockerfile");
    let image = image.lines().filter_map(|line| line.strip_prefix("ENV ")).flat_map(|line| line.split(' '));
    let image: Vec<_> = image.filter_map(|pair| pair.split_once('=')).map(|(name, _)| name.to_owned()).collect();
    let file = read("packaging/card-service.toml");
    let file = file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
    let file: Vec<_> = file.map(|(name, _)| name.to_ascii_uppercase()).collect();
    assert!(composed.len() > 2 && image.len() > 2 && file.len() > 2, "{composed:?} {image:?} {file:?}");
    for name in composed.into_iter().chain(image).chain(file) {
        assert!(known(&name), "{name} is no setting");
    }
}

#[test]
fn containers_write_their_volumes_only_and_publish_nothing_to_the_world() {
    let (compose, image) = (read("packaging/compose.yaml"), read("packaging/Dockerfile"));
    assert_eq!(compose.matches("read_only: true").count(), 2, "{compose}");
    assert_eq!(compose.matches("restart: unless-stopped").count(), 2, "{compose}");
    let role = "DATABASE_URL: postgres://cards:${CARDS_PASSWORD:?}@database/cards";
    assert!(compose.contains(role) && !compose.contains("POSTGRES_USER"), "the service is no superuser: {compose}");
    let published: Vec<_> = compose.lines().filter_map(|line| line.trim().strip_prefix("ports: ")).collect();
    assert_eq!(published, ["[\"127.0.0.1:8080:8080\"]"]);
    assert!(image.contains("METRICS_LISTEN=127.0.0.1:9090") && !image.contains("EXPOSE 8080 9090"), "{image}");
}

#[test]
fn image_uses_the_rust_of_the_manifest_and_does_not_run_as_root() {
    let (manifest, image) = (read("Cargo.toml"), read("packaging/Dockerfile"));
    let asked = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    assert!(image.contains(&format!("FROM rust:{}-", asked.expect("a version"))), "{asked:?}");
    let (_, after) = image.rsplit_once("\nUSER ").expect("a user");
    assert!(!after.starts_with("root") && !after.contains("\nFROM "), "what is built last runs as nobody");
    // What it copies is there, and the build folder holds what is built.
    for path in ["themes", "Cargo.lock", "schema", "migrations"] {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(), "{path}");
    }
}

#[test]
fn unit_and_commands_share_settings_file_and_user() {
    let (unit, file) = (read("packaging/card-service.service"), read("packaging/card-service.toml"));
    let has = |line: &str| unit.lines().any(|own| own == line);
    // What the unit said of settings alone, a command run by hand would not know.
    assert!(!unit.lines().any(|line| line.starts_with("Environment")), "{unit}");
    assert!(has("ExecStart=card-service serve"), "a disk that is not mounted is no new service: {unit}");
    assert!(read("packaging/Dockerfile").contains("\nCMD [\"serve\"]\n"));
    assert!(
        file.lines().any(|line| line == "data_dir = \"/var/lib/card-service\"") && has("StateDirectory=card-service")
    );
    assert!(has("UMask=0077") && has("StateDirectoryMode=0700") && has("User=card-service"), "{unit}");
    assert!(read("packaging/card-service.sysusers").lines().any(|line| line.starts_with("u card-service ")));
    let runbook = read("docs/operating.md");
    let install = runbook.split("\n## ").find(|part| part.starts_with("First day")).expect("it says how to install");
    let commands: Vec<_> =
        install.lines().filter(|line| line.starts_with("    ") && line.contains("card-service ")).collect();
    let by_hand = |line: &&&str| {
        ["partner ", "key ", "theme ", "webhook "].iter().any(|c| line.contains(&format!(" card-service {c}")))
    };
    let by_hand: Vec<_> = commands.iter().filter(by_hand).collect();
    assert!(by_hand.len() >= 4, "{commands:?}");
    assert!(by_hand.iter().all(|line| line.trim().starts_with("sudo -u card-service card-service ")), "{by_hand:?}");
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("themes").exists());
}

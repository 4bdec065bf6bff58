//! The files for operators match the binary: every alert has its line in the runbook, and every setting of the packaging
//! exists. `.ci/monitoring` evaluates the alerts and the dashboard, `.ci/manual` the unit and the manual.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the names of the alerts, in order.
fn alerts() -> Vec<String> {
    let rules = read("docs/operating/alerts.yml");
    rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ").map(str::to_owned)).collect()
}

#[test]
fn alert_has_its_line_in_the_runbook_and_no_other_has() {
    let runbook = read("docs/operating.md");
    let found =
        runbook.lines().filter_map(|line| line.strip_prefix("| CardService").and_then(|rest| rest.split(' ').next()));
    let found: Vec<_> = found.map(|name| format!("CardService{name}")).collect();
    assert!(!found.is_empty());
    assert_eq!(found, alerts());
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
    assert!(!after.starts_with("root") && !after.contains("\nFROM "), "the last stage runs as nobody");
    // The copied files exist, and the build folder holds the built ones.
    for path in ["themes", "Cargo.lock", "schema", "migrations"] {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(), "{path}");
    }
}

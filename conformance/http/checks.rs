//! The checks of a running server: each failure is in the readiness of the operator and in `/metrics`, and has its alert.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use card_service::base::{Clock, limits};
use card_service::model::{AuditEntry, BACKUP};
use card_service::services::{Audience, CHECKS, Checks, Services};
use chrono::Duration;
use serde_json::{Value, json};
use tokio::time::Instant;
use url::Url;

use crate::app::{Database, FreshDatabase, TestApp, create_document, run_alone, tamper, wait_for};

/// Tests that break a check and are not in [`break_check`]: the check, the file and the test.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("database", "conformance/http/checks.rs", "read_only_postgres_fails_the_check_and_stays_ready"),
    ("database", "conformance/chaos/full_disk.rs", "full_disk_is_503_and_recovers_when_space_is_freed"),
    ("database", "conformance/postgres/silence.rs", "silent_database_is_503_in_time_until_it_is_back"),
    ("database", "conformance/cli/replaced.rs", "file_replaced_while_it_is_open_stops_reads_and_writes"),
    ("object_store", "conformance/media/s3.rs", "store_that_keeps_nothing_is_told_by_checks_and_commands"),
    ("object_store", "conformance/media/s3.rs", "missing_store_refuses_portraits_only_until_it_is_back"),
    ("notifications", "conformance/http/checks.rs", "failure_of_a_check_is_reported_and_ends_with_its_cause"),
    ("mail_server", "conformance/http/checks.rs", "service_with_live_keys_needs_a_mail_server"),
    ("mail_server", "conformance/cli/doctor.rs", "doctor_names_every_failed_check_and_ends_with_1"),
    ("mail_waiting", "conformance/mail/smtp.rs", "mails_to_several_recipients_that_wait_are_a_page"),
    ("mail_delayed", "conformance/mail/smtp.rs", "mail_waits_for_a_server_that_is_not_there"),
    ("mail_lost", "conformance/mail/smtp.rs", "mail_fails_after_its_last_attempt_and_delays_no_other"),
    ("clock", "conformance/http/checks.rs", "record_from_the_future_shows_a_wrong_clock"),
    ("invitations", "conformance/web/invitees.rs", "invitations_of_a_partner_are_limited_a_day_and_in_readiness"),
    ("backup", "conformance/http/checks.rs", "backup_that_was_recorded_gets_old"),
];

/// Makes a check now; its result with the reason.
async fn outcome(services: &Services, name: &str) -> Value {
    let results = Checks::new(Arc::new(services.clone())).run_all().await;
    let (_, outcome) = results.iter().find(|(check, _)| check.name == name).expect("it is a check");
    json!(outcome)
}

async fn assert_fails(services: &Services, name: &str, reason: &str) {
    let found = outcome(services, name).await;
    let is_said = found["reason"].as_str().is_some_and(|found| found.contains(reason));
    assert!(found["outcome"] == "failed" && is_said, "{name}, {reason}: {found}");
}

async fn assert_passes(services: &Services, name: &str) {
    let found = outcome(services, name).await;
    assert_eq!(found["outcome"], "ok", "{name}: {found}");
}

/// Lets every write of the health check fail, and undoes that.
fn refuse_heartbeats(database_url: &str) -> [&'static str; 2] {
    match database_url.starts_with("sqlite") {
        true => [
            "CREATE TRIGGER refuse BEFORE INSERT ON heartbeats BEGIN SELECT RAISE(ABORT, 'by a test'); END",
            "DROP TRIGGER refuse",
        ],
        false => [
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'by a test'; END $$;
             CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON heartbeats FOR EACH STATEMENT EXECUTE FUNCTION refuse()",
            "DROP TRIGGER refuse ON heartbeats; DROP FUNCTION refuse",
        ],
    }
}

fn set_mode(path: &std::path::Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
}

/// Breaks a check in each way that this file can, and sees it pass again. Returns whether there is a way.
async fn break_check(app: &TestApp, name: &str) -> bool {
    let services = app.services();
    let with = |change: &dyn Fn(&mut Services)| {
        let mut changed = Services::clone(services);
        change(&mut changed);
        changed
    };
    let later = |time: std::time::Duration| app.pass(Duration::from_std(time).expect("a time"));
    match name {
        "database" => {
            let [refuse, allow] = refuse_heartbeats(app.database_url());
            assert_passes(services, name).await;
            tamper(app.database_url(), refuse).await;
            assert_passes(services, name).await; // it wrote just before
            later(limits::DATABASE_TRIED_EVERY);
            assert_fails(services, name, "takes no writes").await;
            assert_eq!(app.check(name).await, "failed");
            let ready = app.get("/health/ready").await;
            assert_eq!((ready.status, &ready.json()["database"]), (200, &json!("answers, but takes no writes")));
            tamper(app.database_url(), allow).await;
            assert_passes(services, name).await;
            if let Some(path) = app.database_url().strip_prefix("sqlite://") {
                let other = rusqlite::Connection::open(path).expect("it opens");
                other.execute_batch("BEGIN EXCLUSIVE").expect("nobody writes");
                later(limits::DATABASE_TRIED_EVERY);
                assert_fails(services, name, "takes no writes").await;
                drop(other);
                assert_passes(services, name).await;
            }
        }
        "object_store" => {
            let media = app.folder().join("media");
            let (check, away) = (media.join("check"), app.folder().join("away"));
            assert_passes(services, name).await;
            std::fs::remove_dir_all(&check).expect("the folder of the check");
            std::fs::write(&check, "no folder").expect("a file");
            later(limits::OBJECT_STORE_TRIED_EVERY);
            assert_fails(services, name, "stores no objects").await;
            std::fs::remove_file(&check).expect("a file");
            assert_passes(services, name).await;
            std::fs::rename(&media, &away).expect("it moves");
            std::fs::write(&media, "no folder").expect("a file");
            assert_fails(services, name, "does not answer").await;
            std::fs::remove_file(&media).expect("a file");
            std::fs::rename(&away, &media).expect("it moves back");
            assert_passes(services, name).await;
            let objects = std::fs::read_dir(&check).expect("the folder of the check").count();
            assert_eq!(objects, 0, "no object is left");
        }
        "workers" => {
            let (log, now) = (services.metrics.worker_log(), Instant::now());
            let before = now.checked_sub(2 * limits::WORKER_SILENT_MAX).expect("the machine runs for some minutes");
            log.start("stuck", std::time::Duration::ZERO, before);
            assert_fails(services, name, "stuck").await;
            log.step("stuck", true, now);
            assert_passes(services, name).await;
        }
        "disk" => {
            assert_fails(&with(&|services| services.data_dir = "/proc".into()), name, "less than").await;
            assert_fails(&with(&|services| services.data_dir = "/nowhere".into()), name, "cannot be read").await;
        }
        "certificate" => {
            for (days, reason) in [(13, "ends within 14 days"), (-1, "has ended")] {
                services.certificate.set(app.now().plus(Duration::days(days)));
                assert_fails(services, name, reason).await;
            }
            services.certificate.set(app.now().plus(Duration::days(15)));
            assert_passes(services, name).await;
        }
        "public_https" => {
            assert_passes(services, name).await;
            assert_fails(&with(&|services| services.public_base = "http://192.0.2.1".into()), name, "is http").await;
        }
        "public_name" => {
            assert_passes(services, name).await;
            let unknown = with(&|services| services.public_base = "https://nowhere.example".into());
            assert_fails(&unknown, name, "does not resolve").await;
        }
        "database_tls" => {
            assert_passes(services, name).await;
            if app.database_url().starts_with("postgres") {
                // A second server that is not asked.
                let path = app.database_url().rfind("/postgres?").expect("the path of the test's database");
                let (server, rest) = app.database_url().split_at(path);
                let exposed =
                    app.operator().set("DATABASE_URL", &format!("{server},db.example:1{rest}&sslmode=disable"));
                let report: Value = serde_json::from_slice(&exposed.run(&["doctor", "--json"]).stdout).expect("JSON");
                let is_failed = |check: &Value| check["name"] == name && check["outcome"] == "failed";
                assert!(report["checks"].as_array().expect("a list").iter().any(is_failed), "{report}");
            }
        }
        "egress" => assert_fails(services, name, "EGRESS_ALLOW is set").await,
        "permissions" => {
            assert_passes(services, name).await;
            set_mode(app.folder(), 0o755);
            assert_fails(services, name, "can read").await;
            set_mode(app.folder(), 0o700);
            if let Some(path) = app.database_url().strip_prefix("sqlite://") {
                set_mode(path.as_ref(), 0o644);
                assert_fails(services, name, path).await;
                set_mode(path.as_ref(), 0o600);
            }
            assert_passes(services, name).await;
        }
        "clock" => {
            app.live().await.draft("klok").await;
            let before = Clock::manual(app.now().plus(-Duration::hours(1)));
            assert_fails(&with(&|services| services.clock = before.clone()), name, "newest card").await;
        }
        "backup" | "backup_drill" => assert_fails(services, name, "ever").await, // there is a live key
        _ => return false,
    }
    true
}

impl TestApp {
    /// The result of a check in `/health/ready` of the operator; asserts that `/metrics` has the same.
    async fn check(&self, name: &str) -> String {
        let ready = self.metrics_get("/health/ready").await.json();
        let outcome = ready["checks"][name]["outcome"].as_str().unwrap_or_else(|| panic!("{name}: {ready}")).to_owned();
        let text = self.figures().await;
        let figure =
            text.lines().find_map(|line| line.strip_prefix(&format!("card_service_check{{name=\"{name}\"}} ")));
        let expected = match outcome.as_str() {
            "ok" => Some("1"),
            "failed" => Some("0"),
            _ => None,
        };
        assert_eq!(figure, expected, "{name} is {outcome} in {ready}");
        outcome
    }
}

/// The audit record of a `backup` at this time from now.
fn backup_after(app: &TestApp, time: Duration) -> AuditEntry {
    let at = app.now().plus(time);
    let id = app.services().entropy.uuid(at);
    AuditEntry { id, at, actor: "op".to_owned(), command: BACKUP, subject: "cards.db".to_owned(), fields: &[] }
}

#[test]
fn read_only_postgres_fails_the_check_and_stays_ready() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let (server, schema) = database.postgres().expect("PostgreSQL");
        let role = format!("{schema}_role"); // the setting is the role's, so that no other test meets it
        tamper(&server, &format!("CREATE ROLE {role} SUPERUSER LOGIN")).await;
        let mut url = Url::parse(&database.url).expect("an address");
        url.set_username(&role).expect("it has a user");
        let app = TestApp::start_with(&database, "read only", &[("DATABASE_URL", url.as_str())]).await;
        let (live, gid) = app.live_draft("1").await;
        let new_connections = async |setting: &str| {
            let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'");
            tamper(
                &server,
                &format!(
                    "ALTER ROLE {role} {setting} default_transaction_read_only{}; {end}",
                    if setting == "SET" { " = on" } else { "" }
                ),
            )
            .await;
        };
        let database_is = async |expected: &str| {
            let found = || async {
                let ready = app.get("/health/ready").await;
                (ready.json()["database"] == expected).then_some(ready.status)
            };
            assert_eq!(wait_for(expected, found).await, 200);
        };
        database_is("ok").await;
        new_connections("SET").await;
        database_is("answers, but takes no writes").await;
        assert_eq!(app.check("database").await, "failed");
        let refused = live.graphql(&create_document(), json!({ "input": { "externalDossierId": "2" } })).await;
        refused.expect_error(503, "UNAVAILABLE");
        assert_eq!(live.card(&gid).await["externalDossierId"], "1", "reads work");
        new_connections("RESET").await;
        database_is("ok").await;
        let again = || async {
            let input = json!({ "input": { "externalDossierId": "2" } });
            (live.graphql(&create_document(), input).await.status == 200).then_some(())
        };
        wait_for("writes work again", again).await;
        tamper(&server, &format!("REASSIGN OWNED BY {role} TO CURRENT_USER; DROP ROLE {role}")).await;
    });
}

on_both_databases! {
    async fn every_check_fails_in_each_way_and_passes_again(app: TestApp) {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for check in CHECKS {
            let elsewhere: Vec<_> = ELSEWHERE.iter().filter(|(name, ..)| *name == check.name).collect();
            for (_, file, test) in &elsewhere {
                let text = std::fs::read_to_string(root.join(file)).expect("a file");
                assert!(text.contains(&format!("fn {test}")), "{}: {file} has no {test}", check.name);
            }
            let is_broken_here = break_check(&app, check.name).await;
            assert!(is_broken_here || !elsewhere.is_empty(), "no test breaks the check {}", check.name);
        }
    }

    async fn every_check_has_a_result_and_only_some_are_public(app: TestApp) {
        let ready = app.metrics_get("/health/ready").await.json();
        let found: Vec<_> = ready["checks"].as_object().expect("an object").keys().cloned().collect();
        let mut names: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
        names.sort_unstable();
        assert_eq!(found, names);
        let public = app.get("/health/ready").await.json();
        for check in CHECKS {
            let is_public = check.audience != Audience::Operator;
            assert_eq!(public.get(check.name).is_some(), is_public, "{}: {public}", check.name);
        }
        for name in ["database", "object_store", "workers", "notifications", "mail_server", "disk", "public_name"] {
            assert_eq!(app.check(name).await, "ok", "{name}");
        }
    }

    async fn failure_of_a_check_is_reported_and_ends_with_its_cause(app: TestApp) {
        assert_eq!(app.check("egress").await, "failed", "the test's servers are on the loopback");
        assert_eq!(app.check("permissions").await, "ok");
        let mode = |mode| std::fs::set_permissions(app.folder(), std::fs::Permissions::from_mode(mode)).expect("ours");
        mode(0o755);
        assert_eq!(app.check("permissions").await, "failed");
        mode(0o700);
        assert_eq!(app.check("permissions").await, "ok");

        let caller = app.live().await;
        caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.revoke_secrets().await; // nothing is sent, and due deliveries wait
        caller.draft("1").await;
        assert_eq!(app.check("notifications").await, "ok");
        app.pass(Duration::from_std(limits::DELIVERY_OVERDUE).expect("minutes"));
        assert_eq!(app.check("notifications").await, "failed");
        assert_eq!(app.get("/health/ready").await.status, 200, "it is no reason to serve nobody");
    }

    async fn backup_that_was_recorded_gets_old(app: TestApp) {
        assert_eq!(app.check("backup").await, "not_asked", "none was recorded");
        let store = app.store().with_audit(backup_after(&app, Duration::zero()));
        store.record_command().await.expect("the store works");
        assert_eq!(app.check("backup").await, "ok");
        app.pass(Duration::from_std(limits::BACKUP_AGE_MAX).expect("hours"));
        assert_eq!(app.check("backup").await, "failed");
    }

    async fn record_from_the_future_shows_a_wrong_clock(app: TestApp) {
        // The clock of a test differs from the clock of its PostgreSQL.
        let expected = if app.database_url().starts_with("postgres") { "failed" } else { "ok" };
        assert_eq!(app.check("clock").await, expected);
        let ready = app.metrics_get("/health/ready").await.json();
        assert_eq!(ready["checks"]["clock"]["reason"].is_string(), expected == "failed", "{ready}");
        app.store().with_audit(backup_after(&app, Duration::hours(1))).record_command().await.expect("the store works");
        assert_eq!(app.check("clock").await, "failed");
        let reason = app.metrics_get("/health/ready").await.json()["checks"]["clock"]["reason"].take();
        assert!(reason.as_str().is_some_and(|reason| reason.contains("from the future")), "{reason}");
    }

    async fn service_with_live_keys_needs_a_mail_server(app: TestApp) {
        assert_eq!(app.check("mail_server").await, "ok", "there is no live key yet");
        app.live().await;
        // The result is cached; a second set of checks has none.
        let checks = card_service::services::Checks::new(Arc::clone(app.services()));
        let results = checks.run_all().await;
        let (_, outcome) = results.iter().find(|(check, _)| check.name == "mail_server").expect("it is a check");
        assert!(json!(outcome)["reason"].as_str().is_some_and(|reason| reason.contains("SMTP_URL")), "{outcome:?}");
    }
}

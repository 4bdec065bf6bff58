//! The checks of a running server: each failure is in the readiness of the operator and in `/metrics`, and has its alert.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use card_service::base::limits;
use card_service::model::{AuditEntry, BACKUP};
use card_service::services::{Audience, CHECKS};
use chrono::Duration;
use serde_json::json;

use crate::app::TestApp;

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

on_both_databases! {
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

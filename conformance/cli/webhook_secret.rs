//! `webhook secret issue|rotate|list|revoke`.

use std::slice;

use card_service::base::Clock;
use card_service::model::{KeyMode, SigningSecret};
use serde_json::Value;

use crate::app::{FreshDatabase, Program};

fn secret_in(shown: &Value) -> SigningSecret {
    let text = shown["secret"].as_str().unwrap_or_else(|| panic!("{shown}"));
    SigningSecret::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The fingerprints and states that `list` shows, newest first.
fn list(program: &Program) -> Vec<(String, String)> {
    let shown = program.json(&["webhook", "secret", "list", "--partner", "Noord"]);
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{shown}")).to_owned();
    let secrets = shown["webhookSecrets"].as_array().expect("a list");
    assert!(!shown.to_string().contains("whsec_"), "a secret is shown once");
    secrets.iter().map(|secret| (text(&secret["fingerprint"]), text(&secret["state"]))).collect()
}

/// Returns the secrets that sign now.
async fn active(database: &FreshDatabase, program: &Program) -> Vec<SigningSecret> {
    let partners = program.json(&["partner", "list"]);
    let id = partners["partners"][0]["id"].as_str().expect("an id").parse().expect("a uuid");
    let settings = card_service::store::StoreSettings {
        url: database.url.clone(),
        postgres_pool_size: 1,
        public_base: String::new(),
        examine: false,
        create: false,
        clock: Clock::system(),
    };
    let (store, closer) = card_service::store::Store::open(&settings).await.expect("the store opens");
    let secrets =
        store.active_webhook_secrets(id, KeyMode::Live, Clock::system().now()).await.expect("the store answers");
    drop(store);
    closer.close().await;
    secrets
}

on_both_databases! {
    async fn secret_is_issued_rotated_and_revoked(database: FreshDatabase) {
        let program = Program::new(&database);
        // A partner has a secret from the first day.
        let issued = program.json(&["partner", "add", "Noord"]);
        let first = secret_in(&issued);
        assert_eq!(active(&database, &program).await, slice::from_ref(&first));

        let rotated = program.json(&["webhook", "secret", "rotate", "--partner", "Noord", "--overlap", "2h"]);
        let second = secret_in(&rotated);
        assert_eq!(active(&database, &program).await, [second.clone(), first]);
        assert_eq!(rotated["previous"]["id"], issued["webhookSecret"]["id"]);
        assert!(rotated["previous"]["expiresAt"].is_string(), "{rotated}");

        let old = issued["webhookSecret"]["id"].as_str().expect("an id");
        let said = program.expect_failure(&["webhook", "secret", "rotate", "--partner", "Noord"]);
        assert!(said.contains(old), "{said}");

        program.json(&["webhook", "secret", "revoke", old]);
        assert_eq!(active(&database, &program).await, slice::from_ref(&second));
        let mark = rotated["webhookSecret"]["fingerprint"].as_str().expect("a fingerprint").to_owned();
        let old_mark = issued["webhookSecret"]["fingerprint"].as_str().expect("a fingerprint").to_owned();
        assert_eq!(list(&program), [(mark.clone(), "active".to_owned()), (old_mark, "revoked".to_owned())]);

        assert!(program.expect_failure(&["webhook", "secret", "revoke", &mark]).contains("--yes"));
        program.json(&["webhook", "secret", "revoke", &mark, "--yes"]);
        assert_eq!(active(&database, &program).await, []);
        program.expect_failure(&["webhook", "secret", "rotate", "--partner", "Noord"]);
        let third = secret_in(&program.json(&["webhook", "secret", "issue", "--partner", "Noord"]));
        assert_eq!(active(&database, &program).await, [third]);
    }

    async fn secret_is_rotated_with_the_longest_overlap(database: FreshDatabase) {
        let program = Program::new(&database);
        let first = secret_in(&program.json(&["partner", "add", "Noord"]));
        let rotated = program.json(&["webhook", "secret", "rotate", "--partner", "Noord", "--overlap", "30d"]);
        assert_eq!(active(&database, &program).await, [secret_in(&rotated), first]);
    }

    async fn secret_for_people_is_alone_on_the_first_line(database: FreshDatabase) {
        let program = Program::new(&database);
        let mut shown = Vec::new();
        for command in [
            &["partner", "add", "Noord"][..],
            &["webhook", "secret", "issue", "--partner", "Noord"],
        ] {
            let text = program.text(command);
            let secret = SigningSecret::parse(text.lines().next().unwrap_or_default());
            shown.push(secret.unwrap_or_else(|error| panic!("{error}: {text}")));
            assert!(text.contains("shown this once"), "{text}");
        }
        shown.reverse();
        assert_eq!(active(&database, &program).await, shown, "both sign");
        let table = program.text(&["webhook", "secret", "list", "--partner", "Noord"]);
        assert!(table.starts_with("FINGERPRINT") && table.matches("active").count() == 2, "{table}");
    }

    async fn secret_of_an_unknown_partner_is_refused_in_a_sentence(database: FreshDatabase) {
        let program = Program::new(&database);
        program.json(&["partner", "add", "Noord"]);
        for arguments in [
            &["webhook", "secret", "issue", "--partner", "Zuid"][..],
            &["webhook", "secret", "rotate", "--partner", "Zuid"],
            &["webhook", "secret", "rotate", "--partner", "Noord", "--overlap", "31d"],
            &["webhook", "secret", "list", "--partner", "Zuid"],
        ] {
            program.expect_failure(arguments);
        }
        for which in ["zzzzzzzz", "abc", "é"] {
            let refused = program.expect_failure(&["webhook", "secret", "revoke", which]);
            assert!(refused.contains("neither the id of a secret nor the start of its fingerprint"), "{refused}");
        }
        let refused = program.expect_failure(&["webhook", "secret", "revoke", "00000000"]);
        assert!(refused.contains("There is no secret \"00000000\"."), "{refused}");
    }
}

//! Access tokens (specification, section 5; decisions H4, K1, K2).

use card_service::base::Entropy;
use card_service::model::{AccessToken, KeyMode};
use chrono::Duration;
use serde_json::json;

use crate::app::{Answer, Caller, TestApp, wait_for};

async fn works(caller: &Caller) -> bool {
    caller.graphql("{ __typename }", json!({})).await.status == 200
}

on_both_databases! {
    async fn token_refused_for_any_cause_gets_one_identical_answer(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (revoked_id, revoked) = partner.caller(KeyMode::Live, None).await;
        let (_, expired) = partner.caller(KeyMode::Live, Some(1)).await;
        let (_, valid) = partner.caller(KeyMode::Live, None).await;
        assert!(works(&revoked).await && works(&expired).await);
        app.store().revoke_key(revoked_id, app.now()).await.expect("the store answers");
        app.pass(Duration::days(1));

        let unknown = AccessToken::generate(KeyMode::Live, &Entropy::seeded(7)).reveal().to_owned();
        let mut wrong_checksum = valid.token.clone();
        let last = wrong_checksum.pop().expect("a token");
        wrong_checksum.push(if last == 'x' { 'y' } else { 'x' });
        let blocked_shape = valid.token.replace("live", "test");
        let mut answers = Vec::new();
        for token in [
            "", " ", "x", "pcs_live_", &unknown, &wrong_checksum, &blocked_shape, &revoked.token, &expired.token,
            &valid.token.to_uppercase(), &format!("Bearer {}", valid.token), &[&*valid.token, &valid.token].join(", "),
            &"x".repeat(5_000), "é",
        ] {
            let caller = Caller::new(app.clone(), token);
            let answer = caller.graphql("{ __typename }", json!({})).await;
            let error = answer.expect_error(401, "UNAUTHENTICATED");
            assert_eq!(error["message"], "Toegangstoken ontbreekt of is ongeldig.");
            answers.push(answer.bare());
        }
        let url = app.url("/partner/api/2026-10/graphql");
        let body = r#"{"query":"{ __typename }"}"#;
        for headers in [vec![], vec![("authorization", format!("Bearer {}", valid.token))],
            vec![("x-service-access-token", valid.token.clone()), ("x-service-access-token", valid.token.clone())]] {
            let mut request = app.http().post(&url).body(body).header("content-type", "application/json");
            request = request.header("accept", "application/graphql-response+json");
            for (name, value) in &headers {
                request = request.header(*name, value); // a second one is added
            }
            let answer = Answer::read(request.send().await.expect("the server answers")).await;
            answer.expect_error(401, "UNAUTHENTICATED");
            answers.push(answer.bare());
        }
        answers.iter().for_each(|answer| assert_eq!(answer, &answers[0]));
        assert!(works(&valid).await);
    }

    async fn use_of_a_key_is_recorded(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (id, caller) = partner.caller(KeyMode::Live, None).await;
        let used = async || {
            let keys = app.store().keys_of(partner.id).await.expect("the store answers");
            keys.iter().find(|key| key.id == id).expect("the key").last_used_at
        };
        assert_eq!(used().await, None);
        assert!(works(&caller).await);
        // After the answer.
        assert_eq!(wait_for("the use is recorded", used).await, app.now());
    }

    async fn token_of_a_blocked_partner_is_403(app: TestApp) {
        let blocked = app.blocked_partner("Noord").await;
        for caller in [blocked.live().await, blocked.test().await] {
            let answer = caller.graphql("{ __typename }", json!({})).await;
            let error = answer.expect_error(403, "ACCESS_DENIED");
            assert_eq!(error["message"], "Uw account is geblokkeerd. Neem contact op met de beheerder.");
        }
    }

    async fn token_is_required_before_the_body_is_read(app: TestApp) {
        let unknown = Caller::new(app.clone(), "nonsense");
        for body in [r#"{"query":"{ __schema { queryType { name } } }"}"#, "not JSON", "[]", ""] {
            unknown.send(body).await.expect_error(401, "UNAUTHENTICATED");
        }
    }
}

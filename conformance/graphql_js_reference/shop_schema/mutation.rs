//! The mutation root of the shop schema.

use std::borrow::Cow;

use card_service::base::{HttpUrl, Kind, Parsed, Patch};

use super::{Context, Resolved, address, failure, gid, model};
use crate::graphql_js_reference::v2026_10::{
    CardCreateInput, CardCreatePayload, CardSession, CardSessionCreatePayload, CardSessionTarget, CardUpdateInput,
    CardUpdatePayload, CardUserError, CardUserErrorCode, DeceasedInput, Mutation, WebhookSubscriptionCreatePayload,
    WebhookSubscriptionDeletePayload, WebhookSubscriptionInput, WebhookSubscriptionTopic, WebhookSubscriptionUserError,
    WebhookSubscriptionUserErrorCode,
};

fn wrong(code: CardUserErrorCode, name: &'static str, field: &[&'static str]) -> CardUserError {
    let field = field.iter().map(|name| Cow::Borrowed(*name)).collect();
    CardUserError { code: Some(code), field: Some(field), message: Cow::Borrowed(name) }
}

/// Carries an update out on a card; says what is wrong instead where something is.
fn update(
    mut card: model::Card,
    livestream_url: Patch<Parsed<HttpUrl>>,
    deceased: Patch<DeceasedInput>,
) -> (Option<model::Card>, Vec<CardUserError>) {
    let mut errors = vec![];
    match livestream_url {
        Patch::Value(Parsed::Invalid(text)) if !text.is_empty() => {
            errors.push(wrong(CardUserErrorCode::Invalid, "INVALID", &["input", "livestreamUrl"]));
        }
        given => given.map(|given| given.ok().unwrap_or_else(HttpUrl::trusted)).apply_to(&mut card.livestream_url),
    }
    if let Patch::Value(deceased) = deceased {
        deceased.first_name.apply_to(&mut card.first_name);
        deceased.last_name.apply_to(&mut card.last_name);
        match deceased.date_of_birth {
            Patch::Value(Parsed::Invalid(_)) => {
                errors.push(wrong(CardUserErrorCode::Invalid, "INVALID", &["input", "deceased", "dateOfBirth"]));
            }
            Patch::Value(Parsed::Value(day)) => card.date_of_birth = Some(day),
            Patch::Null => card.date_of_birth = None,
            Patch::Absent => {}
        }
    }
    if errors.is_empty() { (Some(card), errors) } else { (None, errors) }
}

impl Mutation for Context {
    async fn card_create(&self, input: CardCreateInput) -> Resolved<Option<CardCreatePayload>> {
        if input.external_dossier_id.trim().is_empty() {
            let blank = wrong(CardUserErrorCode::Blank, "BLANK", &["input", "externalDossierId"]);
            return Ok(Some(CardCreatePayload { card: None, user_errors: vec![blank] }));
        }
        let card = model::Card { external_dossier_id: Some(input.external_dossier_id), ..model::Card::new(false) };
        let (card, user_errors) = update(card, input.livestream_url, input.deceased);
        Ok(Some(CardCreatePayload { card, user_errors }))
    }
    async fn card_update(&self, id: String, input: CardUpdateInput) -> Resolved<Option<CardUpdatePayload>> {
        if id == "none" {
            let not_found = wrong(CardUserErrorCode::NotFound, "NOT_FOUND", &["id"]);
            return Ok(Some(CardUpdatePayload { card: None, user_errors: vec![not_found] }));
        }
        let (card, user_errors) = update(model::Card::new(false), input.livestream_url, input.deceased);
        Ok(Some(CardUpdatePayload { card, user_errors }))
    }
    async fn card_session_create(
        &self,
        card_id: String,
        target: CardSessionTarget,
    ) -> Resolved<Option<CardSessionCreatePayload>> {
        if card_id == "boom" {
            return Err(failure("boom"));
        }
        let expires_at = model::moment("2026-10-02T08:25:30.000Z");
        let session = CardSession { url: address("https://a.test/s/x"), target, expires_at };
        Ok(Some(CardSessionCreatePayload { card_session: Some(session), user_errors: vec![] }))
    }
    async fn webhook_subscription_create(
        &self,
        topic: WebhookSubscriptionTopic,
        webhook_subscription: WebhookSubscriptionInput,
    ) -> Resolved<Option<WebhookSubscriptionCreatePayload>> {
        let error = |_| WebhookSubscriptionUserError {
            code: Some(WebhookSubscriptionUserErrorCode::Invalid),
            field: Some(vec![Cow::Borrowed("webhookSubscription"), Cow::Borrowed("callbackUrl")]),
            message: Cow::Borrowed("INVALID"),
        };
        let (webhook_subscription, user_errors) = match webhook_subscription.callback_url.ok().map_err(error) {
            Ok(callback_url) => (Some(model::WebhookSubscription { topic, callback_url }), vec![]),
            Err(error) => (None, vec![error]),
        };
        Ok(Some(WebhookSubscriptionCreatePayload { webhook_subscription, user_errors }))
    }
    async fn webhook_subscription_delete(&self, id: String) -> Resolved<Option<WebhookSubscriptionDeletePayload>> {
        let error = WebhookSubscriptionUserError {
            code: Some(WebhookSubscriptionUserErrorCode::NotFound),
            field: Some(vec![Cow::Borrowed("id")]),
            message: Cow::Borrowed("NOT_FOUND"),
        };
        let none = id == "none";
        Ok(Some(WebhookSubscriptionDeletePayload {
            deleted_webhook_subscription_id: (!none).then(|| gid(Kind::WebhookSubscription, 9)),
            user_errors: if none { vec![error] } else { vec![] },
        }))
    }
}

//! The fields of objects and the enums that version 2027-01 adds.

use std::borrow::Cow;

use dated_graphql::FieldError;
use uuid::Uuid;

use crate::base::{GlobalId, Kind, Parsed, Timestamp};
use crate::generated::v2027_01::{
    self, WebhookDeliveryAttempt, WebhookDeliveryAttemptOutcome, WebhookDeliveryConnection, WebhookDeliveryEdge,
    WebhookDeliveryState, WebhookDeliveryUserError, WebhookDeliveryUserErrorCode, WebhookSubscriptionPauseReason,
    WebhookSubscriptionStatus, WebhookSubscriptionTopic,
};
use crate::model::{
    self, Attempt, AttemptOutcome, Card, NoAnswer, Page, UserError, UserErrorCode, WebhookDelivery,
    WebhookSubscription, code, event_name, messages,
};
use crate::resolver::page::{CursorKey as _, DeliveryKey, PageArguments};
use crate::resolver::v2026_10::object::{field, parts, same_variants};
use crate::resolver::v2026_10::query::topic_filter;
use crate::resolver::{Context, report_failure};
use crate::store::DeliveryFilter;

impl v2027_01::Card for Card {
    fn ordered_at(&self, _: &Context) -> Option<Timestamp> {
        self.ordered_at
    }

    fn activated_at(&self, _: &Context) -> Option<Timestamp> {
        self.activated_at
    }

    fn visibility(&self, _: &Context) -> v2027_01::CardVisibility {
        self.visibility.into()
    }
}

impl v2027_01::WebhookSubscription for WebhookSubscription {
    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        self.name.as_deref().map(Cow::from)
    }

    fn api_version<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(&self.api_version)
    }

    fn status(&self, _: &Context) -> WebhookSubscriptionStatus {
        self.health.into()
    }

    fn pause_reason(&self, _: &Context) -> Option<WebhookSubscriptionPauseReason> {
        self.health.pause.map(|pause| pause.reason.into())
    }

    fn paused_at(&self, _: &Context) -> Option<Timestamp> {
        self.health.pause.map(|pause| pause.at)
    }

    async fn webhook_deliveries(
        &self,
        cx: &Context,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        states: Option<Vec<WebhookDeliveryState>>,
        since: Option<Parsed<Timestamp>>,
    ) -> Result<WebhookDeliveryConnection, FieldError> {
        let page = PageArguments { first, after, last, before };
        deliveries(cx, page, Some(self.id), None, states, since).await
    }
}

impl v2027_01::WebhookDelivery for WebhookDelivery {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::WebhookDelivery, self.delivery.id)
    }

    fn event_id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        event_name(self.delivery.event_id).into()
    }

    fn topic(&self, _: &Context) -> WebhookSubscriptionTopic {
        self.delivery.topic.into()
    }

    fn card_id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::Card, self.delivery.card_id)
    }

    fn subscription_id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::WebhookSubscription, self.delivery.subscription_id)
    }

    fn body<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        self.body.as_deref().map(Cow::from)
    }

    fn state(&self, _: &Context) -> WebhookDeliveryState {
        self.delivery.state.into()
    }

    fn attempt_count(&self, _: &Context) -> i32 {
        int(self.delivery.attempt_count)
    }

    fn attempts(&self, _: &Context) -> Vec<WebhookDeliveryAttempt<'_>> {
        self.attempts.iter().map(Into::into).collect()
    }

    fn next_attempt_at(&self, _: &Context) -> Option<Timestamp> {
        // While an attempt runs, the time at which it counts as lost.
        self.delivery.due_at.filter(|_| self.delivery.lease.is_none())
    }

    fn created_at(&self, _: &Context) -> Timestamp {
        self.delivery.created_at
    }

    fn finished_at(&self, _: &Context) -> Option<Timestamp> {
        self.delivery.finished_at
    }
}

impl From<&Attempt> for WebhookDeliveryAttempt<'static> {
    fn from(attempt: &Attempt) -> Self {
        Self {
            number: int(attempt.number),
            started_at: attempt.started_at,
            duration_ms: int(attempt.duration_ms),
            outcome: outcome_of(attempt),
            http_status: attempt.outcome.status().map(Into::into),
            cause: attempt.cause.map(|cause| cause.as_str().into()),
        }
    }
}

impl From<Page<WebhookDelivery>> for WebhookDeliveryConnection {
    fn from(page: Page<WebhookDelivery>) -> Self {
        let cursor = |delivery: &WebhookDelivery| DeliveryKey(delivery.delivery.id).to_cursor();
        let (edges, nodes, page_info) = parts(page, cursor, |cursor, node| WebhookDeliveryEdge { cursor, node });
        Self { edges, nodes, page_info }
    }
}

/// The page of the deliveries that match the filter: of one subscription, or of all of the caller.
pub(super) async fn deliveries(
    cx: &Context,
    page: PageArguments,
    subscription_id: Option<Uuid>,
    topics: Option<Vec<WebhookSubscriptionTopic>>,
    states: Option<Vec<WebhookDeliveryState>>,
    since: Option<Parsed<Timestamp>>,
) -> Result<WebhookDeliveryConnection, FieldError> {
    let page = page.read::<DeliveryKey>()?.map_keys(|key| key.0);
    let since = since.map(Parsed::ok).transpose().map_err(|sent| {
        FieldError::new(code::BAD_USER_INPUT, messages::TIME_INVALID)
            .with_detail(format!("since is no time: {sent:?}."))
    })?;
    let states = states.unwrap_or_default().into_iter().map(Into::into).collect();
    let filter = DeliveryFilter { subscription_id, topics: topic_filter(topics), states, since };
    let page = cx.services.store.webhook_deliveries_page(cx.caller.scope(), &filter, &page).await;
    page.map(Into::into).map_err(report_failure)
}

impl From<UserError> for WebhookDeliveryUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::Invalid => Some(WebhookDeliveryUserErrorCode::Invalid),
            UserErrorCode::NotFound => Some(WebhookDeliveryUserErrorCode::NotFound),
            UserErrorCode::Unprocessable => Some(WebhookDeliveryUserErrorCode::Unprocessable),
            // Reasons without a code in this schema version; `code` is nullable.
            UserErrorCode::Blank | UserErrorCode::Taken | UserErrorCode::Immutable => None,
        };
        Self { code, field: field(error.field), message: error.message.into() }
    }
}

/// A number as GraphQL has it.
pub(super) fn int(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

same_variants!(model::Visibility => v2027_01::CardVisibility { Open, Invitation });
same_variants!(model::DeliveryState => v2027_01::WebhookDeliveryState { Waiting, Due, Delivered, Failed });
same_variants!(v2027_01::WebhookDeliveryState => model::DeliveryState { Waiting, Due, Delivered, Failed });
same_variants!(model::PauseReason => v2027_01::WebhookSubscriptionPauseReason { Gone, Failures, Operator });

fn outcome_of(attempt: &Attempt) -> WebhookDeliveryAttemptOutcome {
    use WebhookDeliveryAttemptOutcome as O;
    match attempt.outcome {
        outcome if outcome.is_success() => O::Delivered,
        AttemptOutcome::Answered(_) => O::HttpError,
        AttemptOutcome::NoConnection => match attempt.cause {
            Some(cause) if cause.is_of_tls() => O::TlsFailed,
            Some(NoAnswer::AnswerUnreadable) => O::AnswerUnreadable,
            _ => O::NoConnection,
        },
        AttemptOutcome::TimeOut => O::TimeOut,
        AttemptOutcome::Refused => O::AddressRefused,
    }
}

impl From<model::SubscriptionHealth> for v2027_01::WebhookSubscriptionStatus {
    fn from(health: model::SubscriptionHealth) -> Self {
        match (health.pause, health.failing_since) {
            (Some(_), _) => Self::Paused,
            (None, Some(_)) => Self::Failing,
            (None, None) => Self::Active,
        }
    }
}

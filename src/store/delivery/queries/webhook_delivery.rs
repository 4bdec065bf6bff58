//! Deliveries for their partner: with their bodies and attempts, and only while the subscription exists (decisions V5).

use std::collections::BTreeMap;

use diesel::dsl::exists;
use diesel::prelude::*;
use uuid::Uuid;

use super::attempt::{bodies_of, last_attempts};
use super::{Conn, Db, Result, RunQueryDsl, on_topics};
use crate::base::{Timestamp, limits};
use crate::model::{Delivery, DeliveryState, Page, PageRequest, PageStart, Scope, WebhookDelivery};
use crate::store::delivery::row::DeliveryRow;
use crate::store::schema::{deliveries, webhook_subscriptions};
use crate::store::sql_type::{Id, Name};
use crate::store::{DeliveryFilter, id_before, page};

pub(crate) async fn webhook_delivery(c: &mut Conn<'_>, scope: Scope, id: Uuid) -> Result<Option<WebhookDelivery>> {
    let followed = webhook_subscriptions::table.on(webhook_subscriptions::id.eq(deliveries::subscription_id));
    let owned = deliveries::table.inner_join(followed).filter(deliveries::id.eq(Id(id)));
    let owned = owned.filter(within!(webhook_subscriptions, scope));
    let row = owned.select(DeliveryRow::as_select()).get_result(c).await.optional()?;
    Ok(complete(c, row.map(Delivery::from).into_iter().collect()).await?.pop())
}

type Rows<'a> = deliveries::BoxedQuery<'a, Db>;

/// Selects the deliveries of a subscription within the scope, of events at `since` or later: a test key sees deliveries of
/// test cards only.
fn of_subscription<'a>(scope: Scope, subscription_id: Id, since: Option<Timestamp>) -> Rows<'a> {
    let rows = deliveries::table.filter(deliveries::subscription_id.eq(subscription_id));
    let rows = rows.filter(within!(deliveries, scope)).into_boxed();
    match since {
        Some(since) => rows.filter(deliveries::id.ge(Id(id_before(since)))),
        None => rows,
    }
}

/// Returns each of the subscriptions with each of the states, or with all if there are none.
fn parts(subscriptions: Vec<Id>, states: &[DeliveryState]) -> Vec<(Id, DeliveryState)> {
    let wanted = |state: &DeliveryState| states.is_empty() || states.contains(state);
    let with_states = |id: Id| DeliveryState::ALL.into_iter().filter(wanted).map(move |state| (id, state));
    subscriptions.into_iter().flat_map(with_states).collect()
}

/// Reads each state of each subscription by itself, because the index has the subscription and the state before the id and
/// another index would slow down every insert. The states are read in the order in which a delivery passes through them,
/// so that none is missed.
pub(crate) async fn webhook_deliveries_page(
    c: &mut Conn<'_>,
    scope: Scope,
    filter: &DeliveryFilter,
    request: &PageRequest<Uuid>,
) -> Result<Page<WebhookDelivery>> {
    let subscriptions: Vec<Id> = match filter.subscription_id {
        Some(id) => vec![Id(id)],
        None => on_topics(scope, &filter.topics).select(webhook_subscriptions::id).load(c).await?,
    };
    // Newest first, and ids grow with time: the ids after a key are smaller.
    let id = deliveries::id;
    let limit = page::fetch_limit(request);
    let (mut at_after, mut at_before) = (false, false);
    let mut found: BTreeMap<Uuid, Delivery> = BTreeMap::new();
    for (subscription_id, state) in parts(subscriptions, &filter.states) {
        let in_state =
            || of_subscription(scope, subscription_id, filter.since).filter(deliveries::state.eq(Name(state)));
        let mut rows = in_state();
        if let Some(after) = request.after {
            rows = rows.filter(id.lt(Id(after)));
            at_after =
                at_after || diesel::select(exists(in_state().filter(id.ge(Id(after))))).get_result::<bool>(c).await?;
        }
        if let Some(before) = request.before {
            rows = rows.filter(id.gt(Id(before)));
            at_before =
                at_before || diesel::select(exists(in_state().filter(id.le(Id(before))))).get_result::<bool>(c).await?;
        }
        rows = match request.start {
            PageStart::First => rows.order(id.desc()),
            PageStart::Last => rows.order(id.asc()),
        };
        let fetched = rows.limit(limit).select(DeliveryRow::as_select()).load(c).await?;
        found.extend(fetched.into_iter().map(Delivery::from).map(|delivery| (delivery.id, delivery)));
        while i64::try_from(found.len()).is_ok_and(|count| count > limit) {
            match request.start {
                PageStart::First => found.pop_first(),
                PageStart::Last => found.pop_last(),
            };
        }
    }
    let fetched = match request.start {
        PageStart::First => found.into_values().rev().collect(),
        PageStart::Last => found.into_values().collect(),
    };
    let Page { items, has_next, has_previous } = page::cut(request, fetched, at_after, at_before);
    Ok(Page { items: complete(c, items).await?, has_next, has_previous })
}

/// Returns the deliveries with the body and the last attempts of each.
async fn complete(c: &mut Conn<'_>, of: Vec<Delivery>) -> Result<Vec<WebhookDelivery>> {
    let bodies = bodies_of(c, &of).await?;
    let tried: Vec<Id> = of.iter().filter(|one| one.attempt_count > 0).map(|one| Id(one.id)).collect();
    let mut found = last_attempts(c, tried, limits::ATTEMPTS_SHOWN_MAX).await?;
    let with_its_own = |delivery: Delivery| {
        let attempts = found.remove(&delivery.id).unwrap_or_default();
        let body = bodies.get(&(delivery.event_id, delivery.api_version.clone())).cloned();
        WebhookDelivery { delivery, attempts, body }
    };
    Ok(of.into_iter().map(with_its_own).collect())
}

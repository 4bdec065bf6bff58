//! Webhook subscriptions (specification, section 2.8; decisions V5, W5).

use diesel::dsl::exists;
use diesel::prelude::*;
use uuid::Uuid;

use super::delivery::end_pause;
use super::{Conn, Db, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Page, PageRequest, PageStart, Scope, Topic, WebhookSubscription};
use crate::store::prepared_query::prepared;
use crate::store::schema::{partners, webhook_subscriptions};
use crate::store::sql_type::{Digest, Id, Name};
use crate::store::subscription::{SubscriptionRow, callback_url_digest};
use crate::store::{AddressHolder, ChangeSubscriptionError, CreateSubscriptionError, SubscriptionChange, page};

pub(crate) async fn subscription(c: &mut Conn<'_>, scope: Scope, id: Uuid) -> Result<Option<WebhookSubscription>> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(id)))
        .filter(within!(webhook_subscriptions, scope))
        .select(SubscriptionRow::as_select())
        .get_result(c)
        .await
        .optional()?;
    Ok(row.map(WebhookSubscription::from))
}

pub(crate) async fn any_subscription(c: &mut Conn<'_>, id: Uuid) -> Result<Option<WebhookSubscription>> {
    let one = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(id)));
    let row = one.select(SubscriptionRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(WebhookSubscription::from))
}

type Rows<'a> = webhook_subscriptions::BoxedQuery<'a, Db>;

/// Selects the subscriptions within the scope on these topics, or on all if there are none.
pub(super) fn on_topics<'a>(scope: Scope, topics: &[Topic]) -> Rows<'a> {
    let rows = webhook_subscriptions::table.filter(within!(webhook_subscriptions, scope)).into_boxed::<Db>();
    // Each topic once: this limits the number of different statements that a connection keeps.
    let wanted: Vec<_> = Topic::ALL.into_iter().filter(|t| topics.contains(t)).map(Name).collect();
    if wanted.is_empty() { rows } else { rows.filter(webhook_subscriptions::topic.eq_any(wanted)) }
}

pub(crate) async fn subscriptions_page(
    c: &mut Conn<'_>,
    scope: Scope,
    topics: &[Topic],
    request: &PageRequest<Uuid>,
) -> Result<Page<WebhookSubscription>> {
    // Newest first, and ids grow with time: the ids after a key are smaller.
    let id = webhook_subscriptions::id;
    let mut rows = on_topics(scope, topics);
    let (mut at_after, mut at_before) = (false, false);
    if let Some(after) = request.after {
        rows = rows.filter(id.lt(Id(after)));
        let there = on_topics(scope, topics).filter(id.ge(Id(after)));
        at_after = diesel::select(exists(there)).get_result(c).await?;
    }
    if let Some(before) = request.before {
        rows = rows.filter(id.gt(Id(before)));
        let there = on_topics(scope, topics).filter(id.le(Id(before)));
        at_before = diesel::select(exists(there)).get_result(c).await?;
    }
    rows = match request.start {
        PageStart::First => rows.order(id.desc()),
        PageStart::Last => rows.order(id.asc()),
    };
    let fetched = rows.limit(page::fetch_limit(request)).select(SubscriptionRow::as_select()).load(c).await?;
    let fetched = fetched.into_iter().map(WebhookSubscription::from).collect();
    Ok(page::cut(request, fetched, at_after, at_before))
}

pub(crate) async fn create_subscription(
    c: &mut Conn<'_>,
    subscription: WebhookSubscription,
    per_topic_max: usize,
) -> Result<(), CreateSubscriptionError> {
    let (partner_id, topic, test) = (Id(subscription.partner_id), Name(subscription.topic), subscription.test);
    let digest = callback_url_digest(&subscription.callback_url);
    // The lock keeps other transactions from adding subscriptions of this partner.
    let partner = partners::table.filter(partners::id.eq(partner_id)).select(partners::id);
    locked!(partner).get_result::<Id>(c).await?;
    let once = diesel::insert_into(webhook_subscriptions::table)
        .values(SubscriptionRow::from(subscription))
        .on_conflict((
            webhook_subscriptions::partner_id,
            webhook_subscriptions::topic,
            webhook_subscriptions::callback_url_digest,
        ))
        .do_nothing();
    if once.execute(c).await? == 0 {
        let there = holder(c, partner_id, topic, digest).await?;
        return Err(CreateSubscriptionError::Taken(there.map(|(_, holder)| holder).unwrap_or_default()));
    }
    // Test and live subscriptions are limited apart.
    let count: i64 = webhook_subscriptions::table
        .filter(webhook_subscriptions::partner_id.eq(partner_id))
        .filter(webhook_subscriptions::topic.eq(topic))
        .filter(webhook_subscriptions::test.eq(test))
        .count()
        .get_result(c)
        .await?;
    if usize::try_from(count).is_ok_and(|count| count <= per_topic_max) {
        Ok(())
    } else {
        Err(CreateSubscriptionError::TooMany) // the transaction is rolled back
    }
}

/// Returns the subscription of a partner with this address on this topic.
async fn holder(
    c: &mut Conn<'_>,
    partner_id: Id,
    topic: Name<Topic>,
    callback_url_digest: Digest,
) -> Result<Option<(Uuid, AddressHolder)>> {
    let row: Option<SubscriptionRow> = webhook_subscriptions::table
        .filter(webhook_subscriptions::partner_id.eq(partner_id))
        .filter(webhook_subscriptions::topic.eq(topic))
        .filter(webhook_subscriptions::callback_url_digest.eq(callback_url_digest))
        .select(SubscriptionRow::as_select())
        .get_result(c)
        .await
        .optional()?;
    let holder = |it: WebhookSubscription| (it.id, AddressHolder { test: it.test, pause: it.health.pause });
    Ok(row.map(WebhookSubscription::from).map(holder))
}

pub(crate) async fn change_subscription(
    c: &mut Conn<'_>,
    scope: Scope,
    id: Uuid,
    change: SubscriptionChange,
    now: Timestamp,
) -> Result<(WebhookSubscription, bool), ChangeSubscriptionError> {
    // The lock keeps other transactions from taking the same address.
    let partner = partners::table.filter(partners::id.eq(Id(scope.partner_id))).select(partners::id);
    locked!(partner).get_result::<Id>(c).await?;
    let before = subscription(c, scope, id).await?.ok_or(ChangeSubscriptionError::NotFound)?;
    let callback_url = change.callback_url.unwrap_or_else(|| before.callback_url.clone());
    let mut name = before.name.clone();
    change.name.apply_to(&mut name);
    if (&callback_url, &name) == (&before.callback_url, &before.name) {
        return Ok((before, false));
    }
    let digest = callback_url_digest(&callback_url);
    // Of both modes: an address has one subscription on a topic in the whole account.
    let there = holder(c, Id(scope.partner_id), Name(before.topic), digest).await?;
    if let Some((other, holder)) = there
        && other != id
    {
        return Err(ChangeSubscriptionError::Taken(holder));
    }
    let row = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(id)));
    let changed = (
        webhook_subscriptions::callback_url.eq(callback_url.as_str()),
        webhook_subscriptions::callback_url_digest.eq(digest),
        webhook_subscriptions::name.eq(name),
        webhook_subscriptions::updated_at.eq(later_of!(webhook_subscriptions::updated_at, now)),
    );
    prepared!(diesel::update(row).set(changed)).perform(c).await?;
    let moved = there.is_none();
    if moved {
        // Failures of the old address do not count for the new one.
        end_pause(c, id, now).await?;
    }
    let after = subscription(c, scope, id).await?.ok_or(ChangeSubscriptionError::NotFound)?;
    Ok((after, moved))
}

pub(crate) async fn delete_subscription(c: &mut Conn<'_>, scope: Scope, id: Uuid) -> Result<bool> {
    let owned = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(id)))
        .filter(within!(webhook_subscriptions, scope));
    Ok(diesel::delete(owned).execute(c).await? == 1)
}

//! What happened in a range of time.

use std::collections::BTreeSet;

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{DeliveryState, Topic};
use crate::store::schema::{cards, deliveries, events, mails, orders, webhook_subscriptions};
use crate::store::sql_type::{At, Id, Name};
use crate::store::{ActivityFilter, id_before};

/// Whether a row belongs to the partner of the filter, if there is one, and is live or test.
macro_rules! matches_owner {
    ($table:ident, $filter:expr) => {{
        let filter: ActivityFilter = $filter;
        let all = diesel::IntoSql::into_sql::<diesel::sql_types::Bool>(filter.partner_id.is_none());
        let owner = $table::partner_id.eq(Id(filter.partner_id.unwrap_or_default()));
        $table::test.eq(filter.test).and(owner.or(all))
    }};
}

/// Whether the id of a row was made in the time of the filter.
macro_rules! made_within {
    ($table:ident, $filter:expr) => {
        $table::id.ge(Id(id_before($filter.from))).and($table::id.lt(Id(id_before($filter.to))))
    };
}

pub(crate) async fn count_cards(c: &mut Conn<'_>, filter: ActivityFilter) -> Result<(i64, i64)> {
    let topic = |topic| diesel::dsl::count(events::id).aggregate_filter(events::topic.eq(Name(topic)));
    let counts = events::table
        .filter(made_within!(events, filter))
        .filter(matches_owner!(events, filter))
        .select((topic(Topic::CardsCreate), topic(Topic::CardsActivated)));
    Ok(counts.get_result(c).await?)
}

pub(crate) async fn count_orders(c: &mut Conn<'_>, filter: ActivityFilter) -> Result<i64> {
    let rows = orders::table.filter(made_within!(orders, filter)).filter(matches_owner!(orders, filter));
    Ok(rows.count().get_result(c).await?)
}

pub(crate) async fn subscription_ids(c: &mut Conn<'_>, partner_id: Option<Uuid>) -> Result<Vec<Uuid>> {
    let all = webhook_subscriptions::table.order(webhook_subscriptions::id).select(webhook_subscriptions::id);
    let ids: Vec<Id> = match partner_id {
        Some(partner_id) => all.filter(webhook_subscriptions::partner_id.eq(Id(partner_id))).load(c).await?,
        None => all.load(c).await?,
    };
    Ok(ids.into_iter().map(|id| id.0).collect())
}

/// The index of deliveries begins with their subscriptions.
pub(crate) async fn count_failed_deliveries(
    c: &mut Conn<'_>,
    subscriptions: Vec<Uuid>,
    filter: ActivityFilter,
) -> Result<i64> {
    let rows = deliveries::table
        .filter(among!(deliveries::subscription_id, subscriptions.into_iter().map(Id)))
        .filter(deliveries::state.eq(Name(DeliveryState::Failed)))
        .filter(made_within!(deliveries, filter))
        .filter(deliveries::test.eq(filter.test));
    Ok(rows.count().get_result(c).await?)
}

pub(crate) async fn waiting_mail_times(c: &mut Conn<'_>, filter: ActivityFilter) -> Result<Vec<Timestamp>> {
    let waiting = mails::table.filter(mails::due_at.is_not_null()).select((mails::card_id, mails::created_at));
    let waiting = waiting.load(c).await?;
    of_owner(c, waiting, filter).await
}

pub(crate) async fn failed_mail_times(c: &mut Conn<'_>, filter: ActivityFilter) -> Result<Vec<Timestamp>> {
    let failed = mails::table.filter(mails::failed_at.ge(Some(At(filter.from))));
    let failed = failed.select((mails::card_id, mails::failed_at.assume_not_null())).load(c).await?;
    of_owner(c, failed, filter).await
}

/// Keeps the times of mails about cards that match the filter. Two statements: for a join SQLite may read all cards.
async fn of_owner(c: &mut Conn<'_>, mails: Vec<(Id, At)>, filter: ActivityFilter) -> Result<Vec<Timestamp>> {
    let ids: BTreeSet<Uuid> = mails.iter().map(|(card_id, _)| card_id.0).collect();
    let matching =
        cards::table.filter(among!(cards::id, ids.into_iter().map(Id))).filter(matches_owner!(cards, filter));
    let matching: Vec<Id> = matching.select(cards::id).load(c).await?;
    let matching: BTreeSet<Uuid> = matching.into_iter().map(|id| id.0).collect();
    Ok(mails.into_iter().filter(|(card_id, _)| matching.contains(&card_id.0)).map(|(_, at)| at.0).collect())
}

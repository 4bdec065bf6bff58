//! The mail queue (decisions S10).
//!
//! A claim moves `due_at` of a mail to the end of the lease. That time identifies the claim: a worker whose lease has
//! expired finds another time, and writes nothing.

use std::collections::BTreeSet;

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Mail, MailKind, MailState, MailStateKind};
use crate::store::MailBacklog;
use crate::store::mail::MailRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::{cards, invitees, mails};
use crate::store::sql_type::{At, Id, Name};

/// How many due mails a claim looks at: other workers may have claimed the first ones.
const CLAIM_CANDIDATES: i64 = 8;

/// Adds a mail in the caller's transaction: a change that is rolled back sends none.
pub(crate) async fn queue_mail(c: &mut Conn<'_>, mail: Mail) -> Result<()> {
    diesel::insert_into(mails::table).values(MailRow::from(&mail)).perform(c).await?;
    Ok(())
}

pub(crate) async fn queue_mails(c: &mut Conn<'_>, mails: Vec<Mail>) -> Result<()> {
    for mail in mails {
        queue_mail(c, mail).await?;
    }
    Ok(())
}

/// Makes the mails of an order that wait due at once, with all attempts, because they go to another address now, and adds `mail` if no
/// order mail waits. A worker that holds one of them loses its claim: it may have read the earlier address.
pub(crate) async fn queue_order_mail_again(c: &mut Conn<'_>, mail: Mail) -> Result<()> {
    let waiting = mails::table.filter(mails::card_id.eq(Id(mail.card_id))).filter(mails::due_at.is_not_null());
    let anew = (
        mails::due_at.eq(Some(At(mail.created_at))),
        mails::attempts.eq(0),
        mails::answer.eq(None::<String>),
        mails::blocked_since.eq(None::<At>),
    );
    diesel::update(waiting.filter(mails::kind.eq(Name(MailKind::CardOnline)))).set(anew.clone()).perform(c).await?;
    if diesel::update(waiting.filter(mails::kind.eq(Name(MailKind::Order)))).set(anew).execute(c).await? == 0 {
        queue_mail(c, mail).await?;
    }
    Ok(())
}

/// Makes the mails of a card due that wait for it to come online. An attempt that runs is left alone.
pub(crate) async fn release_mails(c: &mut Conn<'_>, card_id: Uuid, now: Timestamp) -> Result<()> {
    let waiting = mails::table
        .filter(mails::card_id.eq(Id(card_id)))
        .filter(mails::due_at.gt(Some(At(now))))
        .filter(mails::attempts.eq(0));
    prepared!(diesel::update(waiting).set(mails::due_at.eq(Some(At(now))))).execute(c).await?;
    Ok(())
}

pub(crate) async fn claim_mail(c: &mut Conn<'_>, now: Timestamp, lease: Timestamp) -> Result<Option<Mail>> {
    let due: Vec<MailRow> = mails::table
        .filter(mails::due_at.le(Some(At(now))))
        .order(mails::due_at)
        .limit(CLAIM_CANDIDATES)
        .select(MailRow::as_select())
        .load(c)
        .await?;
    for row in due {
        let mut mail = Mail::try_from(row)?;
        mail.attempts += 1;
        if set_due(c, &mail, lease, mail.attempts).await? {
            mail.state = MailState::Due(lease);
            return Ok(Some(mail));
        }
    }
    Ok(None)
}

/// Moves the due time of a mail. Returns false if another worker has moved it since the mail was read.
async fn set_due(c: &mut Conn<'_>, mail: &Mail, due_at: Timestamp, attempts: i32) -> Result<bool> {
    let MailState::Due(seen) = mail.state else { return Ok(false) };
    let row = mails::table.filter(mails::id.eq(Id(mail.id))).filter(mails::due_at.eq(Some(At(seen))));
    let moved = (mails::due_at.eq(Some(At(due_at))), mails::attempts.eq(attempts));
    Ok(prepared!(diesel::update(row).set(moved)).execute(c).await? == 1)
}

pub(crate) async fn postpone_mail(c: &mut Conn<'_>, mail: Mail, due_at: Timestamp, attempts: i32) -> Result<bool> {
    let MailState::Due(seen) = mail.state else { return Ok(false) };
    let row = mails::table.filter(mails::id.eq(Id(mail.id))).filter(mails::due_at.eq(Some(At(seen))));
    let later = (
        mails::due_at.eq(Some(At(due_at))),
        mails::attempts.eq(attempts),
        mails::answer.eq(mail.answer),
        mails::blocked_since.eq(mail.blocked_since.map(At)),
    );
    Ok(prepared!(diesel::update(row).set(later)).execute(c).await? == 1)
}

pub(crate) async fn record_sent_mail(c: &mut Conn<'_>, mail: Mail, now: Timestamp, next: Option<Mail>) -> Result<bool> {
    let MailState::Due(seen) = mail.state else { return Ok(false) };
    let invitee = mail.invitee_id.map(|id| invitees::table.filter(invitees::id.eq(Id(id))));
    if let Some(invitee) = invitee {
        // Before the mail, as a deletion of the invitee does: no deadlock.
        locked!(invitee.select(invitees::id)).get_result::<Id>(c).await.optional()?;
    }
    let row = mails::table.filter(mails::id.eq(Id(mail.id))).filter(mails::due_at.eq(Some(At(seen))));
    let sent = (mails::due_at.eq(None::<At>), mails::sent_at.eq(Some(At(now))), mails::answer.eq(None::<String>));
    if prepared!(diesel::update(row).set(sent)).execute(c).await? == 0 {
        return Ok(false);
    }
    if let Some(invitee) = invitee {
        let counted = (invitees::mail_count.eq(invitees::mail_count + 1), invitees::last_mail_at.eq(Some(At(now))));
        prepared!(diesel::update(invitee).set(counted)).perform(c).await?;
    }
    if let Some(next) = next {
        queue_mail(c, next).await?;
    }
    Ok(true)
}

pub(crate) async fn give_up_mail(c: &mut Conn<'_>, mail: Mail, now: Timestamp, refused: bool) -> Result<bool> {
    let MailState::Due(seen) = mail.state else { return Ok(false) };
    let row = mails::table.filter(mails::id.eq(Id(mail.id))).filter(mails::due_at.eq(Some(At(seen))));
    let failed = (
        mails::due_at.eq(None::<At>),
        mails::failed_at.eq(Some(At(now))),
        mails::refused.eq(refused),
        mails::answer.eq(mail.answer),
    );
    Ok(prepared!(diesel::update(row).set(failed)).execute(c).await? == 1)
}

pub(crate) async fn mail(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Mail>> {
    let one = mails::table.filter(mails::id.eq(Id(id)));
    let row: Option<MailRow> = one.select(MailRow::as_select()).get_result(c).await.optional()?;
    row.map(Mail::try_from).transpose()
}

pub(crate) async fn latest_mails(
    c: &mut Conn<'_>,
    state: Option<MailStateKind>,
    count_max: usize,
) -> Result<Vec<Mail>> {
    // Ids grow with time.
    let count_max = i64::try_from(count_max).unwrap_or(i64::MAX);
    let newest = mails::table.order(mails::id.desc()).limit(count_max).select(MailRow::as_select());
    let rows: Vec<MailRow> = match state {
        None => newest.load(c).await?,
        Some(MailStateKind::Queued) => newest.filter(mails::due_at.is_not_null()).load(c).await?,
        Some(MailStateKind::Sent) => newest.filter(mails::sent_at.is_not_null()).load(c).await?,
        Some(MailStateKind::Refused) => newest.filter(mails::refused.eq(true)).load(c).await?,
        Some(MailStateKind::GivenUp) => {
            newest.filter(mails::failed_at.is_not_null()).filter(mails::refused.eq(false)).load(c).await?
        }
    };
    rows.into_iter().map(Mail::try_from).collect()
}

pub(crate) async fn waiting_mails(c: &mut Conn<'_>, count_max: usize) -> Result<Vec<Mail>> {
    let waiting = mails::table.filter(mails::due_at.is_not_null()).order(mails::due_at);
    let first = waiting.limit(i64::try_from(count_max).unwrap_or(i64::MAX)).select(MailRow::as_select());
    let rows: Vec<MailRow> = first.load(c).await?;
    rows.into_iter().map(Mail::try_from).collect()
}

pub(crate) async fn mails_of(c: &mut Conn<'_>, card_id: Uuid) -> Result<Vec<Mail>> {
    let of_card = mails::table.filter(mails::card_id.eq(Id(card_id))).order((mails::created_at, mails::id));
    let rows: Vec<MailRow> = of_card.select(MailRow::as_select()).load(c).await?;
    rows.into_iter().map(Mail::try_from).collect()
}

pub(crate) async fn delete_expired_mails(c: &mut Conn<'_>, before: Timestamp) -> Result<usize> {
    let done = mails::table.filter(mails::due_at.is_null()).filter(mails::created_at.lt(At(before)));
    Ok(diesel::delete(done).execute(c).await?)
}

/// Counts along an index, and reads two rows.
pub(crate) async fn mail_backlog(c: &mut Conn<'_>) -> Result<MailBacklog> {
    let waiting = mails::table.filter(mails::due_at.is_not_null());
    let queued = waiting.count().get_result(c).await?;
    let due = waiting.select(mails::due_at).order(mails::due_at).limit(1);
    let due: Option<Option<At>> = due.get_result(c).await.optional()?;
    let failing =
        waiting.filter(mails::answer.is_not_null()).select(mails::created_at).order(mails::created_at).limit(1);
    let failing: Option<At> = failing.get_result(c).await.optional()?;
    let (due_since, failing_since) = (due.flatten().map(|at| at.0), failing.map(|at| at.0));
    Ok(MailBacklog { queued, due_since, failing_since })
}

pub(crate) async fn mail_recipients_waiting(c: &mut Conn<'_>, before: Timestamp, count_max: usize) -> Result<usize> {
    let waiting: Vec<(Id, Option<Id>, Id, bool)> = mails::table
        .inner_join(cards::table.on(cards::id.eq(mails::card_id)))
        .filter(mails::due_at.is_not_null())
        .filter(mails::answer.is_not_null())
        .filter(mails::created_at.lt(At(before)))
        .order(mails::created_at)
        .limit(i64::try_from(count_max).unwrap_or(i64::MAX))
        .select((mails::card_id, mails::invitee_id, cards::partner_id, cards::test))
        .load(c)
        .await?;
    let recipient = |(card, invitee, partner, test): (Id, Option<Id>, Id, bool)| match (test, invitee) {
        (true, _) => partner.0,
        (false, Some(invitee)) => invitee.0,
        (false, None) => card.0,
    };
    Ok(waiting.into_iter().map(recipient).collect::<BTreeSet<_>>().len())
}

pub(crate) async fn mail_is_blocked(c: &mut Conn<'_>) -> Result<bool> {
    let blocked = mails::table.filter(mails::due_at.is_not_null()).filter(mails::blocked_since.is_not_null());
    let newest = blocked.select(mails::blocked_since).order(mails::blocked_since.desc()).limit(1);
    let newest: Option<Option<At>> = newest.get_result(c).await.optional()?;
    let Some(since) = newest.flatten() else { return Ok(false) };
    let done = mails::table.filter(mails::due_at.is_null()).filter(mails::created_at.gt(since));
    let sent = done.filter(mails::sent_at.is_not_null()).select(mails::id).limit(1);
    let sent: Option<Id> = sent.get_result(c).await.optional()?;
    Ok(sent.is_none())
}

pub(crate) async fn failed_mails_since(c: &mut Conn<'_>, since: Timestamp, count_max: usize) -> Result<Vec<Mail>> {
    let other = diesel::alias!(mails as other);
    // Mails of one kind all have an invitee, or none has.
    let invitee = other.field(mails::invitee_id);
    let waits = other.field(mails::due_at).is_not_null();
    let sent_later = other.field(mails::sent_at).ge(mails::failed_at).assume_not_null();
    let failed_later = other.field(mails::failed_at).gt(mails::failed_at).assume_not_null();
    let same_invitee = invitee.is_null().or(invitee.eq(mails::invitee_id).assume_not_null());
    let again = other
        .filter(other.field(mails::card_id).eq(mails::card_id))
        .filter(other.field(mails::kind).eq(mails::kind))
        .filter(same_invitee)
        .filter(waits.or(sent_later).or(failed_later));
    let failed = mails::table
        .filter(mails::failed_at.ge(Some(At(since))))
        .filter(diesel::dsl::not(diesel::dsl::exists(again)))
        .order(mails::failed_at)
        .limit(i64::try_from(count_max).unwrap_or(i64::MAX));
    let rows: Vec<MailRow> = failed.select(MailRow::as_select()).load(c).await?;
    rows.into_iter().map(Mail::try_from).collect()
}

pub(crate) async fn mail_lost_since(c: &mut Conn<'_>, since: Timestamp) -> Result<bool> {
    let failed = mails::table.filter(mails::failed_at.ge(Some(At(since))));
    // The family can correct a wrong address of an invitee.
    let lost = failed.filter(mails::refused.eq(false).or(mails::kind.ne(Name(MailKind::Invitation))));
    let one: Option<Id> = lost.select(mails::id).limit(1).get_result(c).await.optional()?;
    Ok(one.is_some())
}

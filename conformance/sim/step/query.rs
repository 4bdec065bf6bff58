//! Reads of a partner and of the operator.

use card_service::model::{PageRequest, PageStart};
use card_service::operation::card;
use card_service::store::{DeliveryFilter, StoreError};
use uuid::Uuid;

use super::family::scope;
use crate::run::Sim;

impl Sim {
    /// Reads something, and compares it with the model.
    pub(super) fn query(&mut self) {
        match self.random.below(6) {
            0 => self.query_card(),
            1 => self.query_number(),
            2 => self.query_subscriptions(),
            3 => self.query_deliveries(),
            4 => self.query_public(),
            _ => self.query_backlog(),
        }
    }

    fn query_card(&mut self) {
        let ((partner_id, mode), id) = (self.any_partner(), self.any_card());
        let row = self.read(async |store| store.card(scope(partner_id, mode), id).await);
        let wanted = self.model.reached(partner_id, mode, id).map(|dossier| &dossier.card);
        assert_eq!(row.as_ref(), wanted, "a card that a key reaches");
        self.note(format!("{id} is read: {}", row.is_some()));
    }

    fn query_number(&mut self) {
        let ((partner_id, mode), number) = (self.any_partner(), format!("2026-{}", self.random.below(14)));
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let row =
            self.calmly(async |services, _| card::find_by_dossier(services, &caller, &number).await).expect("rows");
        let holder = self.model.holder(partner_id, &number);
        let wanted = holder.and_then(|dossier| self.model.reached(partner_id, mode, dossier.card.id));
        assert_eq!(row.as_ref(), wanted.map(|dossier| &dossier.card), "a card by its number");
        self.note(format!("{number} is read: {}", row.is_some()));
    }

    fn page(&mut self) -> PageRequest<Uuid> {
        let start = if self.chance(50) { PageStart::First } else { PageStart::Last };
        PageRequest { start, size: 1 + self.random.below(4), after: None, before: None }
    }

    fn query_subscriptions(&mut self) {
        let ((partner_id, mode), request) = (self.any_partner(), self.page());
        let page = self.read(async |store| store.subscriptions_page(scope(partner_id, mode), &[], &request).await);
        let is_reached = |row: &card_service::model::WebhookSubscription| {
            row.partner_id == partner_id && (row.test || scope(partner_id, mode).reaches_live())
        };
        let rows = self.model.subscriptions.values().rev().map(|subscription| subscription.row.clone());
        let rows: Vec<_> = rows.filter(is_reached).collect();
        assert_eq!(page.items, cut(rows, &request), "a page of subscriptions");
        self.note(format!("{} subscriptions are read", page.items.len()));
    }

    fn query_deliveries(&mut self) {
        let Some(id) = self.any_subscription() else { return };
        let ((partner_id, mode), request) = (self.any_partner(), self.page());
        let filter = DeliveryFilter { subscription_id: Some(id), ..DeliveryFilter::default() };
        let page =
            self.read(async |store| store.webhook_deliveries_page(scope(partner_id, mode), &filter, &request).await);
        let subscription = &self.model.subscriptions[&id];
        let is_reached = |row: &card_service::model::Delivery| {
            row.partner_id == partner_id && (row.test || scope(partner_id, mode).reaches_live())
        };
        let rows = subscription.notifications.values().map(|one| one.row.clone());
        let mut rows: Vec<_> = rows.filter(is_reached).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.id));
        let items: Vec<_> = page.items.iter().map(|one| one.delivery.clone()).collect();
        assert_eq!(items, cut(rows, &request), "a page of deliveries");
        for one in &page.items {
            let numbers: Vec<i64> = one.attempts.iter().map(|attempt| attempt.number).collect();
            let last = one.delivery.attempt_count;
            let first = (last - card_service::base::limits::ATTEMPTS_SHOWN_MAX).max(0) + 1;
            assert_eq!(numbers, (first..=last).collect::<Vec<_>>(), "the attempts of a delivery");
        }
        self.note(format!("{} deliveries are read", items.len()));
    }

    /// Opens a public card by its address.
    fn query_public(&mut self) {
        let id = self.any_card();
        let Some(slug) = self.model.cards.get(&id).and_then(|dossier| dossier.card.slug.clone()) else { return };
        let row = self.read(async |store| store.card_by_slug(&slug).await);
        assert_eq!(row.as_ref(), Some(&self.model.cards[&id].card), "a public card");
        self.note("a public card is read");
    }

    /// Reads the backlogs that the operator sees.
    fn query_backlog(&mut self) {
        let (mails, outbox) =
            self.read(async |store| Ok::<_, StoreError>((store.mail_backlog().await?, store.outbox().await?)));
        let queued = self.model.cards.values().flat_map(|dossier| &dossier.mails);
        let queued = queued.filter(|mail| matches!(mail.state, card_service::model::MailState::Due(_))).count();
        assert_eq!(usize::try_from(mails.queued), Ok(queued), "queued mails");
        let all = self.model.subscriptions.values().flat_map(|subscription| subscription.notifications.values());
        let unfinished = all.filter(|one| one.row.finished_at.is_none()).count();
        // Those of deleted subscriptions are counted until housekeeping deletes them.
        assert!(usize::try_from(outbox.unfinished).is_ok_and(|count| count >= unfinished), "unfinished deliveries");
        self.note(format!("{queued} mails are queued"));
    }
}

/// A page of rows, which are in the order of the connection.
fn cut<T>(mut rows: Vec<T>, request: &PageRequest<Uuid>) -> Vec<T> {
    let size = request.size.min(rows.len());
    match request.start {
        PageStart::First => rows.truncate(size),
        PageStart::Last => rows = rows.split_off(rows.len() - size),
    }
    rows
}

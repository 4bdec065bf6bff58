//! Compares the database with the model.

use card_service::model::{Event, Mail, Order};
use card_service::store::StoreError;
use uuid::Uuid;

use crate::model::Dossier;
use crate::run::Sim;

impl Sim {
    /// Takes over a changed card, or, if the call was lost, what became of it; then checks it.
    pub fn changed(&mut self, after: Dossier, lost: bool) {
        let id = after.card.id;
        let made = !lost || {
            let row = self.read(async |store| store.any_card(id).await).expect("an acknowledged card is there");
            let mut wanted = after.card.clone();
            if wanted.slug.is_some() {
                wanted.slug.clone_from(&row.slug);
            }
            row == wanted
        };
        if made {
            self.model.cards.insert(id, after);
        }
        self.check_card(id);
    }

    /// Compares a card, its events, order, mails and invitees, and the notifications of new events.
    pub fn check_card(&mut self, id: Uuid) {
        let (row, events, order, mails, invitees) = self.read(async |store| {
            let row = store.any_card(id).await?;
            let (events, order) = (store.events_of(id).await?, store.order_of(id).await?);
            Ok::<_, StoreError>((row, events, order, store.mails_of(id).await?, store.invitees_of(id).await?))
        });
        let row = row.expect("an acknowledged card is there");
        let mut dossier = self.model.cards[&id].clone();
        if dossier.card.slug.as_deref() == Some("") {
            let slug = row.slug.as_deref().expect("an active card has an address");
            assert!(
                slug.len() == 43 && self.model.cards.values().all(|other| other.card.slug.as_deref() != Some(slug))
            );
            dossier.card.slug.clone_from(&row.slug);
        }
        assert_eq!(row, dossier.card, "the card");
        adopt_order(&mut dossier, order.as_ref());
        assert_eq!(order, dossier.order, "the order");
        adopt_mails(&mut dossier.mails, &mails);
        let sorted = |mut mails: Vec<Mail>| {
            mails.sort_by_key(|mail| mail.id);
            mails
        };
        assert_eq!(without_answers(sorted(mails)), without_answers(sorted(dossier.mails.clone())), "the mails");
        let mut listed = dossier.invitees.clone();
        listed.sort_by_key(|invitee| (invitee.created_at, invitee.id));
        assert_eq!(invitees, listed, "the invitees");
        let new = adopt_events(&mut dossier.events, &events);
        assert_eq!(events, dossier.events, "the events");
        let card = dossier.card.clone();
        self.model.cards.insert(id, dossier);
        for event in new {
            self.model.notify(&event, &card);
            self.check_notifications(&event);
        }
    }

    /// Compares the deliveries of an event to every subscription.
    fn check_notifications(&mut self, event: &Event) {
        for (id, subscription) in &self.model.subscriptions {
            let delivery = card_service::model::delivery_id(event.id, *id);
            let (row, body) =
                self.read(async |store| Ok((store.delivery(delivery).await?, store.body_of(delivery).await?)));
            let wanted = subscription.notifications.get(&(event.card_id, event.sequence));
            assert_eq!(row.as_ref(), wanted.map(|one| &one.row), "the delivery of a new event");
            assert_eq!(body.as_ref(), wanted.map(|one| &one.body), "the body of a new event");
        }
    }

    /// Compares a subscription and all its deliveries.
    pub fn check_subscription(&self, id: Uuid) {
        let subscription = &self.model.subscriptions[&id];
        let row = self.read(async |store| store.any_subscription(id).await).expect("the subscription is there");
        assert_eq!(row, subscription.row, "the subscription");
        for one in subscription.notifications.values() {
            let row = self.read(async |store| store.delivery(one.row.id).await);
            assert_eq!(row.as_ref(), Some(&one.row), "a delivery");
        }
    }

    /// Compares everything.
    pub fn audit(&mut self) {
        let cards: Vec<Uuid> = self.model.cards.keys().copied().collect();
        cards.into_iter().for_each(|id| self.check_card(id));
        let deleted: Vec<Uuid> = self.model.deleted.iter().copied().collect();
        for id in deleted {
            let left = self.read(async |store| {
                let rows = (store.any_card(id).await?, store.events_of(id).await?, store.mails_of(id).await?);
                Ok((rows, store.invitees_of(id).await?))
            });
            assert_eq!(left, ((None, vec![], vec![]), vec![]), "a deleted card leaves nothing");
        }
        let subscriptions: Vec<Uuid> = self.model.subscriptions.keys().copied().collect();
        subscriptions.into_iter().for_each(|id| self.check_subscription(id));
        self.check_accounts();
    }

    /// Compares the partners with their secrets, and the themes.
    fn check_accounts(&self) {
        for account in &self.model.partners {
            let id = account.partner.id;
            let (partner, secrets) =
                self.read(async |store| Ok((store.partner(id).await?, store.webhook_secrets_of(id).await?)));
            assert_eq!(partner.as_ref(), Some(&account.partner), "the partner");
            assert_eq!(secrets, account.secrets, "the secrets");
        }
        let themes = self.read(async |store| store.all_themes().await);
        let retired: Vec<_> = themes.iter().map(|(theme, retired)| (theme.id, retired.is_some())).collect();
        assert_eq!(retired, self.model.themes.iter().map(|theme| (theme.id, theme.retired)).collect::<Vec<_>>());
    }
}

/// Takes over what the service chose at random: ids and the order number.
fn adopt_order(dossier: &mut Dossier, stored: Option<&Order>) {
    if let (Some(order), Some(stored)) = (&mut dossier.order, stored)
        && order.id.is_nil()
    {
        (order.id, order.number) = (stored.id, stored.number.clone());
        if let (Some(customer), Some(stored)) = (&mut order.customer, &stored.customer)
            && customer.id.is_nil()
        {
            customer.id = stored.id;
        }
    }
}

fn adopt_mails(mails: &mut [Mail], stored: &[Mail]) {
    for row in stored {
        if mails.iter().any(|mail| mail.id == row.id) {
            continue;
        }
        let is_new = |mail: &&mut Mail| mail.id.is_nil() && mail.kind == row.kind && mail.invitee_id == row.invitee_id;
        if let Some(mail) = mails.iter_mut().find(is_new) {
            mail.id = row.id;
        }
    }
}

/// The answers of mails are texts for the operator, which the model does not repeat.
fn without_answers(mails: Vec<Mail>) -> Vec<Mail> {
    mails.into_iter().map(|mail| Mail { answer: None, ..mail }).collect()
}

/// Takes over the ids of new events, and returns these.
fn adopt_events(events: &mut [Event], stored: &[Event]) -> Vec<Event> {
    let mut new = Vec::new();
    for (event, row) in events.iter_mut().zip(stored) {
        if event.id.is_nil() {
            event.id = row.id;
            new.push(event.clone());
        }
    }
    new
}

//! Compares the database with the model.

use bytes::Bytes;
use card_service::base::Timestamp;
use card_service::model::{Card, Delivery, DeliveryState, Event, Mail, Order, PhotoKey, Rendition};
use card_service::store::StoreError;
use uuid::Uuid;

use crate::model::{Dossier, Shown, photo};
use crate::network::{self, GIF_COMMENT};
use crate::run::Sim;

impl Sim {
    /// Takes over a changed card, or, if the call was lost, what became of it; then checks it.
    pub fn changed(&mut self, after: Dossier, lost: bool) {
        let id = after.card.id;
        let made = !lost || {
            let row = self.read(async |store| store.any_card(id).await).expect("an acknowledged card is there");
            let mut wanted = with_photo_of(&after.card, &row);
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
        if let Some(source) = dossier.card.deceased.photo.as_ref().and_then(photo::source) {
            let key = row.deceased.photo.clone().expect("a new photo");
            let bytes = self.new_photo(source, &key);
            self.model.keep_photo(&key, bytes, Shown::By(id));
            dossier.card.deceased.photo = Some(key);
        }
        self.model.show_photo(id, dossier.card.deceased.photo.as_ref(), self.world.clock.now());
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

    /// The stored photo of a new key, which must be that of its source.
    fn new_photo(&self, source: &str, key: &PhotoKey) -> Bytes {
        let stored = self.media(&format!("photo/{}", key.as_str())).expect("a stored photo");
        match network::photo(source) {
            Ok(sent) => assert!(stored == sent && key.as_str().ends_with(".gif"), "the photo of the partner"),
            Err(_) => assert!(
                stored.starts_with(b"\xFF\xD8")
                    && !stored.windows(GIF_COMMENT.len()).any(|part| part == GIF_COMMENT)
                    && key.as_str().ends_with(".jpeg"),
                "an uploaded photo without its comment"
            ),
        }
        stored
    }

    /// Reads from the object store.
    pub fn media(&self, key: &str) -> Option<Bytes> {
        self.calmly(async |services, _| services.media.get(key).await).expect("the object store answers")
    }

    /// Compares the stored photos: those of cards can be shown, and the others are known to be unused.
    pub fn check_photos(&self) {
        let later = self.now().after(std::time::Duration::from_secs(1));
        let mut unused = self.read(async |store| store.photos_unused(later, usize::MAX).await);
        unused.sort_by(|one, other| one.as_str().cmp(other.as_str()));
        let wanted = self.model.photos.iter().filter(|(_, photo)| matches!(photo.shown, Shown::Not(_)));
        let unused: Vec<&str> = unused.iter().map(PhotoKey::as_str).collect();
        assert_eq!(unused, wanted.map(|(key, _)| key.as_str()).collect::<Vec<_>>(), "the unused photos");
        for (key, photo) in self.model.photos.iter().filter(|(_, photo)| matches!(photo.shown, Shown::By(_))) {
            assert_eq!(self.media(&format!("photo/{key}")).as_ref(), Some(&photo.bytes), "a photo");
            let key = PhotoKey::trusted(key.clone());
            assert!(self.read(async |store| store.portrait(&key).await).is_some(), "a photo can be shown");
            for rendition in Rendition::ALL {
                assert!(self.media(&format!("rendition/{}", rendition.key_of(&key))).is_some(), "a rendition");
            }
        }
    }

    /// The photo of a deleted card is gone at once; after a fault it may wait for housekeeping.
    pub fn check_deleted_photo(&mut self, key: &PhotoKey, faulted: bool) {
        let since = |millis: i64| Timestamp::from_millis(millis).expect("a timestamp");
        let is_unused = |before| self.read(async |store| store.photos_unused(before, usize::MAX).await).contains(key);
        if is_unused(since(self.now().millis() + 1)) {
            assert!(faulted, "the photo of a deleted card is still there");
            // A photo that is marked for deletion is unused since 1970.
            let shown = Shown::Not(if is_unused(since(1)) { since(0) } else { self.now() });
            self.model.photos.get_mut(key.as_str()).expect("it was shown").shown = shown;
        } else {
            assert!(self.media(&format!("photo/{}", key.as_str())).is_none(), "the bytes of a deleted card's photo");
            self.model.photos.remove(key.as_str());
        }
    }

    /// Takes over photos that the model does not know and no card shows, which `may` have been left.
    pub fn adopt_photos(&mut self, may: bool) {
        let now = self.now();
        let later = now.after(std::time::Duration::from_secs(1));
        for key in self.read(async |store| store.photos_unused(later, usize::MAX).await) {
            if !self.model.photos.contains_key(key.as_str()) {
                assert!(may, "a photo is left");
                self.model.keep_photo(&key, Bytes::new(), Shown::Not(now));
            }
        }
    }

    /// Compares the deliveries of an event. A delivery that must not be there is found by [`Sim::check_subscription`].
    fn check_notifications(&mut self, event: &Event) {
        for subscription in self.model.subscriptions.values() {
            let Some(wanted) = subscription.notifications.get(&(event.card_id, event.sequence)) else { continue };
            let delivery = wanted.row.id;
            let (row, body) =
                self.read(async |store| Ok((store.delivery(delivery).await?, store.body_of(delivery).await?)));
            assert_eq!(row.as_ref(), Some(&wanted.row), "the delivery of a new event");
            assert_eq!(body.as_deref(), Some(&*wanted.body), "the body of a new event");
        }
    }

    /// Compares a subscription and all its deliveries.
    pub fn check_subscription(&self, id: Uuid) {
        let subscription = &self.model.subscriptions[&id];
        let row = self.read(async |store| store.any_subscription(id).await).expect("the subscription is there");
        assert_eq!(row, subscription.row, "the subscription");
        let mut rows = Vec::new();
        for state in DeliveryState::ALL {
            rows.extend(self.read(async |store| store.deliveries_in_state(id, state, usize::MAX).await));
        }
        rows.sort_by_key(|row| (row.card_id, row.sequence));
        let wanted: Vec<&Delivery> = subscription.notifications.values().map(|one| &one.row).collect();
        assert_eq!(rows.iter().collect::<Vec<_>>(), wanted, "the deliveries");
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
        let recovering = self.read(async |store| store.recovering().await);
        let wanted = self.model.subscriptions.iter().filter(|(_, subscription)| subscription.recover_after.is_some());
        assert_eq!(recovering, wanted.map(|(id, _)| *id).collect::<Vec<_>>(), "recoveries");
        self.check_photos();
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

/// The card with the key that the service chose for a new photo.
pub fn with_photo_of(card: &Card, row: &Card) -> Card {
    let mut card = card.clone();
    if card.deceased.photo.as_ref().is_some_and(|key| photo::source(key).is_some()) {
        card.deceased.photo.clone_from(&row.deceased.photo);
    }
    card
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

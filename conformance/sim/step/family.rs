//! A family opens links, fills in pages and orders. Pages stay open, and are sent when the card has changed meanwhile.

use card_service::base::Patch;
use card_service::model::{
    Actor, Card, CardSection, KeyMode, Layout, Price, SectionVersion, SessionTarget, Topic, Visibility,
};
use card_service::operation::card::{self, CardEdit, EditError, FamilyOrder, OrderError};
use card_service::operation::invitee::{self, OpenedListLink};
use card_service::operation::session::{self, LinkState, Redeemed};
use uuid::Uuid;

use super::{refusals, remember};
use crate::check::with_photo_of;
use crate::input::Values;
use crate::model::{Browser, Edited, LinkEnd, ListLink, NotOrdered};
use crate::run::{Called, Sim};

impl Sim {
    pub(super) fn open_form(&mut self) {
        let id = self.any_card();
        let Some(dossier) = self.model.cards.get(&id) else { return };
        let section = *self.random.pick(&CardSection::ALL);
        remember(&mut self.memory.forms, (id, section, SectionVersion::of(&dossier.card, &[section])));
        self.note(format!("the page {section:?} of {id} is opened"));
    }

    pub(super) fn submit_form(&mut self) {
        if self.memory.forms.is_empty() {
            return self.open_form();
        }
        let (id, section, seen) = self.random.pick(&self.memory.forms).clone();
        let (today, now) = (self.today(), self.now());
        let mut values = Values { random: &mut self.random, errors: 4, today, themes: &self.model.themes };
        let mut edit = CardEdit::of(section, seen);
        match section {
            CardSection::Theme => edit.fields = values.chosen_theme(),
            CardSection::Names => edit.fields = values.names(),
            CardSection::Dates => edit.fields = values.dates(),
            CardSection::Broadcast => edit.fields = values.broadcast(),
            CardSection::Contact => edit.fields = values.contact(),
            CardSection::Layout => edit.layout = Some(*self.random.pick(&Layout::ALL)),
            CardSection::Visibility => edit.visibility = Some(*self.random.pick(&Visibility::ALL)),
            CardSection::Portrait => edit.photo = if self.chance(30) { Patch::Null } else { Patch::Absent },
            CardSection::Farewell => {
                edit.farewell.place = match self.random.below(20) {
                    0 => Patch::Value("p".repeat(201)),
                    1..4 => Patch::Null,
                    n => Patch::Value(format!("Zaal {}", n % 3)),
                }
            }
            CardSection::Text => {
                edit.text = match self.random.below(20) {
                    0 => Patch::Value("t".repeat(5_001)),
                    1..4 => Patch::Null,
                    n => Patch::Value(format!("Tekst {}", n % 3)),
                }
            }
        }
        let sent = edit.clone();
        let called = self.call(async |services, _| card::edit(services, id, sent).await);
        self.note(format!("the page {section:?} of {id} is sent"));
        let Some(mut dossier) = self.model.cards.get(&id).cloned() else {
            assert!(matches!(called, Called::Lost | Called::Returned(Err(EditError::NotFound))));
            return;
        };
        let edited = self.model.edited(&dossier, &edit, today);
        if let Edited::Saved(card) = &edited {
            dossier.change(Card::clone(card), Topic::CardsUpdate, Actor::Family, now);
        }
        let lost = called.is_lost();
        match called {
            Called::Returned(Ok(card)) => {
                assert!(matches!(edited, Edited::Saved(_)) && card == with_photo_of(&dossier.card, &card), "{edited:?}")
            }
            Called::Returned(Err(EditError::Refused(errors))) => assert_eq!(Edited::Refused(refusals(&errors)), edited),
            Called::Returned(Err(EditError::Conflict(card))) => {
                assert!(edited == Edited::Conflict && *card == dossier.card, "{edited:?}")
            }
            Called::Returned(Err(error)) => panic!("an edit failed: {error}"),
            Called::Lost => {}
        }
        self.changed(dossier, lost);
    }

    pub(super) fn open_order_form(&mut self) {
        let id = self.any_card();
        let Some(dossier) = self.model.cards.get(&id) else { return };
        let price = self.model.account(dossier.card.partner_id).partner.price;
        let form = (id, SectionVersion::of(&dossier.card, &CardSection::ALL), price);
        remember(&mut self.memory.order_forms, form);
        self.note(format!("the order page of {id} is opened"));
    }

    pub(super) fn submit_order_form(&mut self) {
        if self.memory.order_forms.is_empty() || self.chance(50) {
            self.open_order_form();
        }
        let Some((id, seen, price)) = self.memory.order_forms.last().cloned() else { return };
        let price = if self.chance(4) { Price::from_cents(1) } else { Some(price) };
        let form = FamilyOrder { seen, price, agreed: self.chance(92) };
        let sent = form.clone();
        let called = self.call(async |services, _| card::place(services, id, sent).await);
        self.note(format!("the order of {id} is sent"));
        self.ordered(id, Some(&form), called);
    }

    /// Checks an order of the family or the operator.
    pub(super) fn ordered(
        &mut self,
        id: Uuid,
        form: Option<&FamilyOrder>,
        called: Called<Result<card_service::model::Card, OrderError>>,
    ) {
        let Some(mut dossier) = self.model.cards.get(&id).cloned() else {
            assert!(matches!(called, Called::Lost | Called::Returned(Err(OrderError::NotFound))));
            return;
        };
        let wanted = self.model.order(&mut dossier, form, self.now());
        let lost = called.is_lost();
        let outcome = match called {
            Called::Returned(Ok(card)) => {
                assert_eq!(card, dossier.card, "the ordered card");
                Ok(())
            }
            Called::Returned(Err(OrderError::Ordered)) => Err(NotOrdered::Ordered),
            Called::Returned(Err(OrderError::MissingFields(_))) => Err(NotOrdered::MissingFields),
            Called::Returned(Err(OrderError::NoTestAddress)) => Err(NotOrdered::NoTestAddress),
            Called::Returned(Err(OrderError::Changed)) => Err(NotOrdered::Changed),
            Called::Returned(Err(OrderError::NotAgreed)) => Err(NotOrdered::NotAgreed),
            Called::Returned(Err(error)) => panic!("an order failed: {error}"),
            Called::Lost => wanted,
        };
        assert_eq!(outcome, wanted, "the order");
        self.changed(dossier, lost);
    }

    /// Opens a session link twice at the same time.
    pub(super) fn open_link(&mut self) {
        if self.model.links.is_empty() {
            return;
        }
        let index = self.random.below(self.model.links.len());
        let link = self.model.links[index].clone();
        let (token, now) = (link.token.clone(), self.now());
        let wanted = self.model.link_end(&token, now);
        let called = self.call(async |services, _| {
            let state = session::link_state(services, &token).await?;
            let (one, other) = tokio::join!(session::redeem(services, &token), session::redeem(services, &token));
            Ok::<_, card_service::operation::Failure>((state, one?, other?))
        });
        self.note(format!("a link of {} is opened: {wanted:?}", link.card_id));
        match called {
            Called::Returned(Ok((state, one, other))) => {
                assert_eq!(end_of(&state), wanted, "the state of a link");
                let second = if wanted == LinkEnd::Opened { LinkEnd::Used } else { wanted };
                let mut ends = [self.redeemed(&link, one), self.redeemed(&link, other)];
                // On PostgreSQL either of them may be the first.
                ends.sort_by_key(|end| *end != LinkEnd::Opened);
                assert_eq!(ends, [wanted, second], "a link opens once");
                if wanted == LinkEnd::Opened {
                    self.model.links[index].used_at = Some(now);
                }
            }
            Called::Returned(Err(error)) => panic!("a link failed: {error}"),
            Called::Lost => {
                let digest = digest(&link.token);
                let row = self.read(async |store| store.session_link(&digest).await).expect("the link is there");
                assert!(row.used_at == link.used_at || (wanted == LinkEnd::Opened && row.used_at == Some(now)));
                self.model.links[index].used_at = row.used_at;
            }
        }
    }

    /// Takes over the browser session of an opened link.
    fn redeemed(&mut self, link: &crate::model::Link, redeemed: Redeemed) -> LinkEnd {
        let now = self.now();
        match redeemed {
            Redeemed::Opened { browser_session, cookie } => {
                assert_eq!((browser_session.card_id, browser_session.target), (link.card_id, link.target));
                assert_eq!(browser_session.key_id, Some(link.key_id));
                let (card_id, target, key_id) = (link.card_id, link.target, Some(link.key_id));
                self.model.browsers.push(Browser {
                    cookie,
                    card_id,
                    target,
                    key_id,
                    created_at: now,
                    seen_at: now,
                    ended: false,
                });
                LinkEnd::Opened
            }
            Redeemed::Refused(state) => end_of(&state),
        }
    }

    pub(super) fn open_list_link(&mut self) {
        if self.model.list_links.is_empty() {
            return;
        }
        let link = self.random.pick(&self.model.list_links).clone();
        self.open_this_list_link(&link);
    }

    pub(super) fn open_this_list_link(&mut self, link: &ListLink) {
        let now = self.now();
        let called = self.call(async |services, _| invitee::open_list_link(services, &link.token).await);
        self.note("the list link of a mail is opened");
        match called {
            Called::Returned(Ok(OpenedListLink::Opened { browser_session, cookie })) => {
                assert!(now < link.expires_at && browser_session.card_id == link.card_id);
                let (card_id, target) = (link.card_id, SessionTarget::InviteeList);
                self.model.browsers.push(Browser {
                    cookie,
                    card_id,
                    target,
                    key_id: None,
                    created_at: now,
                    seen_at: now,
                    ended: false,
                });
            }
            Called::Returned(Ok(OpenedListLink::Expired(_))) => assert!(link.expires_at <= now),
            // Housekeeping has deleted it, a month after its end.
            Called::Returned(Ok(OpenedListLink::Unknown)) => assert!(link.expires_at < now, "a list link is unknown"),
            Called::Returned(Err(error)) => panic!("a list link failed: {error}"),
            Called::Lost => {}
        }
    }

    /// Shows the cookie of a browser session, for its own page or another.
    pub(super) fn use_browser(&mut self) {
        if self.model.browsers.is_empty() {
            return;
        }
        // Mostly one of the last, because they end soon.
        let count = self.model.browsers.len();
        let index =
            if self.chance(70) { count - 1 - self.random.below(count.min(4)) } else { self.random.below(count) };
        let browser = self.model.browsers[index].clone();
        let (target, card_id) = (self.any_target(), if self.chance(90) { browser.card_id } else { self.any_card() });
        let now = self.now();
        let called =
            self.call(async |services, _| session::browser_session(services, &browser.cookie, card_id, target).await);
        let is_open = self.model.is_open(&browser, now) && target == browser.target && card_id == browser.card_id;
        self.note(format!("a browser session is used: {is_open}"));
        let is_stale = now >= browser.seen_at.after(card_service::base::limits::BROWSER_SESSION_SEEN_RECORDED);
        match called {
            Called::Returned(Ok(found)) => {
                assert_eq!(found.is_some(), is_open, "a browser session");
                if is_open && is_stale {
                    self.model.browsers[index].seen_at = now;
                }
                if is_open {
                    let digest = digest(&browser.cookie);
                    let row = self.read(async |store| store.browser_session(&digest).await);
                    assert_eq!(row.map(|row| row.seen_at), Some(self.model.browsers[index].seen_at), "its last use");
                }
            }
            Called::Returned(Err(error)) => panic!("a browser session failed: {error}"),
            Called::Lost => {
                let digest = digest(&browser.cookie);
                if let Some(row) = self.read(async |store| store.browser_session(&digest).await) {
                    assert!(row.seen_at == browser.seen_at || (is_open && row.seen_at == now));
                    self.model.browsers[index].seen_at = row.seen_at;
                }
            }
        }
    }
}

fn end_of(state: &LinkState) -> LinkEnd {
    match state {
        LinkState::Fresh => LinkEnd::Opened,
        LinkState::Used(_) => LinkEnd::Used,
        LinkState::Expired(_) | LinkState::Revoked(_) => LinkEnd::Expired,
        LinkState::Unknown => LinkEnd::Unknown,
    }
}

pub(super) fn digest(token: &str) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(token.as_bytes()).into()
}

/// The scope of a key.
pub(super) fn scope(partner_id: Uuid, mode: KeyMode) -> card_service::model::Scope {
    card_service::model::Scope { partner_id, mode }
}

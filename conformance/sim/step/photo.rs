//! A family uploads a portrait.

use bytes::Bytes;
use card_service::base::{Patch, limits};
use card_service::model::{Actor, Card, CardSection, SectionVersion, Topic};
use card_service::operation::card::{self, CardEdit, EditError};
use card_service::operation::photo::{UploadError, upload};
use card_service::worker::rendering;

use super::family::digest;
use crate::check::with_photo_of;
use crate::model::{Edited, photo};
use crate::network::gif;
use crate::run::{Called, Sim};

/// What an upload leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Stored,
    Format,
    Unreadable,
    TooMany,
}

impl Sim {
    /// Sends files in one browser session, and saves the last one on the page that shows the portrait.
    pub(super) fn upload_portrait(&mut self) {
        let id = self.any_card();
        let Some(mut dossier) = self.model.cards.get(&id).cloned() else { return };
        let (file, right) = match self.random.below(8) {
            0 => (Bytes::from_static(b"geen foto"), Taken::Format),
            1 => (gif(0).slice(..20), Taken::Unreadable),
            n => (gif(n as u8), Taken::Stored),
        };
        // More than an hour allows, without a photo to store.
        let burst = right == Taken::Format && self.chance(50);
        let count = if burst { limits::UPLOADS_PER_SESSION_HOUR + 1 } else { 1 };
        let session = digest(&format!("session {}", self.memory.upload_session + self.random.below(2)));
        let stale =
            self.memory.forms.iter().find(|(card, section, _)| (*card, *section) == (id, CardSection::Portrait));
        let shown = SectionVersion::of(&dossier.card, &[CardSection::Portrait]);
        let seen = stale.filter(|_| count == 1).map_or(shown, |(_, _, seen)| seen.clone());
        let card = dossier.card.clone();
        let mut edit = CardEdit::of(CardSection::Portrait, seen);
        let mut sent = edit.clone();
        let called = self.call(async |services, _| {
            let mut taken = Vec::new();
            for _ in 0..count {
                taken.push(match upload(services, &card, &session, file.clone()).await {
                    Ok(key) => {
                        sent.photo = Patch::Value(key);
                        Taken::Stored
                    }
                    Err(UploadError::Format) => Taken::Format,
                    Err(UploadError::Unreadable) => Taken::Unreadable,
                    Err(UploadError::TooMany { .. }) => Taken::TooMany,
                    Err(error) => return Err(error),
                });
            }
            let saved = match sent.photo {
                Patch::Value(_) => Some(card::edit(services, id, sent).await),
                _ => None,
            };
            match saved {
                Some(Err(EditError::Failed(failure))) => Err(UploadError::Failed(failure)),
                saved => Ok((taken, saved)),
            }
        });
        self.note(format!("{count} files are uploaded for {id}: {right:?}"));
        let now = self.now();
        let Called::Returned(outcome) = called else {
            // How often the session has uploaded is not known.
            self.memory.upload_session += 2;
            edit.photo = Patch::Value(photo::new("upload/lost"));
            if let (Taken::Stored, Edited::Saved(after)) = (right, self.model.edited(&dossier, &edit, self.today())) {
                dossier.change(*after, Topic::CardsUpdate, Actor::Family, now);
            }
            self.changed(dossier, true);
            return self.adopt_photos(true);
        };
        let (taken, saved) = outcome.unwrap_or_else(|error| panic!("an upload failed: {error}"));
        let wanted: Vec<Taken> =
            (0..count).map(|_| if self.model.take_upload(session, now) { right } else { Taken::TooMany }).collect();
        assert_eq!(taken, wanted, "the uploads");
        if !taken.contains(&Taken::Stored) {
            return self.check_card(id);
        }
        edit.photo = Patch::Value(photo::new("upload/new"));
        let edited = self.model.edited(&dossier, &edit, self.today());
        if let Edited::Saved(after) = &edited {
            dossier.change(Card::clone(after), Topic::CardsUpdate, Actor::Family, now);
        }
        match saved.expect("it was uploaded") {
            Ok(row) => assert!(matches!(edited, Edited::Saved(_)) && row == with_photo_of(&dossier.card, &row)),
            Err(EditError::Conflict(_)) => assert_eq!(edited, Edited::Conflict),
            Err(error) => panic!("the portrait was not saved: {error}"),
        }
        self.changed(dossier, false);
        self.adopt_photos(edited == Edited::Conflict);
    }

    /// Makes the renditions of a photo whose process was killed.
    pub(super) fn rendering_worker(&mut self) {
        let called = self.call(async |services, _| rendering::step(services).await);
        self.note("a photo is rendered");
        if let Called::Returned(Err(error)) = called {
            panic!("a photo was not rendered: {error}");
        }
        self.check_photos();
    }
}

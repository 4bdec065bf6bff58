//! The page of an edit conflict, in which a section was changed since the form was made: both sides, and a button for each.

use std::sync::Arc;

use http::StatusCode;
use maud::{Markup, html};

use super::portrait::{KEPT, REMOVE};
use super::values::{self, SEEN, Values};
use super::{Step, onwards};
use crate::base::Patch;
use crate::model::{Card, CardSection, PhotoKey, SectionVersion, Theme};
use crate::operation::card::CardEdit;
use crate::response::Response;
use crate::text::customizer as text;
use crate::web::context::PageContext;
use crate::web::form::Form;
use crate::web::last_save::{self, SavedBy};
use crate::web::page;
use crate::web::session_guard::SessionUser;

/// An edit that met another one.
pub(super) struct Conflict<'a> {
    /// The card as it is.
    pub now: &'a Card,
    pub form: &'a Form,
    pub sent: &'a Values,
    pub edit: &'a CardEdit,
    pub saved_by: SavedBy,
    /// The themes that the sent values may name.
    pub themes: &'a [Arc<Theme>],
}

/// Shows the sent values and the values of the card as it is, and a button for each.
pub(super) fn show(context: &PageContext, user: &SessionUser, conflict: &Conflict<'_>) -> Response {
    let Conflict { now, form, sent, edit, saved_by, themes } = *conflict;
    let (title, story) = match saved_by {
        SavedBy::SomebodyElse => (text::OVERTAKEN_TITLE, text::OVERTAKEN),
        SavedBy::ThisForm | SavedBy::ThisBrowser => (text::OVERTAKEN_BY_YOU_TITLE, text::OVERTAKEN_BY_YOU),
    };
    let section = edit.section;
    let step = Step::Section(section);
    let held = Values::from_card(now, section);
    let their_photo = now.deceased.photo.as_ref();
    let our_photo = match &edit.photo {
        Patch::Value(key) => Some(key),
        Patch::Absent => their_photo,
        Patch::Null => None,
    };
    // A point belongs to the photo that it was chosen on.
    let keeps_point = edit.photo == Patch::Absent && now.deceased.photo == user.card.deceased.photo;
    let seen = SectionVersion::compute(now, &[section]);
    let main = html! {
        h1 { (title) }
        p.intro { (story) }
        div.both {
            section aria-labelledby="yours" {
                h2 #yours { (text::YOURS) }
                (conflict_side(context, section, sent, our_photo, themes))
                form method="post" action=(context.path(&step.path(now.id)))
                    enctype=[(section == CardSection::Person).then_some("multipart/form-data")] {
                    (user.token_field())
                    (last_save::id_field(context, Some(form)))
                    input type="hidden" name=(SEEN) value=(seen.as_str());
                    @for (name, value) in sent.iter().filter(|(name, _)| *name != values::FOCAL_POINT || keeps_point) {
                        input type="hidden" name=(name) value=(value);
                    }
                    @match &edit.photo {
                        Patch::Value(key) => input type="hidden" name=(KEPT) value=(key.as_str());,
                        Patch::Null => input type="hidden" name=(REMOVE) value="ja";,
                        Patch::Absent => {}
                    }
                    button { (text::TAKE_YOURS) }
                }
            }
            section aria-labelledby="theirs" {
                h2 #theirs { (text::THEIRS) }
                (conflict_side(context, section, &held, their_photo, themes))
                p { a.button.quiet href=(onwards(context, now, step)) { (text::LEAVE_THEIRS) } }
            }
        }
    };
    page::show(context, &user.partner, StatusCode::CONFLICT, title, main)
}

/// One of the two sides.
fn conflict_side(
    context: &PageContext,
    section: CardSection,
    values: &Values,
    photo: Option<&PhotoKey>,
    themes: &[Arc<Theme>],
) -> Markup {
    let rows = values.in_words(section, themes);
    html! {
        dl {
            @for (label, value) in &rows {
                dt { (label) }
                dd { @if value.is_empty() { em { (text::NOTHING) } } @else { (value) } }
            }
        }
        @match photo {
            Some(key) if section == CardSection::Person => {
                p { img.portrait src=(context.local(&context.services.photo_address(key))) alt=(text::PHOTO); }
            }
            None if section == CardSection::Person => { p { (text::NO_PHOTO) } }
            _ => {}
        }
    }
}

//! The page for an edit conflict: another user has changed the section since the form was made. Shows both and lets the user
//! choose.

use http::StatusCode;
use maud::{Markup, html};

use super::portrait::KEPT;
use super::step::{Step, onwards};
use super::values::{SEEN, Values};
use crate::base::Patch;
use crate::model::{Card, CardSection, PhotoKey, SectionVersion, Theme};
use crate::operation::card::CardEdit;
use crate::response::Response;
use crate::web::context::PageContext;
use crate::web::page;
use crate::web::session_guard::SessionUser;
use crate::web::text::customizer as text;

/// Makes the page with the sent values and the values of the card `now`, and a button for each.
pub(super) fn page(
    context: &PageContext,
    user: &SessionUser,
    now: &Card,
    sent: &Values,
    edit: &CardEdit,
    themes: &[Theme],
) -> Response {
    let section = edit.section;
    let step = Step::Section(section);
    let held = Values::of(now, section);
    let their_photo = now.deceased.photo.as_ref();
    let our_photo = match &edit.photo {
        Patch::Value(key) => Some(key),
        Patch::Absent | Patch::Null => None,
    };
    let seen = SectionVersion::of(now, &[section]);
    let main = html! {
        h1 { (text::OVERTAKEN_TITLE) }
        p.intro { (text::OVERTAKEN) }
        div.both {
            section aria-labelledby="yours" {
                h2 #yours { (text::YOURS) }
                (side(context, section, sent, our_photo, themes))
                form method="post" action=(context.path(&step.path(now.id)))
                    enctype=[(section == CardSection::Portrait).then_some("multipart/form-data")] {
                    (user.token_field())
                    input type="hidden" name=(SEEN) value=(seen.as_str());
                    @for (name, value) in sent.iter() { input type="hidden" name=(name) value=(value); }
                    @match (section, our_photo) {
                        (CardSection::Portrait, Some(key)) => input type="hidden" name=(KEPT) value=(key.as_str());,
                        (CardSection::Portrait, None) => input type="hidden" name="photo_remove" value="ja";,
                        _ => {}
                    }
                    button { (text::TAKE_YOURS) }
                }
            }
            section aria-labelledby="theirs" {
                h2 #theirs { (text::THEIRS) }
                (side(context, section, &held, their_photo, themes))
                p { a.button.quiet href=(onwards(context, now, step)) { (text::LEAVE_THEIRS) } }
            }
        }
    };
    page::show(context, &user.partner, StatusCode::CONFLICT, text::OVERTAKEN_TITLE, main)
}

/// One of the two sides.
fn side(
    context: &PageContext,
    section: CardSection,
    values: &Values,
    photo: Option<&PhotoKey>,
    themes: &[Theme],
) -> Markup {
    if section == CardSection::Portrait {
        return html! {
            @match photo {
                Some(key) => p { img.portrait src=(context.local(&context.services.photo_address(key))) alt=(text::PHOTO); },
                None => p { (text::NO_PHOTO) },
            }
        };
    }
    let rows = values.in_words(section, themes);
    html! {
        dl {
            @for (label, value) in &rows {
                dt { (label) }
                dd { @if value.is_empty() { em { (text::NOTHING) } } @else { (value) } }
            }
        }
    }
}

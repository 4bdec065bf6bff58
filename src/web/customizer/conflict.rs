//! Two people have filled in the same part: the second sees both, and chooses.

use http::StatusCode;
use maud::{Markup, html};

use super::onwards;
use super::part::SEEN;
use super::portrait::KEPT;
use super::step::Step;
use super::values::Values;
use crate::base::Patch;
use crate::model::{Card, CardSection, PhotoKey, SectionVersion, Theme};
use crate::operation::card::CardEdit;
use crate::web::answer::WebAnswer;
use crate::web::layout;
use crate::web::session_guard::SessionUser;
use crate::web::site::Site;
use crate::web::text::customizer as text;

/// What was sent beside what the card holds `now`, with a button for either.
pub(super) fn page(
    site: &Site,
    visitor: &SessionUser,
    now: &Card,
    sent: &Values,
    edit: &CardEdit,
    themes: &[Theme],
) -> WebAnswer {
    let part = edit.part;
    let step = Step::Part(part);
    let held = Values::of(now, part);
    let their_photo = now.deceased.photo.as_ref();
    let our_photo = match &edit.photo {
        Patch::Value(key) => Some(key),
        Patch::Absent | Patch::Null => None,
    };
    let seen = SectionVersion::of(now, &[part]);
    let main = html! {
        h1 { (text::OVERTAKEN_TITLE) }
        p.intro { (text::OVERTAKEN) }
        div.both {
            section aria-labelledby="yours" {
                h2 #yours { (text::YOURS) }
                (side(site, part, sent, our_photo, themes))
                form method="post" action=(site.path(&step.path(now.id)))
                    enctype=[(part == CardSection::Portrait).then_some("multipart/form-data")] {
                    (visitor.token_field())
                    input type="hidden" name=(SEEN) value=(seen.as_str());
                    @for (name, value) in sent.iter() { input type="hidden" name=(name) value=(value); }
                    @match (part, our_photo) {
                        (CardSection::Portrait, Some(key)) => input type="hidden" name=(KEPT) value=(key.as_str());,
                        (CardSection::Portrait, None) => input type="hidden" name="photo_remove" value="ja";,
                        _ => {}
                    }
                    button { (text::TAKE_YOURS) }
                }
            }
            section aria-labelledby="theirs" {
                h2 #theirs { (text::THEIRS) }
                (side(site, part, &held, their_photo, themes))
                p { a.button.quiet href=(onwards(site, now, step)) { (text::LEAVE_THEIRS) } }
            }
        }
    };
    WebAnswer::page(StatusCode::CONFLICT, layout::page(site, text::OVERTAKEN_TITLE, main))
}

/// What one of the two says, in words.
fn side(site: &Site, part: CardSection, values: &Values, photo: Option<&PhotoKey>, themes: &[Theme]) -> Markup {
    if part == CardSection::Portrait {
        return html! {
            @match photo {
                Some(key) => p { img.portrait src=(site.local(&site.services.photo_address(key))) alt=(text::PHOTO); },
                None => p { (text::NO_PHOTO) },
            }
        };
    }
    let rows = values.in_words(part, themes);
    html! {
        dl {
            @for (label, value) in &rows {
                dt { (label) }
                dd { @if value.is_empty() { em { (text::NOTHING) } } @else { (value) } }
            }
        }
    }
}

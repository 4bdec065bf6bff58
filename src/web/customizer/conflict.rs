//! Two people have filled in the same part: the second sees both, and chooses.

use http::StatusCode;
use maud::{Markup, html};

use super::onwards;
use super::part::SEEN;
use super::portrait::KEPT;
use super::step::Step;
use super::values::{self, Values};
use crate::base::{GlobalId, Kind, Patch};
use crate::model::{Card, CardPart, CardPrint, Layout, PhotoKey, Theme, Visibility};
use crate::operation::card::CardEdit;
use crate::web::admission::Visitor;
use crate::web::answer::WebAnswer;
use crate::web::layout;
use crate::web::site::Site;
use crate::web::text::customizer as text;

/// What was sent beside what the card holds `now`, with a button for either.
pub(super) fn page(
    site: &Site,
    visitor: &Visitor,
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
    let seen = CardPrint::of(now, &[part]);
    let main = html! {
        h1 { (text::OVERTAKEN_TITLE) }
        p.intro { (text::OVERTAKEN) }
        div.both {
            section aria-labelledby="yours" {
                h2 #yours { (text::YOURS) }
                (side(site, part, sent, our_photo, themes))
                form method="post" action=(site.path(&step.path(now.id)))
                    enctype=[(part == CardPart::Portrait).then_some("multipart/form-data")] {
                    (visitor.token_field())
                    input type="hidden" name=(SEEN) value=(seen.as_str());
                    @for (name, value) in sent.iter() { input type="hidden" name=(name) value=(value); }
                    @match (part, our_photo) {
                        (CardPart::Portrait, Some(key)) => input type="hidden" name=(KEPT) value=(key.as_str());,
                        (CardPart::Portrait, None) => input type="hidden" name="photo_remove" value="ja";,
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
fn side(site: &Site, part: CardPart, values: &Values, photo: Option<&PhotoKey>, themes: &[Theme]) -> Markup {
    if part == CardPart::Portrait {
        return html! {
            @match photo {
                Some(key) => p { img.portrait src=(site.local(&site.services.photo_address(key))) alt=(text::PHOTO); },
                None => p { (text::NO_PHOTO) },
            }
        };
    }
    let rows = in_words(part, values, themes);
    html! {
        dl {
            @for (label, value) in &rows {
                dt { (label) }
                dd { @if value.is_empty() { em { (text::NOTHING) } } @else { (value) } }
            }
        }
    }
}

fn in_words(part: CardPart, values: &Values, themes: &[Theme]) -> Vec<(&'static str, String)> {
    let value = |name| values.get(name).to_owned();
    let date =
        |name| Some(values.date(name)).filter(|parts| parts.concat() != "").map_or(String::new(), |p| p.join("-"));
    match part {
        CardPart::Theme => {
            let named = |theme: &&Theme| GlobalId::new(Kind::Theme, theme.id).to_string() == values.get(values::THEME);
            vec![(text::CHOSEN_THEME, themes.iter().find(named).map_or(String::new(), |theme| theme.title.clone()))]
        }
        CardPart::Layout => {
            let layout = Layout::parse(values.get(values::LAYOUT)).unwrap_or_default();
            vec![(text::part(part).title, text::layout(layout).0.to_owned())]
        }
        CardPart::Visibility => {
            let visibility = Visibility::parse(values.get(values::VISIBILITY)).unwrap_or_default();
            vec![(text::WHO_SEES, text::visibility(visibility).0.to_owned())]
        }
        CardPart::Names => {
            vec![(text::FIRST_NAME, value(values::FIRST_NAME)), (text::LAST_NAME, value(values::LAST_NAME))]
        }
        CardPart::Dates => vec![(text::BIRTH, date(values::BIRTH)), (text::DEATH, date(values::DEATH))],
        CardPart::Portrait => Vec::new(),
        CardPart::Text => vec![(text::TEXT, value(values::TEXT))],
        CardPart::Broadcast => vec![(text::LIVESTREAM, value(values::LIVESTREAM))],
        CardPart::Contact => {
            vec![(text::CONTACT_NAME, value(values::CONTACT_NAME)), (text::EMAIL, value(values::EMAIL))]
        }
    }
}

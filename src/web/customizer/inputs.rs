//! The fields of each section, filled with its values.

use maud::{Markup, html};

use super::field::{self, Choice, Errors, TextField};
use super::mini::Subject;
use super::values::{self, Values};
use crate::base::{GlobalId, Kind};
use crate::model::{CardSection, Layout, Theme, Visibility};
use crate::web::context::PageContext;
use crate::web::text::customizer as text;

/// What a page needs to show the fields of a section.
pub(super) struct Inputs<'a> {
    pub context: &'a PageContext,
    pub values: &'a Values,
    pub errors: &'a Errors,
    /// The themes to choose from; read only for the theme section.
    pub themes: &'a [Theme],
    /// What the small cards of the themes show.
    pub subject: &'a Subject,
}

impl Inputs<'_> {
    /// Shows the fields of a section, except the portrait, which has its own.
    pub(super) fn show(&self, section: CardSection) -> Markup {
        match section {
            CardSection::Theme => self.theme(),
            CardSection::Layout => {
                let all = Layout::ALL.map(|layout| (layout.as_str(), text::layout(layout), Some(drawing(layout))));
                self.plain_choices(values::LAYOUT, section, &all)
            }
            CardSection::Visibility => {
                let all = Visibility::ALL.map(|visibility| (visibility.as_str(), text::visibility(visibility), None));
                self.plain_choices(values::VISIBILITY, section, &all)
            }
            CardSection::Names => html! {
                (self.line(values::FIRST_NAME, text::FIRST_NAME, None, "text", "off"))
                (self.line(values::LAST_NAME, text::LAST_NAME, None, "text", "off"))
            },
            CardSection::Dates => html! {
                (field::date(values::BIRTH, text::BIRTH, text::BIRTH_HINT, self.values.date(values::BIRTH), self.errors))
                (field::date(values::DEATH, text::DEATH, text::DEATH_HINT, self.values.date(values::DEATH), self.errors))
            },
            CardSection::Portrait => html! {},
            CardSection::Text => {
                field::text_area(values::TEXT, text::TEXT, text::TEXT_HINT, self.values.get(values::TEXT), self.errors)
            }
            CardSection::Farewell => html! {
                (field::date(values::FAREWELL, text::FAREWELL_DATE, text::FAREWELL_HINT, self.values.date(values::FAREWELL), self.errors))
                (self.line(values::FAREWELL_TIME, text::FAREWELL_TIME, Some(text::FAREWELL_TIME_HINT), "text", "off"))
                (self.line(values::FAREWELL_PLACE, text::FAREWELL_PLACE, Some(text::FAREWELL_PLACE_HINT), "text", "off"))
                (self.line(values::FAREWELL_ADDRESS, text::FAREWELL_ADDRESS, Some(text::FAREWELL_ADDRESS_HINT), "text", "off"))
                (field::text_area(values::FAREWELL_NOTE, text::FAREWELL_NOTE, text::FAREWELL_NOTE_HINT, self.values.get(values::FAREWELL_NOTE), self.errors))
            },
            CardSection::Broadcast => {
                self.line(values::LIVESTREAM, text::LIVESTREAM, Some(text::LIVESTREAM_HINT), "url", "off")
            }
            CardSection::Contact => html! {
                (self.line(values::CONTACT_NAME, text::CONTACT_NAME, None, "text", "name"))
                (self.line(values::EMAIL, text::EMAIL, Some(text::EMAIL_HINT), "email", "email"))
            },
        }
    }

    fn line(
        &self,
        name: &'static str,
        label: &str,
        hint: Option<&str>,
        kind: &'static str,
        autocomplete: &'static str,
    ) -> Markup {
        TextField { name, label, hint, value: self.values.get(name), kind, autocomplete }.show(self.errors)
    }

    fn theme(&self) -> Markup {
        let choices: Vec<Choice<'_>> = self
            .themes
            .iter()
            .map(|theme| Choice {
                value: GlobalId::new(Kind::Theme, theme.id).to_string(),
                label: &theme.title,
                note: &theme.description,
                picture: theme.images.first().map(|image| self.subject.draw(self.context, Some(image))),
            })
            .collect();
        html! {
            @if choices.is_empty() {
                p { (text::NO_THEMES) }
            } @else {
                (field::choices(
                    values::THEME,
                    text::section(CardSection::Theme).title,
                    &choices,
                    self.values.get(values::THEME),
                    self.errors,
                ))
            }
        }
    }

    fn plain_choices(
        &self,
        name: &'static str,
        section: CardSection,
        all: &[(&str, (&'static str, &'static str), Option<Markup>)],
    ) -> Markup {
        let choices: Vec<Choice<'_>> = all
            .iter()
            .map(|(value, (label, note), picture)| Choice {
                value: (*value).to_owned(),
                label,
                note,
                picture: picture.clone(),
            })
            .collect();
        field::choices(name, text::section(section).title, &choices, self.values.get(name), self.errors)
    }
}

/// A small drawing of a layout: where the photo and the text are. The label says the same.
fn drawing(layout: Layout) -> Markup {
    let ([x, y, width, height], lines): ([u8; 4], &[[u8; 3]]) = match layout {
        Layout::Portrait => ([40, 8, 40, 44], &[[30, 60, 60], [35, 68, 50]]),
        Layout::SideBySide => ([12, 14, 40, 52], &[[62, 22, 46], [62, 32, 40], [62, 42, 46], [62, 52, 30]]),
        Layout::Text => ([48, 44, 24, 24], &[[30, 12, 60], [22, 22, 76], [30, 32, 60]]),
    };
    let round = if layout == Layout::Text { 12 } else { 2 };
    html! {
        svg.drawing viewBox="0 0 120 80" aria-hidden="true" focusable="false" {
            rect.paper width="120" height="80" rx="4" {}
            rect.photo x=(x) y=(y) width=(width) height=(height) rx=(round) {}
            @for [x, y, width] in lines { rect.line x=(x) y=(y) width=(width) height="4" rx="2" {} }
        }
    }
}

//! The fields of each section with their values.

use std::sync::Arc;

use maud::{Markup, html};

use super::preview::Subject;
use super::values::{self, Values};
use crate::base::{GlobalId, Kind, limits};
use crate::model::{Card, CardSection, Layout, LeadIn, Theme, Visibility};
use crate::text::customizer as text;
use crate::text::date::lifetime;
use crate::web::context::PageContext;
use crate::web::field::{Errors, TextArea, TextField, described_by, hint, message, shorten};

/// What a page needs to show the fields of a section.
pub(super) struct Inputs<'a> {
    pub context: &'a PageContext,
    pub values: &'a Values,
    pub errors: &'a Errors,
    /// The themes to choose from; none once the card is ordered.
    pub themes: &'a [Arc<Theme>],
    /// The theme of the card.
    pub own: Option<&'a Theme>,
    /// What the small cards of the themes show.
    pub subject: &'a Subject,
    /// The fields of the portrait, for its section.
    pub portrait: Markup,
}

impl Inputs<'_> {
    /// Shows the fields of a section.
    pub(super) fn show(&self, section: CardSection, card: &Card) -> Markup {
        match section {
            CardSection::Look => html! {
                @if card.status.theme_is_open() { (self.theme()) } @else {
                    p { (text::THEME_FIXED) }
                    @if let Some(theme) = self.own { p { (text::THEME_NOW) ": " strong { (theme.title) } } }
                }
                (self.plain_choices(values::LAYOUT, text::LAYOUT_CHOOSE, &Layout::ALL.map(|layout| {
                    (layout.as_str(), text::layout(layout), Some(drawing(layout)))
                })))
                (self.plain_choices(values::VISIBILITY, text::VISIBILITY_CHOOSE, &Visibility::ALL.map(|visibility| {
                    (visibility.as_str(), text::visibility(visibility), None)
                })))
            },
            CardSection::Person => {
                let known = card
                    .deceased
                    .full_name()
                    .filter(|_| card.deceased.date_of_birth.is_some() && card.deceased.date_of_death.is_some());
                let dates = lifetime(card.deceased.date_of_birth, card.deceased.date_of_death).unwrap_or_default();
                html! {
                    (self.fold(known, &dates, html! {
                        (self.line(values::FIRST_NAME, text::FIRST_NAME, None, "text", "off"))
                        (self.line(values::LAST_NAME, text::LAST_NAME, None, "text", "off"))
                        (date(values::BIRTH, text::BIRTH, text::BIRTH_HINT, self.values.date(values::BIRTH), self.errors))
                        (date(values::DEATH, text::DEATH, text::DEATH_HINT, self.values.date(values::DEATH), self.errors))
                    }))
                    (self.portrait)
                }
            }
            CardSection::Text => html! {
                (self.plain_choices(values::LEAD_IN, text::LEAD_IN_CHOOSE, &LeadIn::ALL.map(|lead_in| {
                    (lead_in.as_str(), (text::lead_in(lead_in), ""), None)
                })))
                (self.text_area(values::TEXT, text::TEXT, text::TEXT_HINT))
            },
            CardSection::Farewell => html! {
                (date(values::FAREWELL, text::FAREWELL_DATE, text::FAREWELL_HINT, self.values.date(values::FAREWELL), self.errors))
                (self.line(values::FAREWELL_TIME, text::FAREWELL_TIME, Some(text::FAREWELL_TIME_HINT), "text", "off"))
                (self.line(values::FAREWELL_UNTIL, text::FAREWELL_UNTIL, Some(text::FAREWELL_UNTIL_HINT), "text", "off"))
                (self.line(values::FAREWELL_PLACE, text::FAREWELL_PLACE, Some(text::FAREWELL_PLACE_HINT), "text", "off"))
                (self.line(values::FAREWELL_ADDRESS, text::FAREWELL_ADDRESS, Some(text::FAREWELL_ADDRESS_HINT), "text", "off"))
                (self.text_area(values::FAREWELL_NOTE, text::FAREWELL_NOTE, text::FAREWELL_NOTE_HINT))
                (self.line(values::LIVESTREAM, text::LIVESTREAM, Some(text::LIVESTREAM_HINT), "url", "off"))
            },
            CardSection::Contact => {
                let contact = &card.family_contact;
                self.fold(
                    contact.name.clone().filter(|_| contact.email.is_some()),
                    contact.email.as_deref().unwrap_or_default(),
                    html! {
                        (self.line(values::CONTACT_NAME, text::CONTACT_NAME, None, "text", "name"))
                        (self.line(values::EMAIL, text::EMAIL, Some(text::EMAIL_HINT), "email", "email"))
                    },
                )
            }
        }
    }

    /// Shows the value above folded fields, or open fields if there is none.
    fn fold(&self, known: Option<String>, more: &str, fields: Markup) -> Markup {
        let Some(known) = known else { return fields };
        html! {
            details.known open[!self.errors.is_empty()] {
                summary { span dir="auto" { (known) } span { (more) } span.change { (text::CHANGE) } }
                (fields)
            }
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

    fn text_area(&self, name: &'static str, label: &str, hint: &str) -> Markup {
        TextArea { name, label, hint, value: self.values.get(name), ..TextArea::default() }.show(self.errors)
    }

    fn theme(&self) -> Markup {
        let offered: Vec<Choice<'_>> = self
            .themes
            .iter()
            .map(|theme| Choice {
                value: GlobalId::new(Kind::Theme, theme.id).to_string(),
                label: &theme.title,
                // Its first sentence.
                note: theme.description.split_inclusive(". ").next().unwrap_or_default().trim(),
                picture: theme.images.first().map(|_| self.subject.draw(self.context, Some(theme))),
            })
            .collect();
        html! {
            @if offered.is_empty() {
                p { (text::NO_THEMES) }
            } @else {
                (choices(
                    values::THEME,
                    text::THEME_LEGEND,
                    &offered,
                    self.values.get(values::THEME),
                    self.errors,
                ))
            }
        }
    }

    fn plain_choices(
        &self,
        name: &'static str,
        legend: &str,
        all: &[(&str, (&'static str, &'static str), Option<Markup>)],
    ) -> Markup {
        let offered: Vec<Choice<'_>> = all
            .iter()
            .map(|(value, (label, note), picture)| Choice {
                value: (*value).to_owned(),
                label,
                note,
                picture: picture.clone(),
            })
            .collect();
        choices(name, legend, &offered, self.values.get(name), self.errors)
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

/// A date in three fields, which for dates long ago is quicker than a calendar.
pub(super) fn date(name: &'static str, label: &str, note: &str, sent: [&str; 3], errors: &Errors) -> Markup {
    let error = errors.find(name);
    let parts = values::DATE_PARTS.into_iter().zip([text::DAY, text::MONTH, text::YEAR]);
    html! {
        fieldset #(name) .field.date.wrong[error.is_some()] tabindex="-1"
            aria-describedby=[described_by(name, Some(note), error)] {
            legend { (label) }
            (hint(name, Some(note)))
            (message(name, error))
            div.parts {
                @for ((part, title), value) in parts.zip(sent) {
                    @let field = values::field_of_part(name, part);
                    @let is_wrong = errors.is_wrong(name, field);
                    div class=(part) {
                        label for=(field) { (title) }
                        // A month may be typed as a word.
                        input #(field) name=(field) type="text"
                            value=(shorten(value, limits::REFUSED_LINE_CHARS_SHOWN_MAX))
                            inputmode=[(part != "month").then_some("numeric")] autocomplete="off"
                            aria-invalid=[is_wrong.then_some("true")];
                    }
                }
            }
        }
    }
}

/// An option of a choice.
pub(super) struct Choice<'a> {
    pub value: String,
    pub label: &'a str,
    /// May be empty.
    pub note: &'a str,
    /// Its picture, above the label.
    pub picture: Option<Markup>,
}

/// Radio buttons, each with an optional note and picture.
pub(super) fn choices(
    name: &'static str,
    legend: &str,
    choices: &[Choice<'_>],
    chosen: &str,
    errors: &Errors,
) -> Markup {
    let error = errors.find(name);
    html! {
        fieldset #(name) .field.choices.tiles[choices.iter().any(|choice| choice.picture.is_some())].wrong[error.is_some()]
            tabindex="-1" aria-describedby=[described_by(name, None, error)] {
            legend { (legend) }
            (message(name, error))
            @for (number, choice) in choices.iter().enumerate() {
                @let id = format!("{name}_{number}");
                div.choice {
                    input #(id) type="radio" name=(name) value=(choice.value) checked[choice.value == chosen]
                        aria-describedby=[(!choice.note.is_empty()).then(|| format!("{id}_note"))];
                    div {
                        label for=(id) {
                            @if let Some(picture) = &choice.picture { (picture) }
                            span.name { (choice.label) }
                        }
                        @if !choice.note.is_empty() { p.note id={ (id) "_note" } { (choice.note) } }
                    }
                }
            }
        }
    }
}

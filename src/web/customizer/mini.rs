//! The card as a small picture: the cover of a theme, with the name and the portrait of the deceased.

use maud::{Markup, html};

use super::overview::name_of;
use crate::model::{Card, Rendition, ThemeImage};
use crate::web::card::crop;
use crate::web::context::PageContext;
use crate::web::date;
use crate::web::page::Outcome;
use crate::web::text::card as words;

/// What every small card of a page shows.
pub(super) struct Subject {
    name: String,
    years: Option<String>,
    /// The address of the portrait, once it can be shown, and the classes of its crop.
    portrait: Option<(String, String)>,
}

impl Subject {
    /// Reads what the small cards of a card show.
    pub(super) async fn of(context: &PageContext, card: &Card) -> Outcome<Self> {
        let portrait = match &card.deceased.photo {
            Some(key) => context.services.store.portrait(key).await?,
            None => None,
        };
        let years = date::years(card.deceased.date_of_birth, card.deceased.date_of_death);
        Ok(Self {
            name: name_of(card).unwrap_or_else(|| words::UNNAMED.to_owned()),
            years: (!years.is_empty()).then(|| years.join(" – ")),
            portrait: portrait.map(|portrait| {
                let address = context.local(&context.services.rendition_address(Rendition::Preview, &portrait.photo));
                let point = card.deceased.focal_point.unwrap_or_default();
                (address, crop::round_classes(point, portrait.screen))
            }),
        })
    }

    /// Draws the small card on a picture of its theme.
    pub(super) fn draw(&self, context: &PageContext, cover: Option<&ThemeImage>) -> Markup {
        html! {
            span.mini {
                @if let Some(cover) = cover {
                    img.cover src=(context.local(&context.services.theme_image_address(&cover.key)))
                        alt=(cover.alt_text.as_deref().unwrap_or_default()) width="600" height="400" loading="lazy";
                }
                span.sheet aria-hidden="true" {
                    @if let Some((portrait, crop)) = &self.portrait { img class={ "face " (crop) } src=(portrait) alt="" loading="lazy"; }
                    span.who dir="auto" { (self.name) }
                    @if let Some(years) = &self.years { span.years { (years) } }
                }
            }
        }
    }
}

//! What a card shows: the card, its theme and its portrait, looked up and put in the form of the page.

use chrono::NaiveDate;

use super::look::{self, Look};
use crate::model::{Card, Layout, PhotoKey, PixelSize, Rendition, Theme, ThemeImage, Visibility};
use crate::store::StoreError;
use crate::web::site::Site;
use crate::web::text::card as words;

/// A picture on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct Picture {
    pub address: String,
    pub alt: String,
    pub size: Option<PixelSize>,
}

/// What a card shows.
#[derive(Clone)]
pub(in crate::web) struct CardView {
    /// First and last name, where one is known.
    pub name: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub date_of_death: Option<NaiveDate>,
    /// There once its renditions are made.
    pub portrait: Option<Picture>,
    /// The portrait for link previews; a whole address, because it is read elsewhere.
    pub preview: Option<String>,
    /// What the family wrote; an empty line parts paragraphs.
    pub text: Option<String>,
    pub livestream: Option<String>,
    pub layout: Layout,
    pub visibility: Visibility,
    pub look: Look,
    /// The pictures of the theme: the first is the cover, the second stands where a portrait is missing.
    pub cover: Option<Picture>,
    pub ornament: Option<Picture>,
}

impl CardView {
    /// Looks up what a card shows.
    pub(in crate::web) async fn of(site: &Site, card: &Card) -> Result<Self, StoreError> {
        let store = &site.services.store;
        let theme = match card.theme_id {
            Some(id) => store.theme(id).await?,
            None => None,
        };
        let portrait = match &card.deceased.photo {
            Some(photo) => store.portrait(photo).await?,
            None => None,
        };
        let name = card.deceased.full_name();
        let mut pictures = theme.iter().flat_map(|theme| pictures_of(site, theme));
        let address = |rendition: Rendition, photo: &PhotoKey| site.services.rendition_address(rendition, photo);
        Ok(Self {
            date_of_birth: card.deceased.date_of_birth,
            date_of_death: card.deceased.date_of_death,
            portrait: portrait.as_ref().map(|portrait| Picture {
                address: site.local(&address(Rendition::Screen, &portrait.photo)),
                alt: words::portrait_of(name.as_deref()),
                size: Some(portrait.screen),
            }),
            preview: portrait.as_ref().map(|portrait| address(Rendition::Preview, &portrait.photo).to_string()),
            text: card.text.clone(),
            livestream: card.livestream_url.as_ref().map(|url| url.as_str().to_owned()),
            layout: card.layout,
            visibility: card.visibility,
            look: look::of(theme.as_ref().map(|theme| theme.handle.as_str())),
            cover: pictures.next(),
            ornament: pictures.next(),
            name,
        })
    }
}

fn pictures_of(site: &Site, theme: &Theme) -> Vec<Picture> {
    let picture = |image: &ThemeImage| Picture {
        address: site.local(&site.services.theme_image_address(&image.key)),
        alt: image.alt_text.clone().unwrap_or_default(),
        size: None,
    };
    theme.images.iter().map(picture).collect()
}

//! The contents of a card page: the card, its theme and its portrait, read from the store.

use std::borrow::Cow;

use chrono::NaiveDate;

use crate::model::{Card, CardSection, Layout, Partner, PhotoKey, PixelSize, Rendition, Theme, ThemeImage, Visibility};
use crate::store::StoreError;
use crate::web::asset::{
    Asset, PREVIEW_AVONDROOD, PREVIEW_LINDE, PREVIEW_PLAIN, PREVIEW_WINTERLICHT, PREVIEW_ZEE, THEME_AVONDROOD,
    THEME_LINDE, THEME_WINTERLICHT, THEME_ZEE,
};
use crate::web::context::PageContext;
use crate::web::text::card as words;

/// A picture on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct Picture {
    pub address: String,
    pub alt: String,
    pub size: Option<PixelSize>,
}

/// The contents of a card page.
#[derive(Clone)]
pub(in crate::web) struct CardView {
    /// First and last name, where one is known.
    pub name: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub date_of_death: Option<NaiveDate>,
    /// `None` until its renditions are made.
    pub portrait: Option<Picture>,
    /// The portrait for link previews, with its full address, which other sites read.
    pub preview: Option<Picture>,
    /// The text of the family; an empty line separates paragraphs.
    pub text: Option<String>,
    pub livestream: Option<String>,
    pub layout: Layout,
    pub visibility: Visibility,
    pub look: Look,
    /// The first picture of the theme, and the second, which is shown if there is no portrait.
    pub cover: Option<Picture>,
    pub ornament: Option<Picture>,
    /// Whom to call; `None` in an example.
    pub partner: Option<Partner>,
}

impl CardView {
    /// Reads the contents of a card page.
    pub(in crate::web) async fn of(context: &PageContext, card: &Card) -> Result<Self, StoreError> {
        let store = &context.services.store;
        let theme = match card.theme_id {
            Some(id) => store.theme(id).await?,
            None => None,
        };
        let portrait = match &card.deceased.photo {
            Some(photo) => store.portrait(photo).await?,
            None => None,
        };
        let name = card.deceased.full_name();
        // The one field of a section.
        let value = |section| card.section_values(section).next().flatten().map(Cow::into_owned);
        let mut pictures = theme.iter().flat_map(|theme| pictures_of(context, theme));
        let address = |rendition: Rendition, photo: &PhotoKey| context.services.rendition_address(rendition, photo);
        Ok(Self {
            date_of_birth: card.deceased.date_of_birth,
            date_of_death: card.deceased.date_of_death,
            portrait: portrait.as_ref().map(|portrait| Picture {
                address: context.local(&address(Rendition::Screen, &portrait.photo)),
                alt: words::portrait_of(name.as_deref()),
                size: Some(portrait.screen),
            }),
            preview: portrait.as_ref().map(|portrait| Picture {
                address: address(Rendition::Screen, &portrait.photo).to_string(),
                alt: words::portrait_of(name.as_deref()),
                size: Some(portrait.screen),
            }),
            text: value(CardSection::Text),
            livestream: value(CardSection::Broadcast),
            layout: card.layout,
            visibility: card.visibility,
            look: look_of(theme.as_ref().map(|theme| theme.handle.as_str())),
            cover: pictures.next(),
            ornament: pictures.next(),
            partner: store.partner(card.partner_id).await?,
            name,
        })
    }
}

impl CardView {
    /// An example of a card in a theme, for the operator.
    pub(in crate::web) fn example(context: &PageContext, theme: &Theme) -> Self {
        let mut pictures = pictures_of(context, theme).into_iter();
        Self {
            name: Some(words::EXAMPLE_NAME.to_owned()),
            date_of_birth: NaiveDate::from_ymd_opt(1938, 4, 12),
            date_of_death: NaiveDate::from_ymd_opt(2026, 11, 7),
            portrait: None,
            preview: None,
            text: Some(words::EXAMPLE_TEXT.to_owned()),
            livestream: None,
            layout: Layout::Portrait,
            visibility: Visibility::Open,
            look: look_of(Some(&theme.handle)),
            cover: pictures.next(),
            ornament: pictures.next(),
            partner: None,
        }
    }
}

/// The style of a theme. The bundled themes have a style sheet of their own; others use the plain one.
#[derive(Clone, Copy)]
pub(in crate::web) struct Look {
    pub style: Option<&'static Asset>,
    /// Its cover in link previews.
    pub preview: &'static Asset,
    /// The colour of the browser's address bar.
    pub frame: &'static str,
    pub scheme: &'static str,
}

const PLAIN: Look = Look { style: None, preview: &PREVIEW_PLAIN, frame: "#f7f5f1", scheme: "light" };

/// Returns the look of the theme with this handle.
fn look_of(handle: Option<&str>) -> Look {
    match handle {
        Some("linde") => Look { style: Some(&THEME_LINDE), preview: &PREVIEW_LINDE, frame: "#edf1e2", ..PLAIN },
        Some("zee") => Look { style: Some(&THEME_ZEE), preview: &PREVIEW_ZEE, frame: "#e6edf1", ..PLAIN },
        Some("winterlicht") => {
            Look { style: Some(&THEME_WINTERLICHT), preview: &PREVIEW_WINTERLICHT, frame: "#eef1f5", ..PLAIN }
        }
        Some("avondrood") => {
            let (style, preview) = (Some(&THEME_AVONDROOD), &PREVIEW_AVONDROOD);
            Look { style, preview, frame: "#241c2c", scheme: "dark" }
        }
        _ => PLAIN,
    }
}

fn pictures_of(context: &PageContext, theme: &Theme) -> Vec<Picture> {
    let picture = |image: &ThemeImage| Picture {
        address: context.local(&context.services.theme_image_address(&image.key)),
        alt: image.alt_text.clone().unwrap_or_default(),
        size: None,
    };
    theme.images.iter().map(picture).collect()
}

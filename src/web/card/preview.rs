//! The picture of a card for link previews and mails: the cover of its theme, and on it the portrait, name and years of an
//! open card.
//!
//! It is drawn when it is requested and kept in memory (decisions S13). Its name is a
//! digest of its contents, so a change of the card gives it another address.

use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use super::drawing::{self, Figure, Stored, Text};
use super::view::{CardView, Look, Picture, look_of};
use crate::base::{ErrorChain, limits, lower_hex};
use crate::media::{MediaError, RenderError};
use crate::model::{FocalPoint, PixelSize, Theme, Visibility, path};
use crate::operation::Failure;
use crate::response::{self, ResponseExt as _};
use crate::services::Services;
use crate::web::context::PageContext;
use crate::web::page::Outcome;
use crate::web::text::card as words;
use crate::web::{date, error_pages};

pub(super) use super::drawing::SIZE;

/// Changes with the layout of the picture, so that messengers fetch it again.
const LAYOUT: &[u8] = b"3";

/// The contents of the picture.
pub(crate) struct LinkPreview {
    look: Look,
    /// Keys in the object store.
    cover: Option<String>,
    portrait: Option<(String, PixelSize, FocalPoint)>,
    ornament: Option<String>,
    name: Option<String>,
    years: Option<String>,
    /// Without it the picture is the cover alone.
    is_open: bool,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    #[error("the object store failed")]
    Media(#[from] MediaError),
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
}

impl LinkPreview {
    /// The picture of a card: without anything of the deceased if the card is by invitation.
    pub(super) fn of(view: &CardView) -> Self {
        let is_open = view.visibility == Visibility::Open;
        let key = |picture: &Option<Picture>| picture.as_ref().map(|picture| picture.key.clone());
        let sized = |picture: &Picture| picture.size.map(|size| (picture.key.clone(), size, picture.focal_point));
        let years = date::years(view.date_of_birth, view.date_of_death);
        let of_open = Self {
            look: view.look,
            cover: key(&view.cover),
            portrait: view.portrait.as_ref().and_then(sized),
            ornament: key(&view.ornament),
            name: view.name.clone(),
            years: Some(years.join(" – ")).filter(|years| !years.is_empty()),
            is_open,
        };
        match view.visibility {
            Visibility::Open => of_open,
            Visibility::Invitation => Self::cover(view.look, of_open.cover),
        }
    }

    /// The cover of a theme, for mails.
    pub(crate) fn of_theme(theme: Option<&Theme>) -> Self {
        let cover = theme.and_then(Theme::cover).map(|image| format!("theme/{}", image.key));
        Self::cover(look_of(theme.map(|theme| theme.handle.as_str())), cover)
    }

    fn cover(look: Look, cover: Option<String>) -> Self {
        Self { look, cover, portrait: None, ornament: None, name: None, years: None, is_open: false }
    }

    /// The last segment of its path.
    fn file_name(&self) -> String {
        let shape = |(_, size, point): &(_, PixelSize, FocalPoint)| format!("{}x{} {point}", size.width, size.height);
        let size = self.portrait.as_ref().map(shape);
        let portrait = self.portrait.as_ref().map(|(key, _, _)| key);
        let mut digest = Sha256::new_with_prefix(LAYOUT);
        digest.update([u8::from(self.is_open)]);
        for part in [
            Some(&self.look.frame.to_owned()),
            self.cover.as_ref(),
            portrait,
            size.as_ref(),
            self.ornament.as_ref(),
            self.name.as_ref(),
            self.years.as_ref(),
        ] {
            let part = part.map_or("", String::as_str);
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        format!("{}.jpg", lower_hex(&digest.finalize()[..12]))
    }

    /// The path of the picture of the card with this slug.
    pub(super) fn path(&self, slug: &str) -> String {
        path::card_picture(slug, &self.file_name())
    }

    /// What it shows.
    pub(super) fn alt(&self) -> String {
        self.name.as_deref().map_or_else(|| words::PREVIEW_TITLE.to_owned(), words::in_memory_of)
    }

    /// Returns the JPEG, from memory or drawn now.
    pub(crate) async fn jpeg(&self, services: &Services) -> Result<bytes::Bytes, PreviewError> {
        services.renderer.drawing(&self.file_name(), self.svg(services)).await
    }

    async fn svg(&self, services: &Services) -> Result<bytes::Bytes, PreviewError> {
        let cover = stored(services, self.cover.as_deref()).await?;
        let figure = match &self.portrait {
            Some((key, size, point)) => {
                stored(services, Some(key)).await?.map(|picture| Figure::Portrait(picture, *size, *point))
            }
            None => stored(services, self.ornament.as_deref()).await?.map(Figure::Ornament),
        };
        let text = Text { name: self.name.as_deref(), years: self.years.as_deref() };
        Ok(drawing::svg(&self.look, cover.as_ref(), figure.as_ref(), self.is_open.then_some(&text)))
    }
}

/// Reads a picture; `None` if there is none.
async fn stored<'a>(services: &Services, key: Option<&'a str>) -> Result<Option<Stored<'a>>, MediaError> {
    let Some(key) = key else { return Ok(None) };
    Ok(services.media.get(key).await?.map(|bytes| Stored { key, bytes }))
}

/// `/kaart/<slug>/<name>.jpg`: the picture of a card that is online. An earlier name leads to the picture as it is now.
pub(in crate::web) async fn serve(context: &PageContext, slug: &str, name: &str) -> Outcome {
    let card = context.services.store.card_by_slug(slug).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    let preview = LinkPreview::of(&CardView::read(context, &card, None).await?);
    if preview.file_name() != name {
        return Ok(response::see_other(&context.path(&preview.path(slug))));
    }
    match preview.jpeg(&context.services).await {
        Ok(picture) => {
            let cached = format!("public, max-age={}", limits::PORTRAIT_CACHED.as_secs());
            let cached = HeaderValue::try_from(cached).expect("a number is visible ASCII");
            Ok(response::new(StatusCode::OK, "image/jpeg", picture).with(CACHE_CONTROL, cached))
        }
        Err(PreviewError::Media(error)) => Err(Failure::Media(error).into()),
        Err(error) => {
            tracing::warn!(card_id = %card.id, error = %ErrorChain(&error), "the picture of a card could not be drawn");
            Ok(error_pages::unavailable(context))
        }
    }
}

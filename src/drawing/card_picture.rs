//! The picture of a card for link previews and letters: the cover of its theme, and on it the portrait, name and years of an
//! open card.
//!
//! It is drawn when it is requested and kept in memory (decisions S13). Its name is a
//! digest of its contents, so a change of the card gives it another address.

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::look::{Look, look_of};
use super::svg::{Figure, Stored, Text, write_svg};
use crate::base::lower_hex;
use crate::media::{MediaError, RenderError};
use crate::model::{FocalPoint, LeadIn, PixelSize, Portrait, Rendition, Theme};
use crate::services::Services;

/// Changes with the layout of the picture, so that messengers fetch it again.
const LAYOUT: &[u8] = b"7";

/// The contents of the picture: of an open card the cover, and below it a sheet; otherwise the cover alone.
pub(crate) struct CardPicture {
    pub look: Look,
    /// Keys in the object store.
    pub cover: Option<String>,
    pub portrait: Option<(String, PixelSize, FocalPoint)>,
    pub ornament: Option<String>,
    pub lead_in: LeadIn,
    pub name: Option<String>,
    pub years: Option<String>,
    /// Without it the picture is the cover alone.
    pub is_open: bool,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    #[error("the object store failed")]
    Media(#[from] MediaError),
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
}

impl CardPicture {
    /// The cover of a theme with the portrait on its lower edge, for letters.
    pub(crate) fn of_letter(theme: Option<&Theme>, portrait: Option<&Portrait>, point: FocalPoint) -> Self {
        let cover = theme.and_then(Theme::cover).map(|image| format!("theme/{}", image.key));
        let portrait = portrait.map(|portrait| {
            (format!("rendition/{}", Rendition::Screen.key_of(&portrait.photo)), portrait.screen, point)
        });
        Self { portrait, ..Self::cover(look_of(theme.map(|theme| theme.handle.as_str())), cover) }
    }

    /// The cover alone.
    pub(crate) fn cover(look: Look, cover: Option<String>) -> Self {
        Self {
            look,
            cover,
            portrait: None,
            ornament: None,
            lead_in: LeadIn::default(),
            name: None,
            years: None,
            is_open: false,
        }
    }

    /// The last segment of its path.
    pub(crate) fn file_name(&self) -> String {
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
            Some(&self.lead_in.as_str().to_owned()),
            self.name.as_ref(),
            self.years.as_ref(),
        ] {
            let part = part.map_or("", String::as_str);
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        format!("{}.jpg", lower_hex(&digest.finalize()[..12]))
    }

    /// Returns the JPEG, from memory or drawn now.
    pub(crate) async fn jpeg(&self, services: &Services) -> Result<Bytes, PictureError> {
        services.renderer.drawing(&self.file_name(), self.svg(services)).await
    }

    async fn svg(&self, services: &Services) -> Result<Bytes, PictureError> {
        let cover = read_stored(services, self.cover.as_deref()).await?;
        let figure = match &self.portrait {
            Some((key, size, point)) => {
                read_stored(services, Some(key)).await?.map(|picture| Figure::Portrait(picture, *size, *point))
            }
            None => read_stored(services, self.ornament.as_deref()).await?.map(Figure::Ornament),
        };
        let text = Text { lead_in: self.lead_in, name: self.name.as_deref(), years: self.years.as_deref() };
        Ok(write_svg(&self.look, cover.as_ref(), figure.as_ref(), self.is_open.then_some(&text)))
    }
}

/// Reads a picture; `None` if there is none.
async fn read_stored<'a>(services: &Services, key: Option<&'a str>) -> Result<Option<Stored<'a>>, MediaError> {
    let Some(key) = key else { return Ok(None) };
    Ok(services.media.get(key).await?.map(|bytes| Stored { key, bytes }))
}

//! The addresses that the service gives out: all of them stand here (decisions S1, S7 and section 7).

use super::Services;
use crate::base::HttpUrl;
use crate::model::{self, PhotoKey, Rendition};

impl Services {
    /// Where the service's copy of a portrait can be seen.
    pub fn photo_address(&self, key: &PhotoKey) -> HttpUrl {
        self.address("/media/photo/", key.as_str())
    }

    /// Where a picture of a theme can be seen; `key` is its place below `theme/`.
    pub fn theme_image_address(&self, key: &str) -> HttpUrl {
        self.address("/media/theme/", key)
    }

    /// The public page of an active card.
    pub fn card_address(&self, slug: &str) -> HttpUrl {
        model::card_address(&self.public_base, slug)
    }

    /// The card, by an invitee's personal link.
    pub fn invitation_address(&self, token: &str) -> HttpUrl {
        self.address("/kaart/voor/", token)
    }

    /// The lasting link to an invitee list, for a mail.
    pub fn list_link_address(&self, token: &str) -> HttpUrl {
        self.address("/gasten/open/", token)
    }

    /// Where a rendition of a portrait can be seen.
    pub fn rendition_address(&self, rendition: Rendition, photo: &PhotoKey) -> HttpUrl {
        self.address("/media/rendition/", &rendition.key_of(photo))
    }

    /// The one-time link of a session.
    pub fn session_address(&self, token: &str) -> HttpUrl {
        self.address("/s/", token)
    }

    fn address(&self, path: &str, name: &str) -> HttpUrl {
        HttpUrl::trusted([self.public_base.as_str(), path, name].concat())
    }
}

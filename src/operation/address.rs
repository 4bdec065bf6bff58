//! The URLs of the service (decisions S1, S7 and section 7).

use super::Services;
use crate::base::HttpUrl;
use crate::model::{self, PhotoKey, Rendition};

impl Services {
    /// The URL of the service's copy of a portrait.
    pub fn photo_address(&self, key: &PhotoKey) -> HttpUrl {
        self.address("/media/photo/", key.as_str())
    }

    /// The URL of a theme picture; `key` is its key below `theme/`.
    pub fn theme_image_address(&self, key: &str) -> HttpUrl {
        self.address("/media/theme/", key)
    }

    /// The URL of an active card's public page.
    pub fn card_address(&self, slug: &str) -> HttpUrl {
        model::card_address(&self.public_base, slug)
    }

    /// The URL of the card with the personal token of an invitee.
    pub fn invitation_address(&self, token: &str) -> HttpUrl {
        self.address("/kaart/voor/", token)
    }

    /// The URL of the invitee list in an order mail.
    pub fn list_link_address(&self, token: &str) -> HttpUrl {
        self.address("/gasten/open/", token)
    }

    /// The URL of a rendition of a portrait.
    pub fn rendition_address(&self, rendition: Rendition, photo: &PhotoKey) -> HttpUrl {
        self.address("/media/rendition/", &rendition.key_of(photo))
    }

    /// The URL of a one-time session link.
    pub fn session_address(&self, token: &str) -> HttpUrl {
        self.address("/s/", token)
    }

    fn address(&self, path: &str, name: &str) -> HttpUrl {
        HttpUrl::trusted([self.public_base.as_str(), path, name].concat())
    }
}

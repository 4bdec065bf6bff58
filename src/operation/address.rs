//! The URLs of the service: its public base and a path of [`path`] (decisions S1, S7 and section 7).

use crate::base::HttpUrl;
use crate::model::{self, PhotoKey, Rendition, path};
use crate::services::Services;

impl Services {
    /// The URL of the service's copy of a portrait.
    pub fn photo_address(&self, key: &PhotoKey) -> HttpUrl {
        self.media_address("photo", key.as_str())
    }

    /// The URL of a rendition of a portrait.
    pub fn rendition_address(&self, rendition: Rendition, photo: &PhotoKey) -> HttpUrl {
        self.media_address("rendition", &rendition.key_of(photo))
    }

    /// The URL of a theme picture; `key` is its key below `theme/`.
    pub fn theme_image_address(&self, key: &str) -> HttpUrl {
        self.media_address("theme", key)
    }

    /// The URL of the logo of a partner; `key` is its key below `partner/`.
    pub fn logo_address(&self, key: &str) -> HttpUrl {
        self.media_address("partner", key)
    }

    /// The URL of an active card's public page.
    pub fn card_address(&self, slug: &str) -> HttpUrl {
        model::card_address(&self.public_base, slug)
    }

    /// The URL of the card with the personal token of an invitee.
    pub fn invitation_address(&self, token: &str) -> HttpUrl {
        self.address(&path::personal_link(token))
    }

    /// The URL of the invitee list in an order mail.
    pub fn list_link_address(&self, token: &str) -> HttpUrl {
        self.address(&path::invitee_list_link(token))
    }

    /// The URL of a one-time session link.
    pub fn session_address(&self, token: &str) -> HttpUrl {
        self.address(&path::session_link(token))
    }

    fn media_address(&self, kind: &str, key: &str) -> HttpUrl {
        HttpUrl::trusted(path::media(&self.public_base, kind, key))
    }

    fn address(&self, path: &str) -> HttpUrl {
        HttpUrl::trusted([self.public_base.as_str(), path].concat())
    }
}

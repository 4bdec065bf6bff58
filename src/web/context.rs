//! The context of every page: the services, and how browsers reach the service.
//!
//! Made once by the router; passed to every page.

use std::sync::{Arc, OnceLock};

use http::HeaderValue;
use url::Url;

use super::asset::{CardStyles, InlineStyle};
use super::session_guard::PageLimiter;
use crate::base::{HttpUrl, is_loopback};
use crate::drawing::CardStyle;
use crate::model::ADMIN_PATH;
use crate::services::Services;

pub(super) struct PageContext {
    pub services: Arc<Services>,
    /// The path of the administration, which precedes every path of it; empty for the other pages.
    prefix: &'static str,
    pub page_limiter: PageLimiter,
    /// Made when a card is shown first.
    styles: OnceLock<CardStyles>,
    /// Whether cookies are `Secure`: always, except over http on a developer's loopback address.
    pub secure: bool,
}

impl PageContext {
    pub(super) fn new(services: Arc<Services>) -> Self {
        let base = Url::parse(&services.public_base).ok();
        let secure = !base.as_ref().is_some_and(is_http_loopback);
        Self::with(services, "", secure)
    }

    /// The context of the administration, on its own listener; `secure` where that speaks TLS.
    pub(super) fn of_admin(services: Arc<Services>, secure: bool) -> Self {
        Self::with(services, ADMIN_PATH, secure)
    }

    fn with(services: Arc<Services>, prefix: &'static str, secure: bool) -> Self {
        let page_limiter = PageLimiter::new(&services.clock, services.policy.rate);
        Self { services, page_limiter, styles: OnceLock::new(), prefix, secure }
    }

    /// Puts the prefix before a path of the service, for links and forms.
    pub(super) fn path(&self, path: &str) -> String {
        [self.prefix, path].concat()
    }

    /// The style of a card.
    pub(super) fn card_style(&self, style: CardStyle) -> &InlineStyle {
        self.styles().get(style)
    }

    /// The policy of a card in a frame of the customizer.
    pub(super) fn framed_card_policy(&self) -> &HeaderValue {
        &self.styles().framed
    }

    fn styles(&self) -> &CardStyles {
        self.styles.get_or_init(|| CardStyles::new(self.prefix))
    }

    /// Removes the scheme and host from an address of the service, for links within the site.
    pub(super) fn local(&self, address: &HttpUrl) -> String {
        match address.as_str().strip_prefix(self.services.public_base.as_str()) {
            Some(path) => self.path(path),
            None => address.as_str().to_owned(),
        }
    }
}

/// Whether a URL is http to a loopback address.
fn is_http_loopback(url: &Url) -> bool {
    url.scheme() == "http" && is_loopback(url)
}

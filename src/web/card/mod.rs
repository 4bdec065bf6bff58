//! The page of a card, public and as a preview (decisions S7).
//!
//! [`CardView`] reads what a card shows, and [`render`] makes the page, for the public page and for the preview of the
//! customizer. `crop` is how a portrait is cropped.
//! `serve` handles `/kaart/…`: the public address and the personal links of invitees. `preview` is the picture for
//! messages, which `drawing` writes. `farewell` shows when and where the farewell is, and `calendar` writes it for calendars.

mod calendar;
pub(super) mod crop;
mod drawing;
mod farewell;
mod heading;
mod page;
pub(super) mod preview;
pub(super) mod serve;
mod view;

pub(super) use page::{Addresses, Frame, render};
pub(crate) use preview::LinkPreview;
pub(super) use view::CardView;

//! The picture of a card for link previews, at `/kaart/<slug>/<digest>.jpg`.

use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};

use super::view::{CardView, Picture};
use crate::base::{ErrorChain, limits};
use crate::drawing::{CardPicture, PictureError};
use crate::model::{Visibility, path};
use crate::operation::Failure;
use crate::response::{self, ResponseExt as _};
use crate::text::card as words;
use crate::text::date;
use crate::web::context::PageContext;
use crate::web::error_pages;
use crate::web::page::Outcome;

/// The picture of a card: without anything of the deceased if the card is by invitation.
pub(super) fn picture_of(view: &CardView) -> CardPicture {
    let is_open = view.visibility == Visibility::Open;
    let key = |picture: &Option<Picture>| picture.as_ref().map(|picture| picture.key.clone());
    let sized = |picture: &Picture| picture.size.map(|size| (picture.key.clone(), size, picture.focal_point));
    let years = date::years(view.date_of_birth, view.date_of_death);
    let of_open = CardPicture {
        look: view.look,
        cover: key(&view.wide_cover).or_else(|| key(&view.cover)),
        portrait: view.portrait.as_ref().and_then(sized),
        ornament: key(&view.ornament),
        lead_in: view.lead_in,
        name: view.name.clone(),
        years: Some(years.join(" – ")).filter(|years| !years.is_empty()),
        is_open,
    };
    match view.visibility {
        Visibility::Open => of_open,
        Visibility::Invitation => CardPicture::cover(view.look, key(&view.cover)),
    }
}

/// The path of the picture of the card with this slug.
pub(super) fn path_of(picture: &CardPicture, slug: &str) -> String {
    path::card_picture(slug, &picture.file_name())
}

/// The alternative text of the picture.
pub(super) fn alt_of(picture: &CardPicture) -> String {
    let named = picture.name.as_deref().map(|name| words::in_memory_of(picture.lead_in, name));
    named.unwrap_or_else(|| words::PREVIEW_TITLE.to_owned())
}

/// `/kaart/<slug>/<name>.jpg`: the picture of a card that is online. An earlier name leads to the picture as it is now.
pub(in crate::web) async fn serve_picture(context: &PageContext, slug: &str, name: &str) -> Outcome {
    let card = context.services.store.card_by_slug(slug).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    let picture = picture_of(&CardView::read(context, &card, None).await?);
    if picture.file_name() != name {
        return Ok(response::see_other(&context.path(&path_of(&picture, slug))));
    }
    match picture.jpeg(&context.services).await {
        Ok(jpeg) => {
            let cached = format!("public, max-age={}", limits::PORTRAIT_CACHED.as_secs());
            let cached = HeaderValue::try_from(cached).expect("a number is visible ASCII");
            Ok(response::new(StatusCode::OK, "image/jpeg", jpeg).with(CACHE_CONTROL, cached))
        }
        Err(PictureError::Media(error)) => Err(Failure::Media(error).into()),
        Err(error) => {
            tracing::warn!(card_id = %card.id, error = %ErrorChain(&error), "the picture of a card could not be drawn");
            Ok(error_pages::unavailable(context))
        }
    }
}

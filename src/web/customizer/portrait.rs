//! The portrait's page: a file that is sent, with the rules that hold for a partner's photo (specification, section 2.11).

use maud::{Markup, html};

use super::values;
use crate::base::{ErrorChain, Patch, limits};
use crate::model::{Card, PhotoKey, Rendition};
use crate::operation::photo::{self, UploadError};
use crate::web::date::with_time;
use crate::web::field::{self, Errors};
use crate::web::form::Form;
use crate::web::page_error::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::site::Site;
use crate::web::text::customizer as text;

/// The box that takes the portrait away.
const REMOVE: &str = "photo_remove";
/// A portrait that is kept already: of a form that was sent before, and met somebody else's.
pub(super) const KEPT: &str = "photo_kept";
/// The picture that shows what was chosen, before it is sent.
const PREVIEW: &str = "photo-preview";

/// What a form says about the portrait. A file is kept at once, so that it need not be sent again.
pub(super) async fn sent(
    site: &Site,
    visitor: &SessionUser,
    form: &mut Form,
    errors: &mut Errors,
) -> Outcome<Patch<PhotoKey>> {
    if let Some(bytes) = form.take_file() {
        match photo::upload(&site.services, &visitor.card, &visitor.session, bytes).await {
            Ok(key) => return Ok(Patch::Value(key)),
            Err(UploadError::Format) => errors.add(values::PHOTO, text::PHOTO_WRONG_FORMAT),
            Err(UploadError::TooLarge) => errors.add(values::PHOTO, text::PHOTO_TOO_LARGE),
            Err(UploadError::Unreadable) => errors.add(values::PHOTO, text::PHOTO_UNREADABLE),
            Err(UploadError::TooManyPixels) => errors.add(values::PHOTO, text::PHOTO_TOO_MANY_PIXELS),
            Err(UploadError::Busy) => errors.add(values::PHOTO, text::PHOTO_BUSY),
            Err(UploadError::TooMany { free_at }) => {
                errors.add(values::PHOTO, text::photo_too_many(limits::UPLOADS_PER_SESSION_HOUR, &with_time(free_at)));
            }
            Err(UploadError::NoSpace { free_at }) => {
                errors.add(values::PHOTO, text::photo_no_space(&with_time(free_at)));
            }
            Err(UploadError::Failed(failure)) => return Err(failure.into()),
        }
        return Ok(Patch::Absent);
    }
    let kept = form.text(KEPT);
    if !kept.is_empty() {
        // Nobody can guess the name of a portrait: who knows it has sent it.
        let key = PhotoKey::trusted(kept);
        if site.services.store.photo_is_there(&key).await? {
            return Ok(Patch::Value(key));
        }
        errors.add(values::PHOTO, text::PHOTO_GONE);
        return Ok(Patch::Absent);
    }
    Ok(if form.has(REMOVE) { Patch::Null } else { Patch::Absent })
}

/// Removes the portrait that the card showed before, unless it shows it still. What goes wrong is left to the sweep.
pub(super) async fn discard_replaced(site: &Site, before: &Card, after: &Card) {
    let replaced = before.deceased.photo.as_ref().filter(|key| after.deceased.photo.as_ref() != Some(key));
    if let Some(key) = replaced
        && let Err(failure) = photo::delete_unused(&site.services, key).await
    {
        tracing::warn!(card_id = %after.id, error = %ErrorChain(&failure), "a replaced photo is still there; the sweep removes it");
    }
}

/// The field of the file, with what is on the card now.
pub(super) async fn fields(site: &Site, card: &Card, errors: &Errors) -> Outcome<Markup> {
    let shown = match &card.deceased.photo {
        Some(key) => Some(shown(site, key, text::PHOTO_NOW).await?),
        None => None,
    };
    let error = errors.of(values::PHOTO);
    let described = field::described_by(values::PHOTO, Some(text::PHOTO_HINT), error);
    Ok(html! {
        @if let Some(shown) = &shown { (shown) }
        div.field.wrong[error.is_some()] {
            label for=(values::PHOTO) { (text::PHOTO) }
            (field::hint(values::PHOTO, Some(text::PHOTO_HINT)))
            (field::message(values::PHOTO, error))
            input #(values::PHOTO) name=(values::PHOTO) type="file" data-preview=(PREVIEW)
                accept="image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,.heic,.heif"
                aria-invalid=[error.map(|_| "true")] aria-describedby=[described];
            img #(PREVIEW) .portrait alt=(text::PHOTO_CHOSEN) hidden;
        }
        @if shown.is_some() { (field::tick_box(REMOVE, text::PHOTO_REMOVE, false, &Errors::default())) }
    })
}

/// A portrait as a picture, or a sentence where there is no rendition of it: not yet, or because it cannot be read.
pub(super) async fn shown(site: &Site, key: &PhotoKey, alt: &str) -> Outcome<Markup> {
    let viewable = site.services.store.portrait(key).await?.is_some();
    let address = site.local(&site.services.rendition_address(Rendition::Preview, key));
    Ok(html! {
        @if viewable { p { img.portrait src=(address) alt=(alt); } } @else { p { (text::PHOTO_KEPT) } }
    })
}

//! The portrait: an uploaded file, under the same rules as the photo of a partner (specification, section 2.11).

use maud::{Markup, html};

use super::values;
use crate::base::{ErrorChain, Patch, limits};
use crate::media::RenderError;
use crate::model::{Card, FocalPoint, Layout, PhotoKey, PixelSize, Portrait, Rendition};
use crate::operation::photo::{self, UploadError};
use crate::text::customizer as text;
use crate::text::date::with_time;
use crate::web::card::{CUT_RATIOS, Picture, crop_classes, is_cut, round_classes};
use crate::web::context::PageContext;
use crate::web::field::{Errors, described_by, hint, message, shorten, tick_box};
use crate::web::form::Form;
use crate::web::page::Outcome;
use crate::web::session_guard::SessionUser;

/// The checkbox that removes the portrait.
pub(super) const REMOVE: &str = "photo_remove";
/// The form field with the key of a portrait that was uploaded before an edit conflict.
pub(super) const KEPT: &str = "photo_kept";
/// The form field that says that the focal point was chosen on the photo of the same form, which the script shows before it is sent.
pub(super) const PLACED: &str = "photo_placed";
/// The form fields with the address at which a browser shows a photo that it has not sent, and with the size of that photo.
const SHOWN: &str = "photo_shown";
const SIZE: &str = "photo_size";

/// Returns the change of the portrait. A file is stored at once, so that it need not be sent again after an error.
pub(super) async fn sent(
    context: &PageContext,
    user: &SessionUser,
    form: &mut Form,
    errors: &mut Errors,
) -> Outcome<Patch<PhotoKey>> {
    if let Some(bytes) = form.take_file() {
        if bytes.is_empty() {
            errors.add(values::PHOTO, text::PHOTO_EMPTY);
            return Ok(Patch::Absent);
        }
        match photo::upload(&context.services, &user.card, &user.session, bytes).await {
            Ok(key) => return Ok(Patch::Value(key)),
            Err(UploadError::Photo(RenderError::Format)) => errors.add(values::PHOTO, text::PHOTO_WRONG_FORMAT),
            Err(UploadError::TooLarge) => errors.add(values::PHOTO, text::PHOTO_TOO_LARGE),
            Err(UploadError::Photo(RenderError::Unreadable)) => errors.add(values::PHOTO, text::PHOTO_UNREADABLE),
            Err(UploadError::Photo(RenderError::TooManyPixels)) => {
                errors.add(values::PHOTO, text::PHOTO_TOO_MANY_PIXELS)
            }
            Err(UploadError::Photo(RenderError::Busy | RenderError::TimeOut)) => {
                errors.add(values::PHOTO, text::PHOTO_BUSY);
            }
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
        // Keys are unguessable: only the user who uploaded the portrait knows it.
        let key = PhotoKey::trusted(kept);
        if context.services.store.photo_is_there(&key).await? {
            return Ok(Patch::Value(key));
        }
        errors.add(values::PHOTO, text::PHOTO_GONE);
        return Ok(Patch::Absent);
    }
    Ok(removed(form))
}

/// Returns the photo that a browser shows and has not sent, for a card in a frame of its page.
pub(super) fn read_unsent(form: &Form) -> Option<Picture> {
    let address = Some(form.text(SHOWN)).filter(|address| address.starts_with("blob:"))?;
    let (width, height) = form.text(SIZE).split_once('x')?;
    let side = |text: &str| text.parse::<u16>().ok().filter(|side| *side > 0).map(u32::from);
    Some(Picture {
        key: String::new(),
        address: shorten(address, limits::REFUSED_LINE_CHARS_SHOWN_MAX).to_owned(),
        alt: text::PHOTO.to_owned(),
        size: Some(PixelSize { width: side(width)?, height: side(height)? }),
        phone: None,
        focal_point: FocalPoint::parse(form.text(values::FOCAL_POINT)).unwrap_or_default(),
    })
}

/// The change of the portrait in a form without a file.
pub(super) fn removed(form: &Form) -> Patch<PhotoKey> {
    if form.has(REMOVE) { Patch::Null } else { Patch::Absent }
}

/// Deletes the previous portrait if it was replaced. The sweep deletes it if that fails.
pub(super) async fn discard_replaced(context: &PageContext, before: &Card, after: &Card) {
    let replaced = before.deceased.photo.as_ref().filter(|key| after.deceased.photo.as_ref() != Some(key));
    if let Some(key) = replaced
        && let Err(failure) = photo::delete_unused(&context.services, key).await
    {
        tracing::warn!(card_id = %after.id, error = %ErrorChain(&failure), "a replaced photo was not deleted; the sweep will delete it");
    }
}

/// The file field, with the current portrait.
pub(super) async fn fields(context: &PageContext, card: &Card, errors: &Errors) -> Outcome<Markup> {
    let photo = card.deceased.photo.as_ref();
    let portrait = context.services.store.portrait_of(card).await?;
    let size = portrait.as_ref().map(|portrait| portrait.screen);
    let is_small = |size: PixelSize| size.width.max(size.height) < limits::PHOTO_SMALL_SIDE_PIXELS;
    let error = errors.find(values::PHOTO);
    let described = described_by(values::PHOTO, Some(text::PHOTO_HINT), error);
    Ok(html! {
        div.field.wrong[error.is_some()] {
            label for=(values::PHOTO) { @if photo.is_some() { (text::PHOTO_OTHER) } @else { (text::PHOTO) } }
            (hint(values::PHOTO, Some(text::PHOTO_HINT)))
            (message(values::PHOTO, error))
            input #(values::PHOTO) name=(values::PHOTO) type="file"
                data-bytes-max=(limits::PHOTO_BYTES_MAX) data-too-large=(text::PHOTO_TOO_LARGE)
                accept="image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,.heic,.heif"
                aria-invalid=[error.map(|_| "true")] aria-describedby=[described];
        }
        @if photo.is_some() && portrait.is_none() { p { (text::PHOTO_KEPT) } }
        (focal_point(context, portrait.as_ref(), card))
        // The script shows them when a file is chosen.
        p.said role="status" data-warns="cut" hidden[!size.is_some_and(is_cut)] { (text::PHOTO_CUT) }
        p.said role="status" data-warns="small" hidden[!size.is_some_and(is_small)] { (text::PHOTO_SMALL) }
        @if photo.is_some() { (tick_box(REMOVE, text::PHOTO_REMOVE, false, &Errors::default())) }
    })
}

/// Nine radio buttons over the photo, and a preview of the crops. The button of the part with the stored point sends exactly that
/// point; the others send a fixed point of their part. Hidden without a photo, until the script shows one.
fn focal_point(context: &PageContext, portrait: Option<&Portrait>, card: &Card) -> Markup {
    let address = portrait
        .map(|portrait| context.local(&context.services.rendition_address(Rendition::Preview, &portrait.photo)));
    let stored = card.deceased.focal_point.unwrap_or_default();
    let size = portrait.map(|portrait| portrait.screen);
    let (width, height) = (size.map(|size| size.width), size.map(|size| size.height));
    let part = |tenth: u8| usize::from(tenth.min(FocalPoint::MAX - 1) * 3 / FocalPoint::MAX);
    let whole = size.and_then(|size| crop_classes(stored, size, Layout::Portrait)).unwrap_or_default();
    let round = size.map(|size| round_classes(stored, size)).unwrap_or_default();
    html! {
        fieldset #(values::FOCAL_POINT) .field.focal hidden[portrait.is_none()] disabled[portrait.is_none()]
            data-placed=(PLACED) data-shown=(SHOWN) data-size=(SIZE)
            data-narrow=(CUT_RATIOS.start()) data-wide=(CUT_RATIOS.end()) data-small=(limits::PHOTO_SMALL_SIDE_PIXELS) {
            legend { (text::FOCAL_POINT) }
            p.note { (text::FOCAL_POINT_HINT) }
            div.photo {
                img src=[address.as_deref()] alt=(text::PHOTO_NOW) width=[width] height=[height];
                div.parts {
                    @for (row, y) in [1_u8, 5, 9].into_iter().enumerate() {
                        @for (column, x) in [1_u8, 5, 9].into_iter().enumerate() {
                            @let is_stored = (part(stored.x()), part(stored.y())) == (column, row);
                            @let value = if is_stored { stored.to_string() } else { format!("{x},{y}") };
                            label {
                                input type="radio" name=(values::FOCAL_POINT) value=(value) checked[is_stored];
                                span.unseen { (text::FOCAL_POINTS[row][column]) }
                            }
                        }
                    }
                }
            }
            p.note { (text::FOCAL_POINT_CROPS) }
            div.crops {
                @if card.layout != Layout::Text { img class={ "whole " (whole) } src=[address.as_deref()] alt=(text::FOCAL_POINT_WHOLE); }
                img class={ "face " (round) } src=[address.as_deref()] alt=(text::FOCAL_POINT_CROPPED);
            }
        }
    }
}

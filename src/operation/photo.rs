//! Portraits: fetched from a partner or uploaded by the family, stored, rendered and deleted (specification, section 2.11;
//! decisions, section 7).
//!
//! The partner API returns the photo byte for byte as the partner supplied it. The pages show renditions only, because a
//! photo may contain the location where it was taken.

use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;

use super::{Caller, Failure, OperationError};
use crate::base::{ByteReservation, Holder, HttpUrl, Timestamp, limits};
use crate::media::{PhotoFormat, RenderError, Renditions, Requester};
use crate::model::messages::Consequence;
use crate::model::{Card, KeyMode, PhotoKey, Rendition, UserError, UserErrorCode, messages};
use crate::outbound::{FetchError, FetchLimits};
use crate::services::Services;

/// The field of every error.
const FIELD: &[&str] = &["input", "deceased", "photoUrl"];

/// Fetches the portrait, makes its renditions and stores a copy under an unguessable key.
///
/// The renditions are made now, so that a photo that cannot be decoded is refused while the partner can send another one.
pub(in crate::operation) async fn fetch(
    services: &Services,
    caller: &Caller,
    source: &HttpUrl,
    consequence: Consequence,
) -> Result<PhotoKey, OperationError> {
    let (format, bytes, renditions, _held) =
        caller.unless_abandoned(fetch_and_render(services, caller, source, consequence)).await??;
    let key = keep(services, format, bytes, renditions).await?;
    services.metrics.photo("kept");
    Ok(key)
}

/// Fetches the portrait and makes its renditions, when there is memory for it; returns them with that memory.
async fn fetch_and_render(
    services: &Services,
    caller: &Caller,
    source: &HttpUrl,
    consequence: Consequence,
) -> Result<(PhotoFormat, Bytes, Renditions, ByteReservation), OperationError> {
    let partner = Holder::Partner { id: caller.partner_id, test: caller.mode == KeyMode::Test };
    let mut held = services.photo_bytes.reserve([Some(partner), None]);
    if !held.wait_for(limits::PHOTO_BYTES_MAX, limits::PHOTO_WAIT).await {
        services.metrics.photo("not_processed");
        return Err(Failure::PhotosBusy.into());
    }
    let bytes = match services.outbound.fetch(source, FetchLimits::PHOTO).await {
        Ok(bytes) if bytes.is_empty() => {
            services.metrics.photo("status");
            let missing = UserError::new(UserErrorCode::Unprocessable, FIELD, messages::photo_missing(consequence));
            return Err(OperationError::refuse(missing));
        }
        Ok(bytes) => bytes,
        Err(error) => {
            services.metrics.photo(fetch_outcome(&error));
            return Err(OperationError::refuse(not_fetched(&error, consequence)));
        }
    };
    held.shrink_to(bytes.len());
    let refused = |error| {
        services.metrics.photo(render_outcome(error));
        match error {
            RenderError::Busy => Failure::PhotosBusy.into(),
            error => OperationError::refuse(not_rendered(error, consequence)),
        }
    };
    let format = PhotoFormat::sniff(&bytes).ok_or_else(|| {
        services.metrics.photo(render_outcome(RenderError::Format));
        OperationError::refuse(UserError::new(UserErrorCode::Invalid, FIELD, not_a_photo(&bytes, consequence)))
    })?;
    let free_at = take_bytes(services, caller.partner_id, caller.mode, bytes.len()).await?;
    if let Some(free_at) = free_at {
        services.metrics.photo("quota");
        let message = messages::photo_quota(bytes_max(caller.mode), free_at, consequence);
        return Err(OperationError::refuse(UserError::new(UserErrorCode::Unprocessable, FIELD, message)));
    }
    let renditions = services.renderer.renditions(bytes.clone(), Requester::partner(caller.partner_id)).await;
    Ok((format, bytes, renditions.map_err(refused)?, held))
}

/// The label in metrics.
fn fetch_outcome(error: &FetchError) -> &'static str {
    match error {
        FetchError::TooLarge => "too_large",
        FetchError::Status(_) | FetchError::Redirects => "status",
        FetchError::NoAnswer(cause) if cause.is_time_out() => "time_out",
        FetchError::NoAnswer(_) => "no_connection",
        FetchError::Refused => "refused",
    }
}

/// The label in metrics.
fn render_outcome(error: RenderError) -> &'static str {
    match error {
        RenderError::Format => "format",
        RenderError::Unreadable => "damaged",
        RenderError::TooManyPixels => "too_many_pixels",
        RenderError::Busy | RenderError::TimeOut => "not_processed",
    }
}

/// The user error for a photo that could not be fetched.
fn not_fetched(error: &FetchError, consequence: Consequence) -> UserError {
    let cause = match error {
        FetchError::TooLarge => {
            return UserError::new(UserErrorCode::Invalid, FIELD, messages::photo_too_large(consequence));
        }
        FetchError::Status(status) => messages::status(*status),
        FetchError::Redirects => messages::TOO_MANY_REDIRECTS.to_owned(),
        FetchError::NoAnswer(cause) if cause.is_time_out() => messages::TIME_OUT.to_owned(),
        FetchError::NoAnswer(_) => messages::NO_CONNECTION.to_owned(),
        FetchError::Refused => {
            return UserError::new(UserErrorCode::Unprocessable, FIELD, messages::photo_not_public(consequence));
        }
    };
    UserError::new(UserErrorCode::Unprocessable, FIELD, messages::photo_not_fetched(&cause, consequence))
}

/// Says what an address has instead of a photo, where that is known.
fn not_a_photo(bytes: &[u8], consequence: Consequence) -> String {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let begins = |tag: &str| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()));
    // The usual ones of the WHATWG MIME Sniffing Standard, section 7.1.
    if ["<!doctype html", "<html", "<head", "<body", "<script", "<!--"].into_iter().any(begins) {
        return messages::photo_is_web_page(consequence);
    }
    match bytes.starts_with(b"\x1f\x8b") {
        true => messages::photo_is_compressed(consequence),
        false => messages::photo_wrong_format(consequence),
    }
}

/// The user error for a fetched photo that cannot be used. It is INVALID only if the photo itself is at fault.
fn not_rendered(error: RenderError, consequence: Consequence) -> UserError {
    let (code, message) = match error {
        RenderError::Format => (UserErrorCode::Invalid, messages::photo_wrong_format(consequence)),
        RenderError::Unreadable => (UserErrorCode::Invalid, messages::photo_damaged(consequence)),
        RenderError::TooManyPixels => (UserErrorCode::Invalid, messages::photo_too_many_pixels(consequence)),
        RenderError::Busy | RenderError::TimeOut => {
            (UserErrorCode::Unprocessable, messages::photo_not_processed(consequence))
        }
    };
    UserError::new(code, FIELD, message)
}

/// Why a photo was refused; nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    #[error("the photo has too many bytes")]
    TooLarge,
    #[error(transparent)]
    Photo(RenderError),
    /// The browser session has reached its limit of an hour.
    #[error("the browser session has sent too many photos")]
    TooMany { free_at: Timestamp },
    /// The partner of the card has reached its limit of a day.
    #[error("too many bytes of photos are stored for the partner")]
    NoSpace { free_at: Timestamp },
    #[error(transparent)]
    Failed(Failure),
}

/// Stores a photo for this card, with its renditions.
pub async fn upload(
    services: &Services,
    card: &Card,
    session: &[u8; 32],
    photo: Bytes,
) -> Result<PhotoKey, UploadError> {
    if photo.len() > limits::PHOTO_BYTES_MAX {
        return Err(UploadError::TooLarge);
    }
    if let Some(free_at) = take_upload(services, session).await? {
        return Err(UploadError::TooMany { free_at });
    }
    let requester = Requester::card(card.partner_id, card.id);
    let taken = services.renderer.reencode(photo, requester).await.map_err(UploadError::Photo)?;
    let mode = KeyMode::from_test(card.test);
    if let Some(free_at) = take_bytes(services, card.partner_id, mode, taken.photo.len()).await? {
        return Err(UploadError::NoSpace { free_at });
    }
    Ok(keep(services, PhotoFormat::Jpeg, taken.photo, taken.renditions).await?)
}

impl<F: Into<Failure>> From<F> for UploadError {
    fn from(failure: F) -> Self {
        UploadError::Failed(failure.into())
    }
}

/// The bytes that a partner can store in a day, with keys of this mode and for their cards.
const fn bytes_max(mode: KeyMode) -> i64 {
    match mode {
        KeyMode::Live => limits::PHOTO_BYTES_PER_DAY_LIVE,
        KeyMode::Test => limits::PHOTO_BYTES_PER_DAY_TEST,
    }
}

/// Takes bytes from a partner's quota. Returns the start of the next window if there are not enough.
async fn take_bytes(
    services: &Services,
    partner_id: Uuid,
    mode: KeyMode,
    bytes: usize,
) -> Result<Option<Timestamp>, Failure> {
    let subject = format!("photo bytes:{}:{partner_id}", mode.as_str());
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    take(services, subject, bytes, bytes_max(mode), limits::PHOTO_BYTES_WINDOW).await
}

/// Takes an upload from the quota of a browser session; returns the same.
async fn take_upload(services: &Services, session: &[u8; 32]) -> Result<Option<Timestamp>, Failure> {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let subject = format!("uploads:{}", URL_SAFE_NO_PAD.encode(session));
    take(services, subject, 1, limits::UPLOADS_PER_SESSION_HOUR, limits::UPLOADS_WINDOW).await
}

async fn take(
    services: &Services,
    subject: String,
    amount: i64,
    max: i64,
    window: Duration,
) -> Result<Option<Timestamp>, Failure> {
    let now = services.clock.now();
    let began = services.store.use_quota(subject, amount, max, now.before(window), now).await?;
    Ok(began.map(|began| began.after(window)))
}

/// Stores a photo and its renditions under an unguessable key.
async fn keep(
    services: &Services,
    format: PhotoFormat,
    bytes: Bytes,
    renditions: Renditions,
) -> Result<PhotoKey, Failure> {
    let key = PhotoKey::trusted(format!("{}.{}", services.entropy.unguessable(), format.extension()));
    let now = services.clock.now();
    let render_at = now.after(limits::RENDERING_AFTER);
    services.store.put_photo(key.clone(), bytes.len() as i64, now, render_at).await?;
    let path = photo_path(&key);
    let photo = async { Ok(services.media.put(&path, bytes).await?) };
    tokio::try_join!(photo, keep_renditions(services, &key, renditions))?;
    Ok(key)
}

/// Renders the oldest photo that has no renditions, because its process ended too early. Returns false if
/// there is none.
///
/// A photo that cannot be rendered is not an error: its card is shown without a portrait.
pub(crate) async fn render_next(services: &Services) -> Result<bool, Failure> {
    let now = services.clock.now();
    let lease = now.after(limits::RENDERING_LEASE);
    let Some(key) = services.store.claim_photo_to_render(now, lease, limits::RENDERINGS_MAX).await? else {
        return Ok(false);
    };
    let done = render(services, &key).await;
    if let Err(Failure::Media(_)) = &done {
        // The object store is down: this attempt does not count.
        services.store.postpone_rendering(key).await?;
    }
    done.map(|()| true)
}

async fn render(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    let Some(photo) = services.media.get(&photo_path(key)).await? else {
        return Ok(()); // the bytes are not stored yet, or never will be: try again when the lease ends
    };
    match services.renderer.renditions(photo, Requester::worker()).await {
        Ok(made) => keep_renditions(services, key, made).await?,
        Err(RenderError::Busy | RenderError::TimeOut) => {
            tracing::warn!("rendering a photo took too long; it will be tried again");
        }
        Err(error) => {
            tracing::info!(%error, "a photo could not be rendered and will not be shown");
            services.store.record_rendering(key.clone(), None).await?;
        }
    }
    Ok(())
}

/// Stores the renditions of a photo and records that it can be shown.
async fn keep_renditions(services: &Services, key: &PhotoKey, made: Renditions) -> Result<(), Failure> {
    let [screen, phone, preview] =
        [Rendition::Screen, Rendition::Phone, Rendition::Preview].map(|rendition| rendition_path(rendition, key));
    tokio::try_join!(
        services.media.put(&screen, made.screen),
        services.media.put(&phone, made.phone),
        services.media.put(&preview, made.preview)
    )?;
    if !services.store.record_rendering(key.clone(), Some(made.screen_size)).await? {
        delete_files(services, key).await?; // the photo was deleted while its renditions were made
    }
    Ok(())
}

/// Deletes a photo that no card uses, with its renditions. Returns false if a card uses it.
///
/// Marks it for deletion first, so that no card takes it and no rendition is stored. The row is deleted last: if the object
/// store is down, the next housekeeping finds the row.
pub(crate) async fn delete_unused(services: &Services, key: &PhotoKey) -> Result<bool, Failure> {
    if !services.store.mark_photo_for_deletion(key.clone()).await? {
        return Ok(false);
    }
    delete_files(services, key).await?;
    Ok(services.store.delete_photo(key.clone()).await?)
}

/// Deletes the renditions of a photo, which are what pages show. `restore_renditions` makes them again.
pub(in crate::operation) async fn delete_renditions(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    services.store.forget_renditions(key.clone(), None).await?;
    delete_rendition_files(services, key).await
}

/// Lets the worker make the renditions of a photo again.
pub(in crate::operation) async fn restore_renditions(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    Ok(services.store.forget_renditions(key.clone(), Some(services.clock.now())).await?)
}

/// Deletes a photo and its renditions from the object store.
async fn delete_files(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    services.media.delete(&photo_path(key)).await?;
    delete_rendition_files(services, key).await
}

async fn delete_rendition_files(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    for rendition in Rendition::ALL {
        services.media.delete(&rendition_path(rendition, key)).await?;
    }
    Ok(())
}

fn photo_path(key: &PhotoKey) -> String {
    format!("photo/{}", key.as_str())
}

fn rendition_path(rendition: Rendition, key: &PhotoKey) -> String {
    format!("rendition/{}", rendition.key_of(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_error_names_consequence(refusal: impl Fn(Consequence) -> UserError, code: UserErrorCode, cause: &str) {
        let error = refusal(Consequence::NoCardCreated);
        assert_eq!(error.code, code, "{cause}");
        assert_eq!(error.field, FIELD);
        assert!(error.message.contains(cause), "{}", error.message);
        assert!(error.message.ends_with("Er is geen kaart aangemaakt."), "{}", error.message);
        let error = refusal(Consequence::CardUnchanged);
        assert!(error.message.ends_with("De kaart is niet gewijzigd."), "{}", error.message);
    }

    #[test]
    fn render_error_is_invalid_only_where_the_photo_is_at_fault() {
        for (error, code, cause) in [
            (RenderError::Format, UserErrorCode::Invalid, "formaat"),
            (RenderError::Unreadable, UserErrorCode::Invalid, "beschadigd"),
            (RenderError::TooManyPixels, UserErrorCode::Invalid, "pixels"),
            (RenderError::TimeOut, UserErrorCode::Unprocessable, "opnieuw"),
        ] {
            assert_error_names_consequence(|consequence| not_rendered(error, consequence), code, cause);
        }
    }
}

//! Photos and their renditions in the object store: kept, rendered and deleted.
//!
//! The row of a photo is written before its bytes and deleted after them. A process that dies in between leaves a row
//! without bytes, which housekeeping deletes, and never bytes without a row.

use bytes::Bytes;

use crate::base::limits;
use crate::media::{PhotoFormat, RenderError, Renditions, Requester};
use crate::model::{PhotoKey, Rendition};
use crate::operation::Failure;
use crate::services::Services;

/// Stores a photo and its renditions under an unguessable key.
pub(super) async fn keep(
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
        services.store.rendering_postponed(key).await?;
    }
    done.map(|()| true)
}

async fn render(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    let Some(photo) = services.media.get(&photo_path(key)).await? else {
        return Ok(()); // the bytes are not stored yet, or never will be: try again when the lease ends
    };
    match services.renderer.renditions(photo, Requester::worker()).await {
        Ok(made) => keep_renditions(services, key, made).await?,
        Err(RenderError::TimeOut) => tracing::warn!("a photo could not be rendered in time; it is tried again"),
        Err(error) => {
            tracing::info!(%error, "a photo cannot be shown");
            services.store.photo_rendered(key.clone(), None).await?;
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
    if !services.store.photo_rendered(key.clone(), Some(made.screen_size)).await? {
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

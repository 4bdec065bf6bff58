//! A photo and its renditions in the object store.

use bytes::Bytes;

use crate::base::{Timestamp, limits};
use crate::media::{PhotoFormat, Renditions};
use crate::model::{PhotoKey, Rendition};
use crate::operation::{Failure, Services};

/// Keeps a photo and its renditions under a name nobody can guess.
pub(super) async fn keep(
    services: &Services,
    format: PhotoFormat,
    bytes: Bytes,
    renditions: Renditions,
) -> Result<PhotoKey, Failure> {
    let key = PhotoKey::trusted(format!("{}.{}", services.entropy.unguessable(), format.extension()));
    // The row comes first: should the process die in between, the sweep finds a row without a photo, which it removes,
    // and never a photo without a row, which nobody would find.
    let now = services.clock.now();
    services.store.put_photo(key.clone(), bytes.len() as i64, now, render_at(now)).await?;
    let photo_path = format!("photo/{}", key.as_str());
    let photo = async { Ok(services.media.put(&photo_path, bytes).await?) };
    tokio::try_join!(photo, keep_renditions(services, &key, renditions))?;
    Ok(key)
}

/// When the worker looks for a photo whose renditions are still missing: the process ended while they were written.
fn render_at(now: Timestamp) -> Timestamp {
    now.after(limits::RENDERING_AFTER)
}

/// Keeps the renditions of a photo, and notes that it can be shown.
pub(super) async fn keep_renditions(services: &Services, key: &PhotoKey, made: Renditions) -> Result<(), Failure> {
    let (screen, preview) = (place_of(Rendition::Screen, key), place_of(Rendition::Preview, key));
    tokio::try_join!(services.media.put(&screen, made.screen), services.media.put(&preview, made.preview))?;
    if !services.store.photo_rendered(key.clone(), Some(made.screen_size)).await? {
        remove(services, key).await?; // it was swept while its renditions were made
    }
    Ok(())
}

/// Removes a photo that no card shows, with its renditions; false when a card shows it.
///
/// First it is condemned, so that no card takes it and no rendition of it is kept any more. Its row goes last: what could
/// not be removed because the object store is gone is found again by the next sweep.
pub async fn discard(services: &Services, key: &PhotoKey) -> Result<bool, Failure> {
    if !services.store.condemn_photo(key.clone()).await? {
        return Ok(false);
    }
    remove(services, key).await?;
    Ok(services.store.delete_photo(key.clone()).await?)
}

/// Removes a photo and its renditions from the object store, whatever of them is there.
async fn remove(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    services.media.delete(&format!("photo/{}", key.as_str())).await?;
    for rendition in Rendition::ALL {
        services.media.delete(&place_of(rendition, key)).await?;
    }
    Ok(())
}

fn place_of(rendition: Rendition, key: &PhotoKey) -> String {
    format!("rendition/{}", rendition.key_of(key))
}

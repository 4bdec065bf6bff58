//! The renditions of photos that were kept without them: the process ended in between, or an earlier version kept them.

use super::keep::keep_renditions;
use crate::base::limits;
use crate::media::{RenderError, Requester};
use crate::model::PhotoKey;
use crate::operation::{Failure, Services};

/// Makes the renditions of the photo that waits longest; false when none waits.
///
/// A photo that cannot be shown is no error of anybody's: the card goes without a portrait.
pub async fn render_next(services: &Services) -> Result<bool, Failure> {
    let now = services.clock.now();
    let lease = now.after(limits::RENDERING_LEASE);
    let Some(key) = services.store.claim_photo_to_render(now, lease, limits::RENDERINGS_MAX).await? else {
        return Ok(false);
    };
    let done = render(services, &key).await;
    if let Err(Failure::Media(_)) = &done {
        // The object store is gone, which is no fault of the photo's: it is tried again however long that lasts.
        services.store.rendering_postponed(key).await?;
    }
    done.map(|()| true)
}

async fn render(services: &Services, key: &PhotoKey) -> Result<(), Failure> {
    let Some(photo) = services.media.get(&format!("photo/{}", key.as_str())).await? else {
        return Ok(()); // its bytes are on their way, or never came: it is looked at again when the lease ends
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

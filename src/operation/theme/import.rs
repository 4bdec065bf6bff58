//! Imports themes: pictures into the object store first, then the row that names them.

use super::ThemeDraft;
use crate::base::text_enum;
use crate::model::{Theme, ThemeImage};
use crate::operation::Failure;
use crate::services::Services;

/// The effect of an import on a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Added,
    Changed,
    Unchanged,
}

text_enum!(Outcome { Added => "added", Changed => "changed", Unchanged => "unchanged" });

/// An imported theme.
#[derive(Clone, Debug)]
pub(crate) struct ImportedTheme {
    pub theme: Theme,
    pub outcome: Outcome,
}

/// Imports themes by their handles. A new theme is added; a known one gets the values of the draft and keeps its id.
///
/// A repeated import changes nothing, so an interrupted import can be repeated.
pub(crate) async fn import(services: &Services, drafts: Vec<ThemeDraft>) -> Result<Vec<ImportedTheme>, Failure> {
    let mut imported = Vec::new();
    for draft in drafts {
        for image in &draft.images {
            services.media.put(&format!("theme/{}", image.key), image.bytes.clone()).await?;
        }
        imported.push(put(services, draft).await?);
    }
    Ok(imported)
}

async fn put(services: &Services, draft: ThemeDraft) -> Result<ImportedTheme, Failure> {
    let stored = services.store.theme_by_handle(&draft.handle).await?;
    let (id, number) = match &stored {
        Some(theme) => (theme.id, theme.number),
        None => (services.entropy.uuid(services.clock.now()), 0), // the store gives a new theme its number
    };
    let images = draft.images.into_iter();
    let wanted = Theme {
        id,
        number,
        handle: draft.handle,
        title: draft.title,
        description: draft.description,
        images: images.map(|image| ThemeImage { key: image.key, alt_text: image.alt_text }).collect(),
        videos: draft.videos,
        demo_url: draft.demo_url,
        position: draft.position,
    };
    let outcome = match stored {
        Some(theme) if theme == wanted => return Ok(ImportedTheme { theme, outcome: Outcome::Unchanged }),
        Some(_) => Outcome::Changed,
        None => Outcome::Added,
    };
    Ok(ImportedTheme { theme: services.store.put_theme(wanted).await?, outcome })
}

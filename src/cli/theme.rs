//! `theme import|list|retire`.

use std::path::Path;

use serde_json::json;

use super::definition::ThemeCommand;
use super::failure::CliFailure;
use super::progress::Progress;
use super::stdout::Stdout;
use super::table::Table;
use super::view::ThemeView;
use crate::operation::{Services, theme};

pub(super) async fn run(services: &Services, command: ThemeCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        ThemeCommand::Import { folder } => import(services, &folder, stdout).await,
        ThemeCommand::List => list(services, stdout).await,
        ThemeCommand::Retire { theme, undo } => retire(services, &theme, undo, stdout).await,
    }
}

async fn import(services: &Services, folder: &Path, stdout: Stdout) -> Result<(), CliFailure> {
    let drafts = theme::read_folder(folder)?;
    let progress = Progress::of(drafts.len(), "Importing themes", stdout);
    let imported = theme::import(services, drafts, || progress.advance(1)).await?;
    drop(progress);
    let views: Vec<_> = imported.iter().map(ThemeView::from).collect();
    stdout.show(&json!({ "themes": views }), || table(&views))?;
    Ok(())
}

async fn list(services: &Services, stdout: Stdout) -> Result<(), CliFailure> {
    let all = theme::all(services).await?;
    let views: Vec<_> = all.iter().map(|(theme, at)| ThemeView::since(theme, *at)).collect();
    stdout.show(&json!({ "themes": views }), || match views.is_empty() {
        true => "There are no themes yet. Import some with: card-service theme import <folder>".to_owned(),
        false => table(&views),
    })?;
    Ok(())
}

async fn retire(services: &Services, which: &str, back: bool, stdout: Stdout) -> Result<(), CliFailure> {
    let theme = theme::retire(services, which, back).await?;
    let at = (!back).then(|| services.clock.now());
    stdout.show(&json!({ "theme": ThemeView::since(&theme, at) }), || {
        let end =
            if back { "can be chosen again" } else { "cannot be chosen any more; the cards that have it keep it" };
        format!("The theme \"{}\" (number {}) {end}.", theme.title, theme.number)
    })?;
    Ok(())
}

fn table(themes: &[ThemeView]) -> String {
    let with_outcome = themes.iter().any(|theme| theme.outcome.is_some());
    let last = if with_outcome { "import" } else { "id" };
    let mut table = Table::new(&["position", "number", "handle", "title", "images", "videos", "retired", last]);
    for theme in themes {
        table.row([
            theme.position.to_string(),
            theme.legacy_resource_id.clone(),
            theme.handle.clone(),
            theme.title.clone(),
            theme.images.to_string(),
            theme.videos.to_string(),
            theme.retired_at.clone().unwrap_or_default(),
            theme.outcome.map_or_else(|| theme.id.clone(), str::to_owned),
        ]);
    }
    table.render()
}

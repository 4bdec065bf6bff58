//! `theme import|list|retire`.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use super::audit::Audited;
use super::failure::CliFailure;
use super::output::{Output, render_table};
use super::view::{imported_theme_object, theme_object};
use crate::base::Step;
use crate::operation::theme;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum ThemeCommand {
    /// Import a theme, or all themes of a folder; an existing theme is changed to match the folder
    Import {
        /// A folder with a theme.toml, or a folder of such folders
        folder: PathBuf,
    },
    /// List all themes with their bare numbers, in the order that partners see, with the retired ones
    List,
    /// Retire a theme, so that it cannot be chosen; cards that have it keep it
    Retire {
        /// The bare number of the theme, its handle, or its global id
        theme: String,
        /// Restore the theme
        #[arg(long)]
        undo: bool,
    },
}

impl ThemeCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            ThemeCommand::Import { folder } => {
                let fields = &["title", "description", "images", "videos", "demoUrl", "position"];
                Audited::new("theme import", folder.display().to_string(), fields)
            }
            ThemeCommand::Retire { theme, .. } => Audited::new("theme retire", theme, &["retiredAt"]),
            ThemeCommand::List => None,
        }
    }
}

pub(super) async fn run(services: &Services, command: ThemeCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        ThemeCommand::Import { folder } => import(services, &folder, output).await,
        ThemeCommand::List => list(services, output).await,
        ThemeCommand::Retire { theme, undo } => retire(services, &theme, undo, output).await,
    }
}

async fn import(services: &Services, folder: &Path, output: Output) -> Result<(), CliFailure> {
    let drafts = theme::read_folder(folder)?;
    let progress = output.progress();
    progress.plan([Step::ImportThemes], "Run it again: themes that were imported stay as they are.");
    let imported = theme::import(services, drafts, progress).await?;
    let views: Vec<_> = imported.iter().map(imported_theme_object).collect();
    output.show(&json!({ "themes": views }), || table(&views, "import: outcome"))
}

async fn list(services: &Services, output: Output) -> Result<(), CliFailure> {
    let all = theme::list(services).await?;
    let views: Vec<_> = all.iter().map(|(theme, at)| theme_object(theme, *at)).collect();
    output.show(&json!({ "themes": views }), || match views.is_empty() {
        true => "There are no themes yet. Import some with: card-service theme import <folder>".to_owned(),
        false => table(&views, "id"),
    })
}

async fn retire(services: &Services, which: &str, back: bool, output: Output) -> Result<(), CliFailure> {
    let theme = theme::retire(services, which, back).await?;
    let at = (!back).then(|| services.clock.now());
    output.show(&json!({ "theme": theme_object(&theme, at) }), || {
        let end = if back { "can be chosen again" } else { "cannot be chosen; the cards that have it keep it" };
        format!("The theme \"{}\" (number {}) {end}.", theme.title, theme.number)
    })
}

fn table(themes: &[Value], last: &str) -> String {
    let columns = "position | number: legacyResourceId | handle | title | images | videos | retired: retiredAt";
    render_table(&format!("{columns} | {last}"), themes)
}

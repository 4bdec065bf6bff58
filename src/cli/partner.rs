//! `partner add`, `partner list`.

use serde_json::json;

use super::definition::PartnerCommand;
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::table::Table;
use super::view::PartnerView;
use crate::operation::{Services, partner};

pub(super) async fn run(services: &Services, command: PartnerCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        PartnerCommand::Add { name } => {
            let added = partner::add(services, &name).await?;
            stdout.show(&json!({ "partner": PartnerView::from(&added) }), || {
                format!("Added partner \"{}\" ({}).", added.name, added.id)
            })?;
        }
        PartnerCommand::List => {
            let partners: Vec<_> = partner::list(services).await?.iter().map(PartnerView::from).collect();
            stdout.show(&json!({ "partners": partners }), || table(&partners))?;
        }
    }
    Ok(())
}

fn table(partners: &[PartnerView]) -> String {
    if partners.is_empty() {
        return "There are no partners yet. Add one with: card-service partner add <name>".to_owned();
    }
    let mut table = Table::new(&["name", "id", "created", "blocked"]);
    for partner in partners {
        let blocked = if partner.blocked { "yes" } else { "no" };
        table.row([partner.name.clone(), partner.id.clone(), partner.created_at.clone(), blocked.to_owned()]);
    }
    table.render()
}

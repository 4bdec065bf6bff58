//! `partner add`, `partner list`, `partner show`, and what can be set of a partner.

use serde_json::json;

use super::definition::PartnerCommand;
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::table::Table;
use super::view::PartnerView;
use crate::model::Partner;
use crate::operation::{Services, partner};

pub(super) async fn run(services: &Services, command: PartnerCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        PartnerCommand::Add { name } => {
            let added = partner::add(services, &name).await?;
            stdout.show(&json!({ "partner": PartnerView::from(&added) }), || {
                format!("Added partner \"{}\" ({}).", added.name, added.id)
            })?;
        }
        PartnerCommand::Show { name } => show(&partner::find(services, &name).await?, stdout)?,
        PartnerCommand::TestAddress { name, email } => {
            show(&partner::set_test_address(services, &name, email.as_deref()).await?, stdout)?;
        }
        PartnerCommand::RefreshAddress { name, url } => {
            show(&partner::set_refresh_address(services, &name, url.as_deref()).await?, stdout)?;
        }
        PartnerCommand::Price { name, euros } => {
            show(&partner::set_price(services, &name, &euros).await?, stdout)?;
        }
        PartnerCommand::Block { name, yes } => {
            if !yes {
                let found = partner::find(services, &name).await?;
                let what = format!(
                    "This refuses every request of \"{}\", lets its families read and not change, and holds its notifications.",
                    found.name
                );
                return Err(CliFailure::NotSaidYes(what));
            }
            show(&partner::set_blocked(services, &name, true).await?, stdout)?;
        }
        PartnerCommand::Unblock { name } => show(&partner::set_blocked(services, &name, false).await?, stdout)?,
        PartnerCommand::List => {
            let partners: Vec<_> = partner::list(services).await?.iter().map(PartnerView::from).collect();
            stdout.show(&json!({ "partners": partners }), || table(&partners))?;
        }
    }
    Ok(())
}

/// Everything that is set of a partner.
fn show(partner: &Partner, stdout: Stdout) -> Result<(), CliFailure> {
    let view = PartnerView::from(partner);
    stdout.show(&json!({ "partner": view }), || {
        let mut text = String::new();
        for (name, value) in [
            ("Partner", view.name.as_str()),
            ("Id", &view.id),
            ("Created", &view.created_at),
            ("Blocked", if view.blocked { "yes" } else { "no" }),
            ("Test address", view.test_address.as_deref().unwrap_or("-")),
            ("Refresh address", view.refresh_address.as_deref().unwrap_or("-")),
            ("Price", &partner.price.to_string()),
        ] {
            text.push_str(&format!("{name:<15}  {value}\n"));
        }
        text
    })?;
    Ok(())
}

fn table(partners: &[PartnerView]) -> String {
    if partners.is_empty() {
        return "There are no partners yet. Add one with: card-service partner add <name>".to_owned();
    }
    let mut table = Table::new(&["name", "id", "created", "blocked", "test address", "refresh address", "price"]);
    for partner in partners {
        let blocked = if partner.blocked { "yes" } else { "no" };
        table.row([
            partner.name.clone(),
            partner.id.clone(),
            partner.created_at.clone(),
            blocked.to_owned(),
            partner.test_address.clone().unwrap_or_default(),
            partner.refresh_address.clone().unwrap_or_default(),
            partner.price.clone(),
        ]);
    }
    table.render()
}

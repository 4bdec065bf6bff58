//! `partner add|list|show`, and the settings of a partner.

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;

use super::audit::Audited;
use super::failure::CliFailure;
use super::output::Output;
use super::table::Table;
use super::view::PartnerView;
use super::webhook::{self, SecretView};
use crate::model::Partner;
use crate::operation::organisation::{OrganisationField, set_organisation};
use crate::operation::partner;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum PartnerCommand {
    /// Add a partner, and issue its first signing secret, which is shown once
    Add {
        /// The name of the partner, unique and at most 255 characters
        name: String,
    },
    /// List all partners
    List,
    /// Show a partner
    Show {
        /// The name of the partner
        name: String,
    },
    /// Give a partner another name, which is unique; its keys, cards and subscriptions stay
    Rename {
        /// The name of the partner
        name: String,
        /// Its new name, at most 255 characters
        new_name: String,
    },
    /// Refuse a partner's requests, within seconds; its families can only read, its notifications wait, its cards stay
    /// online
    Block {
        /// The name of the partner
        name: String,
        /// Do it; without this, only report what would happen
        #[arg(long)]
        yes: bool,
    },
    /// Unblock a partner; its notifications are sent
    Unblock {
        /// The name of the partner
        name: String,
    },
    /// Set the recipient of all mail of a partner's test cards; test cards cannot be ordered without it
    TestAddress {
        /// The name of the partner
        name: String,
        /// The e-mail address; without one, it is removed
        email: Option<String>,
    },
    /// Set the partner's page where a family asks for a new session link
    RefreshAddress {
        /// The name of the partner
        name: String,
        /// An http or https URL, to which ?card=<gid>&target=<target> is added; without one, it is removed
        url: Option<String>,
    },
    /// Set the price of a card for the family
    Price {
        /// The name of the partner
        name: String,
        /// In euros and including VAT, such as 49,50
        euros: String,
    },
    /// Set the name of the funeral organisation that families see on every page and mail
    ShownName {
        /// The name of the partner
        name: String,
        /// Without one, families see the name of the partner
        shown_name: Option<String>,
    },
    /// Set the telephone number at which families get help
    Phone {
        /// The name of the partner
        name: String,
        /// Such as "020 123 45 67"; without one, it is removed
        phone: Option<String>,
    },
    /// Set the e-mail address at which families get help
    Email {
        /// The name of the partner
        name: String,
        /// Without one, it is removed
        email: Option<String>,
    },
    /// Set the address of the partner's privacy statement
    PrivacyUrl {
        /// The name of the partner
        name: String,
        /// An http or https URL; without one, it is removed
        url: Option<String>,
    },
    /// Set the logo that families see on every page
    Logo {
        /// The name of the partner
        name: String,
        /// A picture of at most 100 KiB: svg, png, jpeg or webp; without one, the logo is removed
        file: Option<PathBuf>,
    },
}

impl PartnerCommand {
    /// What the command changes; `None` if it only reads.
    pub(super) fn audited(&self) -> Option<Audited> {
        match self {
            PartnerCommand::Add { name } => Audited::new("partner add", name, &["name", "secret"]),
            PartnerCommand::Rename { name, .. } => Audited::new("partner rename", name, &["name"]),
            PartnerCommand::Block { name, .. } => Audited::new("partner block", name, &["blocked"]),
            PartnerCommand::Unblock { name } => Audited::new("partner unblock", name, &["blocked"]),
            PartnerCommand::TestAddress { name, .. } => Audited::new("partner test-address", name, &["testAddress"]),
            PartnerCommand::RefreshAddress { name, .. } => {
                Audited::new("partner refresh-address", name, &["refreshAddress"])
            }
            PartnerCommand::Price { name, .. } => Audited::new("partner price", name, &["price"]),
            PartnerCommand::ShownName { name, .. } => Audited::new("partner shown-name", name, &["shownName"]),
            PartnerCommand::Phone { name, .. } => Audited::new("partner phone", name, &["phone"]),
            PartnerCommand::Email { name, .. } => Audited::new("partner email", name, &["email"]),
            PartnerCommand::PrivacyUrl { name, .. } => Audited::new("partner privacy-url", name, &["privacyUrl"]),
            PartnerCommand::Logo { name, .. } => Audited::new("partner logo", name, &["logo"]),
            PartnerCommand::List | PartnerCommand::Show { .. } => None,
        }
    }
}

pub(super) async fn run(services: &Services, command: PartnerCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        PartnerCommand::Add { name } => {
            let (added, issued) = partner::add(services, &name).await?;
            let view = SecretView::new(&added, &issued, services.clock.now());
            let secret = issued.secret.reveal();
            let object = json!({ "partner": PartnerView::from(&added), "webhookSecret": view, "secret": secret });
            output.show(&object, || {
                format!("{}\n\nAdded partner \"{}\" ({}).", webhook::shown_once(&view, &secret), added.name, added.id)
            })
        }
        PartnerCommand::Show { name } => show(&partner::find(services, &name).await?, output),
        PartnerCommand::Rename { name, new_name } => show(&partner::rename(services, &name, &new_name).await?, output),
        PartnerCommand::TestAddress { name, email } => {
            show(&partner::set_test_address(services, &name, email.as_deref()).await?, output)
        }
        PartnerCommand::RefreshAddress { name, url } => {
            show(&partner::set_refresh_address(services, &name, url.as_deref()).await?, output)
        }
        PartnerCommand::Price { name, euros } => show(&partner::set_price(services, &name, &euros).await?, output),
        PartnerCommand::ShownName { name, shown_name } => {
            set(services, &name, OrganisationField::ShownName(shown_name.as_deref()), output).await
        }
        PartnerCommand::Phone { name, phone } => {
            set(services, &name, OrganisationField::Phone(phone.as_deref()), output).await
        }
        PartnerCommand::Email { name, email } => {
            set(services, &name, OrganisationField::Email(email.as_deref()), output).await
        }
        PartnerCommand::PrivacyUrl { name, url } => {
            set(services, &name, OrganisationField::PrivacyUrl(url.as_deref()), output).await
        }
        PartnerCommand::Logo { name, file } => {
            let Some(path) = file else { return set(services, &name, OrganisationField::Logo(None), output).await };
            let bytes = std::fs::read(&path).map_err(|error| CliFailure::File(path.clone(), error))?;
            let file = path.to_string_lossy();
            set(services, &name, OrganisationField::Logo(Some((&file, bytes.into()))), output).await
        }
        PartnerCommand::Block { name, yes } => {
            if !yes {
                let found = partner::find(services, &name).await?;
                let what = format!(
                    "This refuses every request of \"{}\", lets its families read and not change, and holds its notifications.",
                    found.name
                );
                return Err(CliFailure::dry_run(what, None));
            }
            show(&partner::set_blocked(services, &name, true).await?, output)
        }
        PartnerCommand::Unblock { name } => show(&partner::set_blocked(services, &name, false).await?, output),
        PartnerCommand::List => {
            let partners: Vec<_> = partner::list(services).await?.iter().map(PartnerView::from).collect();
            output.show(&json!({ "partners": partners }), || table(&partners))
        }
    }
}

/// Sets what families see of a partner, and shows all its settings.
async fn set(services: &Services, name: &str, field: OrganisationField<'_>, output: Output) -> Result<(), CliFailure> {
    show(&set_organisation(services, name, field).await?, output)
}

/// Shows all settings of a partner.
fn show(partner: &Partner, output: Output) -> Result<(), CliFailure> {
    let view = PartnerView::from(partner);
    output.show(&json!({ "partner": view }), || {
        let mut text = String::new();
        for (name, value) in [
            ("Partner", view.name.as_str()),
            ("Id", &view.id),
            ("Created", &view.created_at),
            ("Blocked", if view.blocked { "yes" } else { "no" }),
            ("Test address", view.test_address.as_deref().unwrap_or("-")),
            ("Refresh address", view.refresh_address.as_deref().unwrap_or("-")),
            ("Price", &partner.price.to_string()),
            ("Shown name", &view.shown_name),
            ("Phone", view.phone.as_deref().unwrap_or("-")),
            ("E-mail", view.email.as_deref().unwrap_or("-")),
            ("Privacy", view.privacy_url.as_deref().unwrap_or("-")),
            ("Logo", view.logo.as_deref().unwrap_or("-")),
        ] {
            text.push_str(&format!("{name:<15}  {value}\n"));
        }
        text
    })
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

//! `partner add|list|show`, and the settings of a partner.

use bytes::Bytes;
use clap::Subcommand;
use serde_json::{Value, json};

use super::audit::Audited;
use super::failure::{CliError, CliFailure};
use super::output::{Output, render_lines, render_table};
use super::view::partner_object;
use super::webhook::{secret_object, shown_once};
use crate::model::Partner;
use crate::operation::organisation::OrganisationField;
use crate::operation::partner::{self, PartnerSetting};
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
    /// Refuse a partner's requests, within seconds; its families can only read, its notifications wait, its cards stay
    /// online
    Block {
        /// The name of the partner
        name: String,
        /// Do it; without this, only report what would happen
        #[arg(long)]
        yes: bool,
        /// Unblock it; its notifications are sent
        #[arg(long, conflicts_with = "yes")]
        undo: bool,
    },
    /// Change settings of a partner; if one is refused, none is changed
    #[command(after_help = SETTINGS)]
    Set {
        /// The name of the partner
        name: String,
        /// A setting and its value, such as phone="020 123 45 67"; without a value (phone=), it is removed
        #[arg(required = true, value_name = "FIELD=VALUE", value_parser = setting)]
        settings: Vec<Setting>,
    },
}

const SETTINGS: &str = "Settings:
  name             of the partner in these commands, unique and at most 255 characters; its keys, cards and subscriptions stay
  shown-name       the name of the funeral organisation on pages and mails; without one, the name of the partner
  phone            where families get help, such as \"020 123 45 67\"
  email            where families get help
  privacy-url      the privacy statement
  logo             a file of at most 100 KiB: svg, png, jpeg or webp
  price            of a card for the family, in euros and including VAT, such as 49,50
  test-address     gets all mail of test cards, which cannot be ordered without it
  refresh-address  the page where a family asks for a new link; ?card=<gid>&target=<target> is added";

/// The settings by their names on the command line and in the JSON output.
const FIELDS: [(&str, &str); 9] = [
    ("name", "name"),
    ("shown-name", "shownName"),
    ("phone", "phone"),
    ("email", "email"),
    ("privacy-url", "privacyUrl"),
    ("logo", "logo"),
    ("price", "price"),
    ("test-address", "testAddress"),
    ("refresh-address", "refreshAddress"),
];

/// A setting with its new value; `None` removes it.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// One of [`FIELDS`].
    field: (&'static str, &'static str),
    value: Option<String>,
}

fn setting(text: &str) -> Result<Setting, String> {
    let known = || FIELDS.map(|(name, _)| name).join(", ");
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("has no =, as in phone=112. Settings: {}", known()))?;
    let field = FIELDS.into_iter().find(|(known, _)| *known == name);
    let field = field.ok_or_else(|| format!("{name} is no setting. Settings: {}", known()))?;
    Ok(Setting { field, value: Some(value.to_owned()).filter(|value| !value.is_empty()) })
}

impl PartnerCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            PartnerCommand::Add { name } => Audited::new("partner add", name, &["name", "secret"]),
            PartnerCommand::Block { name, .. } => Audited::new("partner block", name, &["blocked"]),
            PartnerCommand::Set { name, settings } => {
                let fields: Vec<_> = settings.iter().map(|setting| setting.field.1).collect();
                Audited::new("partner set", name, fields.leak()) // a process runs one command, so the leak is bounded
            }
            PartnerCommand::List | PartnerCommand::Show { .. } => None,
        }
    }
}

pub(super) async fn run(services: &Services, command: PartnerCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        PartnerCommand::Add { name } => {
            let (added, issued) = partner::add(services, &name).await?;
            let view = secret_object(&added, &issued, services.clock.now());
            let secret = issued.secret.reveal();
            let object = json!({ "partner": partner_object(&added), "webhookSecret": view, "secret": secret });
            output.show(&object, || {
                format!("{}\n\nAdded partner \"{}\" ({}).", shown_once(&added, &issued), added.name, added.id)
            })
        }
        PartnerCommand::Show { name } => show(&partner::find(services, &name).await?, output),
        PartnerCommand::Set { name, settings } => set(services, &name, &settings, output).await,
        PartnerCommand::Block { name, undo: true, .. } => {
            show(&partner::set_blocked(services, &name, false).await?, output)
        }
        PartnerCommand::Block { name, yes, undo: false } => {
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
        PartnerCommand::List => {
            let partners: Vec<_> = partner::list(services).await?.iter().map(partner_object).collect();
            output.show(&json!({ "partners": partners }), || table(&partners))
        }
    }
}

/// Changes settings of a partner, and shows all of them.
async fn set(services: &Services, name: &str, settings: &[Setting], output: Output) -> Result<(), CliFailure> {
    let mut changes = Vec::new();
    for Setting { field: (field, _), value } in settings {
        let value = value.as_deref();
        changes.push(match *field {
            "name" => PartnerSetting::Name(value.unwrap_or_default()),
            "test-address" => PartnerSetting::TestAddress(value),
            "refresh-address" => PartnerSetting::RefreshAddress(value),
            "price" => PartnerSetting::Price(value.unwrap_or_default()),
            "shown-name" => PartnerSetting::Organisation(OrganisationField::ShownName(value)),
            "phone" => PartnerSetting::Organisation(OrganisationField::Phone(value)),
            "email" => PartnerSetting::Organisation(OrganisationField::Email(value)),
            "privacy-url" => PartnerSetting::Organisation(OrganisationField::PrivacyUrl(value)),
            _ => PartnerSetting::Organisation(OrganisationField::Logo(value.map(read_logo).transpose()?)),
        });
    }
    show(&partner::change(services, name, changes).await?, output)
}

fn read_logo(file: &str) -> Result<(&str, Bytes), CliFailure> {
    let bytes = std::fs::read(file).map_err(|error| CliError::File(file.into(), error))?;
    Ok((file, bytes.into()))
}

/// Shows all settings of a partner.
fn show(partner: &Partner, output: Output) -> Result<(), CliFailure> {
    let view = partner_object(partner);
    let fields = "Partner: name | Id: id | Created: createdAt | Blocked: blocked | Test address: testAddress | \
                  Refresh address: refreshAddress | Price: price | Shown name: shownName | Phone: phone | \
                  E-mail: email | Privacy: privacyUrl | Logo: logo";
    output.show(&json!({ "partner": view }), || render_lines(fields, &view))
}

fn table(partners: &[Value]) -> String {
    if partners.is_empty() {
        return "There are no partners yet. Add one with: card-service partner add <name>".to_owned();
    }
    let columns = "name | id | created: createdAt | blocked | test address: testAddress | \
                   refresh address: refreshAddress | price";
    render_table(columns, partners)
}

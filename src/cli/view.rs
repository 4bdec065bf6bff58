//! The JSON of `--json`: stable names, for scripts. Fields are added, never renamed or removed.
//!
//! | command | object |
//! |---|---|
//! | `serve` | `{"listening", "metrics", "admin", "database"}`, once the server accepts connections |
//! | `serve --print-config` | `{"settings": {NAME: {"value", "origin"}}}` |
//! | `doctor` | `{"version", "user", "settings", "database", …, "checks": [{"name", "severity", "outcome", "reason", "action"}]}`; exit code 1 if one failed |
//! | `init` | `{"created", "migrated": […]}`, the names |
//! | `init --status` | `{"migrations": [{"name", "state"}]}` |
//! | `demo` | `{"listening", "partner", "key", "token", "themes", "webhookSecret", "endpoint", "schema", "createCard", "readCard"}`, then `{"notification"}` for each one that arrives |
//! | `partner add` | `{"partner", "webhookSecret", "secret"}` |
//! | `partner list` | `{"partners": […]}` |
//! | `partner show`, `partner block`, `partner set` | `{"partner"}` |
//! | `key issue` | `{"key", "token"}` |
//! | `key rotate` | `{"key", "token", "previous"}` |
//! | `key revoke` | `{"key"}` |
//! | `key list` | `{"keys": […]}` |
//! | `session list` | `{"sessions": […]}` |
//! | `session revoke` | `{"ended"}`, how many |
//! | `theme import` | `{"themes": […]}`, each with its `outcome`: `added`, `changed` or `unchanged` |
//! | `theme list` | `{"themes": […]}` |
//! | `theme retire` | `{"theme"}` |
//! | `card order`, `card activate`, `card take-offline`, `card show` | `{"card"}` |
//! | `card list` | `{"cards": […]}` |
//! | `card delete` | `{"deleted"}`, the global id; with `--listed` `{"deletedListed"}`, how many; with `--test-cards-of` `{"deleted": […]}` |
//! | `card export` | `{"folder", "files": […]}` |
//! | `invitees purge` | `{"removed"}`, how many |
//! | `mail list` | `{"mails": […]}` |
//! | `mail resend` | `{"mail"}`, the new one |
//! | `mail test` | `{"to", "sent"}` |
//! | `report orders` | `{"orders": [{"month", "partner", "orders", "cents"}]}` |
//! | `report orders --lines` | `{"lines": [{"day", "partner", "number", "externalDossierId", "cents"}]}` |
//! | `retention show` | `{"retention": [{"data", "kept", "from", "setting", "due"}]}` |
//! | `backup` | `{"backup", "bytes", "schemaVersion", "rows": {TABLE: count}}` |
//! | `admin link` | `{"operator", "url", "expiresAt"}` |
//! | `admin list` | `{"sessions": [{"operator", "state", "createdAt", "openedAt", "seenAt", "endedAt"}]}` |
//! | `admin revoke` | `{"ended"}`, how many |
//! | `audit list` | `{"audit": [{"at", "actor", "command", "subject", "fields"}]}` |
//! | `webhook list` | `{"subscriptions": […]}` |
//! | `webhook show` | `{"subscription", "deliveries": […]}`, or `{"delivery", "attempts": […]}` |
//! | `webhook pause` | `{"subscription"}` |
//! | `webhook resume` | `{"subscription", "released"}` |
//! | `webhook replay` | `{"delivery"}`, or with `--since` `{"subscription", "since", "replayed"}` |
//! | `webhook secret issue` | `{"webhookSecret", "secret"}` |
//! | `webhook secret rotate` | `{"webhookSecret", "secret", "previous"}` |
//! | `webhook secret list` | `{"webhookSecrets": […]}` |
//! | `webhook secret revoke` | `{"webhookSecret"}` |
//! | `webhook verify` | `{"genuine", "part", "message", "fingerprint"}` |
//! | `man` | `{"manual"}`, the path of its first page |
//!
//! A failure is `{"error", "causes": […]}`, and a command that was not given `--yes` `{"dryRun": true, "what", "count"}`, with exit
//! code 1 both. Every command that changes something adds `"database"`: the path of the file, or host and name. Timestamps are RFC 3339
//! in UTC with three decimals; missing values are null.

use serde::Serialize;

use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{AccessKey, Card, Event, Mail, MailState, Partner, Theme};
use crate::operation::theme::ImportedTheme;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PartnerView {
    pub id: String,
    pub name: String,
    pub blocked: bool,
    pub created_at: String,
    pub test_address: Option<String>,
    pub refresh_address: Option<String>,
    /// In euro cents, including VAT.
    pub price_cents: i64,
    /// In Dutch format.
    pub price: String,
    /// The name that families see, which may be that of the operator.
    pub shown_name: String,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub privacy_url: Option<String>,
    /// Its key in the object store.
    pub logo: Option<String>,
}

impl From<&Partner> for PartnerView {
    fn from(partner: &Partner) -> Self {
        Self {
            id: partner.id.to_string(),
            name: partner.name.clone(),
            blocked: partner.blocked,
            created_at: partner.created_at.to_string(),
            test_address: partner.test_address.clone(),
            refresh_address: partner.refresh_address.as_ref().map(|address| address.to_string()),
            price_cents: partner.price.cents(),
            price: partner.price.to_string(),
            shown_name: partner.shown_name().to_owned(),
            phone: partner.phone.clone(),
            email: partner.email.clone(),
            privacy_url: partner.privacy_url.as_ref().map(|address| address.to_string()),
            logo: partner.logo.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeyView {
    pub id: String,
    /// The name of the partner.
    pub partner: String,
    pub mode: &'static str,
    pub last_four: String,
    pub label: Option<String>,
    pub created_at: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
    pub last_used_at: Option<String>,
}

impl KeyView {
    pub(super) fn new(partner: &Partner, key: &AccessKey) -> Self {
        Self {
            id: key.id.to_string(),
            partner: partner.name.clone(),
            mode: key.mode.as_str(),
            last_four: key.last_four.clone(),
            label: key.label.clone(),
            created_at: key.created_at.to_string(),
            expires_at: key.expires_at.map(|moment| moment.to_string()),
            revoked_at: key.revoked_at.map(|moment| moment.to_string()),
            last_used_at: key.last_used_at.map(|moment| moment.to_string()),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThemeView {
    /// The global id.
    pub id: String,
    pub legacy_resource_id: String,
    pub handle: String,
    pub title: String,
    pub position: i64,
    pub images: usize,
    pub videos: usize,
    pub demo_url: Option<String>,
    /// When it was retired.
    pub retired_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<&'static str>,
}

impl From<&Theme> for ThemeView {
    fn from(theme: &Theme) -> Self {
        Self {
            id: GlobalId::new(Kind::Theme, theme.id).to_string(),
            legacy_resource_id: theme.number.to_string(),
            handle: theme.handle.clone(),
            title: theme.title.clone(),
            position: theme.position,
            images: theme.images.len(),
            videos: theme.videos.len(),
            demo_url: theme.demo_url.as_ref().map(|address| address.to_string()),
            retired_at: None,
            outcome: None,
        }
    }
}

impl ThemeView {
    /// A theme with the time of its retirement.
    pub(super) fn since(theme: &Theme, retired_at: Option<Timestamp>) -> Self {
        Self { retired_at: retired_at.map(|at| at.to_string()), ..Self::from(theme) }
    }
}

impl From<&ImportedTheme> for ThemeView {
    fn from(imported: &ImportedTheme) -> Self {
        Self { outcome: Some(imported.outcome.as_str()), ..Self::from(&imported.theme) }
    }
}

/// A card in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardSummary {
    /// The global id.
    pub id: String,
    /// The name of the partner.
    pub partner: String,
    pub external_dossier_id: String,
    pub status: &'static str,
    pub card_url: Option<String>,
    pub offline_since: Option<String>,
    pub test: bool,
    pub created_at: String,
    pub updated_at: String,
}

impl CardSummary {
    pub(super) fn new(card: &Card, partner: String, public_base: &str) -> Self {
        Self {
            id: GlobalId::new(Kind::Card, card.id).to_string(),
            partner,
            external_dossier_id: card.external_dossier_id.clone(),
            status: card.status.as_str(),
            card_url: card.slug.as_ref().map(|slug| format!("{public_base}/kaart/{slug}")),
            offline_since: card.offline_since.map(|at| at.to_string()),
            test: card.test,
            created_at: card.created_at.to_string(),
            updated_at: card.updated_at.to_string(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardView {
    #[serde(flatten)]
    pub card: CardSummary,
    /// The handle of the theme.
    pub theme: Option<String>,
    /// In the order of their sequence.
    pub events: Vec<EventView>,
    /// Oldest first; those that are finished for 30 days.
    pub mails: Vec<MailView>,
}

/// A card and the other data of its view.
pub(super) struct CardFacts<'a> {
    pub card: &'a Card,
    pub partner: String,
    pub theme: Option<String>,
    pub events: &'a [Event],
    pub mails: &'a [Mail],
    pub public_base: &'a str,
}

impl From<CardFacts<'_>> for CardView {
    fn from(facts: CardFacts<'_>) -> Self {
        let CardFacts { card, partner, theme, events, mails, public_base } = facts;
        Self {
            card: CardSummary::new(card, partner, public_base),
            theme,
            events: events.iter().map(EventView::from).collect(),
            mails: mails.iter().map(MailView::from).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventView {
    pub sequence: i64,
    pub topic: &'static str,
    pub actor: &'static str,
    pub changed_fields: Vec<String>,
    pub occurred_at: String,
}

impl From<&Event> for EventView {
    fn from(event: &Event) -> Self {
        Self {
            sequence: event.sequence,
            topic: event.topic.as_str(),
            actor: event.actor.as_str(),
            changed_fields: event.changed_fields.clone(),
            occurred_at: event.occurred_at.to_string(),
        }
    }
}

/// A mail, without its address.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MailView {
    pub id: String,
    /// The global id.
    pub card: String,
    pub kind: &'static str,
    /// The id of the invitee; null for the mails of an order.
    pub invitee: Option<String>,
    /// `QUEUED`, `SENT` (the mail server accepted it), `REFUSED` or `GIVEN_UP`.
    pub state: &'static str,
    pub created_at: String,
    /// When it is sent; while it is being sent, when that is tried again.
    pub due_at: Option<String>,
    pub sent_at: Option<String>,
    pub failed_at: Option<String>,
    pub attempts: i32,
    /// The answer of the mail server to the last failed attempt, or why nothing could be sent.
    pub answer: Option<String>,
}

impl From<&Mail> for MailView {
    fn from(mail: &Mail) -> Self {
        let (due_at, sent_at, failed_at) = match mail.state {
            MailState::Due(at) => (Some(at), None, None),
            MailState::Sent(at) => (None, Some(at), None),
            MailState::Refused(at) | MailState::GivenUp(at) => (None, None, Some(at)),
        };
        let text = |at: Option<Timestamp>| at.map(|at| at.to_string());
        Self {
            id: mail.id.to_string(),
            card: GlobalId::new(Kind::Card, mail.card_id).to_string(),
            kind: mail.kind.as_str(),
            invitee: mail.invitee_id.map(|id| id.to_string()),
            state: mail.state.kind().as_str(),
            created_at: mail.created_at.to_string(),
            due_at: text(due_at),
            sent_at: text(sent_at),
            failed_at: text(failed_at),
            attempts: mail.attempts,
            answer: mail.answer.clone(),
        }
    }
}

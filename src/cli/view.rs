//! The JSON of `--json`: stable names, for scripts. Fields are added, never renamed or removed.
//!
//! | command | object |
//! |---|---|
//! | `serve` | `{"listening", "metrics", "admin", "database"}`, once the server accepts connections |
//! | `serve --print-config` | `{"settings": {NAME: {"value", "origin"}}}` |
//! | `completions` | `{"completions"}`, the script |
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

use serde_json::{Value, json};

use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{AccessKey, Card, Event, Mail, MailState, Partner, Theme};
use crate::operation::theme::ImportedTheme;

/// The text of a value that may be missing.
pub(super) fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// The members `price` (in Dutch format) and `priceCents` include VAT; `logo` is a key in the object store.
pub(super) fn partner_object(partner: &Partner) -> Value {
    json!({
        "id": partner.id.to_string(),
        "name": partner.name,
        "blocked": partner.blocked,
        "createdAt": partner.created_at.to_string(),
        "testAddress": partner.test_address,
        "refreshAddress": text(partner.refresh_address.as_ref()),
        "priceCents": partner.price.cents(),
        "price": partner.price.to_string(),
        "shownName": partner.shown_name(),
        "phone": partner.phone,
        "email": partner.email,
        "privacyUrl": text(partner.privacy_url.as_ref()),
        "logo": partner.logo,
    })
}

pub(super) fn key_object(partner: &Partner, key: &AccessKey) -> Value {
    json!({
        "id": key.id.to_string(),
        "partner": partner.name,
        "mode": key.mode.as_str(),
        "lastFour": key.last_four,
        "label": key.label,
        "createdAt": key.created_at.to_string(),
        "expiresAt": text(key.expires_at),
        "revokedAt": text(key.revoked_at),
        "lastUsedAt": text(key.last_used_at),
    })
}

/// A theme with the time of its retirement.
pub(super) fn theme_object(theme: &Theme, retired_at: Option<Timestamp>) -> Value {
    json!({
        "id": GlobalId::new(Kind::Theme, theme.id).to_string(),
        "legacyResourceId": theme.number.to_string(),
        "handle": theme.handle,
        "title": theme.title,
        "position": theme.position,
        "images": theme.images.len(),
        "videos": theme.videos.len(),
        "demoUrl": text(theme.demo_url.as_ref()),
        "retiredAt": text(retired_at),
    })
}

pub(super) fn imported_theme_object(imported: &ImportedTheme) -> Value {
    let mut object = theme_object(&imported.theme, None);
    object["outcome"] = imported.outcome.as_str().into();
    object
}

/// A card in a list; `partner` is a name.
pub(super) fn card_object(card: &Card, partner: &str, public_base: &str) -> Value {
    json!({
        "id": GlobalId::new(Kind::Card, card.id).to_string(),
        "partner": partner,
        "externalDossierId": card.external_dossier_id,
        "status": card.status.as_str(),
        "cardUrl": card.slug.as_ref().map(|slug| format!("{public_base}/kaart/{slug}")),
        "offlineSince": text(card.offline_since),
        "test": card.test,
        "createdAt": card.created_at.to_string(),
        "updatedAt": card.updated_at.to_string(),
    })
}

pub(super) fn event_object(event: &Event) -> Value {
    json!({
        "sequence": event.sequence,
        "topic": event.topic.as_str(),
        "actor": event.actor.as_str(),
        "changedFields": event.changed_fields,
        "occurredAt": event.occurred_at.to_string(),
    })
}

/// A mail, without its address. `dueAt` is when it is sent; while it is being sent, when that is tried again. `answer` is the answer
/// of the mail server to the last failed attempt, or why nothing could be sent. `blockedSince` is since when the mail server refuses the
/// service or cannot be reached; such attempts are not counted.
pub(super) fn mail_object(mail: &Mail) -> Value {
    let (due_at, sent_at, failed_at) = match mail.state {
        MailState::Due(at) => (Some(at), None, None),
        MailState::Sent(at) => (None, Some(at), None),
        MailState::Refused(at) | MailState::GivenUp(at) => (None, None, Some(at)),
    };
    json!({
        "id": mail.id.to_string(),
        "card": GlobalId::new(Kind::Card, mail.card_id).to_string(),
        "kind": mail.kind.as_str(),
        "invitee": text(mail.invitee_id),
        "state": mail.state.kind().as_str(),
        "createdAt": mail.created_at.to_string(),
        "dueAt": text(due_at),
        "sentAt": text(sent_at),
        "failedAt": text(failed_at),
        "attempts": mail.attempts,
        "answer": mail.answer,
        "blockedSince": text(mail.blocked_since),
    })
}

//! Rows, and their conversions to and from types of the model. One set for both engines; no row leaves the store.

mod access_key;
mod audit;
mod card;
mod delivery;
mod event;
mod idempotency;
mod invitee;
mod mail;
mod order;
mod partner;
mod session;
mod subscription;
mod theme;
mod usage;
mod version_notice;
mod webhook_secret;

pub(super) use access_key::AccessKeyRow;
pub(super) use audit::AuditRow;
pub(super) use card::{CardRow, CardState, CardValues};
pub(super) use delivery::{AttemptRow, DeliveryRow};
pub(super) use event::{EventRow, EventValues};
pub(super) use idempotency::{BoundCardRow, ClaimRow};
pub(super) use invitee::InviteeRow;
pub(super) use mail::MailRow;
pub(super) use order::{CustomerRow, OrderRow};
pub(super) use partner::PartnerRow;
pub(super) use session::{SessionRow, VisitRow};
pub(super) use subscription::{SubscriptionRow, callback_url_digest};
pub(super) use theme::{ThemeRow, ThemeState};
pub(super) use usage::UsageRow;
pub(super) use version_notice::VersionNoticeRow;
pub(super) use webhook_secret::WebhookSecretRow;

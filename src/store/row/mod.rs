//! Rows, and how they become types of the model and back. One set for both engines; no row leaves the store.

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
mod webhook_secret;

pub(super) use audit::AuditRow;
pub(super) use card::{CardRow, CardState, CardValues};
pub(super) use delivery::{AttemptRow, DeliveryRow};
pub(super) use event::{EventRow, EventValues};
pub(super) use idempotency::{BoundCardRow, ClaimRow};
pub(super) use invitee::InviteeRow;
pub(super) use mail::MailRow;
pub(super) use order::{CustomerRow, OrderRow};
pub(super) use partner::{AccessKeyRow, PartnerRow};
pub(super) use session::{SessionRow, VisitRow};
pub(super) use subscription::{SubscriptionRow, callback_url_digest};
pub(super) use theme::{ThemeRow, ThemeState};
pub(super) use usage::{UsageRow, VersionNoticeRow};
pub(super) use webhook_secret::WebhookSecretRow;

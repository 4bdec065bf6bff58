//! Rows, and their conversions to and from types of the model. One set for both engines; no row leaves the store.

mod card;
mod delivery;
mod event;
mod idempotency;
mod invitee;
mod mail;
mod operator;
mod order;
mod partner;
mod record;
mod session;
mod subscription;
mod theme;

pub(super) use card::{CardRow, CardState, CardValues};
pub(super) use delivery::{AttemptRow, DeliveryRow};
pub(super) use event::EventRow;
pub(super) use idempotency::{ClaimRow, RecordedCardRow};
pub(super) use invitee::{InvitationNoteRow, InviteeRow};
pub(super) use mail::MailRow;
pub(super) use operator::{AuditRow, VersionNoticeRow};
pub(super) use order::{CustomerRow, OrderRow};
pub(super) use partner::{AccessKeyRow, PartnerRow, UsageRow, WebhookSecretRow};
pub(super) use session::{AdminSessionRow, BrowserSessionRow, SessionRow};
pub(super) use subscription::{SubscriptionRow, callback_url_digest};
pub(super) use theme::{ThemeRow, ThemeState};

//! The domain model, independent of API versions: cards, themes, subscriptions and their rules. No I/O.

mod access_token;
mod admin;
pub mod audit;
mod card;
pub mod code;
mod delivery;
mod event;
mod invitee;
mod mail;
pub(crate) mod messages;
mod name;
mod order;
mod page;
mod partner;
mod portrait;
mod route;
mod session;
mod signing_secret;
mod theme;
mod user_error;
mod version;

pub use access_token::{AccessToken, KeyMode};
pub use admin::{ADMIN_PATH, AdminSession, AdminState, admin_link_path};
pub use audit::{AuditEntry, AuditRecord, AuditWords, BACKUP, BACKUP_DRILL, BACKUP_MANIFEST, SERVICE_ACTOR};
pub use card::{
    Card, CardField, CardSection, CardStatus, Deceased, FamilyContact, Farewell, Layout, LeadIn, PhotoKey,
    SectionVersion, TransitionError, Visibility, parse_time, time_text,
};
pub use dated_graphql_schema::VersionStatus;
pub use delivery::{
    Attempt, AttemptOutcome, Delivery, DeliveryState, NoAnswer, Pause, PauseReason, SubscriptionHealth,
    WebhookDelivery, delivery_id,
};
pub use event::{
    Actor, CARD_FIELDS, Event, EventDraft, Topic, WebhookSubscription, card_address, event_id, event_name, render,
};
pub use invitee::{InvitationNote, Invitee, counted_address};
pub use mail::{Mail, MailKind, MailState, MailStateKind};
pub use name::{clean_name, has_web_address};
pub use order::{CardActivation, Customer, NewCustomer, NewOrder, Order, OrderLine, OrderNumber, Price, euros};
pub use page::{Page, PageRequest, PageStart};
pub use partner::{AccessKey, Partner, Scope};
pub use portrait::{FocalPoint, PixelSize, Portrait, Rendition};
pub use route::{PageRoute, Route, path};
pub use session::{
    BrowserSession, InviteeListLink, OpenSession, SessionId, SessionKind, SessionLink, SessionSelection, SessionTarget,
};
pub use signing_secret::{SigningSecret, SigningSecretError, WebhookSecret};
pub use theme::{Theme, ThemeImage, ThemeRef};
pub use user_error::{UserError, UserErrorCode};
pub use version::{Usage, VersionError, VersionLife, VersionNotice};

//! The domain model, independent of API versions: cards, themes, subscriptions and their rules. No I/O.

mod access_token;
mod admin;
pub mod audit;
mod card;
mod card_section;
mod card_status;
pub mod code;
mod delivery;
mod event;
mod farewell;
mod focal_point;
mod invitee;
mod mail;
mod name;
mod notification;
mod order;
mod page;
mod partner;
mod portrait;
mod presentation;
mod price;
mod route;
mod scope;
mod session;
mod signing_secret;
mod subscription;
pub(crate) mod text;
mod theme;
mod usage;
mod user_error;
mod version_life;

pub use access_token::{AccessToken, KeyMode};
pub use admin::{ADMIN_PATH, AdminSession, AdminState, admin_link_path};
pub use audit::{AuditEntry, AuditRecord, AuditWords, BACKUP, BACKUP_DRILL, BACKUP_MANIFEST, SERVICE_ACTOR};
pub use card::{Card, CardField, Deceased, FamilyContact, PhotoKey};
pub use card_section::{CardSection, SectionVersion};
pub use card_status::{CardStatus, TransitionError};
pub use delivery::{
    Attempt, AttemptOutcome, Delivery, DeliveryState, Pause, PauseReason, SubscriptionHealth, WebhookDelivery,
    delivery_id,
};
pub use event::{Actor, Event, EventDraft, Topic};
pub use farewell::{Farewell, parse_time, time_text};
pub use focal_point::FocalPoint;
pub use invitee::{InvitationNote, Invitee, counted_address};
pub use mail::{Mail, MailKind, MailState, MailStateKind};
pub use name::{clean_name, has_web_address, is_hidden, is_invisible};
pub use notification::{card_address, event_id, event_name, render};
pub use order::{CardActivation, Customer, NewCustomer, NewOrder, Order, OrderLine, OrderNumber};
pub use page::{Page, PageRequest, PageStart};
pub use partner::{AccessKey, Partner};
pub use portrait::{PixelSize, Portrait, Rendition};
pub use presentation::{Layout, Visibility};
pub use price::Price;
pub use route::{PageRoute, Route, path};
pub use schema::VersionStatus;
pub use scope::Scope;
pub use session::{
    BrowserSession, InviteeListLink, OpenSession, SessionId, SessionKind, SessionLink, SessionSelection, SessionTarget,
};
pub use signing_secret::{SigningSecret, SigningSecretError, WebhookSecret};
pub use subscription::WebhookSubscription;
pub use theme::{Theme, ThemeImage, ThemeRef};
pub use usage::Usage;
pub use user_error::{UserError, UserErrorCode};
pub use version_life::{VersionError, VersionLife, VersionNotice};

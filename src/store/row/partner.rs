//! Partners, with their keys, signing secrets, usage counts and documents.

use super::record::{Column, row};
use crate::model::{AccessKey, KeyMode, Partner, Usage, WebhookSecret};
use crate::store::schema::{access_keys, partners, usage, webhook_secrets};
use crate::store::sql_type::{At, Day, Digest, Id, Name};

row!(PartnerRow in partners is Partner {
    id: Id,
    name: String,
    test_address: Option<String>,
    refresh_address: Option<String>,
    blocked: bool,
    created_at: At,
    shown_name: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    privacy_url: Option<String>,
    logo: Option<String>;
    price_cents: i64 = price
});

row!(AccessKeyRow in access_keys is AccessKey {
    id: Id,
    partner_id: Id,
    mode: Name<KeyMode>,
    digest: Digest,
    last_four: String,
    label: Option<String>,
    created_at: At,
    expires_at: Option<At>,
    revoked_at: Option<At>,
    last_used_at: Option<At>
});

row!(WebhookSecretRow in webhook_secrets is WebhookSecret {
    id: Id,
    partner_id: Id,
    secret: Vec<u8>,
    created_at: At,
    expires_at: Option<At>,
    revoked_at: Option<At>,
    live_ends_at: Option<At>,
    test_ends_at: Option<At>
});

row!(UsageRow in usage is Usage {
    day: Day,
    version: String,
    partner_id: Id,
    coordinate: String,
    count: i64;
    key_mode: Name<KeyMode> = mode
});

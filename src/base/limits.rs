//! Every limit of the service, once: name, unit and source. The schema's descriptions state the same numbers.

use std::time::Duration;

mod postgres;
mod upload;

pub use postgres::*;
pub use upload::*;

// Texts, in Unicode characters (decisions V4; specification, section 8).
pub const EXTERNAL_DOSSIER_ID_CHARS_MAX: usize = 255;
pub const EXTERNAL_FUNERAL_DIRECTOR_ID_CHARS_MAX: usize = 200;
pub const NAME_CHARS_MAX: usize = 255;
pub const EMAIL_CHARS_MAX: usize = 254;
pub const URL_CHARS_MAX: usize = 2_048;

// Pages, in items (decisions V5).
pub const PAGE_SIZE_DEFAULT: usize = 50;
pub const PAGE_SIZE_MAX: usize = 250;

// Requests (decisions H7).
pub const BODY_BYTES_MAX: usize = 256 * 1024;
/// How much of a larger body is read and dropped, so that its sender gets to read the refusal (ours).
pub const BODY_DISCARDED_BYTES_MAX: usize = 4 * 1024 * 1024;
pub const DOCUMENT_BYTES_MAX: usize = 32 * 1024;
pub const DOCUMENT_NESTING_MAX: usize = 32;
pub const SELECTED_FIELDS_MAX: usize = 1_000;
pub const DEPTH_MAX: usize = 10;
pub const ALIASES_MAX: usize = 15;
pub const DIRECTIVES_MAX: usize = 50;
pub const ROOT_MUTATION_FIELDS_MAX: usize = 5;

// Query cost, in points (decisions H8): what a bucket holds, what flows back into it each second, and what things cost.
pub const RATE_POINTS: u32 = 1_000;
pub const RATE_RESTORED_PER_SECOND: u32 = 50;
pub const COST_OBJECT: u32 = 1;
pub const COST_CONNECTION: u32 = 2;
pub const COST_MUTATION: u32 = 10;
/// A request costs at least this: a flood of empty queries is a flood too.
pub const COST_REQUEST_MIN: u32 = 1;

// What a setting may say at the most (the defaults above and below are the decisions').
pub const RATE_SETTING_MAX: u32 = 1_000_000_000;
pub const ROOT_MUTATION_FIELDS_SETTING_MAX: u32 = 50;
pub const IDEMPOTENCY_HOURS_SETTING_MAX: u32 = 30 * 24;
pub const DELIVERY_ATTEMPTS_SETTING_MAX: usize = 20;
pub const DELIVERY_DELAY_SETTING_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);

// Preparing documents that are not cached, each replica's own (ours).
pub const DOCUMENTS_PREPARED_AT_ONCE: usize = 2;
/// How long a request may wait until its document can be prepared; then it is 503.
pub const PREPARE_WAIT: Duration = Duration::from_secs(5);

// Idempotency (specification, section 8; decisions, section 4).
pub const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;
pub const IDEMPOTENCY_REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);

// Sessions (specification, section 2.7).
pub const SESSION_LINK_VALID: Duration = Duration::from_secs(10 * 60);

// Visits: what a browser holds after it opened a link (decisions S2).
pub const VISIT_IDLE: Duration = Duration::from_secs(2 * 60 * 60);
pub const VISIT_TOTAL: Duration = Duration::from_secs(12 * 60 * 60);
/// How old the recorded use of a visit may grow before it is written again.
pub const VISIT_SEEN_RECORDED: Duration = Duration::from_secs(60);

// The service's own pages (the family's forms are ours).
/// A form without a file, in bytes: room for a long text in which every character is escaped.
pub const FORM_BYTES_MAX: usize = 256 * 1024;
/// A form with a portrait, in bytes.
pub const UPLOAD_FORM_BYTES_MAX: usize = PHOTO_BYTES_MAX + FORM_BYTES_MAX;
pub const FORM_FIELDS_MAX: usize = 50;
/// How long a form may take to arrive: a portrait of 10 MB from a telephone in the country.
pub const FORM_READ: Duration = Duration::from_secs(75);
pub const CARD_TEXT_CHARS_MAX: usize = 5_000;
// Activation (decisions S9).
/// How many ordered cards one step puts online.
pub const ACTIVATIONS_PER_STEP: usize = 50;
/// How long a failed activation waits at first; it doubles with every attempt, up to the maximum.
pub const ACTIVATION_RETRY: Duration = Duration::from_secs(1);
pub const ACTIVATION_RETRY_MAX: Duration = Duration::from_secs(5 * 60);

/// € 99.999,99.
pub const PRICE_CENTS_MAX: i64 = 9_999_999;

// Portraits (specification, section 2.11; decisions, section 7).
pub const PHOTO_BYTES_MAX: usize = 10_485_760;
pub const PHOTO_FETCH_TOTAL: Duration = Duration::from_secs(15);
pub const PHOTO_REDIRECTS_MAX: usize = 3;
/// How long a stored photo may wait for its card before the sweep takes it.
pub const PHOTO_UNUSED: Duration = Duration::from_secs(60 * 60);

// Renditions of portraits (decisions, section 7; the numbers are ours).
/// Telephones make photos of 48 and 50 million pixels; more than that is no portrait.
pub const PHOTO_PIXELS_MAX: u64 = 52_000_000;
/// In PNG, WebP and GIF, of which 40 bytes can say so many pixels (ours).
pub const PHOTO_PIXELS_MAX_OTHER_FORMATS: u64 = 24_000_000;
pub const PHOTO_SIDE_PIXELS_MAX: u32 = 20_000;
/// What decoding one photo may take of the memory: the pixels above, at eight bytes each.
pub const PHOTO_DECODED_BYTES_MAX: u64 = PHOTO_PIXELS_MAX * 8;
/// How long a worker may hold a photo: longer than RENDERING_WAIT and DECODING.
pub const RENDERING_LEASE: Duration = Duration::from_secs(60);
/// How often a photo is tried that ends its worker, or is not to be had.
pub const RENDERINGS_MAX: i32 = 3;
/// How long a photo that was noted waits for its bytes before the worker looks for them.
pub const RENDERING_AFTER: Duration = Duration::from_secs(30);
pub const RENDERING_POLL: Duration = Duration::from_secs(5);
/// The longest sides, in pixels, and the quality of a JPEG, from 1 to 100.
pub const TAKEN_IN_SIDE_PIXELS_MAX: u32 = 3_000;
pub const SCREEN_SIDE_PIXELS_MAX: u32 = 1_400;
pub const PREVIEW_SIDE_PIXELS_MAX: u32 = 480;
pub const TAKEN_IN_QUALITY: u8 = 90;
pub const RENDITION_QUALITY: u8 = 82;

// Webhooks (decisions W3, W5).
/// A subscription to which every attempt has failed for this long is paused.
pub const SUBSCRIPTION_FAILING_MAX: Duration = Duration::from_secs(5 * 24 * 60 * 60);
/// How long events are held for a subscription that does not take them, and deliveries are shown to the operator.
pub const DELIVERY_HELD: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// When the attempts are made: each delay after the attempt before.
pub const DELIVERY_SCHEDULE: [Duration; 10] = [
    Duration::ZERO,
    Duration::from_secs(5),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
    Duration::from_secs(2 * 60 * 60),
    Duration::from_secs(5 * 60 * 60),
    Duration::from_secs(10 * 60 * 60),
    Duration::from_secs(14 * 60 * 60),
    Duration::from_secs(20 * 60 * 60),
    Duration::from_secs(24 * 60 * 60),
];
/// How many attempts of one delivery its partner sees, the last ones: two and a half times the schedule (ours).
pub const ATTEMPTS_SHOWN_MAX: i64 = 25;
/// How much longer or shorter than the schedule a delay may turn out, as a share of it.
pub const DELIVERY_JITTER: f64 = 0.2;
/// The most that a receiver gets which asks for more time (`Retry-After`): the longest delay of the schedule.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// An attempt, from the look-up of the name to the head of the answer; OUTBOUND_CONNECT of it for the connection.
pub const DELIVERY_TOTAL: Duration = Duration::from_secs(15);
/// How much of an answer is read, and for how long: enough for a receiver's word of thanks.
pub const DELIVERY_ANSWER_BYTES_MAX: usize = 64 * 1024;
pub const DELIVERY_ANSWER_READ: Duration = Duration::from_secs(1);

// The webhook worker, each replica's own.
/// How long a claimed delivery is ours, and so lost time after a crash: what an attempt takes, and time for those that wait
/// for their place and for clocks that differ.
pub const DELIVERY_LEASE: Duration = Duration::from_secs(30);
/// What must be left of a lease when an attempt begins: DELIVERY_TOTAL, DELIVERY_ANSWER_READ, and time to write it down.
pub const DELIVERY_SPAN: Duration = Duration::from_secs(20);
pub const DELIVERIES_SENT_AT_ONCE: usize = 256;
pub const DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION: usize = 16;
/// How many may be claimed and not finished, in all, half of them beyond those being sent; and of a subscription that answers
/// well, beyond those being sent.
pub const DELIVERIES_UNDER_WAY_MAX: usize = 4_096;
pub const DELIVERIES_AHEAD_MAX: usize = 2_032;
/// For how long those ahead keep a receiver busy, at the pace of its last answer: well within the lease, where there is a
/// place for each.
pub const DELIVERIES_AHEAD: Duration = Duration::from_secs(2);
/// How many are claimed in one transaction.
pub const DELIVERIES_CLAIMED_AT_ONCE: usize = 512;
/// After this many failures in a row a subscription is tried one delivery at a time, with this pause between.
pub const SUBSCRIPTION_FAILURES_IN_A_ROW: usize = 10;
pub const SUBSCRIPTION_FAILING_PAUSE: Duration = Duration::from_secs(1);
/// How many results are written in one transaction.
pub const DELIVERIES_FINISHED_AT_ONCE: usize = 256;
/// How long the first result waits for others that are on their way, to be written with them (ours): about as long as a
/// flush of the disk takes; and how long at the most, where in each such time more of them come.
pub const DELIVERIES_GATHERED: Duration = Duration::from_millis(2);
pub const DELIVERIES_GATHERED_MAX: Duration = Duration::from_millis(10);
/// How many deliveries are moved or deleted in one transaction, so that nobody is held up.
pub const DELIVERIES_MOVED_AT_ONCE: i64 = 500;
pub const OUTBOUND_CONNECT: Duration = Duration::from_secs(5);
/// How many subscriptions a partner has on a topic, those made with a live key and those made with a test key each (decisions
/// W5).
pub const SUBSCRIPTIONS_PER_TOPIC_MAX: usize = 20;

// Signatures (decisions W2; Standard Webhooks, section "Signature scheme" for the bounds of a secret in bytes).
pub const SIGNING_SECRET_BYTES: usize = 32;
pub const SIGNING_SECRET_BYTES_MIN: usize = 24;
pub const SIGNING_SECRET_BYTES_MAX: usize = 64;
/// How many secrets of a partner sign beside each other.
pub const SECRETS_ACTIVE_MAX: usize = 2;
/// How long the old secret signs beside the new one after a rotation, unless the operator says otherwise; and at most.
pub const SECRET_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);
pub const SECRET_OVERLAP_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How far the timestamp of a notification may lie from the receiver's clock.
pub const SIGNATURE_TOLERANCE: Duration = Duration::from_secs(5 * 60);
/// How many deliveries in each state `webhook show` lists.
pub const DELIVERIES_SHOWN_MAX: usize = 20;
/// What the demo's own receiver takes: bytes of a body, and notifications that nobody has looked at yet.
pub const DEMO_RECEIVER_BODY_BYTES_MAX: usize = 64 * 1024;
pub const DEMO_RECEIVER_QUEUE_MAX: usize = 1_024;
/// How far around a timestamp `webhook verify` looks for the one that was signed, and in bodies of how many bytes.
pub const SIGNATURE_SEARCH: Duration = Duration::from_secs(60 * 60);
pub const SIGNATURE_SEARCH_BODY_BYTES_MAX: usize = 64 * 1024;

// Themes, as the operator imports them (specification, section 2.6).
pub const THEME_HANDLE_CHARS_MAX: usize = 64;
pub const THEME_DESCRIPTION_CHARS_MAX: usize = 2_000;
/// A picture's name in the object store: its own, behind 17 characters that name its content.
pub const THEME_IMAGE_NAME_CHARS_MAX: usize = 100;
pub const THEME_IMAGE_BYTES_MAX: usize = 5 * 1024 * 1024;
pub const ALT_TEXT_CHARS_MAX: usize = 500;

// Keys (decisions K2).
/// Ten years: a longer life is no end at all.
pub const KEY_VALID_DAYS_MAX: u32 = 3_650;
pub const KEY_REVOCATION_WITHIN: Duration = Duration::from_secs(5);

/// How long a replica may rely on what it read about a key: a second less, for the look-up itself and for slow clocks.
pub const KEY_CACHED: Duration = Duration::from_secs(KEY_REVOCATION_WITHIN.as_secs() - 1);
/// How many keys a replica keeps in mind at once.
pub const KEYS_CACHED_MAX: usize = 4_096;
/// How old the recorded use of a key may grow before it is written again.
pub const KEY_USE_RECORDED: Duration = Duration::from_secs(60);

// Connections, each replica's own (decisions H7 for the body; the rest is ours).
/// When there are as many, a new connection takes the place of the oldest silent one.
pub const CONNECTIONS_MAX: usize = 4_096;
/// Of one IPv4 address or IPv6 /64 network, unless CONNECTIONS_PER_ADDRESS says otherwise; loopback and private networks,
/// where proxies are, have no limit of their own.
pub const CONNECTIONS_PER_ADDRESS: usize = 64;
/// How long a new connection may be without a request, after its TLS handshake (ours).
pub const FIRST_REQUEST: Duration = Duration::from_secs(10);
/// How long a connection may be without a request after its first one. Longer than the 60 s after which balancers drop
/// theirs.
pub const CONNECTION_IDLE: Duration = Duration::from_secs(75);
/// How long a client may take for the TLS handshake.
pub const TLS_HANDSHAKE: Duration = Duration::from_secs(10);
/// How often the files of the certificate are looked at.
pub const CERTIFICATE_LOOKED_AT_EVERY: Duration = Duration::from_secs(10);
/// How long before its end a certificate that is not renewed is a danger; docs/operating/alerts.yml says the same.
pub const CERTIFICATE_ENDS_SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// Request line and headers together, over HTTP/1.1 (431) and HTTP/2.
pub const HEADER_BYTES_MAX: usize = 32 * 1024;
pub const STREAMS_PER_CONNECTION_MAX: u32 = 16;
/// From the end of the head to the end of the body.
pub const BODY_READ: Duration = Duration::from_secs(10);
/// A whole request: a form that takes FORM_READ with a photo that takes RENDERING_WAIT and DECODING, or five mutations, each
/// with a portrait that takes PHOTO_FETCH_TOTAL; and something to spare.
pub const REQUEST_TOTAL: Duration = Duration::from_secs(120);
/// How long requests that run may go on once the server is told to stop: less than the 30 s after which most hosts kill.
pub const DRAIN: Duration = Duration::from_secs(20);
/// How long the last writes may take to reach the disk after that.
pub const CLOSE: Duration = Duration::from_secs(5);
/// How long the end of the process waits for threads that still block after that.
pub const THREADS_END: Duration = Duration::from_secs(1);

// Answers on their way to clients, each replica's own (ours).
/// Memory of all answers that clients have not taken yet, in bytes; more are 503.
pub const ANSWER_BYTES_UNSENT_MAX: usize = 256 * 1024 * 1024;
/// How many bytes of an answer a connection gets at once; smaller answers are sent whole.
pub const ANSWER_PIECE_BYTES: usize = 16 * 1024;
/// How many bytes of a stored picture are read into memory at once.
pub const MEDIA_PART_BYTES: u64 = 128 * 1024;
/// How long a client may pause in taking an answer, and how many bytes a second it has to take on average.
pub const ANSWER_STALLED: Duration = Duration::from_secs(30);
pub const ANSWER_BYTES_PER_SECOND_MIN: u64 = 8 * 1024;
/// How long the other requests of a connection may go on that is closed because one answer is late.
pub const STALLED_CONNECTION_CLOSED: Duration = Duration::from_secs(5);

// Advice to callers (`Retry-After`; decisions, section 4).
pub const RETRY_IN_PROGRESS: Duration = Duration::from_secs(1);
pub const RETRY_UNAVAILABLE: Duration = Duration::from_secs(5);

// Health checks.
pub const OBJECT_STORE_CHECK: Duration = Duration::from_secs(2);
/// How long the database may take for a check or a figure: less than METRICS_CONNECTION.
pub const READINESS_DATABASE: Duration = Duration::from_secs(3);
/// How long the result of a check is given to further callers.
pub const READINESS_KEPT: Duration = Duration::from_secs(1);
/// Connections to METRICS_LISTEN, and how long each may last.
pub const METRICS_CONNECTIONS_MAX: usize = 16;
pub const METRICS_CONNECTION: Duration = Duration::from_secs(5);
/// How long a collector may take for a batch of traces.
pub const TRACES_SEND: Duration = Duration::from_secs(5);

// Workers, each replica's own.
/// How long a worker that nobody wakes waits before it looks by itself: what a word costs that got lost on its way.
pub const WORKER_POLL: Duration = Duration::from_secs(1);

// The watchdog (ours).
pub const WATCHDOG_TICK: Duration = Duration::from_secs(1);
/// How long the runtime may run no task at all before the process ends.
pub const WATCHDOG_SILENCE: Duration = Duration::from_secs(30);

// Housekeeping.
pub const HOUSEKEEPING_EVERY: Duration = Duration::from_secs(15 * 60);
/// How many unused photos one round removes.
pub const PHOTOS_SWEPT_MAX: usize = 500;

// Counts of what partners use of the schema (issue "The life of a schema"; the numbers are ours).
/// How often a replica writes what it counted: what a crash loses.
pub const USAGE_WRITTEN_EVERY: Duration = Duration::from_secs(60);
/// How many rows go in one transaction, so that nobody is held up.
pub const USAGE_WRITTEN_AT_ONCE: usize = 200;
/// How many partners, each mode and version by itself, a replica counts between two writes: a few KB each.
pub const USAGE_ROWS_MAX: usize = 4_096;
/// How many counts wait in memory, about 100 bytes each, while the database cannot be reached.
pub const USAGE_UNWRITTEN_MAX: usize = 100_000;
/// How long counts are kept: a year, with the month before to compare with.
pub const USAGE_KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);
/// How many days back a use speaks against taking something away.
pub const USAGE_RECENT_DAYS: u32 = 30;

// Versions.
/// How often a replica that hears nothing looks at what the operator decided about versions.
pub const VERSION_NOTICES_READ_EVERY: Duration = Duration::from_secs(2);

// Plans (decisions H7): their fields, one for each object type that can be there; and those that a version's engine
// keeps, in documents and in estimated bytes.
pub const PLANNED_FIELDS_MAX: usize = 10_000;
/// How many fields the rule about overlapping fields compares, one for each object type that they can be on; honest
/// documents need some hundreds.
pub const MERGED_FIELDS_MAX: usize = 50_000;
/// How often operations use variables, each with all fragments that it reaches.
pub const VARIABLE_USES_MAX: usize = 50_000;
pub const PLANS_MAX: usize = 1_000;
pub const PLAN_BYTES_MAX: usize = 8 * 1024 * 1024;

// Store (design 3).
/// How long a request may wait for a connection, or for another process that writes to the SQLite file.
pub const DATABASE_WAIT: Duration = Duration::from_secs(5);
/// SQLite: how many writes share one commit, and so one flush of the disk.
pub const WRITES_PER_COMMIT_MAX: usize = 64;
/// SQLite: how many writes may wait for the writer before their callers do.
pub const WRITES_WAITING_MAX: usize = 1_024;
/// SQLite: how many pages of 4 KiB its log takes before they are copied into the file (ours): a page that changes again and
/// again meanwhile is copied once.
pub const LOG_PAGES: usize = 4_000;
/// SQLite: after how many reads in a row one connection keeps the lock that all of them need (ours): where writes come in
/// between more often, it would cost more than it saves.
pub const READS_BEFORE_KEEPER: u32 = 16;
/// SQLite: after how many reads in a row that connection lets go of the lock, for other processes that write (ours).
pub const READS_PER_KEEPER: u32 = 1_000;
/// How many expired idempotency records go in one transaction, so that a sweep holds nobody up.
pub const IDEMPOTENCY_RECORDS_PER_SWEEP: i64 = 500;

// The answer to a request that is refused: errors in it, and Unicode characters of an English detail.
pub const REFUSAL_ERRORS_MAX: usize = 20;
pub const REFUSAL_DETAIL_CHARS_MAX: usize = 500;

// Mail (decisions S10).
/// How long a worker may hold a mail: longer than a delivery to the mail server may take.
pub const MAIL_LEASE: Duration = Duration::from_secs(2 * 60);
/// How often the worker looks for mails that nobody has called it for, such as those whose wait is over.
pub const MAIL_POLL: Duration = Duration::from_secs(5);
/// How many mails one replica sends side by side.
pub const MAILS_AT_ONCE: usize = 4;
/// One delivery to the mail server, from the connection to its last word.
pub const MAIL_SEND: Duration = Duration::from_secs(60);
/// How long to wait after each failed attempt; after the last one a mail is given up, a day and a half after its cause.
pub const MAIL_RETRY_AFTER: [Duration; 7] = [
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(15 * 60),
    Duration::from_secs(60 * 60),
    Duration::from_secs(4 * 60 * 60),
    Duration::from_secs(8 * 60 * 60),
    Duration::from_secs(24 * 60 * 60),
];
/// How long an order mail waits for the card to come online, so that it can name its address.
pub const ORDER_MAIL_WAITS: Duration = Duration::from_secs(2 * 60);
/// How long it stays put between two looks at the card, and how long a mail that waits for the operator does.
pub const ORDER_MAIL_LOOKS_EVERY: Duration = Duration::from_secs(5);
pub const CARD_ONLINE_MAIL_LOOKS_EVERY: Duration = Duration::from_secs(5 * 60);
/// A mail that has waited so long after an attempt that failed is told to the operator; docs/operating/alerts.yml says the same.
pub const MAIL_WAITS_TOO_LONG: Duration = Duration::from_secs(15 * 60);
/// For how long readiness says that a mail was given up.
pub const MAIL_LOST_SHOWN: Duration = Duration::from_secs(24 * 60 * 60);
/// How much is kept of what a mail server answers, in Unicode characters (ours).
pub const MAIL_ANSWER_CHARS_MAX: usize = 500;
/// How long the note of a mail that was sent or given up is kept.
pub const MAIL_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How long the link to the invitee list in an order mail works.
pub const INVITEE_LIST_LINK_VALID: Duration = Duration::from_secs(90 * 24 * 60 * 60);

// Invitee lists (decisions S6).
pub const INVITEES_MAX: usize = 500;
/// Invitations that one address gets by mail for one card, whoever is taken off the list and put on again, and the time
/// between two of them (ours).
pub const INVITATIONS_MAX: i32 = 5;
pub const INVITATION_AGAIN_AFTER: Duration = Duration::from_secs(60 * 60);
/// Invitations that a card sends on one day in the Netherlands: half of the longest list (ours).
pub const INVITATIONS_PER_CARD_AND_DAY: i32 = 250;
/// Invitations that all cards of a partner send on one day in the Netherlands, live and test apart (ours): a setting, and the
/// most that it may say.
pub const INVITATIONS_PER_PARTNER_AND_DAY: i32 = 5_000;
pub const INVITATIONS_PER_DAY_SETTING_MAX: u32 = 1_000_000;
/// How long it is kept how many were sent on a day: longer than a day lasts anywhere.
pub const INVITATION_DAYS_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How many of those whom the operator takes off go in one transaction, so that nobody is held up.
pub const INVITEES_PURGED_AT_ONCE: i64 = 1_000;

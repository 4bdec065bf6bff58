//! Every limit of the service: name, unit and source. The descriptions of the schema give the same numbers. Those of documents and
//! pages, and the costs of a query, are in `dated_graphql::Limits`.

use std::time::Duration;

// Requests.
pub const BODY_BYTES_MAX: usize = 256 * 1024;
/// Bytes of a body for which it costs a point more.
pub const BODY_BYTES_PER_POINT: usize = 16 * 1024;
/// The memory of requests of the API, in bytes, from their bodies to their answers: in all, and of one partner and key mode or one
/// client address. A body counts REQUEST_MEMORY_FACTOR times, for the values that are parsed from it.
pub const REQUEST_BYTES_HELD_MAX: usize = 128 * 1024 * 1024;
pub const REQUEST_BYTES_HELD_EACH_MAX: usize = 48 * 1024 * 1024;
pub const REQUEST_MEMORY_FACTOR: usize = 2;
/// How much of a larger body is read and dropped, so that the client can read the refusal (ours).
pub const BODY_DISCARDED_BYTES_MAX: usize = 4 * 1024 * 1024;

// Query cost, in points: the capacity of a bucket, and its refill each second.
pub const RATE_POINTS: u32 = 1_000;
pub const RATE_RESTORED_PER_SECOND: u32 = 50;
/// The share of one browser session in the points of its partner's pages: one in so many, of the capacity and of the refill
///.
pub const SESSION_POINTS_SHARE: u32 = 4;
pub const SESSION_RESTORED_SHARE: u32 = 10;
/// After how many requests of pages the full buckets of browser sessions are forgotten (ours).
pub const SESSIONS_FORGOTTEN_EVERY: usize = 4_096;

// Upper bounds of settings (docs/decisions.md has the defaults).
pub const RATE_SETTING_MAX: u32 = 1_000_000_000;
pub const DELIVERY_ATTEMPTS_SETTING_MAX: usize = 20;
pub const DELIVERY_DELAY_SETTING_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);

// Preparing documents that are not cached, for each replica (ours).
pub const DOCUMENTS_PREPARED_AT_ONCE: usize = 2;
/// How long a request may wait for the preparation of its document; then it is answered with 503.
pub const PREPARE_WAIT: Duration = Duration::from_secs(5);

// Idempotency (specification, section 8).
pub const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;
pub const IDEMPOTENCY_REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a version lasts at least after its deprecation, in months (`notice_months` of `schema/versions.toml`).
pub const VERSION_NOTICE_MONTHS: u32 = 6;

/// For how long a browser uses https only after a response over https: `Strict-Transport-Security` (ours).
pub const HTTPS_ONLY: Duration = Duration::from_secs(365 * 24 * 60 * 60);

// Sessions (specification, section 2.7).
pub const SESSION_LINK_VALID: Duration = Duration::from_secs(10 * 60);

// Browser sessions.
pub const BROWSER_SESSION_IDLE: Duration = Duration::from_secs(2 * 60 * 60);
pub const BROWSER_SESSION_TOTAL: Duration = Duration::from_secs(12 * 60 * 60);
/// The minimum interval between writes of a browser session's `seen_at`.
pub const BROWSER_SESSION_SEEN_RECORDED: Duration = Duration::from_secs(60);

// The service's own pages (the limits of the family's forms are ours).
/// A form without a file, in bytes: enough for a long text in which every character is escaped.
pub const FORM_BYTES_MAX: usize = 256 * 1024;
/// A form with a portrait, in bytes.
pub const UPLOAD_FORM_BYTES_MAX: usize = PHOTO_BYTES_MAX + FORM_BYTES_MAX;
/// The check of a pasted list has two fields for each person.
pub const FORM_FIELDS_MAX: usize = 50 + 2 * PASTED_LINES_MAX;
/// How long a user types nothing before the card next to the form is shown again.
pub const LIVE_CARD_PAUSE: Duration = Duration::from_millis(400);
/// How much of a refused value a page shows again, in Unicode characters: of a field of one line, and of a text, whose
/// writer has to shorten it.
pub const REFUSED_LINE_CHARS_SHOWN_MAX: usize = URL_CHARS_MAX;
pub const REFUSED_TEXT_CHARS_SHOWN_MAX: usize = 4 * CARD_TEXT_CHARS_MAX;

// Activation.
/// The number of ordered cards that one step activates.
pub const ACTIVATIONS_PER_STEP: usize = 50;
/// The delay after the first failed activation; it doubles with every attempt up to the maximum.
pub const ACTIVATION_RETRY: Duration = Duration::from_secs(1);
pub const ACTIVATION_RETRY_MAX: Duration = Duration::from_secs(5 * 60);

/// € 99.999,99.
pub const PRICE_CENTS_MAX: i64 = 9_999_999;

// Portraits (specification, section 2.11).
pub const PHOTO_BYTES_MAX: usize = 10_485_760;
pub const PHOTO_FETCH_TOTAL: Duration = Duration::from_secs(15);
pub const PHOTO_REDIRECTS_MAX: usize = 3;
/// How long a host may pause while it sends a portrait, and the minimum bytes a second on average (ours).
pub const FETCH_STALLED: Duration = Duration::from_secs(8);
pub const FETCH_BYTES_PER_SECOND_MIN: u64 = 8 * 1024;
/// The memory of portraits on their way, in bytes, in all and of one partner and key mode. A portrait that is fetched
/// counts PHOTO_BYTES_MAX, and then its length until its copy is stored.
pub const PHOTO_BYTES_HELD_MAX: usize = 192 * 1024 * 1024;
pub const PHOTO_BYTES_HELD_EACH_MAX: usize = 64 * 1024 * 1024;
/// How long a portrait waits for that memory, before its request is answered with 503.
pub const PHOTO_WAIT: Duration = Duration::from_secs(20);
/// How long a browser or a cache may show a portrait without asking again (ours): it goes with its card.
pub const PORTRAIT_CACHED: Duration = Duration::from_secs(60 * 60);
/// How long a stored photo may be on no card before housekeeping deletes it.
pub const PHOTO_UNUSED: Duration = Duration::from_secs(60 * 60);

// Renditions of portraits (decisions, section 7; the numbers are ours).
/// The most pixels of a photo; phones make photos of 48 and 50 million.
pub const PHOTO_PIXELS_MAX: u64 = 52_000_000;
/// In PNG, WebP and GIF, where 40 bytes can declare that many pixels (ours).
pub const PHOTO_PIXELS_MAX_OTHER_FORMATS: u64 = 24_000_000;
pub const PHOTO_SIDE_PIXELS_MAX: u32 = 20_000;
/// In one HEVC picture, such as a tile of a HEIC: the most that a level allows (ITU-T H.265, table A.8, level 6.2).
pub const HEVC_PIXELS_MAX: u64 = 35_651_584;
/// The memory for the coefficients of a progressive JPEG, which are there all together: 52 million pixels in 4:2:0 or 4:2:2.
pub const JPEG_COEFFICIENT_BYTES_MAX: u64 = PHOTO_PIXELS_MAX * 4;
/// The memory that a decoder may take for one PNG, WebP or GIF: two frames of a GIF and their palette (ours).
pub const PHOTO_DECODED_BYTES_MAX: u64 = PHOTO_PIXELS_MAX_OTHER_FORMATS * 10;
/// How long a worker holds a photo: longer than RENDERING_WAIT and DECODING.
pub const RENDERING_LEASE: Duration = Duration::from_secs(60);
/// How often a photo is tried that ends its worker or cannot be read.
pub const RENDERINGS_MAX: i32 = 3;
/// How long after its row was written a photo without renditions is rendered by the worker.
pub const RENDERING_AFTER: Duration = Duration::from_secs(30);
pub const RENDERING_POLL: Duration = Duration::from_secs(5);
/// The longest sides, in pixels, and the quality of a JPEG, from 1 to 100.
pub const REENCODED_SIDE_PIXELS_MAX: u32 = 3_000;
pub const SCREEN_SIDE_PIXELS_MAX: u32 = 1_400;
pub const PHONE_SIDE_PIXELS_MAX: u32 = 960;
pub const PREVIEW_SIDE_PIXELS_MAX: u32 = 480;
pub const REENCODED_QUALITY: u8 = 90;
pub const RENDITION_QUALITY: u8 = 82;

// Webhooks.
/// A subscription to which every attempt has failed for this long is paused.
pub const SUBSCRIPTION_FAILING_MAX: Duration = Duration::from_secs(5 * 24 * 60 * 60);
/// How long events are kept for a subscription that does not accept them, and deliveries are shown to the operator.
pub const DELIVERY_HELD: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The retry schedule of deliveries: the delays of the attempts, each after the attempt before. The first is 0.
pub const DELIVERY_RETRY_SCHEDULE: [Duration; 10] = [
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
/// The number of attempts of one delivery that its partner sees: two and a half times the attempts of the schedule.
pub const ATTEMPTS_SHOWN_MAX: i64 = 25;
/// The maximum jitter of a delay, as a share of it.
pub const DELIVERY_JITTER: f64 = 0.2;
/// The longest delay that a `Retry-After` of a receiver gets: the longest of the schedule.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// One attempt, from the DNS query to the head of the response; OUTBOUND_CONNECT of it for the connection.
pub const DELIVERY_TOTAL: Duration = Duration::from_secs(15);
/// How much of a response is read, and for how long.
pub const DELIVERY_ANSWER_BYTES_MAX: usize = 64 * 1024;
pub const DELIVERY_ANSWER_READ: Duration = Duration::from_secs(1);

// The webhook worker, for each replica.
/// The lease of a claimed delivery, which is lost time after a crash: the time of an attempt, of the queue before it and of
/// differing clocks.
pub const DELIVERY_LEASE: Duration = Duration::from_secs(30);
/// The minimum lease at the start of an attempt: DELIVERY_TOTAL, DELIVERY_ANSWER_READ and the write of the result.
pub const DELIVERY_SPAN: Duration = Duration::from_secs(20);
pub const DELIVERIES_SENT_AT_ONCE: usize = 256;
pub const DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION: usize = 16;
/// The maximum number of claimed deliveries, of all subscriptions and of one: more than are sent at once, so that sending does not wait
/// for the database.
pub const DELIVERIES_IN_FLIGHT_MAX: usize = 4_096;
pub const DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION_MAX: usize = 512;
/// The number of deliveries that one transaction claims.
pub const DELIVERIES_CLAIMED_AT_ONCE: usize = 512;
/// After this many failures in a row, a subscription is tried with one delivery at a time, with this pause between.
pub const SUBSCRIPTION_FAILURES_IN_A_ROW: usize = 10;
pub const SUBSCRIPTION_FAILING_PAUSE: Duration = Duration::from_secs(1);
/// The number of results that one transaction writes.
pub const DELIVERIES_FINISHED_AT_ONCE: usize = 256;
/// The number of deliveries that one transaction moves or deletes, so that it does not hold locks for long.
pub const DELIVERIES_MOVED_AT_ONCE: i64 = 500;
/// The number of deliveries that `webhookDeliveriesRecover` sends again at once, of all subscriptions together, and the pause
/// after them: a small share of what a replica can send, so that others keep their pace (ours).
pub const DELIVERIES_RECOVERED_AT_ONCE: usize = 500;
pub const RECOVERY_PAUSE: Duration = Duration::from_secs(1);
/// The pages of [`DELIVERIES_MOVED_AT_ONCE`] cards whose sequence of deliveries a step checks, and the time between two
/// checks without a change of a subscription (ours).
pub const SEQUENCE_PAGES_AT_ONCE: usize = 64;
pub const SEQUENCE_CHECKED_EVERY: Duration = Duration::from_secs(60);
pub const OUTBOUND_CONNECT: Duration = Duration::from_secs(5);
/// The header lines of an answer of a receiver or a photo host, whose length hyper bounds.
pub const ANSWER_HEADERS_MAX: usize = 256;
/// The number of subscriptions of a partner on a topic, counted apart for live and test keys.
pub const SUBSCRIPTIONS_PER_TOPIC_MAX: usize = 20;
/// The name of a subscription, in Unicode characters (ours).
pub const SUBSCRIPTION_NAME_CHARS_MAX: usize = 100;

// Themes, as the operator imports them (specification, section 2.6).
pub const THEME_HANDLE_CHARS_MAX: usize = 64;
pub const THEME_DESCRIPTION_CHARS_MAX: usize = 2_000;
/// The file name of a picture in the object store: its own after 17 characters of its digest.
pub const THEME_IMAGE_NAME_CHARS_MAX: usize = 100;
pub const THEME_IMAGE_BYTES_MAX: usize = 5 * 1024 * 1024;
/// The logo of a partner, which every page shows small.
pub const LOGO_BYTES_MAX: usize = 100 * 1024;
pub const ALT_TEXT_CHARS_MAX: usize = 500;

/// How long a server may keep the themes in memory: a command that changes one is another process.
pub const THEMES_CACHED: Duration = Duration::from_secs(1);

// Keys.
/// Ten years.
pub const KEY_VALID_DAYS_MAX: u32 = 3_650;
pub const KEY_REVOCATION_WITHIN: Duration = Duration::from_secs(5);

/// How long a replica may cache a key: a second less, for the query itself and for clocks that differ.
pub const KEY_CACHED: Duration = Duration::from_secs(KEY_REVOCATION_WITHIN.as_secs() - 1);
/// The number of keys in the cache of a replica.
pub const KEYS_CACHED_MAX: usize = 4_096;
/// The minimum interval between writes of `last_used_at`.
pub const KEY_USE_RECORDED: Duration = Duration::from_secs(60);

// Connections, for each replica (decisions H7 for the body; the rest is ours).
/// At this number, a new connection replaces the oldest idle one.
pub const CONNECTIONS_MAX: usize = 4_096;
/// Connections of one IPv4 address or IPv6 /64 network, unless CONNECTIONS_PER_ADDRESS is set. Loopback and private networks, where
/// proxies are, have no limit.
pub const CONNECTIONS_PER_ADDRESS: usize = 64;
/// How long a new connection may be idle after its TLS handshake (ours).
pub const FIRST_REQUEST: Duration = Duration::from_secs(10);
/// How long a connection may be idle after its first request. Longer than the 60 s after which load balancers close theirs.
pub const CONNECTION_IDLE: Duration = Duration::from_secs(75);
/// The time for the TLS handshake.
pub const TLS_HANDSHAKE: Duration = Duration::from_secs(10);
/// How often the files of the certificate are checked.
pub const CERTIFICATE_CHECKED_EVERY: Duration = Duration::from_secs(10);
/// How long before its end a certificate causes a warning; docs/operating/alerts.yml says the same.
pub const CERTIFICATE_ENDS_SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// Request line and headers together, over HTTP/1.1 (431) and HTTP/2.
pub const HEADER_BYTES_MAX: usize = 32 * 1024;
pub const STREAMS_PER_CONNECTION_MAX: u32 = 16;
/// What a client of HTTP/2 may send before the server has read it, in bytes, on one stream and on all of its connection.
pub const RECEIVE_WINDOW_BYTES: u32 = 256 * 1024;
/// The time from the end of the head to the end of the body.
pub const BODY_READ: Duration = Duration::from_secs(10);
/// The time of a whole request, from its head or from the last piece of a form. It is enough for a form with a photo
/// (RENDERING_WAIT and DECODING), or for five mutations that each fetch a portrait (PHOTO_FETCH_TOTAL), with a margin.
pub const REQUEST_TOTAL: Duration = Duration::from_secs(120);

// Responses that are being sent, for each replica (ours).
/// The memory of responses that clients have not read yet, in bytes: in all, and of one partner and key mode or one client
/// address; beyond it, requests are answered with 503.
pub const RESPONSE_BYTES_UNSENT_MAX: usize = 256 * 1024 * 1024;
pub const RESPONSE_BYTES_UNSENT_EACH_MAX: usize = 64 * 1024 * 1024;
/// The bytes of a response that a connection gets at once; smaller responses are sent whole.
pub const RESPONSE_PIECE_BYTES: usize = 64 * 1024;
/// The bytes of a stored picture that are read into memory at once.
pub const MEDIA_PART_BYTES: u64 = 128 * 1024;
/// How long a client may pause while it reads a response, and the minimum bytes a second on average.
pub const RESPONSE_STALLED: Duration = Duration::from_secs(30);
pub const RESPONSE_BYTES_PER_SECOND_MIN: u64 = 8 * 1024;
/// How long the other requests of a connection may run on when it is closed because of one slow response.
pub const STALLED_CONNECTION_CLOSED: Duration = Duration::from_secs(5);

// Advice to callers (`Retry-After`).
pub const RETRY_IN_PROGRESS: Duration = Duration::from_secs(1);
pub const RETRY_UNAVAILABLE: Duration = Duration::from_secs(5);

// The metrics listener.
/// The number of connections to METRICS_LISTEN, and how long each may last.
pub const METRICS_CONNECTIONS_MAX: usize = 16;
pub const METRICS_CONNECTION: Duration = Duration::from_secs(5);
/// The number of connections to ADMIN_LISTEN: a few operators, with six for each browser.
pub const ADMIN_CONNECTIONS_MAX: usize = 64;
/// The number of rows in the timeline of a card that the administration shows, the newest ones.
pub const TIMELINE_ROWS_MAX: usize = 200;

/// The days of which the administration counts what happened, with today: events and failed deliveries are kept longer.
pub const ACTIVITY_DAYS: u64 = 30;
/// The rows in a list of cards or mails that the administration shows: how many, and since when.
pub const ADMIN_LIST_ROWS_MAX: usize = 100;
pub const ADMIN_LIST_SINCE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The orders that the first page of the administration lists: how many, and since when.
pub const NEWEST_ORDERS_SHOWN: usize = 10;
pub const NEWEST_ORDERS_SINCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

// Workers, for each replica.
/// How long a worker sleeps without a notification, which bounds the delay after a lost one.
pub const WORKER_POLL: Duration = Duration::from_secs(1);

// The watchdog (ours).
pub const WATCHDOG_TICK: Duration = Duration::from_secs(1);
/// How long the runtime may run no task before the process ends.
pub const WATCHDOG_SILENCE: Duration = Duration::from_secs(30);

// Housekeeping.
pub const HOUSEKEEPING_EVERY: Duration = Duration::from_secs(15 * 60);
/// The number of unused photos that one round deletes.
pub const PHOTOS_DELETED_AT_ONCE: usize = 500;

// Usage counts of the schema (issue "The life of a schema"; the numbers are ours).
/// How often a replica writes its counts, which bounds what a crash loses.
pub const USAGE_WRITTEN_EVERY: Duration = Duration::from_secs(60);
/// The number of rows in one transaction, so that it does not hold locks for long.
pub const USAGE_WRITTEN_AT_ONCE: usize = 200;
/// The number of partners, for each mode and version, that a replica counts between two writes: a few KB each.
pub const USAGE_ROWS_MAX: usize = 4_096;
/// The number of counts in memory, about 100 bytes each, while the database is down.
pub const USAGE_UNWRITTEN_MAX: usize = 100_000;
/// How long counts are kept: a year, and the month before for comparison.
pub const USAGE_KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);
/// For how many days a use keeps a part of the schema from being removed.
pub const USAGE_RECENT_DAYS: u32 = 30;

// Versions.
/// How often a replica reads the operator's decisions about versions without a notification.
pub const VERSION_NOTICES_READ_EVERY: Duration = Duration::from_secs(2);

// Store.
/// How long a request may wait for a connection, or for another process that writes to the SQLite file.
pub const DATABASE_WAIT: Duration = Duration::from_secs(5);
/// SQLite: the oldest library that is used; before it, a checkpoint can skip a commit (`store/sqlite/version.rs`).
pub const SQLITE_VERSION_MIN: [u32; 3] = [3, 51, 3];
/// SQLite: the number of writes that share one commit, and so one flush of the disk.
pub const WRITES_PER_COMMIT_MAX: usize = 64;
/// SQLite: the length of the writer's queue; callers wait when it is full.
pub const WRITES_WAITING_MAX: usize = 1_024;
/// SQLite: the number of 4 KiB pages in the WAL before a checkpoint (ours). A page that changes repeatedly is copied once.
pub const LOG_PAGES: usize = 4_000;
/// The number of expired idempotency claims that one transaction deletes.
pub const IDEMPOTENCY_CLAIMS_DELETED_AT_ONCE: i64 = 500;

// Mail.
/// How long a worker holds a mail: longer than one transfer to the mail server may take.
pub const MAIL_LEASE: Duration = Duration::from_secs(2 * 60);
/// How often the mail worker polls, such as for mails whose delay is over.
pub const MAIL_POLL: Duration = Duration::from_secs(5);
/// The number of mails that one replica sends at the same time.
pub const MAILS_AT_ONCE: usize = 4;
/// One transfer to the mail server, from the connection to its last reply.
pub const MAIL_SEND: Duration = Duration::from_secs(60);
/// How long a mail server may take to close a connection.
pub const MAIL_QUIT: Duration = Duration::from_secs(2);
/// How long a mail waits for the cover of its theme, without which it is sent otherwise.
pub const MAIL_COVER: Duration = Duration::from_secs(10);
/// The delay after each failed attempt. After the last one a mail is given up, a day and a half after it was queued.
pub const MAIL_RETRY_AFTER: [Duration; 7] = [
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(15 * 60),
    Duration::from_secs(60 * 60),
    Duration::from_secs(4 * 60 * 60),
    Duration::from_secs(8 * 60 * 60),
    Duration::from_secs(24 * 60 * 60),
];
/// The delay after an attempt that failed by a fault of the mail server or of our account there: as long as that lasts already,
/// between these. Such attempts are not counted, because the recipient was not asked.
pub const MAIL_BLOCKED_RETRY: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(15 * 60)];
/// How long a mail waits for the mail server before it is given up (RFC 5321, section 4.5.4.1: four to five days).
pub const MAIL_BLOCKED_MAX: Duration = Duration::from_secs(5 * 24 * 60 * 60);
/// Mails to so many recipients that wait for too long call a person at once; and how many of these mails are counted (ours).
pub const MAIL_RECIPIENTS_WAITING: usize = 3;
pub const MAILS_WAITING_COUNTED: usize = 500;
/// How many failed mails one command sends again (ours).
pub const MAILS_RESENT_AT_ONCE: usize = 1_000;
/// The longest wait of a mail. One that is due later was put there by a clock that was ahead.
pub const MAIL_WAIT_MAX: Duration = MAIL_RETRY_AFTER[MAIL_RETRY_AFTER.len() - 1];
/// How long an order mail waits for the card to be activated, so that it can contain the card's address.
pub const ORDER_MAIL_WAITS: Duration = Duration::from_secs(2 * 60);
/// The delay before the worker checks the card again, and before a mail that waits for the operator is tried again.
pub const ORDER_MAIL_CHECKED_EVERY: Duration = Duration::from_secs(5);
pub const CARD_ONLINE_MAIL_CHECKED_EVERY: Duration = Duration::from_secs(5 * 60);
/// How often the contact of an ordered card may get another address within a day: each time the order mail is sent again (ours).
pub const ORDER_ADDRESS_CHANGES_MAX: usize = 5;
pub const ORDER_ADDRESS_CHANGES_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);
/// A mail that is this old and has a failed attempt causes a warning; docs/operating/alerts.yml says the same.
pub const MAIL_WAITS_TOO_LONG: Duration = Duration::from_secs(15 * 60);
/// For how long readiness reports a mail that was given up.
pub const MAIL_LOST_SHOWN: Duration = Duration::from_secs(24 * 60 * 60);
/// How much of a mail server's reply is stored, in Unicode characters (ours).
pub const MAIL_ANSWER_CHARS_MAX: usize = 500;
/// How long a mail that was sent or given up is kept.
pub const MAIL_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How long the link to the invitee list in an order mail works.
pub const INVITEE_LIST_LINK_VALID: Duration = Duration::from_secs(90 * 24 * 60 * 60);

// Invitee lists.
pub const INVITEES_MAX: usize = 500;
/// A pasted list: its lines, or the people on them, and the Unicode characters of one person's (ours).
pub const PASTED_LINES_MAX: usize = 1_000;
pub const PASTED_LINE_CHARS_MAX: usize = 1_000;
/// The number of pasted lines that the answer names with their problem (ours).
pub const PASTED_PROBLEMS_SHOWN_MAX: usize = 50;
/// The number of invitations by mail to one address for one card, also if the person is deleted and added again; and the
/// minimum interval (ours).
pub const INVITATIONS_MAX: i32 = 5;
pub const INVITATION_AGAIN_AFTER: Duration = Duration::from_secs(60 * 60);
/// The number of invitations of a card on one day in the Netherlands: half of the longest list (ours).
pub const INVITATIONS_PER_CARD_AND_DAY: i32 = 250;
/// The number of invitations of all cards of a partner on one day in the Netherlands, live and test apart (ours): the
/// default of a setting, and its maximum.
pub const INVITATIONS_PER_PARTNER_AND_DAY: i32 = 5_000;
pub const INVITATIONS_PER_DAY_SETTING_MAX: i32 = 1_000_000;
/// How long the count of a day is kept: longer than a day lasts in any time zone.
pub const INVITATION_DAYS_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The number of invitees that one transaction deletes.
pub const INVITEES_DELETED_AT_ONCE: i64 = 1_000;

/// The characters of an event's id after its prefix: 128 bits in base 32.
pub const EVENT_ID_DIGITS: usize = 26;

// Signatures (decisions W2; Standard Webhooks, section "Signature scheme" for the bounds of a secret in bytes).
pub const SIGNING_SECRET_BYTES: usize = 32;
pub const SIGNING_SECRET_BYTES_MIN: usize = 24;
pub const SIGNING_SECRET_BYTES_MAX: usize = 64;
/// The hexadecimal characters of the name that identifies a secret without showing it.
pub const SECRET_FINGERPRINT_CHARS: usize = 8;
/// The number of secrets of a partner that sign at the same time.
pub const SECRETS_ACTIVE_MAX: usize = 2;
/// How long the old secret signs next to the new one after a rotation: the default, and the maximum.
pub const SECRET_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);
pub const SECRET_OVERLAP_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How far the timestamp of a notification may differ from the receiver's clock.
pub const SIGNATURE_TOLERANCE: Duration = Duration::from_secs(5 * 60);
/// The number of deliveries in each state that `webhook show` lists.
pub const DELIVERIES_SHOWN_MAX: usize = 20;
/// The time for npm, or tar, to install GraphiQL.
pub const GRAPHIQL_INSTALL: Duration = Duration::from_secs(120);
/// The receiver of the demo: bytes of a body, and notifications that were not printed yet.
pub const DEMO_RECEIVER_BODY_BYTES_MAX: usize = 64 * 1024;
pub const DEMO_RECEIVER_QUEUE_MAX: usize = 1_024;

// Challenge of a callback, within DELIVERY_TOTAL.
/// The answer to a challenge, in bytes: 43 characters and white space around them.
pub const CHALLENGE_ANSWER_BYTES_MAX: usize = 256;

// Forms, in addition to FORM_BYTES_MAX and UPLOAD_FORM_BYTES_MAX.
/// How long a browser may send nothing of a form, and the minimum bytes a second on average. A photo of 10 MB over a slow
/// mobile connection takes minutes, so there is no limit on the total time.
pub const FORM_STALLED: Duration = Duration::from_secs(20);
pub const FORM_BYTES_PER_SECOND_MIN: u64 = 8 * 1024;
/// What is read beyond that and dropped, in bytes, so that a browser can show why its form was refused.
pub const FORM_DISCARDED_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The same of a form with a photo: a camera makes files of 60 MB.
pub const UPLOAD_DISCARDED_BYTES_MAX: usize = 64 * 1024 * 1024;
/// The bytes that are read of a form without a valid browser session: enough to return the typed text.
pub const UNKNOWN_FORM_BYTES_MAX: usize = 16 * 1024;
/// The memory of bodies of forms in this process, in bytes, in all and of one client address (IPv6: of one /64).
pub const UPLOAD_BYTES_HELD_MAX: usize = 256 * 1024 * 1024;
pub const UPLOAD_BYTES_HELD_PER_CLIENT_MAX: usize = 64 * 1024 * 1024;
/// The number of forms that one browser session has in work, until their answers are written; and of these, with a file.
pub const FORMS_PER_SESSION_MAX: usize = 8;
pub const UPLOADS_PER_SESSION_MAX: usize = 2;
/// The longest form, in bytes, that is given back to the user when its token does not belong to the browser session.
pub const FOREIGN_FORM_BYTES_MAX: usize = 64 * 1024;

/// A photo whose longest side is shorter looks small or unsharp on a card, in pixels; its page says so.
pub const PHOTO_SMALL_SIDE_PIXELS: u32 = 400;

// Decoding, in addition to the limits on pixels.
/// The number of photos that a replica decodes at the same time, each in its own process; and of one partner, fewer, so that
/// others can start.
pub const RENDERINGS_AT_ONCE: usize = 2;
pub const RENDERINGS_AT_ONCE_PER_PARTNER: usize = 1;
/// The number of photos in the queue, in all and of one partner.
pub const RENDERINGS_WAITING_MAX: usize = 128;
pub const RENDERINGS_WAITING_PER_PARTNER_MAX: usize = 32;
/// How long a photo waits in the queue, and how long the decoder may take before it is killed.
pub const RENDERING_WAIT: Duration = Duration::from_secs(20);
pub const DECODING: Duration = Duration::from_secs(20);
/// The processor time of a decoder process, and its address space and stack in bytes (docs/security.md has the measurements).
pub const DECODING_CPU: Duration = Duration::from_secs(15);
pub const DECODING_MEMORY_BYTES_MAX: u64 = 1024 * 1024 * 1024;
pub const DECODING_STACK_BYTES: usize = 8 * 1024 * 1024;
/// The maximum output of a decoder, in bytes: more than a JPEG of REENCODED_SIDE_PIXELS_MAX and its renditions have.
pub const DECODED_ANSWER_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// The drawings in memory: the pictures of cards for messages, of about 60 KB each. In all, and about how many that is.
pub const DRAWINGS_CACHED_BYTES_MAX: u64 = 32 * 1024 * 1024;
pub const DRAWINGS_CACHED_MAX: usize = 512;

// Quotas of photos (ours): bytes stored for a partner in a window of a day, with live keys and with test keys; and photos of
// one browser session in a window of an hour. A window begins with its first photo.
pub const PHOTO_BYTES_PER_DAY_LIVE: i64 = 20 * 1024 * 1024 * 1024;
pub const PHOTO_BYTES_PER_DAY_TEST: i64 = 1024 * 1024 * 1024;
pub const PHOTO_BYTES_WINDOW: Duration = Duration::from_secs(24 * 60 * 60);
pub const UPLOADS_PER_SESSION_HOUR: i64 = 10;
pub const UPLOADS_WINDOW: Duration = Duration::from_secs(60 * 60);

pub const EXTERNAL_DOSSIER_ID_CHARS_MAX: usize = 255;
pub const EXTERNAL_FUNERAL_DIRECTOR_ID_CHARS_MAX: usize = 200;
pub const NAME_CHARS_MAX: usize = 255;
pub const EMAIL_CHARS_MAX: usize = 254;
pub const URL_CHARS_MAX: usize = 2_048;
/// A telephone number of a partner as it is written (ours).
pub const PHONE_CHARS_MAX: usize = 32;
/// A name in the header of a mail; a longer one is left out (ours).
pub const MAIL_HEADER_NAME_CHARS_MAX: usize = 100;

// Fields that only the family fills in (ours).
pub const CARD_TEXT_CHARS_MAX: usize = 5_000;
pub const FAREWELL_PLACE_CHARS_MAX: usize = 200;
pub const FAREWELL_ADDRESS_CHARS_MAX: usize = 300;
pub const FAREWELL_NOTE_CHARS_MAX: usize = 1_000;
pub const INVITATION_NOTE_CHARS_MAX: usize = 500;

/// The first year of a date: an earlier one is a typing error.
pub const YEAR_MIN: i32 = 1000;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An audit record.
pub const AUDIT_KEPT: Duration = DAY.saturating_mul(2 * 365);
/// A session link, from its end.
pub const SESSION_LINKS_KEPT: Duration = DAY.saturating_mul(30);

/// The bounds of the settings, in days. Events are needed as long as their deliveries ([`super::DELIVERY_HELD`]).
pub const RETENTION_DAYS_MIN: u32 = 1;
pub const EVENTS_KEPT_DAYS_MIN: u32 = 31;
pub const RETENTION_DAYS_MAX: u32 = 36_500;

/// The pause between two steps of the retention worker, each of which looks at so many cards: 1.4 million a day.
pub const RETENTION_STEP_EVERY: Duration = Duration::from_secs(60);
pub const RETENTION_CARDS_READ_AT_ONCE: i64 = 1_000;
/// The number of rows of another table that one transaction deletes.
pub const RETENTION_ROWS_DELETED_AT_ONCE: i64 = 1_000;

/// How long PostgreSQL may work on one statement.
pub const STATEMENT_WORK: Duration = Duration::from_secs(5);
/// How long a transaction may be idle in PostgreSQL, because its client is gone and its locks stay.
pub const TRANSACTION_IDLE: Duration = Duration::from_secs(5);
/// How long a unit of work may take once it has a connection: longer than STATEMENT_WORK, and short enough for an answer
/// within 10 s.
pub const DATABASE_WORK: Duration = Duration::from_secs(7);
/// After this long without a response, idle connections are tested; they must respond within DATABASE_PING.
pub const DATABASE_SLOW: Duration = Duration::from_secs(2);
pub const DATABASE_PING: Duration = Duration::from_secs(1);
/// A connection that has been idle for longer is tested before it is used (ours; HikariCP has the same).
pub const DATABASE_IDLE: Duration = Duration::from_millis(500);
/// How often a read-only database may make the pool connect again (ours).
pub const DATABASE_READ_ONLY: Duration = Duration::from_secs(1);
/// How long requests are refused at once after PostgreSQL failed, before it is tried again.
pub const DATABASE_GONE: Duration = Duration::from_secs(1);
/// How long a connection to PostgreSQL may take, with TLS and password.
pub const DATABASE_CONNECT: Duration = Duration::from_secs(3);
/// The number of connections that requests share for lookups and outcomes (docs/performance.md).
pub const SHARED_CONNECTIONS: usize = 2;
/// How long a health check waits for the database: longer than DATABASE_SLOW.
pub const DATABASE_CHECK: Duration = Duration::from_secs(3);
/// TCP options of connections to PostgreSQL: keepalive idle time, interval and count, and the time that sent data may stay
/// unacknowledged.
pub const DATABASE_KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
pub const DATABASE_KEEPALIVE_INTERVAL: Duration = Duration::from_secs(3);
pub const DATABASE_KEEPALIVE_RETRIES: u32 = 3;
pub const DATABASE_UNACKNOWLEDGED: Duration = Duration::from_secs(10);
/// How often a replica tests its LISTEN connection when no notification arrives.
pub const LISTENER_TESTED_EVERY: Duration = Duration::from_secs(2);
/// How often a replica tries to migrate while another one migrates.
pub const MIGRATION_LOCK_TRIED_EVERY: Duration = Duration::from_millis(200);

/// The time for the health check of the object store, with up to four requests: less than CHECK_TOTAL.
pub const OBJECT_STORE_CHECK: Duration = Duration::from_secs(3);
/// How often the health checks store, read back and delete an object, and write a row: a check that is made in between relies on the
/// last success.
pub const OBJECT_STORE_TRIED_EVERY: Duration = Duration::from_secs(60);
pub const DATABASE_TRIED_EVERY: Duration = Duration::from_secs(10);
/// The size of that row, in bytes: at least what the request of a family or partner writes.
pub const HEARTBEAT_BYTES: usize = 64 * 1024;
/// The largest SQLite file that is searched for damage when the server starts, in bytes: some seconds from a slow disk.
pub const DATABASE_EXAMINED_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
/// The time for a metric in the database: less than METRICS_CONNECTION.
pub const READINESS_DATABASE: Duration = Duration::from_secs(3);
/// The time for one check: longer than DATABASE_CHECK, less than METRICS_CONNECTION.
pub const CHECK_TOTAL: Duration = Duration::from_secs(4);
/// How long the result of a health check is reused.
pub const READINESS_KEPT: Duration = Duration::from_secs(1);
/// How long the result of a check of another machine is reused, so that scrapes do not load it.
pub const REMOTE_CHECK_KEPT: Duration = Duration::from_secs(60);
/// The time for the mail server to accept a connection and the password, and for a name to resolve: less than
/// CHECK_TOTAL.
pub const MAIL_SERVER_CHECK: Duration = Duration::from_millis(2_500);
pub const NAME_CHECK: Duration = Duration::from_secs(2);
/// How long a worker may complete no step, in addition to its pause: longer than any step takes.
pub const WORKER_SILENT_MAX: Duration = Duration::from_secs(5 * 60);
/// A notification that waits for longer for its attempt is overdue.
pub const DELIVERY_OVERDUE: Duration = Duration::from_secs(5 * 60);
/// The free space on the disk of the data folder, in bytes.
pub const DISK_FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;
/// How far the clocks of this machine and of the database may differ.
pub const CLOCK_SKEW_MAX: Duration = Duration::from_secs(10);
/// How much of a server's readiness a command reads, in bytes.
pub const SERVER_CHECKS_BYTES_MAX: u64 = 1024 * 1024;
/// The age of the last recorded backup: a day, and a missed run.
pub const BACKUP_AGE_MAX: Duration = Duration::from_secs(48 * 60 * 60);
/// The age of the last drill: a week, and a missed run.
pub const BACKUP_DRILL_AGE_MAX: Duration = Duration::from_secs(8 * 24 * 60 * 60);

/// The interval between two lines of the log about a command that is running.
pub const PROGRESS_LOGGED_EVERY: Duration = Duration::from_secs(10);

/// How long a server drains under Kubernetes: it is not ready, so that no new requests are sent to it, and serves all
/// the same.
pub const DRAIN_DELAY: Duration = Duration::from_secs(5);
/// The longest such delay that the operator can set. It is a part of DRAIN, and leaves the rest to running requests.
pub const DRAIN_DELAY_SETTING_MAX: Duration = Duration::from_secs(15);
/// The time from the signal to the end of running requests: less than the 30 s after which most hosts kill.
pub const DRAIN: Duration = Duration::from_secs(20);
/// The time for the last writes after that.
pub const CLOSE: Duration = Duration::from_secs(5);
/// The time for blocking threads after that.
pub const THREADS_END: Duration = Duration::from_secs(1);
/// How long a connection that waited to be accepted at the shutdown has for its request (ours).
pub const LAST_REQUEST: Duration = Duration::from_secs(1);

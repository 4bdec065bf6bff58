//! Limits on forms and photos: memory, processor time and stored bytes (the numbers are ours).

use std::time::Duration;

// Forms, in addition to FORM_BYTES_MAX and UPLOAD_FORM_BYTES_MAX.
/// How long a browser may send nothing of a form, and the minimum bytes a second on average. A photo of 10 MB over a slow
/// mobile connection takes minutes, so there is no limit on the total time.
pub const FORM_STALLED: Duration = Duration::from_secs(20);
pub const FORM_BYTES_PER_SECOND_MIN: u64 = 8 * 1024;
/// What is read beyond that and dropped, in bytes, so that a browser can show why its form was refused.
pub const FORM_DISCARDED_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The same of a form with a photo: a camera makes files of 60 MB.
pub const UPLOAD_DISCARDED_BYTES_MAX: usize = 64 * 1024 * 1024;
/// What is read, in bytes, of a form without a valid browser session: enough to return what was typed.
pub const UNKNOWN_FORM_BYTES_MAX: usize = 16 * 1024;
/// The memory of bodies of forms in this process, in bytes, in all and of one client address (IPv6: of one /64).
pub const UPLOAD_BYTES_HELD_MAX: usize = 256 * 1024 * 1024;
pub const UPLOAD_BYTES_HELD_PER_CLIENT_MAX: usize = 64 * 1024 * 1024;
/// The number of forms that one browser session has in work, until their answers are written; and of these, with a file.
pub const FORMS_PER_SESSION_MAX: usize = 8;
pub const UPLOADS_PER_SESSION_MAX: usize = 2;
/// The longest form, in bytes, that is given back to the user when its token is not that of the browser session.
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
/// The processor time and the address space, in bytes, of a decoder process (docs/security.md has the measurements).
pub const DECODING_CPU: Duration = Duration::from_secs(15);
pub const DECODING_MEMORY_BYTES_MAX: u64 = 1024 * 1024 * 1024;
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

//! `webhook …` as it can be typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::base::Moment;
use crate::base::limits::SECRET_OVERLAP_MAX;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum WebhookCommand {
    /// List subscriptions and how they fare
    List {
        /// Only those of this partner
        #[arg(long)]
        partner: Option<String>,
    },
    /// Show a subscription and its newest notifications
    Show {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
    },
    /// List the attempts to deliver a notification
    Attempts {
        /// The id of the delivery, as webhook show has it, or the id of the event: evt_…
        delivery: String,
    },
    /// Send to a paused subscription again, what it missed first
    Resume {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
        /// Do it; without, only say what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// Send one notification again, or make its next attempt now
    Resend {
        /// The id of the delivery, as webhook show has it, or the id of the event: evt_…
        delivery: String,
        /// Do it; without, only say what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// Send everything again that happened since a moment
    Replay {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
        /// A moment, such as 2026-11-21T08:00:00Z, or how long ago, such as 90m, 24h or 7d
        #[arg(long, value_name = "MOMENT", value_parser = since)]
        since: Since,
        /// Do it; without, only say what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// The secrets with which a partner's notifications are signed
    #[command(subcommand, arg_required_else_help = true)]
    Secret(SecretCommand),
    /// Check a notification that was received, and say which part of its signature differs (needs no database)
    ///
    /// The secret comes from --secret-file, or else from the environment variable WEBHOOK_SECRET. Exit code 0: genuine.
    /// 3: not, and the output says which part differs. 1: nothing could be checked. 2: the command line is wrong.
    Verify(Verify),
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SecretCommand {
    /// Issue a secret; it is shown this once. A second one signs beside the first
    Issue {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
    /// Replace the secret; it is shown this once. Both sign until the overlap is over
    Rotate {
        /// The name of the partner
        #[arg(long)]
        partner: String,
        /// How long the old secret signs beside the new one, such as 24h, 90m or 7d
        #[arg(long, value_name = "SPAN", default_value = OVERLAP, value_parser = span)]
        overlap: Duration,
    },
    /// List the secrets of a partner by their fingerprints, those that ended too
    List {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
    /// End a secret at once, because somebody else may know it
    Revoke {
        /// The id of the secret, or its fingerprint
        secret: String,
        /// Also when it is the only one: nothing is sent until another one is issued
        #[arg(long)]
        yes: bool,
    },
}

/// The default of `--overlap`: `limits::SECRET_OVERLAP`.
const OVERLAP: &str = "24h";

#[derive(Debug, Args)]
pub(in crate::cli) struct Verify {
    /// The body, byte for byte as it arrived; - reads stdin
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub body: PathBuf,
    /// A file with the headers, one `Name: value` a line, as curl and most servers print them
    #[arg(long, value_name = "FILE")]
    pub headers: Option<PathBuf>,
    /// The header webhook-id
    #[arg(long, allow_hyphen_values = true)]
    pub id: Option<String>,
    /// The header webhook-timestamp
    #[arg(long, allow_hyphen_values = true)]
    pub timestamp: Option<String>,
    /// The header webhook-signature
    #[arg(long, allow_hyphen_values = true)]
    pub signature: Option<String>,
    /// A file that holds the secret
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// The secret itself: others on this machine can see it, so prefer --secret-file or WEBHOOK_SECRET
    #[arg(long, conflicts_with = "secret_file")]
    pub secret: Option<String>,
    /// The signature that your own code computed: what it got wrong is said too
    #[arg(long, value_name = "SIGNATURE", allow_hyphen_values = true)]
    pub computed: Option<String>,
    /// Do not look at how old the notification is: for one that was kept
    #[arg(long)]
    pub ignore_age: bool,
}

/// A moment, or how long ago it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Since {
    Moment(Moment),
    Ago(Duration),
}

impl Since {
    /// The moment, seen from `now`.
    pub fn moment(self, now: Moment) -> Moment {
        match self {
            Since::Moment(moment) => moment,
            Since::Ago(span) => now.before(span),
        }
    }
}

/// Reads the value of `--since`.
fn since(text: &str) -> Result<Since, String> {
    if let Ok(ago) = span(text) {
        return Ok(Since::Ago(ago));
    }
    let moment = chrono::DateTime::parse_from_rfc3339(text);
    let moment = moment.map_err(|_| "a moment such as 2026-11-21T08:00:00Z, or a span such as 24h, at most 30d")?;
    Ok(Since::Moment(moment.to_utc().into()))
}

/// Reads a span of time: a number and m, h or d; no longer than events are held, or secrets sign beside each other.
fn span(text: &str) -> Result<Duration, String> {
    let form = || "a number and a unit, such as 90m, 24h or 7d".to_owned();
    let seconds = match text.chars().last() {
        Some('m') => 60,
        Some('h') => 3_600,
        Some('d') => 86_400,
        _ => return Err(form()),
    };
    let number: u32 = text[..text.len() - 1].parse().map_err(|_| form())?;
    let span = Duration::from_secs(u64::from(number) * seconds);
    match span <= SECRET_OVERLAP_MAX {
        true => Ok(span),
        false => Err(format!("at most {} days", SECRET_OVERLAP_MAX.as_secs() / 86_400)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::SECRET_OVERLAP;

    #[test]
    fn overlap_is_read_in_minutes_hours_and_days() {
        for (text, seconds) in [("0h", 0), ("90m", 5_400), ("24h", 86_400), ("30d", 2_592_000)] {
            assert_eq!(span(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "h", "24", "-1h", "1.5h", "24 h", "31d", "99999999999h", "1é"] {
            assert!(span(text).is_err(), "{text:?}");
        }
        assert_eq!(span(OVERLAP), Ok(SECRET_OVERLAP));
    }

    #[test]
    fn since_is_a_moment_or_a_span() {
        let now = Moment::from_millis(1_800_000_000_000).expect("a moment");
        let at = |text: &str| since(text).map(|since| since.moment(now).to_string());
        assert_eq!(at("1h").as_deref(), Ok("2027-01-15T07:00:00.000Z"));
        assert_eq!(at("2026-11-21T09:00:00+01:00").as_deref(), Ok("2026-11-21T08:00:00.000Z"));
        for text in ["", "yesterday", "2026-11-21", "2026-11-21T09:00:00", "31d"] {
            assert!(since(text).is_err(), "{text:?}");
        }
    }
}

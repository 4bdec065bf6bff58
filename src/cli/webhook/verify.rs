//! `webhook verify`: helps a partner's developer whose code rejects a signature.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::SECRET_VARIABLE;
use super::view::{FindingView, VerdictView};
use crate::base::Clock;
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::cli::sources::environment;
use crate::model::SigningSecret;
use crate::operation::webhook::secret::fingerprint;
use crate::webhook::diagnosis::{inspect, inspect_computed};
use crate::webhook::signature::{ID_HEADER, SIGNATURE_HEADER, SignedRequest, TIMESTAMP_HEADER};

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
    /// A file with the secret
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// The secret itself: others on this machine can see it, so prefer --secret-file or WEBHOOK_SECRET
    #[arg(long, conflicts_with = "secret_file")]
    pub secret: Option<String>,
    /// The signature that your own code computed, to find its mistake
    #[arg(long, value_name = "SIGNATURE", allow_hyphen_values = true)]
    pub computed: Option<String>,
    /// Ignore the age of the notification, if it was stored before
    #[arg(long)]
    pub ignore_age: bool,
}

/// The exit code for a notification that is not genuine.
const NOT_GENUINE: u8 = 3;

pub(in crate::cli) fn run(command: Verify, output: Output) -> Result<ExitCode, CliFailure> {
    let secret = secret(&command)?;
    let headers = match &command.headers {
        Some(path) => String::from_utf8_lossy(&read(path)?).into_owned(),
        None => String::new(),
    };
    let header = |given: &Option<String>, name: &'static str| {
        given.clone().or_else(|| header_in(&headers, name)).ok_or(CliFailure::NoHeader(name))
    };
    let (id, timestamp) = (header(&command.id, ID_HEADER)?, header(&command.timestamp, TIMESTAMP_HEADER)?);
    let signature = match (header(&command.signature, SIGNATURE_HEADER), &command.computed) {
        (Err(_), Some(_)) => None, // only the computed signature is verified
        (found, _) => Some(found?),
    };
    let body = read(&command.body)?;
    let received = SignedRequest {
        id: &id,
        timestamp: &timestamp,
        signature: signature.as_deref().unwrap_or_default(),
        body: &body,
    };
    let verdict = judge(secret, &received, &command);
    output.show(&verdict, || text(&verdict, signature.is_some()))?;
    let passes = verdict.genuine && verdict.computed_is_right != Some(false);
    Ok(if passes { ExitCode::SUCCESS } else { ExitCode::from(NOT_GENUINE) })
}

fn judge(secret: Result<SigningSecret, String>, received: &SignedRequest<'_>, command: &Verify) -> VerdictView {
    let mut verdict = VerdictView {
        genuine: false,
        computed_is_right: None,
        fingerprint: None,
        id: received.id.to_owned(),
        timestamp: received.timestamp.to_owned(),
        body_bytes: received.body.len(),
        findings: Vec::new(),
    };
    let secret = match secret {
        Ok(secret) => secret,
        Err(message) => {
            verdict.findings.push(FindingView { part: "secret", message });
            return verdict;
        }
    };
    verdict.fingerprint = Some(fingerprint(&secret));
    let now = (!command.ignore_age).then(|| Clock::system().now().millis().div_euclid(1_000));
    let is_given = !received.signature.is_empty() || command.computed.is_none();
    let mut findings = if is_given { inspect(&secret, received, now) } else { Vec::new() };
    verdict.genuine = findings.is_empty();
    if let Some(computed) = &command.computed {
        let own = inspect_computed(&secret, received, computed);
        verdict.computed_is_right = Some(own.is_empty());
        findings.extend(own);
    }
    verdict.findings = findings.into_iter().map(FindingView::from).collect();
    verdict
}

fn text(verdict: &VerdictView, signature_was_given: bool) -> String {
    let mut text = match (verdict.genuine, verdict.computed_is_right) {
        (true, None) => "The signature fits: this is what the service sent.".to_owned(),
        (true, Some(true)) if signature_was_given => "Both signatures fit.".to_owned(),
        (true, Some(true)) => "The signature that you computed is right.".to_owned(),
        (true, Some(false)) => "The signature that you computed is not right:".to_owned(),
        (false, _) => "This is not to be trusted as it is:".to_owned(),
    };
    for finding in &verdict.findings {
        text.push_str(&format!("\n  {:<9}  {}", finding.part, finding.message));
    }
    let bytes = verdict.body_bytes;
    text.push_str(&format!("\n\nid {}, timestamp {}, body of {bytes} bytes", verdict.id, verdict.timestamp));
    if let Some(fingerprint) = &verdict.fingerprint {
        text.push_str(&format!(", secret with fingerprint {fingerprint}"));
    }
    text
}

/// The secret, or why it is invalid.
fn secret(command: &Verify) -> Result<Result<SigningSecret, String>, CliFailure> {
    let given = match (&command.secret_file, &command.secret) {
        (Some(path), _) => String::from_utf8_lossy(&read(path)?).into_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => environment(SECRET_VARIABLE).ok_or(CliFailure::NoSecret)?,
    };
    Ok(SigningSecret::parse(given.trim()).map_err(|error| format!("This is no secret: {error}.")))
}

/// The value of a header in lines of `Name: value`; of two such lines, both values.
fn header_in(headers: &str, name: &str) -> Option<String> {
    let mut values = headers.lines().filter_map(|line| {
        let (key, value) = line.trim_start_matches(['<', '>', ' ']).split_once(':')?;
        key.trim().trim_matches('"').eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    });
    let first = values.next()?;
    Some(values.fold(first, |all, value| all + " " + &value))
}

fn read(path: &Path) -> Result<Vec<u8>, CliFailure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|error| CliFailure::File(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::header_in;

    #[test]
    fn header_is_found_in_what_tools_print() {
        for text in [
            "Webhook-Id: evt_1\nother: a",
            "POST / HTTP/1.1\r\nHost: a\r\nwebhook-id:evt_1\r\n\r\n",
            "> WEBHOOK-ID: evt_1",
            "\"webhook-id\": evt_1",
        ] {
            assert_eq!(header_in(text, "webhook-id").as_deref(), Some("evt_1"), "{text:?}");
        }
        assert_eq!(header_in("webhook-id2: a", "webhook-id"), None);
        assert_eq!(header_in("a: v1,x\nA: v1,y", "a").as_deref(), Some("v1,x v1,y"));
    }
}

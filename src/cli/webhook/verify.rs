//! `webhook verify`: names the part of a received notification that does not fit its signature.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::SECRET_VARIABLE;
use crate::base::Clock;
use crate::cli::failure::{CliError, CliFailure};
use crate::cli::output::Output;
use crate::cli::sources::environment;
use crate::model::SigningSecret;
use crate::operation::webhook::secret::fingerprint;
use crate::webhook::{self, ID_HEADER, SIGNATURE_HEADER, SignatureError, SignedRequest, TIMESTAMP_HEADER};

#[derive(Debug, Args)]
pub(in crate::cli) struct Verify {
    /// A file with the headers, one `Name: value` a line, as curl and most servers print them
    #[arg(long, value_name = "FILE")]
    headers: PathBuf,
    /// The body, byte for byte as it arrived; - reads stdin
    #[arg(long, value_name = "FILE", default_value = "-")]
    body: PathBuf,
    /// A file with the secret; without it, the environment variable WEBHOOK_SECRET
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Ignore the age of the notification, if it was stored before
    #[arg(long)]
    ignore_age: bool,
}

/// The exit code for a notification that is not genuine.
const NOT_GENUINE: u8 = 3;

/// The part that does not fit (`secret`, `id`, `timestamp`, `header` or `body`), and why.
type Misfit = (&'static str, String);

pub(in crate::cli) fn run(command: Verify, output: Output) -> Result<ExitCode, CliFailure> {
    let given = match &command.secret_file {
        Some(path) => String::from_utf8_lossy(&read(path)?).into_owned(),
        None => environment(SECRET_VARIABLE).ok_or(CliError::NoSecret)?,
    };
    let headers = String::from_utf8_lossy(&read(&command.headers)?).into_owned();
    let header = |name| header_in(&headers, name).ok_or(CliError::NoHeader(name));
    let (id, timestamp, signature) = (header(ID_HEADER)?, header(TIMESTAMP_HEADER)?, header(SIGNATURE_HEADER)?);
    let body = read(&command.body)?;
    let request = SignedRequest { id: &id, timestamp: &timestamp, signature: &signature, body: &body };
    let now = match command.ignore_age {
        true => timestamp.parse().unwrap_or_default(),
        false => Clock::system().now().millis().div_euclid(1_000),
    };
    let secret = SigningSecret::parse(given.trim());
    let checked = match &secret {
        Ok(secret) => check(secret, &request, now),
        Err(error) => Err(("secret", format!("This is no secret: {error}."))),
    };
    let genuine = checked.is_ok();
    let (part, message) = match checked {
        Ok(()) => (None, "The signature fits.".to_owned()),
        Err((part, message)) => (Some(part), message),
    };
    let secret = secret.ok().map(|secret| fingerprint(&secret)); // unless it is malformed
    let object = json!({ "genuine": genuine, "part": part, "message": message, "fingerprint": secret });
    output.show(&object, || {
        let part = part.map(|part| format!("{part}: ")).unwrap_or_default();
        let secret = secret.as_ref().map(|it| format!("\nThe secret has the fingerprint {it}."));
        format!("{part}{message}{}", secret.unwrap_or_default())
    })?;
    Ok(if genuine { ExitCode::SUCCESS } else { ExitCode::from(NOT_GENUINE) })
}

/// Verifies a request as a receiver does. On a mismatch, names the part that differs from what the
/// service sends.
fn check(secret: &SigningSecret, request: &SignedRequest<'_>, now_seconds: i64) -> Result<(), Misfit> {
    let verify = |request: &SignedRequest<'_>| webhook::verify([secret], request, now_seconds);
    let misfit = match verify(request) {
        Ok(()) => return Ok(()),
        Err(SignatureError::Differs) => find_misfit(request, |request| verify(request).is_ok()),
        Err(SignatureError::NoSignature) => {
            ("header", format!("{SIGNATURE_HEADER} is not \"v1,\" and 44 characters of base64."))
        }
        Err(error @ SignatureError::Timestamp) => ("timestamp", format!("{error} since 1970.")),
        Err(error @ (SignatureError::TooOld(_) | SignatureError::FromTheFuture(_))) => {
            let advice = "Set your clock, or say --ignore-age for a notification that you kept.";
            ("timestamp", format!("{error}: more than five minutes. {advice}"))
        }
    };
    Err(misfit)
}

fn find_misfit(request: &SignedRequest<'_>, fits: impl Fn(&SignedRequest<'_>) -> bool) -> Misfit {
    let body: Option<Value> = serde_json::from_slice(request.body).ok();
    let id = body.as_ref().and_then(|body| body.get("id")?.as_str());
    if request.body.is_empty() {
        ("body", "It is empty: something had read the request before you kept it.".to_owned())
    } else if fits(&SignedRequest { body: request.body.trim_ascii_end(), ..*request }) {
        ("body", "It fits without the white space at its end.".to_owned())
    } else if let Some(id) = id.filter(|id| *id != request.id) {
        ("id", format!("{ID_HEADER} is of another notification: the body has {id}."))
    } else if id.is_none() || !request.body.starts_with(br#"{"id":"#) || has_white_space(request.body) {
        let message =
            "It is not as the service writes it: JSON that is parsed and written again differs. Keep the raw bytes.";
        ("body", message.to_owned())
    } else {
        let message = "The secret is another one: compare its fingerprint with the one that the operator sees (webhook secret \
                       list). If it is right, the body was changed, or the timestamp is of another attempt.";
        ("secret", message.to_owned())
    }
}

/// Returns whether a body has white space between its parts.
fn has_white_space(body: &[u8]) -> bool {
    body.windows(2).any(|pair| matches!(pair, [b',' | b':', b' '] | [b'{' | b',', b'\n']))
}

/// Returns the value of a header in lines of `Name: value`; of several such lines, all values.
fn header_in(headers: &str, name: &str) -> Option<String> {
    let values = headers.lines().filter_map(|line| {
        let (key, value) = line.trim_start_matches(['<', '>', ' ']).split_once(':')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    });
    Some(values.collect::<Vec<_>>().join(" ")).filter(|value| !value.is_empty())
}

fn read(path: &Path) -> Result<Vec<u8>, CliFailure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|error| CliError::File(path.to_owned(), error).into())
}

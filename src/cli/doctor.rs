//! `doctor`: which settings and database are used, who may read them, and the result of every check.
//!
//! Makes the checks in this process, and asks the server at its METRICS_LISTEN for the checks of its process. Wrong settings are shown,
//! and the checks are made with the others.

use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;

use console::Style;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::failure::CliFailure;
use super::output::{Output, Table, one_line};
use super::sources::Sources;
use super::system_user::own_user;
use crate::app::{self, SettingError, Settings, StartError};
use crate::base::private::owner_and_mode;
use crate::base::{Clock, Entropy, ErrorChain, limits};
use crate::http::Tls;
use crate::outbound::Names;
use crate::services::{CHECKS, Check, Checked, Checks, Outcome, Severity};
use crate::store::database_name;

/// Shows everything. The exit code is 1 if a check failed.
pub(super) async fn run(sources: &Sources, output: Output) -> Result<ExitCode, CliFailure> {
    let (mut settings, errors) = sources.any_settings();
    settings.migrate_database = false;
    settings.examine_database = true;
    let server = match settings.metrics_listen {
        Some(address) => Some((address, server_checks(address).await)),
        None => None,
    };
    let mut checked = checks(&settings).await;
    for (check, outcome) in &mut checked {
        let of_server = server.as_ref().and_then(|(_, checks)| outcome_in(checks.as_ref()?, check));
        if let (Outcome::NotAsked(_), Some(answer)) = (&*outcome, of_server) {
            *outcome = answer;
        }
    }
    let facts = facts(sources, &settings, server.as_ref().map(|(address, checks)| (*address, checks.is_some())));
    output.show_safe(&object(&facts, &errors, &checked), || text(&facts, &errors, &checked))?;
    let failed = !errors.is_empty() || checked.iter().any(|(_, outcome)| outcome.problem().is_some());
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Makes the checks. Without the services, the check of what cannot be opened fails, and no other can be made.
async fn checks(settings: &Settings) -> Vec<Checked> {
    let opened = app::services(settings, Clock::system(), Entropy::system(), Names::system()).await;
    let (services, closer) = match opened {
        Ok(opened) => opened,
        Err(error) => return without_services(&error),
    };
    let tls = settings.tls.clone().map(Tls::open).transpose();
    if let Ok(Some(tls)) = &tls {
        services.certificate.set(tls.not_after());
    }
    let checks = Checks::new(services);
    let mut checked = checks.run_all().await;
    if let Err(error) = tls {
        let problem = Outcome::Failed(ErrorChain(&error).to_string());
        checked.iter_mut().filter(|(check, _)| check.name == "certificate").for_each(|own| own.1 = problem.clone());
    }
    drop(checks);
    closer.close().await;
    checked
}

fn without_services(error: &StartError) -> Vec<Checked> {
    let broken = match error {
        StartError::Media(_) => "object_store",
        StartError::Mailer(_) => "mail_server",
        StartError::EgressAllow(_) => "egress",
        StartError::DataDir(..) => "disk",
        _ => "database",
    };
    let outcome = |check: &Check| match check.name == broken {
        true => Outcome::Failed(ErrorChain(error).to_string()),
        false => Outcome::NotAsked("the service cannot be opened".to_owned()),
    };
    CHECKS.iter().map(|check| (check, outcome(check))).collect()
}

/// Returns the checks of the server that listens there; `None` if no server answers.
async fn server_checks(address: SocketAddr) -> Option<Value> {
    let asked = async {
        let mut stream = TcpStream::connect(address).await?;
        let request = format!("GET /health/ready HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.take(limits::SERVER_CHECKS_BYTES_MAX).read_to_end(&mut answer).await?;
        Ok::<_, std::io::Error>(answer)
    };
    let answer = tokio::time::timeout(limits::METRICS_CONNECTION, asked).await.ok()?.ok()?;
    let body = answer.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let answer: Value = serde_json::from_slice(&answer[body..]).ok()?;
    answer.get("checks").cloned()
}

/// Returns the server's result of a check.
fn outcome_in(checks: &Value, check: &Check) -> Option<Outcome> {
    let own = checks.get(check.name)?;
    match (own["outcome"].as_str()?, own["reason"].as_str()) {
        ("ok", _) => Some(Outcome::Ok),
        ("failed", Some(problem)) => Some(Outcome::Failed(problem.to_owned())),
        _ => None,
    }
}

/// The facts that are shown before the checks, by name.
fn facts(sources: &Sources, settings: &Settings, server: Option<(SocketAddr, bool)>) -> Vec<(&'static str, Value)> {
    let file = settings.database_url.strip_prefix("sqlite://").map(Path::new);
    let server = match server {
        None => "not asked: METRICS_LISTEN is not set".to_owned(),
        Some((address, true)) => format!("answers at {address}"),
        Some((address, false)) => format!("does not answer at {address}"),
    };
    vec![
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("user", own_user().into()),
        ("settings", sources.file.source().map(|(path, _)| path).into()),
        ("database", database_name(&settings.database_url).into()),
        ("databaseAccess", file.and_then(owner_and_mode).into()),
        ("dataDir", settings.data_dir.display().to_string().into()),
        ("dataDirAccess", owner_and_mode(&settings.data_dir).into()),
        ("publicBaseUrl", settings.public_base_url.clone().into()),
        ("listen", settings.listen.to_string().into()),
        ("server", server.into()),
    ]
}

fn object(facts: &[(&'static str, Value)], errors: &[SettingError], checked: &[Checked]) -> Value {
    let of = |(check, outcome): &Checked| {
        let mut object = json!(outcome);
        object["name"] = check.name.into();
        object["severity"] = check.severity.as_str().into();
        if outcome.problem().is_some() {
            object["action"] = check.action.into();
        }
        object
    };
    let mut object: Map<_, _> = facts.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let errors = errors.iter().map(|error| json!({ "setting": error.name, "reason": error.reason }));
    object.insert("wrongSettings".to_owned(), errors.collect());
    object.insert("checks".to_owned(), checked.iter().map(of).collect());
    Value::Object(object)
}

/// The checks, what is wrong first, and the facts. In colour on a terminal, unless NO_COLOR is set.
fn text(facts: &[(&'static str, Value)], errors: &[SettingError], checked: &[Checked]) -> String {
    let mut text = String::new();
    let (red, green, dim) = (Style::new().red().bold(), Style::new().green(), Style::new().dim());
    for error in errors {
        text.push_str(&format!("{}  {}\n", red.apply_to("wrong setting"), one_line(&error.to_string())));
    }
    if !errors.is_empty() {
        text.push_str("No server starts with these settings. The checks use the others.\n\n");
    }
    let rank = |(check, outcome): &&Checked| match outcome {
        Outcome::Failed(_) | Outcome::Impaired(_) => (0, check.severity == Severity::Ticket),
        Outcome::NotAsked(_) => (1, false),
        Outcome::Ok => (2, false),
    };
    let mut sorted: Vec<_> = checked.iter().collect();
    sorted.sort_by_key(rank);
    let width = CHECKS.iter().map(|check| check.name.len()).max().unwrap_or_default();
    for (check, outcome) in sorted {
        let (result, style, reason) = match outcome {
            Outcome::Ok => ("ok", &green, ""),
            Outcome::Failed(problem) | Outcome::Impaired(problem) => ("failed", &red, problem.as_str()),
            Outcome::NotAsked(reason) => ("not asked", &dim, reason.as_str()),
        };
        let line = format!("{}  {:<width$}  {}", style.apply_to(format!("{result:<9}")), check.name, one_line(reason));
        text.push_str(line.trim_end());
        text.push('\n');
        if outcome.problem().is_some() {
            text.push_str(&format!("{:11}{}: {}\n", "", check.severity.as_str(), check.action));
        }
    }
    let mut known = Table::new(&["fact", "value"]);
    for (name, value) in facts {
        known.row([(*name).to_owned(), value.as_str().unwrap_or_default().to_owned()]);
    }
    format!("{text}\n{}", known.render())
}

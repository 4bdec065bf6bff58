//! `demo`: a server with a partner, a test key, the bundled themes, and a receiver of its notifications.

mod graphiql;
mod notifications;

use std::io;
use std::io::Write as _;
use std::path::Path;

use chrono::Duration;
use serde_json::json;
use tokio::task::JoinHandle;

use super::bundled_themes::BUNDLED_THEMES;
use super::demo_receiver::DemoReceiver;
use super::failure::CliFailure;
use super::output::{Output, escape};
use super::serve;
use super::sources::Sources;
use super::view::{imported_theme_object, key_object, partner_object};
use crate::app::Settings;
use crate::base::{Clock, ErrorChain, GlobalId, Kind, Progress};
use crate::model::{AccessKey, AccessToken, KeyMode, Partner, SigningSecret, path};
use crate::operation::key::NewKey;
use crate::operation::partner::FindPartnerError;
use crate::operation::theme::ImportedTheme;
use crate::operation::{key, partner, theme};
use crate::services::Services;
use crate::web::Graphiql;

const PARTNER: &str = "Demo";
const LABEL: &str = "demo";
/// The API version of the printed commands.
const VERSION: &str = "2026-10";
/// The theme of the first card.
const THEME: &str = "linde";
/// The file in DATA_DIR with the response, from which the second command takes the id.
const ANSWER_FILE: &str = "demo-card.json";

/// `with_graphiql`: whether the demo serves GraphiQL.
pub(in crate::cli) async fn run(sources: &Sources, with_graphiql: bool, output: Output) -> Result<(), CliFailure> {
    let mut settings = settings(sources)?;
    settings.create_database = true;
    let receiver = DemoReceiver::start(Clock::system()).await?;
    notifications::open(&mut settings, &receiver)?;
    let Some((server, stops)) = serve::start(&settings).await? else { return Ok(()) };
    let listening = format!("{}://{}", server.scheme(), reachable(&server.address().to_string()));
    let shown = prepare(server.services(), &settings, &listening, &receiver).await?;
    output.show(&shown.object(), || shown.text())?;
    let fetching = with_graphiql.then(|| {
        let nonce = server.services().entropy.unguessable();
        let address = format!("{listening}{}?demo={nonce}", path::graphiql(""));
        let (data_dir, token, serve) = (settings.data_dir.clone(), shown.token.clone(), server.graphiql());
        tokio::spawn(async move {
            match graphiql::files(&data_dir).await {
                Ok(files) => {
                    serve(Graphiql { files, version: VERSION, token, nonce });
                    // A closed stdout does not stop the demo.
                    let _ =
                        output.show(&json!({ "graphiql": address }), || format!("GraphiQL, with the key: {address}"));
                }
                Err(error) => {
                    let error = escape(&ErrorChain(&error).to_string());
                    // A closed stderr loses the line.
                    let _ = writeln!(io::stderr(), "GraphiQL is not there: {error}. The demo goes on without it.");
                }
            }
        })
    });
    // The receiver runs until the server has stopped, to show the last notifications.
    let showing = tokio::spawn(notifications::show(receiver, output));
    let stopped = serve::until_stopped(server, stops).await;
    showing.abort();
    fetching.iter().for_each(JoinHandle::abort);
    stopped
}

/// The settings of the environment, with the embedded database, and by default with the listening address as public URL.
fn settings(sources: &Sources) -> Result<Settings, CliFailure> {
    sources.settings(|name| match name {
        "DATABASE_URL" => None,
        "PUBLIC_BASE_URL" => sources.get(name).or_else(|| {
            let listen = sources.get("LISTEN").filter(|listen| !listen.ends_with(":0"))?;
            Some(format!("http://{}", reachable(&listen)))
        }),
        _ => sources.get(name),
    })
}

/// An address to paste: a server that listens on every address is reached on the loopback.
fn reachable(listen: &str) -> String {
    match listen.rsplit_once(':') {
        Some(("0.0.0.0" | "[::]", port)) => format!("127.0.0.1:{port}"),
        _ => listen.to_owned(),
    }
}

async fn prepare(
    services: &Services,
    settings: &Settings,
    listening: &str,
    receiver: &DemoReceiver,
) -> Result<Shown, CliFailure> {
    let partner = match partner::find(services, PARTNER).await {
        Err(FindPartnerError::Unknown(_)) => partner::add(services, PARTNER).await?.0,
        found => found?,
    };
    let (key, token) = fresh_key(services, &partner).await?;
    let themes = theme::import(services, theme::read_bundled(BUNDLED_THEMES)?, &Progress::default()).await?;
    let webhook_secret = notifications::subscribe(services, &partner, VERSION, receiver).await?;
    let answer = std::path::absolute(settings.data_dir.join(ANSWER_FILE))?;
    let commands = Commands::new(services, listening, &token, &themes, &answer);
    Ok(Shown { listening: listening.to_owned(), partner, key, token, themes, webhook_secret, commands })
}

/// Issues a test key, and revokes the other keys of the demo.
async fn fresh_key(services: &Services, partner: &Partner) -> Result<(AccessKey, AccessToken), CliFailure> {
    let new = NewKey { mode: KeyMode::Test, label: Some(LABEL.to_owned()), valid_days: None };
    let (fresh, token) = key::issue(services, partner, new).await?;
    for old in key::list(services, partner).await? {
        if old.id != fresh.id && old.revoked_at.is_none() && old.label.as_deref() == Some(LABEL) {
            key::revoke(services, &old.id.to_string()).await?;
        }
    }
    Ok((fresh, token))
}

/// Commands to paste into bash.
struct Commands {
    endpoint: String,
    schema: String,
    create: String,
    read: String,
}

impl Commands {
    fn new(services: &Services, listening: &str, token: &AccessToken, themes: &[ImportedTheme], answer: &Path) -> Self {
        let [endpoint, schema] =
            [path::graphql(VERSION), path::schema(VERSION)].map(|path| format!("{listening}{path}"));
        let now = services.clock.now();
        let run = services.entropy.uuid(now).simple().to_string();
        let dossier = format!("DEMO-{}-{}", now.utc().format("%Y%m%d"), run[24..].to_uppercase());
        let died = services.clock.today() - Duration::days(3);
        let theme = themes.iter().find(|imported| imported.theme.handle == THEME);
        let theme = theme.map_or(String::new(), |imported| {
            format!("\"themeId\": \"{}\",\n      ", GlobalId::new(Kind::Theme, imported.theme.id))
        });
        let answer = quote(&answer.to_string_lossy());
        let head = format!(
            "curl -sS -w '\\n' {endpoint} \\\n  -H 'Content-Type: application/json' \\\n  \
             -H 'X-Service-Access-Token: {}' \\\n",
            token.reveal()
        );
        let create = format!(
            r#"{head}  -H 'Idempotency-Key: demo-{run}' \
  -d '{{
    "query": "mutation ($input: CardCreateInput!) {{ cardCreate(input: $input) {{ card {{ id status test }} userErrors {{ code field message }} }} }}",
    "variables": {{ "input": {{
      "externalDossierId": "{dossier}",
      {theme}"deceased": {{ "firstName": "Johanna", "lastName": "van der Meer", "dateOfBirth": "1938-04-12", "dateOfDeath": "{died}" }},
      "familyContact": {{ "name": "Pieter van der Meer", "email": "pieter@voorbeeld.nl" }}
    }} }}
  }}' | tee {answer}"#
        );
        let read = format!(
            r#"{head}  -d '{{
    "query": "query ($id: ID!) {{ card(id: $id) {{ externalDossierId status test deceased {{ firstName lastName dateOfBirth dateOfDeath }} theme {{ title images {{ url altText }} }} createdAt }} }}",
    "variables": {{ "id": "'"$(grep -o 'gid://service/Card/[0-9a-f-]*' {answer})"'" }}
  }}'"#
        );
        Self { endpoint, schema, create, read }
    }
}

/// The output of the demo.
struct Shown {
    listening: String,
    partner: Partner,
    key: AccessKey,
    token: AccessToken,
    themes: Vec<ImportedTheme>,
    webhook_secret: SigningSecret,
    commands: Commands,
}

impl Shown {
    fn object(&self) -> serde_json::Value {
        json!({
            "listening": self.listening,
            "partner": partner_object(&self.partner),
            "key": key_object(&self.partner, &self.key),
            "token": self.token.reveal(),
            "themes": self.themes.iter().map(imported_theme_object).collect::<Vec<_>>(),
            "webhookSecret": self.webhook_secret.reveal(),
            "endpoint": self.commands.endpoint,
            "schema": self.commands.schema,
            "createCard": self.commands.create,
            "readCard": self.commands.read,
        })
    }

    fn text(&self) -> String {
        let themes: Vec<_> = self.themes.iter().map(|imported| imported.theme.title.as_str()).collect();
        format!(
            "listening on {}\n\n\
             Partner \"{}\" has a fresh test key; the themes are {}.\n\
             The guide and the reference: {}\n\n\
             Create a card; pasted again, the Idempotency-Key gives the same card back:\n\n{}\n\n\
             Read it back:\n\n{}\n\n\
             Notifications are shown here as they come, by a receiver that checks their signature (secret {}).\n\
             Your own receiver: {}\n\n\
             Stop with Ctrl-C. The data stays in DATA_DIR.",
            self.listening,
            self.partner.name,
            themes.join(", "),
            self.docs(""),
            self.commands.create,
            self.commands.read,
            self.webhook_secret.reveal(),
            self.docs(&format!("{VERSION}/webhooks"))
        )
    }

    /// The address of a page of the reference.
    fn docs(&self, page: &str) -> String {
        [&self.listening, path::reference(page).as_str()].concat()
    }
}

/// Quotes a text for bash.
fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{quote, reachable};

    #[test]
    fn path_with_blanks_and_quotes_is_one_word() {
        assert_eq!(quote("/srv/data/a.json"), "/srv/data/a.json");
        assert_eq!(quote("/srv/my data/o'a"), r"'/srv/my data/o'\''a'");
    }

    #[test]
    fn server_on_every_address_is_reached_on_the_loopback() {
        assert_eq!(reachable("0.0.0.0:8080"), "127.0.0.1:8080");
        assert_eq!(reachable("[::]:8080"), "127.0.0.1:8080");
        assert_eq!(reachable("10.0.0.5:8080"), "10.0.0.5:8080");
    }
}

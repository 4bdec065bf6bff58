//! Where a journey takes place: the real binary on a port that its own links name, with a partner and the shipped themes.

use serde_json::json;

use crate::app::{FreshDatabase, Program, Serving};

/// A running service with a partner.
pub struct Stage {
    serving: Serving,
    token: String,
}

impl Stage {
    /// The token of its partner's live key.
    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn set(database: &FreshDatabase) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("an address").to_string();
        drop(listener);
        let program =
            Program::on(database).set("LISTEN", &address).set("PUBLIC_BASE_URL", &format!("http://{address}"));
        program.json(&["partner", "add", "Noord"]);
        program.json(&["partner", "refresh-address", "Noord", "https://uitvaart.example/nieuw"]);
        program.json(&["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")]);
        let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
        let token = issued["token"].as_str().expect("a token").to_owned();
        Self { serving: program.serve(), token }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.serving.base)
    }

    /// A new card with nothing filled in; its global id.
    pub async fn card(&self) -> String {
        let document =
            "mutation { cardCreate(input: { externalDossierId: \"1\" }) { card { id } userErrors { message } } }";
        let data = self.serving.data(&self.token, document, json!({})).await;
        data["cardCreate"]["card"]["id"].as_str().expect("a card").to_owned()
    }

    /// A new session link to the customizer of a card.
    pub async fn link(&self, gid: &str) -> String {
        let document = "mutation ($id: ID!) {
            cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { message } }
        }";
        let data = self.serving.data(&self.token, document, json!({ "id": gid })).await;
        data["cardSessionCreate"]["cardSession"]["url"].as_str().expect("a link").to_owned()
    }

    /// What partners read about a card.
    pub async fn status(&self, gid: &str) -> (String, Option<String>) {
        let document = "query ($id: ID!) { card(id: $id) { status cardUrl } }";
        let data = self.serving.data(&self.token, document, json!({ "id": gid })).await;
        let card = &data["card"];
        (card["status"].as_str().expect("a status").to_owned(), card["cardUrl"].as_str().map(str::to_owned))
    }
}

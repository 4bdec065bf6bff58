//! The server of a browser test: the real binary on a port that its own links name, with a partner and the shipped themes.

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, Serving, card_id, free_addresses, wait_for};

/// A running service with a partner.
pub struct Stage {
    program: Program,
    serving: Serving,
    token: String,
}

impl Stage {
    pub fn set(database: &FreshDatabase) -> Self {
        let [address, admin] = free_addresses().map(|address| address.to_string());
        let program = Program::new(database)
            .set("LISTEN", &address)
            .set("ADMIN_LISTEN", &admin)
            .set("PUBLIC_BASE_URL", &format!("http://{address}"));
        let token = program.token("live");
        program.json(&["partner", "set", "Noord", "refresh-address=https://uitvaart.example/nieuw"]);
        program.import_themes();
        Self { serving: program.serve(), program, token }
    }

    /// Runs a command of the operator.
    pub fn operate(&self, arguments: &[&str]) -> Value {
        self.program.json(arguments)
    }

    /// A new link to the administration.
    pub fn admin_link(&self) -> String {
        let made = self.operate(&["admin", "link", "--name", "Piet"]);
        made["url"].as_str().expect("an address").to_owned()
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

    /// A new card in the theme with this handle, with every field of the partner API; its global id.
    pub async fn full_card(&self, theme: &str) -> String {
        let themes = "{ themes { nodes { id handle } } }";
        let themes = self.serving.data(&self.token, themes, json!({})).await;
        let nodes = themes["themes"]["nodes"].as_array().expect("a list");
        let theme = nodes.iter().find(|node| node["handle"] == theme).expect("a theme that is shipped");
        let document = "mutation ($input: CardCreateInput!) {
            cardCreate(input: $input) { card { id } userErrors { message } }
        }";
        let input = json!({
            "externalDossierId": "2", "themeId": theme["id"],
            "deceased": {
                "firstName": "Johanna", "lastName": "van der Meer",
                "dateOfBirth": "1938-04-12", "dateOfDeath": "2026-11-07",
            },
            "livestreamUrl": "https://uitvaart.example/live",
            "familyContact": { "name": "Pieter van der Meer", "email": "pieter@voorbeeld.nl" },
        });
        let data = self.serving.data(&self.token, document, json!({ "input": input })).await;
        data["cardCreate"]["card"]["id"].as_str().expect("a card").to_owned()
    }

    /// A new session link of a card.
    pub async fn link(&self, gid: &str, target: &str) -> String {
        let document = "mutation ($id: ID!, $target: CardSessionTarget!) {
            cardSessionCreate(cardId: $id, target: $target) { cardSession { url } userErrors { message } }
        }";
        let data = self.serving.data(&self.token, document, json!({ "id": gid, "target": target })).await;
        data["cardSessionCreate"]["cardSession"]["url"].as_str().expect("a link").to_owned()
    }

    /// The address of the customizer of a card.
    pub fn customizer(&self, gid: &str) -> String {
        self.url(&format!("/bewerken/{}", card_id(gid)))
    }

    /// Waits until the card is online; its address.
    pub async fn online(&self, gid: &str) -> String {
        wait_for("the card goes online", || async {
            let (status, url) = self.status(gid).await;
            (status == "ACTIVE").then(|| url.expect("an active card has an address"))
        })
        .await
    }

    /// The card in the partner API.
    pub async fn status(&self, gid: &str) -> (String, Option<String>) {
        let document = "query ($id: ID!) { card(id: $id) { status cardUrl } }";
        let data = self.serving.data(&self.token, document, json!({ "id": gid })).await;
        let card = &data["card"];
        (card["status"].as_str().expect("a status").to_owned(), card["cardUrl"].as_str().map(str::to_owned))
    }
}

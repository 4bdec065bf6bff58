//! Operator actions in a test: accounts, keys, themes, and card states that partners cannot reach.

use card_service::base::{HttpUrl, Timestamp};
use card_service::model::{
    Actor, Card, CardActivation, KeyMode, Partner, Theme, ThemeImage, WebhookSecret, admin_link_path,
};
use card_service::operation;
use card_service::operation::key::NewKey;
use card_service::operation::partner::PartnerSetting;
use card_service::store::CardScope;
use uuid::Uuid;

use super::card::card_id;
use super::{Caller, PartnerAccount, TestApp};

impl TestApp {
    /// A new partner account.
    pub async fn partner(&self, name: &str) -> PartnerAccount {
        self.account(name, false).await
    }

    /// A new partner account that is blocked.
    pub async fn blocked_partner(&self, name: &str) -> PartnerAccount {
        self.account(name, true).await
    }

    /// A live caller of a new partner account: the usual caller of a test.
    pub async fn live(&self) -> Caller {
        self.partner("Uitvaart Noord").await.live().await
    }

    /// A live caller of a new partner account with a draft card; also the card's global id.
    pub async fn live_draft(&self, dossier: &str) -> (Caller, String) {
        let live = self.live().await;
        let gid = live.draft(dossier).await;
        (live, gid)
    }

    /// A caller of a new partner account on the path of 2027-01, with a test key: live ones do not see a candidate.
    pub async fn on_2027_01(&self) -> Caller {
        self.partner("Uitvaart Noord").await.test().await.on_version("2027-01")
    }

    async fn account(&self, name: &str, blocked: bool) -> PartnerAccount {
        let now = self.now();
        let id = self.services().entropy.uuid(now);
        let partner = Partner { blocked, ..Partner::new(id, name, now) };
        let issued = WebhookSecret::generate(id, &self.services().entropy, now);
        let secret = issued.secret.clone();
        let added = self.store().add_partner(partner.clone(), issued).await;
        assert!(added.expect("the store answers"), "{name} is a new name");
        PartnerAccount { app: self.clone(), partner, id, secret }
    }

    /// Changes a setting of a partner.
    pub async fn set(&self, partner: &str, setting: PartnerSetting<'_>) {
        operation::partner::change(self.services(), partner, vec![setting]).await.expect("a valid setting");
    }

    /// The path of a new link of this operator to the administration.
    pub async fn admin_link(&self, operator: &str) -> String {
        let (_, token) = operation::admin::create_link(self.services(), operator).await.expect("a name");
        admin_link_path(&token)
    }

    /// Returns the audit records, oldest first: actor, command, subject and fields.
    pub async fn audit_records(&self) -> Vec<(String, String, String, Vec<String>)> {
        let ever = Timestamp::from_millis(0).expect("a time");
        let records = self.store().audit_since(ever, 100).await.expect("the store answers");
        let known = records.into_iter().rev();
        known.map(|record| (record.actor, record.command, record.subject, record.fields)).collect()
    }

    /// Revokes every signing secret, so that notifications wait.
    pub async fn revoke_secrets(&self) {
        for partner in self.store().partners().await.expect("the store answers") {
            for secret in self.store().webhook_secrets_of(partner.id).await.expect("the store answers") {
                self.store().revoke_webhook_secret(secret.id, self.now()).await.expect("the store answers");
            }
        }
    }

    /// A theme in the operator's list; themes of the same position follow their number.
    pub async fn theme(&self, handle: &str, position: i64) -> Theme {
        let theme = Theme {
            id: self.services().entropy.uuid(self.now()),
            number: 0,
            handle: handle.to_owned(),
            title: format!("Thema {handle}"),
            description: "Rustige kleuren.".to_owned(),
            images: vec![
                ThemeImage { key: format!("{handle}/voor.svg"), alt_text: Some("De voorkant".to_owned()) },
                ThemeImage { key: format!("{handle}/achter.svg"), alt_text: None },
            ],
            videos: vec![HttpUrl::trusted("https://video.example/rust.mp4")],
            demo_url: None,
            position,
        };
        self.store().put_theme(theme).await.expect("the store answers")
    }

    /// Completes the card and orders it, as the family does; no worker activates it.
    pub async fn order(&self, gid: &str) {
        self.complete(gid).await;
        let by_hand = CardActivation::Operator;
        let ordered = operation::card::order_by_operator(self.services(), card_id(gid), Actor::Family, by_hand).await;
        ordered.expect("the card can be ordered");
    }

    /// Fills in the missing fields that an order needs, without an event.
    pub async fn complete(&self, gid: &str) {
        let card = self.row(gid).await;
        let partner = self.store().partner(card.partner_id).await.expect("the store answers").expect("a partner");
        if card.test && partner.test_address.is_none() {
            let address = Some("test@partner.example");
            self.set(&partner.name, PartnerSetting::TestAddress(address)).await;
        }
        let themed = match self.store().theme_by_handle("besteld").await.expect("the store answers") {
            _ if card.theme_id.is_some() => None,
            Some(theme) => Some(theme.id),
            None => Some(self.theme("besteld", 99).await.id),
        };
        let fill_in = move |card: &mut Card| {
            card.theme_id = card.theme_id.or(themed);
            let (deceased, contact) = (&mut card.deceased, &mut card.family_contact);
            if deceased.first_name.is_none() && deceased.last_name.is_none() {
                deceased.first_name = Some("Johanna".to_owned());
            }
            contact.email.get_or_insert_with(|| "familie@voorbeeld.nl".to_owned());
            Ok::<_, ()>(Vec::new())
        };
        let scope = CardScope::Any { id: card.id };
        self.store().change_card(scope, self.now(), fill_in).await.expect("the store answers").expect("a card");
    }

    /// Brings the card from the status before to this one.
    pub async fn advance(&self, gid: &str, status: &str) {
        match status {
            "ORDERED" => self.order(gid).await,
            "ACTIVE" => self.activate(gid).await,
            _ => assert_eq!(self.row(gid).await.status.as_str(), status),
        }
    }

    /// Activates the card.
    pub async fn activate(&self, gid: &str) {
        operation::card::activate(self.services(), card_id(gid), Actor::Service)
            .await
            .expect("the card can be activated");
    }
}

impl PartnerAccount {
    /// A caller with a new live key.
    pub async fn live(&self) -> Caller {
        self.caller(KeyMode::Live, None).await.1
    }

    /// A caller with a new test key.
    pub async fn test(&self) -> Caller {
        self.caller(KeyMode::Test, None).await.1
    }

    /// A caller with a new key that may expire, and the id of the key.
    pub async fn caller(&self, mode: KeyMode, valid_days: Option<u32>) -> (Uuid, Caller) {
        let new = NewKey { mode, label: None, valid_days };
        let (key, token) =
            operation::key::issue(self.app.services(), &self.partner, new).await.expect("a key can be issued");
        (key.id, Caller::new(self.app.clone(), token.reveal()))
    }
}

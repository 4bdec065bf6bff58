//! Checks the state after all failures.

use card_service::base::limits;
use serde_json::{Value, json};

use super::fleet::Fleet;
use super::ledger::Ledger;
use crate::app::{Answer, http_client, picture};
use crate::webhook::follow::Followed;

/// The smallest numbers of cards and links that make the checks meaningful.
pub const CARDS_LEAST: usize = 20;
pub const LINKS_LEAST: usize = 10;

/// Asserts that every acknowledged card exists with its acknowledged values and portrait, and that an event for each
/// change was delivered.
pub async fn check_cards(fleet: &Fleet, ledger: &Ledger, followed: &Followed) {
    let cards = ledger.cards();
    assert!(cards.len() > CARDS_LEAST, "{} cards are no load", cards.len());
    let base = fleet.base(0).expect("all run");
    for (key, entry) in &cards {
        let card = read(&base, &followed.token, &entry.id).await;
        entry.agrees(&card).unwrap_or_else(|fault| panic!("{key}: {fault}"));
        if let Some(photo) = &entry.photo {
            let path = &photo[photo.find("/media/").expect("an address of ours")..];
            let served = http_client().get(format!("{base}{path}")).send().await.expect("an answer");
            let served = Answer::read(served).await;
            assert!(served.status == 200 && served.body == picture::photo("jpeg"), "{key}: {}", served.status);
        }
    }
    let events = followed.everything_arrives(4 * limits::DELIVERY_LEASE).await;
    assert_eq!(events.len(), cards.len(), "one card to a key, and none besides");
    for (key, entry) in &cards {
        let (least, count) = (1 + entry.updates, events.get(&entry.id).copied().unwrap_or_default());
        assert!((least..=least + entry.untold).contains(&count), "{key} has {count} events: {entry:?}");
    }
    println!("{} cards, {} of them with a portrait", cards.len(), cards.values().filter(|c| c.photo.is_some()).count());
}

async fn read(base: &str, token: &str, id: &str) -> Value {
    let query = "query ($id: ID!) { card(id: $id) { id externalFuneralDirectorId } }";
    let request = http_client()
        .post(format!("{base}/partner/api/2026-10/graphql"))
        .header("x-service-access-token", token)
        .json(&json!({ "query": query, "variables": { "id": id } }));
    Answer::read(request.send().await.expect("an answer")).await.data()["card"].take()
}

/// Asserts that no link opens twice, neither at all replicas at once nor afterwards.
pub async fn check_links(fleet: &Fleet, ledger: &Ledger) {
    let links = ledger.links();
    assert!(links.len() > LINKS_LEAST, "{} links are too few", links.len());
    for link in &links {
        let url = format!("{}{}", fleet.base(1).expect("all run"), link.path);
        let open = async || http_client().get(&url).send().await.expect("an answer").status().as_u16();
        let first = open().await;
        let opens = link.opened + usize::from(first == 303);
        assert!(opens == 1 || (opens == 0 && link.doubtful), "{link:?}, and then {first}");
        assert_eq!(open().await, 410, "{link:?}");
    }
    println!("{} links, none opened twice", links.len());
}

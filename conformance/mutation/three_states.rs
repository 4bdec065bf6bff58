//! Absent, null and value for every field that `cardUpdate` can change (specification, section 2.10; decisions V2,
//! W4). One table, so that a new field is one row.

use card_service::model::{Card, Topic};
use chrono::Duration;
use serde_json::{Value, json};

use super::card_value::{nested, value_at};
use crate::app::mock_server::{GIF, PNG};
use crate::app::{Caller, TestApp};

/// An updatable field: its path in the input, which is its path on the card unless `read` says otherwise.
struct Field {
    path: &'static str,
    read: &'static str,
    changed: &'static str,
    one: Value,
    other: Value,
}

fn field(path: &'static str, one: Value, other: Value) -> Field {
    Field { path, read: path, changed: path, one, other }
}

/// Every updatable field, with two values of it.
async fn fields(app: &TestApp) -> Vec<Field> {
    let far = app.mock_server();
    let photos = [far.photo("/one.png", "image/png", PNG), far.photo("/other.gif", "image/gif", GIF)];
    let [one, other] = [app.theme("linnen", 1).await, app.theme("eik", 2).await];
    let gid = |theme: &card_service::model::Theme| json!(format!("gid://service/Theme/{}", theme.id));
    vec![
        Field { read: "theme.id", changed: "theme", ..field("themeId", gid(&one), gid(&other)) },
        field("externalFuneralDirectorId", json!("u-1"), json!("u-2")),
        field("deceased.firstName", json!("Aaltje"), json!("Aal")),
        field("deceased.lastName", json!("de Vries"), json!("Jansen")),
        field("deceased.dateOfBirth", json!("1940-02-29"), json!("1940-03-01")),
        field("deceased.dateOfDeath", json!("2026-11-09"), json!("2026-11-08")),
        field("deceased.photoUrl", json!(photos[0]), json!(photos[1])),
        field("livestreamUrl", json!("https://live.example/1"), json!("https://live.example/2")),
        field("familyContact.name", json!("Jan"), json!("Piet")),
        field("familyContact.email", json!("jan@voorbeeld.nl"), json!("piet@voorbeeld.nl")),
    ]
}

/// Returns `card` without the field and without `updatedAt`: the part that must not change.
fn rest(card: &Value, field: &Field) -> Value {
    let mut rest = card.clone();
    let top = field.read.split('.').next().expect("a path");
    match field.read.split_once('.') {
        Some((object, member)) if top != "theme" => rest[object][member].take(),
        _ => rest[top].take(),
    };
    rest["updatedAt"].take();
    rest
}

/// Creates a card with the first value of every field.
async fn full_card(live: &Caller, fields: &[Field]) -> String {
    let mut input = json!({ "externalDossierId": "full" });
    for field in fields {
        let (object, member) = field.path.split_once('.').unwrap_or(("", field.path));
        let place = if object.is_empty() { &mut input } else { &mut input[object] };
        place[member] = field.one.clone();
    }
    live.create(input).await.gid()
}

/// The last event of a card: topic and changed fields.
async fn last_event(app: &TestApp, id: &str) -> (Topic, Vec<String>, i64) {
    let event = app.events(id).await.pop().expect("an event");
    (event.topic, event.changed_fields, event.sequence)
}

/// Returns the row without the columns that every write changes.
fn lasting(mut card: Card) -> Card {
    card.event_count = 0;
    card.updated_at = card.created_at;
    card
}

on_both_databases! {
    async fn field_absent_keeps_null_clears_and_value_replaces(app: TestApp) {
        let live = app.live().await;
        let fields = fields(&app).await;
        let id = full_card(&live, &fields).await;
        let mut sequence = 1;
        for field in &fields {
            let before = live.card(&id).await;
            assert_ne!(value_at(&before, field.read), &Value::Null, "{} has a value", field.path);

            // Absent, in its object when it has one: nothing changes, and no event is written.
            app.pass(Duration::seconds(1));
            let empty = field.path.split_once('.').map_or(json!({}), |(object, _)| json!({ object: {} }));
            assert_eq!(live.update(&id, empty).await.card, before, "{} absent", field.path);
            assert_eq!(app.row(&id).await.event_count, sequence, "{} absent: no event", field.path);

            // Null clears this field and no other.
            let cleared = live.update(&id, nested(field.path, Value::Null)).await;
            cleared.gid();
            let read = field.read.strip_suffix(".id").unwrap_or(field.read);
            assert_eq!(value_at(&cleared.card, read), &Value::Null, "{} null", field.path);
            assert_eq!(rest(&cleared.card, field), rest(&before, field), "{} null", field.path);
            assert_eq!(cleared.card["updatedAt"], app.now().to_string(), "{}", field.path);
            sequence += 1;
            let changed = vec![field.changed.to_owned()];
            assert_eq!(last_event(&app, &id).await, (Topic::CardsUpdate, changed.clone(), sequence));

            // Null for an empty field changes nothing.
            app.pass(Duration::seconds(1));
            assert_eq!(live.update(&id, nested(field.path, Value::Null)).await.card, cleared.card);
            assert_eq!(app.row(&id).await.event_count, sequence, "{} null again: no event", field.path);

            // A value replaces.
            let replaced = live.update(&id, nested(field.path, field.other.clone())).await;
            replaced.gid();
            if field.path != "deceased.photoUrl" {
                assert_eq!(value_at(&replaced.card, field.read), &field.other, "{} value", field.path);
            }
            assert_eq!(rest(&replaced.card, field), rest(&before, field), "{} value", field.path);
            assert_eq!(live.card(&id).await, replaced.card);
            sequence += 1;
            assert_eq!(last_event(&app, &id).await, (Topic::CardsUpdate, changed, sequence));
        }
    }

    async fn field_by_variable_is_absent_null_or_set_like_the_variable(app: TestApp) {
        let live = app.live().await;
        let fields = fields(&app).await;
        let id = full_card(&live, &fields).await;
        let document = "mutation ($id: ID!, $name: String, $theme: ID) {
            cardUpdate(id: $id, input: { themeId: $theme, deceased: { firstName: $name } }) { userErrors { code } }
        }";
        let before = app.row(&id).await;
        live.data(document, json!({ "id": id })).await;
        assert_eq!(app.row(&id).await, before, "two variables that are not given are two absent fields");
        live.data(document, json!({ "id": id, "name": null })).await;
        let after = app.row(&id).await;
        assert_eq!(after.deceased.first_name, None);
        assert_eq!(after.theme_id, before.theme_id);
        live.data(document, json!({ "id": id, "name": "Aal", "theme": null })).await;
        let after = app.row(&id).await;
        assert_eq!((after.deceased.first_name.as_deref(), after.theme_id), (Some("Aal"), None));
    }

    async fn object_of_null_clears_all_its_fields_and_no_other(app: TestApp) {
        let live = app.live().await;
        let fields = fields(&app).await;
        let id = full_card(&live, &fields).await;
        let full = app.row(&id).await;
        live.update(&id, json!({ "deceased": null })).await.gid();
        let mut expected = full.clone();
        expected.deceased = Default::default();
        assert_eq!(lasting(app.row(&id).await), lasting(expected.clone()));
        assert_eq!(last_event(&app, &id).await.1, [
            "deceased.firstName",
            "deceased.lastName",
            "deceased.dateOfBirth",
            "deceased.dateOfDeath",
            "deceased.photoUrl",
        ]);
        live.update(&id, json!({ "familyContact": null })).await.gid();
        expected.family_contact = Default::default();
        assert_eq!(lasting(app.row(&id).await), lasting(expected));
        assert_eq!(last_event(&app, &id).await.1, ["familyContact.name", "familyContact.email"]);
    }

    async fn several_fields_changed_at_once_are_one_event(app: TestApp) {
        let live = app.live().await;
        let fields = fields(&app).await;
        let id = full_card(&live, &fields).await;
        live.update(&id, json!({
            "familyContact": { "email": null },
            "externalFuneralDirectorId": "u-2",
            "deceased": { "firstName": "Aaltje", "lastName": "Jansen" },
        })).await.gid();
        let (topic, changed, sequence) = last_event(&app, &id).await;
        assert_eq!((topic, sequence), (Topic::CardsUpdate, 2));
        assert_eq!(changed, ["externalFuneralDirectorId", "deceased.lastName", "familyContact.email"]);
    }
}

//! Request bodies: broken JSON, wrong shapes, documents and variables of every kind.

use std::cell::Cell;

use card_service::model::clean_name;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::seed::{changed, for_all};
use super::{any_text, assert_sound, seeds, wait};
use crate::app::{TestApp, create_document};

const SEEDS: &[&[u8]] = &[
    br#"[{"query":"{ __typename }"}]"#,
    br#"{"query": "query($a: Boolean = true, $n: Int) { themes(first: $n) @include(if: $a) { edges { cursor node { ... on Theme @skip(if: false) { handle } } } } x: __typename }", "variables": {"n": 2}}"#,
    br#"{"query": "mutation($input: CardCreateInput!) { cardCreate(input: $input) { card { id status } userErrors { field code message } } }", "variables": {"input": {"externalDossierId": "2026-0142", "deceased": {"firstName": "Johanna", "dateOfBirth": "1938-04-12"}, "livestreamUrl": "https://voorbeeld.nl/live", "familyContact": {"email": "a@voorbeeld.nl"}}}}"#,
    b"",
    br#"{"query": "{ __schema { types { name fields(includeDeprecated: true) { name args { name defaultValue } } } } __type(name: \"Card\") { kind } }"}"#,
    br#"{"query": "mutation { cardUpdate(id: \"gid://service/Card/x\", input: { deceased: { firstName: null, lastName: \"\\u00e9\" }, livestreamUrl: \"\"\"https://a.nl\"\"\" }) { userErrors { code } } }"}"#,
    br#"{"query":"mutation { cardCreate(input: { externalDossierId: \"a\\u0000b\" }) { card { id } userErrors { code } } }"}"#,
    br#"{"query":"query($n: Int) { themes(first: $n) { nodes { id } } }","variables":{"n":1e400}}"#,
    br#"{"query": "query Q($id: ID!) { card(id: $id) { ...F } } fragment F on Card { id theme { title images { url } } deceased { firstName photoUrl } }", "variables": {"id": "gid://service/Card/00000000-0000-7000-8000-000000000000"}, "operationName": "Q"}"#,
    br#"{"query": "mutation { webhookSubscriptionCreate(topic: CARDS_ORDERED, webhookSubscription: { callbackUrl: \"https://hooks.example/a\", format: JSON }) { webhookSubscription { id endpoint { ... on WebhookHttpEndpoint { callbackUrl } } } userErrors { code } } }"}"#,
    br#"{"query":"{ card(id: \"\\uD83D\") { id } }","variables":{"\ud83c\udf39":"\ud83c\udf39"}}"#,
    br#"{"query":"{ __typename }","query":"{ __schema { queryType { name } } }","variables":null,"extensions":{}}"#,
];

/// Any JSON value.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any_text(20).prop_map(Value::from),
        prop::sample::select(vec![
            "2026-11-07",
            "https://voorbeeld.nl/",
            "a@voorbeeld.nl",
            "1",
            "gid://service/Theme/1"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(any_text(6), inner, 0..4).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// An input of `cardCreate` with fields that are there, each of any value; a photo would be fetched from anywhere.
fn card_input() -> impl Strategy<Value = Value> {
    let part = |names: &'static [&'static str]| {
        btree_map(prop::sample::select(names), any_json(), 0..4).prop_map(|fields| {
            Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
        })
    };
    let names = (any_text(20), any_text(20))
        .prop_map(|(first, last)| json!({ "firstName": first, "lastName": last, "dateOfBirth": "1938-04-12" }));
    let deceased = prop_oneof![
        4 => names,
        1 => part(&["firstName", "lastName", "dateOfBirth", "dateOfDeath"]),
        1 => any_json(),
    ];
    let contact = prop_oneof![3 => Just(Value::Null), 1 => part(&["name", "email"]), 1 => any_json()];
    let seldom = || prop_oneof![5 => Just(Value::Null), 1 => any_json()];
    let texts = (any_text(30), any_text(30), seldom(), seldom());
    (texts, deceased, contact).prop_map(|((dossier, director, theme, livestream), deceased, contact)| {
        json!({
            "externalDossierId": dossier, "externalFuneralDirectorId": director, "themeId": theme,
            "livestreamUrl": livestream, "deceased": deceased, "familyContact": contact,
        })
    })
}

on_both_databases! {
    async fn body_of_any_kind_is_answered_and_never_our_fault(app: TestApp) {
        let live = app.live().await;
        let deep = format!(r#"{{"query": "{} a{}"}}"#, "{ a".repeat(39), " }".repeat(39));
        let mut seeds = seeds(SEEDS);
        seeds.push(deep.into_bytes());
        for seed in &seeds {
            assert_sound(&live.send(seed.clone()).await);
        }
        let values = prop_oneof![
            3 => changed(seeds),
            1 => (any_text(60), any_json(), any_json()).prop_map(|(query, variables, name)| {
                json!({ "query": query, "variables": variables, "operationName": name }).to_string().into_bytes()
            }),
        ];
        for_all(300, values, |body| assert_sound(&wait(live.send(body))));
    }

    async fn card_of_any_values_is_made_with_its_names_cleaned_or_refused(app: TestApp) {
        let (live, made) = (app.live().await, Cell::new(0));
        for_all(200, card_input(), |input| wait(async {
            let answer = live.graphql(&create_document(), json!({ "input": input })).await;
            assert_sound(&answer);
            let card = answer.json()["data"]["cardCreate"]["card"].take();
            if !card.is_null() {
                made.set(made.get() + 1);
                for field in ["firstName", "lastName"] {
                    if let Some(name) = input["deceased"][field].as_str() {
                        assert_eq!(card["deceased"][field], clean_name(name), "{name:?}");
                    }
                }
                for field in ["externalDossierId", "externalFuneralDirectorId"] {
                    assert_eq!(card[field], input[field], "the value is read as it was sent");
                }
                assert_eq!(live.card(card["id"].as_str().expect("an id")).await, card, "and as it is stored");
            }
        }));
        assert!(made.get() > 20, "some are made: {}", made.get());
    }
}

//! What the engine keeps: right documents, within bounds, those first that are asked for again and again.

use std::sync::Arc;

use super::{Context, Tiny, engine, prepare, prepare_body};
use crate::cache::CostedPlan;
use crate::{AnyEngine, Engine, Limits, Request};

/// The plan of a document: the same one as long as it is kept.
fn plan(engine: &Engine<Tiny>, query: &str) -> Arc<CostedPlan> {
    prepare(engine, query).expect("the document is right").plan
}

#[tokio::test]
async fn response_is_kept_with_its_plan_if_it_is_about_the_schema_alone_and_no_variable_changes_it() {
    let (engine, context) = (engine(), Context::default());
    let answer = async |query: &str| {
        let prepared = prepare(&engine, query).expect("the document is right");
        engine.execute(&prepared, &context).await.body
    };
    let constant = "{a:__schema{queryType{name}} __type(name:\"Query\"){name}}";
    let (first, second) = (answer(constant).await, answer(constant).await);
    assert_eq!(first, "{\"data\":{\"a\":{\"queryType\":{\"name\":\"Query\"}},\"__type\":{\"name\":\"Query\"}}}");
    assert_eq!(first.as_ptr(), second.as_ptr(), "it is shared");

    let answer = answer("{__schema{queryType{name}} text}").await;
    assert!(
        answer.starts_with(b"{\"data\":{\"__schema\":{\"queryType\":{\"name\":\"Query\"}},\"text\":"),
        "{answer:?}"
    );
    let query = "query($name:String!){__type(name:$name){name}}";
    for (name, found) in [("Query", "{\"name\":\"Query\"}"), ("Nope", "null")] {
        let body = serde_json::json!({ "query": query, "variables": { "name": name } });
        let prepared = prepare_body(&engine, &body).expect("the request is right");
        assert_eq!(engine.execute(&prepared, &context).await.body, format!("{{\"data\":{{\"__type\":{found}}}}}"));
    }
}

#[test]
fn a_hundred_thousand_documents_stay_within_bounds_and_a_hot_one_stays() {
    let limits = Limits::default();
    let engine = Engine::<Tiny>::new(limits.clone());
    let hot = "query Hot{text(s:\"hot\")}";
    let hot_plan = plan(&engine, hot);
    let (mut documents_max, mut bytes_max, mut missed) = (0, 0, 0);
    // A debug build gets through a tenth in the time.
    let flood = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
    for i in 0..flood {
        plan(&engine, &format!("{{text(s:\"{i}\")}}"));
        if i % 50 == 0 {
            missed += usize::from(!Arc::ptr_eq(&plan(&engine, hot), &hot_plan));
        }
        let (documents, bytes) = engine.kept();
        (documents_max, bytes_max) = (documents_max.max(documents), bytes_max.max(bytes));
    }
    assert!(documents_max <= limits.plans_max, "{documents_max} documents");
    assert!(bytes_max <= limits.plan_bytes_max, "{bytes_max} bytes");
    assert!(documents_max > limits.plans_max / 2, "the room is used: {documents_max}");
    assert_eq!(missed, 0, "the hot document was lost");
}

#[test]
fn documents_that_others_use_survive_a_flood() {
    let engine = engine();
    let own: Vec<String> = (0..100).map(|i| format!("query Own{i}{{text(s:\"own\")}}")).collect();
    // Asked for twice before the flood, and seldom while it lasts.
    for query in own.iter().chain(&own) {
        plan(&engine, query);
    }
    let before: Vec<_> = own.iter().map(|query| plan(&engine, query)).collect();
    for i in 0..5_000 {
        plan(&engine, &format!("{{text(s:\"{i}\")}}"));
        if i % 50 == 0 {
            plan(&engine, &own[i / 50]);
        }
    }
    let after = own.iter().map(|query| plan(&engine, query));
    let same = before.iter().zip(after).filter(|(before, after)| Arc::ptr_eq(before, after)).count();
    assert!(same >= 95, "only {same} of 100 are still there");
}

#[test]
fn refused_documents_are_not_kept() {
    let engine = engine();
    for query in ["{nope}", "{", "{text(s:1)}", "{text} {text}", "subscription{text}", "{a:text a:node{id}}"] {
        prepare(&engine, query).map(|_| ()).expect_err(query);
    }
    assert_eq!(engine.kept(), (0, 0));
    plan(&engine, "{text}");
    assert_eq!(engine.kept().0, 1);
}

#[test]
fn the_plans_of_one_document_stay_within_what_it_is_charged() {
    let engine = engine();
    let conditions: Vec<String> = (0..12).map(|i| format!("$c{i}:Boolean!")).collect();
    let fields: Vec<String> = (0..12).map(|i| format!("a{i}:text @skip(if:$c{i})")).collect();
    let query = format!("query({}){{{}}}", conditions.join(","), fields.join(" "));
    let mut bytes = None;
    for combination in 0..4_096_u32 {
        let variables: serde_json::Map<_, _> =
            (0..12).map(|i| (format!("c{i}"), (combination >> i & 1 == 1).into())).collect();
        let body = serde_json::json!({ "query": query, "variables": variables });
        let prepared = prepare_body(&engine, &body).expect("it is right");
        assert_eq!(prepared.root_fields().count(), 12 - combination.count_ones() as usize);
        let now = engine.kept();
        assert_eq!(*bytes.get_or_insert(now), now);
    }
    let kept = engine.kept().1;
    assert!(kept < 200_000, "{kept} bytes");
}

#[test]
fn a_plan_that_does_not_fit_is_made_again() {
    let engine = Engine::<Tiny>::new(Limits { plans_max: 64, plan_bytes_max: 64 * 1024, ..Limits::default() });
    assert!(Arc::ptr_eq(&plan(&engine, "{text}"), &plan(&engine, "{text}")));
    let large = format!("{{text(deep:[{}])}}", "1 ".repeat(5_000));
    assert!(!Arc::ptr_eq(&plan(&engine, &large), &plan(&engine, &large)));
    assert_eq!(engine.kept().0, 1);
}

#[test]
fn one_text_is_one_entry() {
    let engine = engine();
    for query in ["{text}", "{ text }", "{text}", "{ text }"] {
        plan(&engine, query);
    }
    assert_eq!(engine.kept().0, 2);
}

#[test]
fn what_is_not_planned_is_not_prepared_from_the_cache() {
    let engine = engine();
    let body = |skip: bool| {
        let query = "query($s:Boolean!){text a:text @skip(if:$s)}";
        serde_json::to_vec(&serde_json::json!({ "query": query, "variables": { "s": skip } })).expect("it is JSON")
    };
    let is_kept = |body: &[u8]| engine.prepare_cached(&Request::parse(body).expect("a request")).is_some();
    let (with, without) = (body(false), body(true));
    assert!(!is_kept(&with), "the document is unknown");
    engine.prepare(&Request::parse(&with).expect("a request")).map_err(|e| e.to_string()).expect("it is right");
    assert!(is_kept(&with) && !is_kept(&without), "each combination of conditions has a plan of its own");
    engine.prepare(&Request::parse(&without).expect("a request")).map_err(|e| e.to_string()).expect("it is right");
    assert!(is_kept(&with) && is_kept(&without));
}

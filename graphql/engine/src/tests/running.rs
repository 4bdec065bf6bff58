//! How a request runs, and what its errors look like.

use std::time::Duration;

use serde_json::json;

use super::{AnyEngine as _, Context, engine, prepare, run};

#[tokio::test]
async fn fields_of_a_query_run_side_by_side() {
    let context = Context::default();
    let body = json!({ "query": "{a:meet(who:1) t:__typename b:meet(who:2)}" });
    let answer = tokio::time::timeout(Duration::from_secs(10), run(&body, &context)).await;
    assert_eq!(answer.expect("they meet")["data"], json!({ "a": 1, "t": "Query", "b": 2 }));
}

#[tokio::test]
async fn fields_of_a_mutation_run_one_after_the_other() {
    let context = Context::default();
    let answer = run(&json!({ "query": "mutation{a:add(n:1) b:add(n:2) c:add(n:3)}" }), &context).await;
    assert_eq!(answer, json!({ "data": { "a": 1, "b": 2, "c": 3 } }));
    let done = context.done.lock().expect("nobody panicked").clone();
    assert_eq!(done, ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"]);
}

#[tokio::test]
async fn errors_carry_what_clients_are_promised() {
    let context = Context::default();
    let error = json!({
        "message": "kapot",
        "locations": [{ "line": 2, "column": 3 }],
        "path": ["a"],
        "extensions": { "code": "UNAVAILABLE", "requestId": "req_\"1\"", "detail": "broken" },
    });
    let answer = run(&json!({ "query": "{\n  a: broken\n}" }), &context).await;
    assert_eq!(answer, json!({ "data": { "a": null }, "errors": [error] }));
    let answer = run(&json!({ "query": "{\n  a: mustBreak\n}" }), &context).await;
    assert_eq!(answer, json!({ "data": null, "errors": [error] }));
}

#[tokio::test]
async fn outcome_names_the_codes_of_errors_and_whether_a_root_field_has_a_value() {
    let engine = engine();
    for (query, errors, has_data) in [
        ("{mustBreak}", 1, false),
        ("{text(s:\"x\") mustBreak}", 1, false),
        ("{broken}", 1, false),
        ("{a:broken text b:broken}", 2, false),
        ("{a:broken text(s:\"null\")}", 1, true),
        ("{a:broken __typename}", 1, true),
        ("{text}", 0, true),
    ] {
        let prepared = prepare(&engine, query).expect("the request is right");
        let executed = engine.execute(&prepared, &Context::default()).await;
        assert_eq!((executed.error_codes, executed.has_data), (vec!["UNAVAILABLE"; errors], has_data), "{query}");
    }
}

/// The places are those of graphql-js 16, which names the argument and its whole value.
#[tokio::test]
async fn a_null_that_only_the_variables_show_is_an_error_of_the_field() {
    for (query, path, column) in [
        ("query($v:Int=1){meet(who:$v)}", "who", 26),
        ("query($v:Colour=RED){text(colours:[RED,$v])}", "colours.1", 35),
        ("query($v:In={n:1}){text(in:{n:2,ins:[$v]})}", "in.ins.0", 28),
    ] {
        let answer = run(&json!({ "query": query, "variables": { "v": null } }), &Context::default()).await;
        let error = &answer["errors"][0];
        let reason = "must not be null, and variable \"$v\" is null.";
        assert_eq!(error["message"], json!(format!("The value of {path} is not valid: {reason}")), "{query}");
        assert_eq!(error["extensions"]["code"], json!("BAD_USER_INPUT"));
        assert_eq!(error["extensions"]["detail"], json!(format!("Argument {path} {reason}")));
        assert_eq!(error["locations"], json!([{ "line": 1, "column": column }]), "{query}");
        assert!(answer["data"].as_object().is_some_and(|data| data.values().all(|value| value.is_null())), "{answer}");
    }
}

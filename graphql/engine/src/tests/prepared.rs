//! Requests: their shape, their codes, their variables, and what makes two of them the same.

use serde_json::json;

use super::{engine, only_error, prepare, prepare_body, refused};
use crate::{AnyEngine, Engine, Limits, Request, RequestError, code};

#[test]
fn bodies_of_another_shape_are_distinguished() {
    let shape = |body: &str| Request::parse(body.as_bytes()).map(|_| ()).expect_err(body);
    for body in
        ["", "x", "{", "{\"query\":\"{a}\"", "{\"query\":\"{a}\"} x", "\u{feff}\u{feff}{}", "{\"query\":\"\\uD800\"}"]
    {
        assert!(matches!(shape(body), RequestError::NotJson(_)), "{body}");
    }
    for body in [&b"{\"query\":\"\xff\"}"[..], b"{\"query\":\"{a}\",\"extensions\":{\"a\":\"\xff\"}}"] {
        assert!(
            matches!(Request::parse(body), Err(RequestError::NotJson(_))),
            "it is not UTF-8 (RFC 8259, section 8.1)"
        );
    }
    assert_eq!(shape("[]"), RequestError::Batch);
    assert_eq!(shape(" [{\"query\":\"{a}\"}]"), RequestError::Batch);
    for body in [
        "{}",
        "null",
        "\"{a}\"",
        "1",
        "{\"query\":null}",
        "{\"query\":1}",
        "{\"query\":{}}",
        "{\"query\":\"a\",\"query\":\"b\"}",
        "{\"query\":\"a\",\"variables\":[]}",
        "{\"query\":\"a\",\"variables\":\"x\"}",
        "{\"query\":\"a\",\"operationName\":1}",
        "{\"query\":\"a\",\"extensions\":[]}",
        "{\"query\":\"a\",\"extensions\":1}",
    ] {
        assert!(matches!(shape(body), RequestError::Shape(_)), "{body}: {:?}", shape(body));
    }
    for (body, is_persisted) in [
        ("{\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"ecf4\"}}}", true),
        ("{\"query\":null,\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"ecf4\"}}}", true),
        ("{\"extensions\":{\"tracing\":{}}}", false),
    ] {
        assert_eq!(shape(body) == RequestError::PersistedQuery, is_persisted, "{body}");
    }
    for body in [
        "{\"query\":\"a\"}",
        "{\"query\":\"a\",\"extensions\":{\"persistedQuery\":{\"version\":1}}}",
        "{\"qu\\u0065ry\":\"a\",\"VARIABLES\":[]}",
        "{\"query\":\"a\",\"variables\":null,\"operationName\":null,\"extensions\":null}",
        "{\"query\":\"a\",\"variables\":{},\"operationName\":\"\",\"extensions\":{\"a\":[1]},\"other\":[{}]}",
    ] {
        assert!(Request::parse(body.as_bytes()).is_ok(), "{body}");
    }
}

#[test]
fn every_kind_of_refusal_has_its_code() {
    assert_eq!(refused("{").0, code::GRAPHQL_PARSE_FAILED);
    assert_eq!(refused("").0, code::GRAPHQL_PARSE_FAILED);
    assert_eq!(refused("query A{text} query A{text}").0, code::GRAPHQL_VALIDATION_FAILED);
    assert_eq!(refused("{nope}").0, code::GRAPHQL_VALIDATION_FAILED);
    assert_eq!(refused("{...F} fragment F on Query{...F}").0, code::GRAPHQL_VALIDATION_FAILED);
    assert_eq!(refused("subscription{text}").0, code::GRAPHQL_VALIDATION_FAILED);
    assert_eq!(refused("{text(in:{n:1,n:2})}").0, code::GRAPHQL_VALIDATION_FAILED);
    assert_eq!(refused("query A{text} query B{text}").0, code::OPERATION_RESOLUTION_FAILURE);
    let unknown = json!({ "query": "query A{text}", "operationName": "B" });
    let unknown = only_error(prepare_body(&engine(), &unknown).map(|_| ()));
    assert_eq!(unknown, (code::OPERATION_RESOLUTION_FAILURE, "The document has no operation \"B\".".to_owned()));
}

#[test]
fn wrong_variables_are_reported_by_path() {
    let wrong = |ty: &str, given: serde_json::Value| {
        let query = format!("query($v:{ty}){{text(in:$v)}}");
        let (code, detail) =
            only_error(prepare_body(&engine(), &json!({ "query": query, "variables": given })).map(|_| ()));
        assert_eq!(code, code::BAD_USER_INPUT);
        detail
    };
    assert_eq!(wrong("In!", json!({})), "Variable \"$v\" of required type \"In!\" was not provided.");
    assert_eq!(wrong("In!", json!({ "v": null })), "Variable \"$v\" got an invalid value at \"v\": must not be null");
    let nested = json!({ "v": { "ins": [{}, { "in": { "n": "x" } }] } });
    assert_eq!(
        wrong("In", nested),
        "Variable \"$v\" got an invalid value at \"v.ins.1.in.n\": Int cannot represent \"x\""
    );
    let unknown = json!({ "v": { "txt": "x" } });
    assert_eq!(
        wrong("In", unknown),
        "Variable \"$v\" got an invalid value at \"v\": there is no field \"txt\" in In. Did you mean \"text\"?",
    );
}

#[test]
fn prepared_requests_tell_what_will_run() {
    let query = "mutation($s:Boolean!){add b:add @skip(if:$s) __typename ...F} fragment F on Mutation{c:add(n:2)}";
    let body = json!({ "query": query, "variables": { "s": true } });
    let prepared = prepare_body(&engine(), &body).expect("it is right");
    assert!(prepared.is_mutation());
    assert_eq!(prepared.root_fields().map(|(_, name)| name).collect::<Vec<_>>(), ["add", "__typename", "add"]);
    assert!(!prepare(&engine(), "{text}").expect("it is right").is_mutation());
}

#[test]
fn digests_are_equal_for_equal_requests_only() {
    let engine = engine();
    let digest = |body: &str| {
        let request = Request::parse(body.as_bytes()).expect(body);
        engine.prepare(&request).map_err(|refusal| refusal.to_string()).expect(body).digest("2026-10", &request)
    };
    let query = "query A($i:In,$n:Int){text(in:$i) a:text(in:{n:$n})} query B{text}";
    let body = |rest: &str| format!("{{\"query\":\"{query}\",\"operationName\":\"A\"{rest}}}");
    let one = digest(&body(",\"variables\":{\"i\":{\"n\":1,\"text\":\"é\"},\"n\":null}"));
    assert_eq!(
        one,
        digest(&body(",\"variables\": { \"n\":null, \"i\" : {\"text\":\"\\u00e9\",\"n\":1} }")),
        "other spelling"
    );
    assert_eq!(
        one,
        digest(&body(",\"variables\":{\"i\":{\"n\":2,\"n\":1,\"text\":\"é\"},\"n\":null}")),
        "the last counts"
    );
    assert_eq!(
        one,
        digest(&body(",\"variables\":{\"i\":{\"n\":1,\"text\":\"é\"},\"n\":null,\"undeclared\":1}")),
        "what the operation does not declare changes nothing"
    );
    let others = [
        digest(&body(",\"variables\":{\"i\":{\"n\":1,\"text\":\"e\"},\"n\":null}")),
        digest(&body(",\"variables\":{\"i\":{\"n\":1,\"text\":\"é\"}}")),
        digest(&body("")),
        digest(&body("").replace("\"A\"", "\"B\"")),
        digest(&body("").replace("{text}", "{text }")),
    ];
    for (i, other) in others.iter().enumerate() {
        assert_ne!(one, *other);
        assert!(!others[..i].contains(other), "{i}");
    }
    assert_eq!(digest(&body("")), digest(&body(",\"variables\":null")), "no variables are no variables");
    let request = body("");
    let request = Request::parse(request.as_bytes()).expect("a request");
    let prepared = engine.prepare(&request).map_err(|e| e.to_string()).expect("it is right");
    let digest = |version| prepared.digest(version, &request);
    assert_ne!(digest("2026-10"), digest("2027-01"));
    assert_eq!(digest("2026-10"), digest("2026-10"));
}

#[test]
fn body_is_read_alike_with_and_without_members_that_are_unknown() {
    let query = r#"query A($s: String = \"\\\/\") {\n\ttext é\r\b\f}"#;
    let bodies = [
        format!(r#"{{"query":"{query}"}}"#),
        format!(r#"{{"query":"{query}","operationName":"A","variables":{{"s":"a\n\u00e9","s":[1,{{}}]}}}}"#),
        format!(
            " {{ \"variables\" :\tnull , \"operationName\":\r\n\"\\\"\" ,\"extensions\":{{\"a\":[]}},\"query\" : \"{query}\" }}\n"
        ),
        format!(r#"{{"operationName":null,"query":"\u007b{query}"}}"#),
    ];
    for body in bodies {
        let read = |body: &str| {
            let request = Request::parse(body.as_bytes()).expect(body);
            (request.document().expect("a string").into_owned(), request.operation_name, request.variables)
        };
        let end = body.rfind('}').expect("an object");
        assert_eq!(read(&body), read(&format!("{},\"other\":0}}", &body[..end])), "{body}");
    }
}

// An object defines a field more narrowly than its interface.
prepared_version!(
    Narrow,
    "interface Named { name: String } type Person implements Named { name(short: Boolean = true): String! }
    type Query { named: Named }"
);

#[test]
fn field_of_an_interface_is_planned_as_each_object_defines_it() {
    let engine = Engine::<Narrow>::new(Limits::default());
    // The second is planned from its text, after its conditions are known.
    for query in ["{named{name}}", "query($v:Boolean=true){named{name @include(if:$v)}}"] {
        let body = json!({ "query": query }).to_string();
        let request = Request::parse(body.as_bytes()).expect("a request");
        let prepared = engine.prepare(&request).map_err(|e| e.to_string()).expect("it is right");
        let [(object, selection)] = &prepared.plan.plan.root.fields[0].select[..] else { panic!("one object") };
        let name = &selection.fields[0];
        assert_eq!((*object, name.arguments.len(), name.nullable), ("Person", 1, false), "{query}");
    }
}

prepared_version!(Ids, "type Query { a(id: ID): Int }");

/// graphql-js takes a number for which JavaScript's `Number.isInteger` is true.
#[test]
fn whole_number_is_an_id() {
    let engine = Engine::<Ids>::new(Limits::DEFAULT);
    for (number, is_id) in [
        ("7", true),
        ("-7.0", true),
        ("3000000000.0", true),
        ("100000000000000000000", true),
        ("1.5", false),
        ("[7]", false),
        ("true", false),
    ] {
        let body = format!("{{\"query\":\"query($i:ID){{a(id:$i)}}\",\"variables\":{{\"i\":{number}}}}}");
        let request = Request::parse(body.as_bytes()).expect("a request");
        assert_eq!(engine.prepare(&request).is_ok(), is_id, "{number}");
    }
}

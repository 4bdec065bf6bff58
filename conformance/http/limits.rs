//! Limits on a document (decisions H7): a document at the limit runs, and one above it is refused quickly.

use std::time::Instant;

use engine::Limits;
use serde_json::{Value, json};

use crate::app::{Answer, TestApp};

/// Asserts a refusal with this code.
#[track_caller]
fn expect_refusal(answer: &Answer, what: &str) {
    let body = answer.json();
    assert_eq!(answer.status, 400, "{what}: {body}");
    assert!(body.get("data").is_none(), "{what}: {body}");
    let code = body["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
    let known = ["MAX_COST_EXCEEDED", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED", "BAD_REQUEST"];
    assert!(known.contains(&code), "{what}: {body}");
}

/// A document with as many aliases of `__typename`.
fn aliases(count: usize) -> String {
    (0..count).map(|n| format!("a{n}: __typename ")).collect::<String>().replacen("", "{ ", 1) + "}"
}

on_sqlite! {
    async fn aliases_at_the_limit_run_and_one_more_is_refused(app: TestApp) {
        let live = app.live().await;
        live.data(&aliases(Limits::DEFAULT.aliases_max), json!({})).await;
        expect_refusal(&live.graphql(&aliases(Limits::DEFAULT.aliases_max + 1), json!({})).await, "aliases");
    }

    async fn directives_at_the_limit_run_and_one_more_is_refused(app: TestApp) {
        let live = app.live().await;
        let directives = |count: usize| {
            // Not repeatable: one to a field.
            let fields: String = (0..count).map(|_| "__typename @skip(if: false) ").collect();
            format!("{{ {fields} }}")
        };
        live.data(&directives(Limits::DEFAULT.directives_max), json!({})).await;
        expect_refusal(&live.graphql(&directives(Limits::DEFAULT.directives_max + 1), json!({})).await, "directives");
    }

    async fn mutation_fields_at_the_limit_run_and_above_it_none(app: TestApp) {
        let live = app.live().await;
        let creates = |count: usize, dossier: &str| {
            let one = |n| format!("c{n}: cardCreate(input: {{ externalDossierId: \"{dossier}{n}\" }}) {{ ...Made }} ");
            let fields: String = (0..count).map(one).collect();
            format!("mutation {{ {fields} }} fragment Made on CardCreatePayload {{ card {{ id }} }}")
        };
        let data = live.data(&creates(Limits::DEFAULT.root_mutation_fields_max, "a"), json!({})).await;
        assert!(data.as_object().expect("data").values().all(|payload| payload["card"]["id"].is_string()), "{data}");
        let answer = live.graphql(&creates(Limits::DEFAULT.root_mutation_fields_max + 1, "b"), json!({})).await;
        expect_refusal(&answer, "root fields");
        let found = "Het verzoek heeft te veel bewerkingen. Stuur er hoogstens 5 in één verzoek.";
        assert_eq!(answer.json()["errors"][0]["message"], found);
        live.draft("b0").await;
    }

    async fn document_at_the_limit_runs_and_one_byte_more_is_refused(app: TestApp) {
        let live = app.live().await;
        let filled = |bytes: usize| format!("{{ __typename }}{}", " ".repeat(bytes - 14));
        live.data(&filled(Limits::DEFAULT.document_bytes_max), json!({})).await;
        expect_refusal(&live.graphql(&filled(Limits::DEFAULT.document_bytes_max + 1), json!({})).await, "bytes");
    }

    async fn hostile_document_is_refused_quickly(app: TestApp) {
        let live = app.live().await;
        let bomb = || {
            let mut document = "query { ...F0 }".to_owned();
            for n in 0..12 {
                let spread = format!("...F{} ", n + 1).repeat(8);
                document.push_str(&format!(" fragment F{n} on Query {{ {spread} }}"));
            }
            document.push_str(" fragment F12 on Query { __typename }");
            document
        };
        let lists = |depth: usize, inner: &str| format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth));
        let nested = format!("{{ themes(first: {}) {{ nodes {{ id }} }} }}", lists(10_000, "1"));
        let documents = [
            ("a deep literal", nested),
            ("a deep literal never closed", "{ a(b: ".to_owned() + &"[".repeat(20_000)),
            ("deep objects", "{ a(b: ".to_owned() + &"{c:".repeat(8_000)),
            ("deep selections", "{a".repeat(10_000) + &"}".repeat(10_000)),
            ("a deep variable type", format!("query ($a: {}) {{ __typename }}", lists(9_000, "Int"))),
            ("a fragment bomb", bomb()),
            ("a fragment circle", "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }".to_owned()),
            ("an alias flood", aliases(2_000)),
            ("a flood of inline fragments", format!("{{ {} }}", "... { __typename } ".repeat(1_500))),
            ("deep inline fragments", "{ ... ".repeat(5_000) + "{ __typename }" + &"}".repeat(5_000)),
            ("a flood of directives", format!("{{ __typename {} }}", "@a ".repeat(8_000))),
            ("a flood of fields", format!("{{ {} }}", "x ".repeat(15_000))),
            ("a flood of arguments", format!("{{ themes({}) {{ nodes {{ id }} }} }}", "first: 1 ".repeat(3_000))),
            ("a flood of operations", "query A { __typename } ".repeat(1_300)),
            ("many unknown fields", format!("{{ {} }}", (0..900).map(|n| format!("f{n} ")).collect::<String>())),
            ("a string never closed", "{ card(id: \"".to_owned() + &"x".repeat(30_000)),
            ("a block string never closed", "{ card(id: \"\"\"".to_owned() + &"x\n".repeat(15_000)),
            ("a flood of comments", "#\n".repeat(16_000)),
        ];
        for (what, document) in documents {
            let started = Instant::now();
            expect_refusal(&live.graphql(&document, json!({})).await, what);
            // 10 ms is the goal of an optimised build; this catches what grows out of hand.
            assert!(started.elapsed().as_millis() < 1_500, "{what} took {} ms", started.elapsed().as_millis());
        }
        live.data("{ __typename }", json!({})).await;
    }

    async fn variables_made_to_hurt_are_refused_and_the_server_lives_on(app: TestApp) {
        let live = app.live().await;
        let query = r#""query":"query ($id: ID!) { card(id: $id) { id } }""#;
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
            let answer = live.send(format!("{{{query},\"variables\":{{\"id\":{deep}}}}}")).await;
            assert_eq!(answer.status, 400, "{}", answer.text());
            let answer = live.send(format!("{{{query},\"extensions\":{deep}}}")).await;
            assert!([200, 400].contains(&answer.status), "{}", answer.text());
        }
        for number in ["1e400", "-1e400", "123456789012345678901234567890", "0.1e-400"] {
            let answer = live.send(format!("{{{query},\"variables\":{{\"id\":{number}}}}}")).await;
            assert!([200, 400].contains(&answer.status), "{number}: {}", answer.text());
            assert_ne!(answer.json()["errors"][0]["extensions"]["code"], "INTERNAL_SERVER_ERROR", "{number}");
        }
        live.data("{ __typename }", json!({})).await;
    }

    async fn introspection_is_exempt_from_the_depth(app: TestApp) {
        let live = app.live().await;
        let deep = |depth: usize| {
            let chain = "ofType { ".repeat(depth);
            format!("{{ __type(name: \"Card\") {{ fields {{ type {{ {chain} name {} }} }} }} }}", "}".repeat(depth))
        };
        live.data(&deep(12), json!({})).await;
    }

    async fn error_of_a_refused_document_has_its_place(app: TestApp) {
        let live = app.live().await;
        let answer = live.graphql("{\n  card(id: 1) { nothing }\n}", Value::Null).await;
        let error = answer.expect_error(400, "GRAPHQL_VALIDATION_FAILED");
        assert_eq!(error["locations"][0]["line"], 2, "{error}");
        assert!(error["extensions"]["detail"].as_str().is_some_and(|detail| detail.contains("nothing")), "{error}");
    }
}

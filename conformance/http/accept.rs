//! The media type of responses, and the status for each type (GraphQL over HTTP; decisions H5).

use serde_json::{Value, json};

use crate::app::{Answer, Caller, TestApp};

const GRAPHQL: &str = "application/graphql-response+json";
const JSON: &str = "application/json";

async fn ask(caller: &Caller, accept: &str, query: &str) -> Answer {
    caller.with_header("accept", accept).graphql(query, json!({})).await
}

fn media(answer: &Answer) -> String {
    let content_type = answer.header("content-type").expect("every answer has a type").to_lowercase();
    let (media, parameters) = content_type.split_once(';').unwrap_or((&content_type, ""));
    assert!(["", "charset=utf-8"].contains(&parameters.trim()), "{content_type}");
    media.to_owned()
}

on_sqlite! {
    async fn answer_has_the_media_type_that_the_caller_prefers(app: TestApp) {
        let live = app.live().await;
        for (lines, expected) in [
            (&[""][..], Some(JSON)),
            (&["*/*"], Some(JSON)),
            (&["application/*"], Some(JSON)),
            (&[JSON], Some(JSON)),
            (&["application/json; charset=utf-8"], Some(JSON)),
            (&["application/json;charset=\"UTF-8\""], Some(JSON)),
            (&["application/json; charset=iso-8859-1"], None),
            (&["application/json; charset=iso-8859-1, text/html"], None),
            (&[GRAPHQL], Some(GRAPHQL)),
            (&["APPLICATION/GraphQL-Response+JSON"], Some(GRAPHQL)),
            (&["application/graphql-response+json, application/json"], Some(GRAPHQL)),
            (&["application/json, application/graphql-response+json"], Some(GRAPHQL)),
            (&["application/json, */*"], Some(JSON)),
            (&["application/graphql-response+json;q=0.9, application/json"], Some(JSON)),
            (&["application/graphql-response+json, application/json;q=0.9"], Some(GRAPHQL)),
            (&["application/json;q=0.5", "application/graphql-response+json;q=0.7"], Some(GRAPHQL)),
            (&["application/graphql-response+json;q=0, */*"], Some(JSON)),
            (&["application/json;q=0, */*"], Some(GRAPHQL)),
            (&["text/html, */*;q=0.1"], Some(JSON)),
            (&["application/json;q=1.000"], Some(JSON)),
            (&["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"], Some(JSON)), // HttpURLConnection, Java 8 to 17
            (&["*"], Some(JSON)),
            (&["*/*;q=.2"], Some(JSON)),
            (&["application/json;q=.0"], None),
            (&["application/json;q=."], Some(JSON)),
            (&["application/vnd.github.v3+json"], Some(JSON)), // @octokit/graphql; RFC 6839, section 3.1
            (&["application/ld+json;q=0.1, application/graphql-response+json;q=0.2"], Some(GRAPHQL)),
            (&["application/vnd.github.v3+xml"], None),
            (&["application/+json"], Some(JSON)),
            (&["json"], Some(JSON)),
            (&["json, text"], Some(JSON)),
            (&["json, text/html"], None),
            (&["application/json;q=0"], None),
            (&["application/json;q=0."], None),
            (&["*/*;q=0"], None),
            (&["text/html,application/xhtml+xml,application/xml;q=0.9"], None),
            // The grammar of RFC 9110, section 12.4.2, is broken, and other servers read it so.
            (&["nonsense"], Some(JSON)),
            (&["application/json;q=2, text/html"], Some(JSON)),
            (&["application/json;q=1.001"], Some(JSON)),
            (&["application/json;q=0.1234, application/graphql-response+json;q=0.1235"], Some(GRAPHQL)),
            (&["application/json;q=-1"], None),
            (&["application/json;q=nan"], Some(JSON)),
            (&["application/json;q="], Some(JSON)),
            (&["application/json;q=0.x"], Some(JSON)),
        ] {
            let mut request = live.request(r#"{"query":"{ __typename }"}"#).build().expect("a request");
            request.headers_mut().remove("accept");
            for line in lines {
                request.headers_mut().append("accept", line.parse().expect("a header value"));
            }
            let answer = Answer::read(app.http().execute(request).await.expect("the server answers")).await;
            match expected {
                Some(expected) => assert_eq!((answer.status, &*media(&answer)), (200, expected), "{lines:?}: {}", answer.text()),
                None => _ = answer.expect_error(406, "BAD_REQUEST"),
            }
        }
    }

    async fn invalid_document_is_400_or_200_by_media_type_without_data(app: TestApp) {
        let live = app.live().await;
        for (query, code) in [
            ("{", "GRAPHQL_PARSE_FAILED"),
            ("", "GRAPHQL_PARSE_FAILED"),
            ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
            ("{ card }", "GRAPHQL_VALIDATION_FAILED"),
            ("query ($id: ID!) { card(id: $id) { id } }", "BAD_USER_INPUT"),
            ("query A { __typename } query B { __typename }", "OPERATION_RESOLUTION_FAILURE"),
        ] {
            for (accept, status) in [(GRAPHQL, 400), (JSON, 200)] {
                let answer = ask(&live, accept, query).await;
                answer.expect_error(status, code);
                assert_eq!(media(&answer), accept);
            }
        }
    }

    async fn body_that_is_no_request_is_400_in_both_media_types(app: TestApp) {
        let live = app.live().await;
        let wrong_variables = r#"{"query":"{ __typename }","variables":[]}"#;
        for body in ["not JSON", "[]", "{}", r#"{"query":1}"#, r#"{"query":"\x"}"#, wrong_variables] {
            for accept in [GRAPHQL, JSON] {
                let answer = live.with_header("accept", accept).send(body).await;
                answer.expect_error(400, "BAD_REQUEST");
                assert_eq!(media(&answer), accept);
            }
        }
    }

    async fn response_with_data_and_errors_is_200(app: TestApp) {
        let live = app.live().await;
        let query = "{ theme(id: 1) { id } themes(first: 251) { nodes { id } } }";
        for accept in [GRAPHQL, JSON] {
            let answer = ask(&live, accept, query).await;
            let body = answer.json();
            assert_eq!(answer.status, 200, "{body}");
            // `themes` may not be null, so its error takes the whole of `data`: still there, as null.
            assert_eq!(body.get("data"), Some(&Value::Null), "{body}");
            let error = &body["errors"][0];
            assert_eq!((&error["path"], &error["extensions"]["code"]), (&json!(["themes"]), &json!("BAD_USER_INPUT")));
            assert!(error["locations"][0]["line"].is_u64(), "{body}");
        }
    }

    async fn refusal_has_the_media_type_that_was_asked_for(app: TestApp) {
        let unknown = Caller::new(app.clone(), "nonsense");
        for accept in [GRAPHQL, JSON] {
            let answer = ask(&unknown, accept, "{ __typename }").await;
            assert_eq!((answer.status, media(&answer).as_str()), (401, accept));
        }
    }
}

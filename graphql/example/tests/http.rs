//! GraphQL over HTTP on the example: the status, the headers and the body of responses, by the standard that requires them.

mod server;

use server::Server;

const JSON: &str = "Content-Type: application/json";
const GRAPHQL: &str = "Content-Type: application/json\nAccept: application/graphql-response+json";
const HELLO: &str = r#"{"query":"{__typename}"}"#;
const EXPENSIVE: &str =
    r#"{"query":"{hero{friendsConnection(first:50){edges{node{friendsConnection(first:50){edges{cursor}}}}}}}"}"#;

#[test]
fn response_has_the_status_and_headers_of_the_standards() {
    let server = Server::start();
    let large = format!(r#"{{"query":"{{__typename}}","variables":{{"a":"{}"}}}}"#, "a".repeat(300_000));
    // Request, lines of its head, body; status, parts of the response in lower case.
    let cases: &[(&str, &str, &str, u16, &[&str])] = &[
        // GraphQL over HTTP: "Response", by media type.
        (
            "POST",
            JSON,
            HELLO,
            200,
            &["content-type: application/json; charset=utf-8", r#"{"data":{"__typename":"query"}}"#],
        ),
        ("POST", GRAPHQL, HELLO, 200, &["content-type: application/graphql-response+json; charset=utf-8"]),
        ("POST", JSON, r#"{"query":"{"}"#, 200, &["graphql_parse_failed"]),
        ("POST", GRAPHQL, r#"{"query":"{"}"#, 400, &["graphql_parse_failed", r#""column":2"#]),
        ("POST", GRAPHQL, r#"{"query":"{nope}"}"#, 400, &["graphql_validation_failed"]),
        // A hook refuses the operation.
        (
            "POST",
            GRAPHQL,
            EXPENSIVE,
            403,
            &[r#"{"errors":[{"message":"ask for smaller pages.","extensions":{"code":"too_expensive"}}]}"#],
        ),
        ("POST", JSON, EXPENSIVE, 200, &["too_expensive"]),
        ("POST", JSON, "{", 400, &["bad_request"]),
        ("POST", JSON, "[]", 400, &["batches are not supported"]),
        ("POST", JSON, r#"{"query":{}}"#, 400, &["bad_request"]),
        ("POST", "Content-Type: application/json\nAccept: text/html", HELLO, 406, &["bad_request"]),
        // A browser sends these across sites without asking (Fetch standard, section 2.2.2).
        ("POST", "Content-Type: text/plain", HELLO, 415, &["send the body as application/json"]),
        ("POST", "Content-Type: application/x-www-form-urlencoded", HELLO, 415, &[]),
        ("POST", "Content-Type: multipart/form-data; boundary=a", HELLO, 415, &[]),
        ("POST", "", HELLO, 415, &[]),
        ("POST", "Content-Type: application/json; charset=latin1", HELLO, 415, &[]),
        // RFC 9110, section 15.5.16.
        ("POST", "Content-Type: application/json\nContent-Encoding: gzip", HELLO, 415, &["accept-encoding: identity"]),
        ("POST", JSON, &large, 413, &[]),
        // RFC 9110, sections 9.3.7 and 15.5.6.
        ("GET", "", "", 405, &["allow: post, options"]),
        ("PUT", JSON, HELLO, 405, &["allow: post, options"]),
        ("OPTIONS", "", "", 204, &["allow: post, options"]),
        (
            "GET",
            "Accept: text/html,application/xhtml+xml",
            "",
            200,
            &["content-type: text/html", "does not reach unpkg.com"],
        ),
        // Fetch standard, section 4.8.
        (
            "OPTIONS",
            "Origin: https://films.example\nAccess-Control-Request-Method: POST\nAccess-Control-Request-Headers: content-type",
            "",
            204,
            &[
                "access-control-allow-origin: https://films.example",
                "access-control-allow-methods: post",
                "access-control-allow-headers: content-type",
                "vary: origin",
            ],
        ),
        (
            "POST",
            "Content-Type: application/json\nOrigin: https://films.example",
            HELLO,
            200,
            &["access-control-allow-origin: https://films.example", "vary: origin"],
        ),
    ];
    for (method, headers, body, status, parts) in cases {
        let (head, answer) = server.send(&format!("{method} /2026-10/graphql"), headers, body);
        let response = format!("{head}\n{answer}").to_lowercase();
        assert!(response.starts_with(&format!("http/1.1 {status} ")), "{method} {headers}: {response}");
        for part in *parts {
            assert!(response.contains(part), "{method} {headers}: {part} in {response}");
        }
    }
    let foreign = "Origin: https://other.example\nAccess-Control-Request-Method: POST";
    let head = server.send("OPTIONS /2026-10/graphql", foreign, "").0.to_lowercase();
    assert!(!head.contains("access-control"), "an origin that is not allowed: {head}");
    let cases =
        [("GET /", 200), ("POST /", 405), ("HEAD /2026-10/schema.graphql", 200), ("PUT /2026-10/schema.graphql", 405)];
    for (request, status) in cases.into_iter().chain([("POST /2020-01/graphql", 404), ("GET /a", 404), ("GET //", 404)])
    {
        let head = server.send(request, "", "").0;
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {head}");
    }
}

//! Bodies: requests, and everything that is none (GraphQL over HTTP; decisions H5, H7).

use std::time::Duration;

use bytes::Bytes;
use card_service::base::limits::{BODY_BYTES_MAX, BODY_DISCARDED_BYTES_MAX};
use futures_util::stream;
use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::app::{Answer, TestApp};

/// Reads an answer with `Content-Length`; returns it in lower case.
async fn read_answer(stream: &mut TcpStream) -> String {
    let mut read = Vec::new();
    loop {
        let length = stream.read_buf(&mut read).await.expect("the answer comes");
        assert_ne!(length, 0, "the answer is whole: {}", String::from_utf8_lossy(&read));
        let text = String::from_utf8_lossy(&read).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
        if body.len() >= length.parse().expect("a number") {
            return text;
        }
    }
}

on_sqlite! {
    async fn body_of_the_wrong_shape_is_400(app: TestApp) {
        let live = app.live().await;
        for body in [
            "", " ", "null", "1", "\"{ __typename }\"", "[]", r#"[{"query":"{ __typename }"}]"#, "{}",
            r#"{"query":null}"#,
            r#"{"query":["{ __typename }"]}"#,
            r#"{"Query":"{ __typename }"}"#,
            r#"{"query":"{ __typename }","variables":"x"}"#,
            r#"{"query":"{ __typename }","variables":[]}"#,
            r#"{"query":"{ __typename }","operationName":1}"#,
            r#"{"query":"{ __typename }","extensions":[]}"#,
            r#"{"query":"{ __typename }""#,
            r#"{"query":"{ __typename }"} x"#,
            "{'query':'{ __typename }'}",
            "query={__typename}",
        ] {
            let answer = live.send(body).await;
            answer.expect_error(400, "BAD_REQUEST");
        }
        for (body, status, code, hint) in [
            (r#"{"query":"{ __typename }","variables":[]}"#, 400, "BAD_REQUEST", "new stdClass"),
            (r#"{"query":"{ __typename }","operationName":""}"#, 400, "OPERATION_RESOLUTION_FAILURE", "Leave"),
        ] {
            let error = live.send(body).await.expect_error(status, code);
            assert!(error["extensions"]["detail"].as_str().is_some_and(|detail| detail.contains(hint)), "{error}");
        }
        for bytes in [&b"{\"query\":\"\xff\"}"[..], b"\x1f\x8b\x08\0", b"\0"] {
            live.send(bytes).await.expect_error(400, "BAD_REQUEST");
        }
    }

    async fn body_with_more_than_it_needs_is_read(app: TestApp) {
        let live = app.live().await;
        for body in [
            r#"{"query":"{ __typename }","variables":null,"operationName":null,"extensions":null}"#,
            r#"{"query":"{ __typename }","variables":{},"extensions":{"a":1}}"#,
            r#"{"query":"{ __typename }","unknown":1}"#,
            " {\n\"query\" : \"\\u007b __typename }\" } \n",
            r#"{"query":"query A { __typename } query B { b: __typename }","operationName":"A"}"#,
        ] {
            assert_eq!(live.send(body).await.data(), json!({ "__typename": "Query" }), "{body}");
        }
    }

    async fn operation_name_that_fits_nothing_is_400(app: TestApp) {
        let live = app.live().await;
        for name in [json!("B"), json!("")] {
            let body = json!({ "query": "query A { __typename }", "operationName": name });
            let answer = live.send(body.to_string()).await;
            if name == json!("B") {
                answer.expect_error(400, "OPERATION_RESOLUTION_FAILURE");
            } else {
                assert!([200, 400].contains(&answer.status), "an empty name is none, or fits nothing");
            }
        }
        let body = json!({ "query": "fragment F on Card { id }" });
        assert_eq!(live.send(body.to_string()).await.status, 400);
    }

    async fn body_of_another_type_is_415(app: TestApp) {
        let live = app.live().await;
        let body = r#"{"query":"{ __typename }"}"#;
        for (content_type, status) in [
            ("application/json", 200),
            ("application/json; charset=utf-8", 200),
            ("Application/JSON;charset=UTF-8", 200),
            ("application/json; charset=\"UTF-8\"", 200),
            ("application/json; profile=x", 200),
            ("text/plain", 415),
            ("application/graphql", 415),
            ("application/graphql+json", 415),
            ("application/jsonp", 415),
            ("application/x-www-form-urlencoded", 415),
            ("multipart/form-data; boundary=x", 415),
            ("application/json; charset=utf-16", 415),
            ("application/json; charset=iso-8859-1", 415),
            ("", 415),
        ] {
            let mut request = live.request(body).build().expect("a request");
            request.headers_mut().insert("content-type", content_type.parse().expect("a header value"));
            let answer = Answer::read(app.http().execute(request).await.expect("the server answers")).await;
            assert_eq!(answer.status, status, "{content_type}: {}", answer.text());
        }
        let mut request = live.request(body).build().expect("a request");
        request.headers_mut().remove("content-type");
        let answer = Answer::read(app.http().execute(request).await.expect("the server answers")).await;
        answer.expect_error(415, "BAD_REQUEST");
    }

    async fn body_with_a_content_coding_is_415_with_what_is_accepted(app: TestApp) {
        let live = app.live().await;
        for (codings, is_taken) in [
            (&["identity"][..], true),
            (&["Identity"], true),
            (&["identity, identity"], true),
            (&["utf-8"], true), // a charset in the wrong header: the body is not compressed
            (&["UTF8"], true),
            (&[""], true),
            (&["gzip"], false),
            (&["GZIP"], false),
            (&["deflate"], false),
            (&["br"], false),
            (&["identity, gzip"], false),
            (&["identity", "gzip"], false),
        ] {
            let mut request = live.request(r#"{"query":"{ __typename }"}"#).build().expect("a request");
            for coding in codings {
                request.headers_mut().append("content-encoding", coding.parse().expect("a header value"));
            }
            let answer = Answer::read(app.http().execute(request).await.expect("the server answers")).await;
            if is_taken {
                assert_eq!(answer.status, 200, "{codings:?}: {}", answer.text());
                continue;
            }
            let error = answer.expect_error(415, "BAD_REQUEST");
            // RFC 9110, section 15.5.16.
            assert_eq!(answer.header("accept-encoding"), Some("identity"), "{codings:?}");
            assert_eq!(error["message"], "Stuur het verzoek zonder compressie.");
        }
    }

    async fn byte_order_mark_before_the_body_is_ignored(app: TestApp) {
        let live = app.live().await;
        // RFC 8259, section 8.1. Twice, or within, it is no JSON.
        let query = r#"{"query":"{ __typename }"}"#;
        live.send(format!("\u{feff}{query}")).await.data();
        live.send(format!("\u{feff}\u{feff}{query}")).await.expect_error(400, "BAD_REQUEST");
        live.send(query.replacen(':', ":\u{feff}", 1)).await.expect_error(400, "BAD_REQUEST");
    }

    async fn transfer_coding_other_than_chunked_is_501(app: TestApp) {
        let live = app.live().await;
        let body = r#"{"query":"{ __typename }"}"#;
        for (coding, status) in [
            ("chunked", 200),
            ("Chunked", 200),
            ("gzip, chunked", 501), // RFC 9112, section 6.1
            ("identity, chunked", 501),
            ("gzip\r\ntransfer-encoding: chunked", 501),
            ("chunked\r\ntransfer-encoding: chunked", 501),
        ] {
            let request = format!(
                "POST /partner/api/2026-10/graphql HTTP/1.1\r\nhost: kaarten.example\r\ncontent-type: application/json\r\n\
                 x-service-access-token: {}\r\ntransfer-encoding: {coding}\r\nconnection: close\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
                live.token,
                body.len()
            );
            let mut stream = TcpStream::connect(app.address()).await.expect("the server accepts");
            stream.write_all(request.as_bytes()).await.expect("bytes go out");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("the answer comes, and the connection ends in order");
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{coding}: {answer}");
        }
    }

    async fn refusal_reads_the_body_or_says_that_it_closes(app: TestApp) {
        let live = app.live().await;
        let path = "/partner/api/2026-10/graphql";
        for (method, path, token, media, status) in [
            ("POST", path, "nonsense", "application/json", 401),
            ("PUT", path, &*live.token, "application/json", 405),
            ("POST", "/partner/api/2020-01/graphql", &live.token, "application/json", 404),
            ("POST", path, &live.token, "text/plain", 415),
        ] {
            let head = format!(
                "{method} {path} HTTP/1.1\r\nhost: kaarten.example\r\ncontent-type: {media}\r\nx-service-access-token: {token}\r\n"
            );
            // The server keeps the connection if it read the body; otherwise it says `Connection: close`.
            let mut stream = TcpStream::connect(app.address()).await.expect("the server accepts");
            let request = format!("{head}content-length: 100000\r\n\r\n{}", " ".repeat(100_000));
            for _ in 0..2 {
                stream.write_all(request.as_bytes()).await.expect("bytes go out");
                let answer = read_answer(&mut stream).await;
                assert!(answer.starts_with(&format!("http/1.1 {status} ")), "{answer}");
                assert!(!answer.contains("connection: close"), "{answer}");
            }
            for unsent in ["expect: 100-continue\r\ncontent-length: 10", "content-length: 6000000"] {
                let mut stream = TcpStream::connect(app.address()).await.expect("the server accepts");
                stream.write_all(format!("{head}{unsent}\r\n\r\n").as_bytes()).await.expect("bytes go out");
                if !unsent.contains("expect") {
                    let _ = stream.write_all(&vec![b' '; 5_000_000]).await;
                }
                let answer = read_answer(&mut stream).await;
                assert!(answer.starts_with(&format!("http/1.1 {status} ")), "{answer}");
                assert!(answer.contains("connection: close"), "{unsent}: {answer}");
            }
        }
    }

    async fn body_of_the_maximum_is_read_and_one_byte_more_is_413(app: TestApp) {
        let live = app.live().await;
        let filled = |bytes: usize| {
            let start = r#"{"query":"{ __typename }","extensions":{"a":""#;
            format!("{start}{}\"}}}}", "x".repeat(bytes - start.len() - 3))
        };
        let most = filled(BODY_BYTES_MAX);
        assert_eq!(most.len(), BODY_BYTES_MAX);
        live.send(most.clone()).await.data();
        live.send(filled(BODY_BYTES_MAX + 1)).await.expect_error(413, "BAD_REQUEST");
        // The same without an announced length.
        for (body, status) in [(most, 200), (filled(BODY_BYTES_MAX + 1), 413)] {
            let chunks: Vec<Result<Bytes, std::io::Error>> =
                body.as_bytes().chunks(10_000).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
            let body = reqwest::Body::wrap_stream(stream::iter(chunks));
            assert_eq!(live.send(body).await.status, status);
        }
        // Far more than the maximum: the answer comes all the same.
        live.send(filled(8 * BODY_BYTES_MAX)).await.expect_error(413, "BAD_REQUEST");
        // More than is read at all: the answer comes, or the connection is closed, and the server still answers.
        if let Ok(response) = live.request(filled(8 * BODY_DISCARDED_BYTES_MAX)).send().await {
            assert_eq!(response.status().as_u16(), 413);
        }
        live.data("{ __typename }", json!({})).await;
    }

    async fn body_over_the_limit_is_413_for_a_client_that_reads_last(app: TestApp) {
        let live = app.live().await;
        let body = vec![b' '; 1 << 20];
        let head = format!(
            "POST /partner/api/2026-10/graphql HTTP/1.1\r\nhost: kaarten.example\r\ncontent-type: application/json\r\n\
             x-service-access-token: {}\r\n",
            live.token
        );
        let address = app.address();
        let announced = format!("{head}content-length: {}\r\n\r\n", body.len());
        let in_one_chunk = format!("{head}transfer-encoding: chunked\r\n\r\n{:x}\r\n", body.len());
        for (head, end) in [(&announced, ""), (&in_one_chunk, "\r\n0\r\n\r\n")] {
            let mut stream = TcpStream::connect(address).await.expect("the server accepts");
            for bytes in [head.as_bytes(), &body, end.as_bytes()] {
                stream.write_all(bytes).await.expect("the server takes the whole body");
            }
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("the answer comes, and the connection ends in order");
            assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
            assert!(answer.contains("The body may hold 262144 bytes."), "{answer}");
        }
        // A client that asks first is answered before it sends anything.
        let mut stream = TcpStream::connect(address).await.expect("the server accepts");
        let asked = announced.replace("\r\n\r\n", "\r\nexpect: 100-continue\r\n\r\n");
        stream.write_all(asked.as_bytes()).await.expect("bytes go out");
        let mut answer = String::new();
        let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_string(&mut answer)).await;
        read.expect("it waits for nothing").expect("the connection ends in order");
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    }

    async fn body_over_the_limit_gets_its_answer_over_http_2(app: TestApp) {
        let live = app.live().await;
        let address = app.address();
        let stream = TcpStream::connect(address).await.expect("the server accepts");
        let (mut sender, connection) =
            http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.expect("HTTP/2 is spoken");
        tokio::spawn(connection);
        for bytes in [1 << 20, 20] {
            let request = Request::post(app.url("/partner/api/2026-10/graphql"))
                .header("content-type", "application/json")
                .header("x-service-access-token", &live.token)
                .body(Full::new(Bytes::from(vec![b' '; bytes])))
                .expect("a request");
            let answer = sender.send_request(request).await.expect("an answer");
            assert_eq!(answer.status(), if bytes > BODY_BYTES_MAX { 413 } else { 400 });
            let text = answer.into_body().collect().await.expect("the whole answer").to_bytes();
            assert!(serde_json::from_slice::<Value>(&text).expect("JSON")["errors"].is_array());
        }
    }

    async fn variables_that_are_not_declared_are_ignored(app: TestApp) {
        let live = app.live().await;
        let data = live.data("{ __typename }", json!({ "unknown": { "deep": [1, null] } })).await;
        assert_eq!(data, json!({ "__typename": "Query" }));
    }

    async fn subscription_operation_is_a_wrong_document(app: TestApp) {
        let live = app.live().await;
        let answer = live.graphql("subscription { cards { id } }", Value::Null).await;
        assert_eq!(answer.status, 400, "{}", answer.text());
        assert!(answer.json().get("data").is_none());
    }
}

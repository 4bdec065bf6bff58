//! `diff`: schemas of versions, files, commits and services.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;

use serde_json::{Value, json};

use super::project::{Project, SDL};

#[test]
fn diff_compares_versions_files_and_commits() {
    let project = Project::with_candidate("diff");
    project.edit("schema/2027-01.graphql", "  b: Int\n", "  b: String\n");
    let output = project.run("diff 2026-10 2027-01").exits(100);
    output.prints("error[field-type-changed]: the type of field `Query.b` was `Int` and is `String`");
    project.run("diff 2027-01 2027-01").exits(0).prints("0 errors");
    project.run("diff main:schema/2026-10.graphql 2027-01").exits(100).prints("main:schema/2026-10.graphql:11");
    project.run("diff 2026-10 nowhere").exits(1).prints("`nowhere` is neither");
    project.write("schema/2027-01.graphql", &SDL.replace("  b: Int\n", "  b: Int\n  \"New.\"\n  d: Int\n"));
    project.run("diff 2026-10 2027-01").exits(0).prints("note[field-added]");
    project.run("diff 2026-10 2027-01 --level dangerous").exits(0).prints_not("field-added");
}

/// The answer to an introspection query of graphql-js, for [`INTROSPECTED_SDL`].
const INTROSPECTION: &str = include_str!("introspection.json");

/// The SDL from which graphql-js made [`INTROSPECTION`].
const INTROSPECTED_SDL: &str = include_str!("introspection.graphql");

#[test]
fn diff_reads_introspection_as_json() {
    let project = Project::new("diff_introspection");
    project.write("new.graphql", INTROSPECTED_SDL);
    let path = |name: &str| project.root.join(name).display().to_string();
    let (json, sdl) = (path("old.json"), path("new.graphql"));
    let answer: Value = serde_json::from_str(INTROSPECTION).unwrap();
    for text in [INTROSPECTION.to_owned(), answer["data"].to_string()] {
        project.write("old.json", &text);
        project.run(&format!("diff {json} {sdl}")).exits(0).prints("0 errors, 0 warnings, 0 notes");
        project.run(&format!("diff {sdl} {json}")).exits(0).prints("0 errors, 0 warnings, 0 notes");
    }
    project.write("new.graphql", &INTROSPECTED_SDL.replace("  gone: Int @deprecated\n", ""));
    let output = project.run(&format!("diff {json} {sdl}")).exits(100);
    output.prints("error[field-removed]: field `Query.gone` was removed").prints("old.json as SDL:");
    for (text, message) in [
        ("{", "old.json: it is no JSON"),
        ("{}", "old.json: it is no answer to an introspection query"),
        ("{\"errors\":[{\"message\":\"Not here.\"}]}", "the service answered with an error: Not here."),
    ] {
        project.write("old.json", text);
        project.run(&format!("diff {json} {sdl}")).exits(1).prints(message);
    }
}

#[test]
fn diff_reads_a_service_and_a_file_at_an_address() {
    let project = Project::new("diff_address");
    project.write("new.graphql", INTROSPECTED_SDL);
    let sdl = project.root.join("new.graphql").display().to_string();
    let (url, requests) = server(vec![(200, INTROSPECTION.to_owned())]);
    project
        .run(&format!("diff {url}/api {sdl} --header X-Token:a\"b"))
        .exits(0)
        .prints("0 errors, 0 warnings, 0 notes");
    let request = requests.recv().unwrap();
    assert!(request.starts_with("POST /api HTTP/1.1\r\n") && request.contains("\r\nX-Token:a\"b\r\n"), "{request}");
    assert!(request.contains("specifiedByURL"), "{request}");
    // An older service refuses what it does not know.
    let refused = json!({ "errors": [{ "message": "Cannot query field isOneOf" }] }).to_string();
    let (url, requests) = server(vec![(400, refused.clone()), (200, INTROSPECTION.to_owned())]);
    project.run(&format!("diff {sdl} {url}")).exits(0).prints("0 errors");
    assert!(requests.iter().nth(1).is_some_and(|request| !request.contains("specifiedByURL")));
    let (url, _) = server(vec![(400, refused.clone()), (400, refused)]);
    project.run(&format!("diff {sdl} {url}")).exits(1).prints("the service answered with an error: Cannot query");
    let (url, requests) = server(vec![(200, INTROSPECTED_SDL.to_owned())]);
    project.run(&format!("diff {sdl} {url}/schema.graphql?x=1")).exits(0).prints("0 errors");
    assert!(requests.recv().unwrap().starts_with("GET /schema.graphql?x=1 "));
    let (url, _) = server(vec![(404, "Not found.".to_owned())]);
    project.run(&format!("diff {sdl} {url}")).exits(1).prints("the answer has the status 404");
    project.run(&format!("diff {sdl} http://127.0.0.1:1/")).exits(1).prints("http://127.0.0.1:1/: curl:");
}

#[test]
fn diff_reads_subscriptions_and_extensions() {
    const ROOT: &str = "extend schema { subscription: Subscription }";
    let project = Project::with_candidate("diff_foreign");
    let old = format!("{SDL}extend type Query {{\n  d: Int\n}}\ntype Subscription {{ a: Int }}\n{ROOT}\n");
    project.write("old.graphql", &old);
    project.write(
        "new.graphql",
        &old.replace("  d: Int", "  d: Int!").replace("type Subscription { a: Int }", "").replace(ROOT, ""),
    );
    let path = |name: &str| project.root.join(name).display().to_string();
    let output = project.run(&format!("diff {} {}", path("new.graphql"), path("old.graphql"))).exits(100);
    output
        .prints("error[field-type-changed]: the type of field `Query.d` was `Int!` and is `Int`")
        .prints("old.graphql:16:6")
        .prints("note[subscription-root-added]: the subscription root `Subscription` was added");
    // The project's own schemas have neither.
    project.write("schema/2027-01.graphql", &old);
    project.run("diff 2026-10 2027-01").exits(100).prints("extensions are not used here");
    project.run("check").exits(100).prints("extensions are not used here");
}

/// Returns the address of a server that gives these answers, and its requests.
fn server(answers: Vec<(u16, String)>) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for (status, body) in answers {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = vec![];
            let mut chunk = [0; 1 << 16];
            while !is_complete(&request) {
                let count = connection.read(&mut chunk).unwrap();
                request.extend_from_slice(&chunk[..count]);
            }
            let length = body.len();
            write!(connection, "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
                .unwrap();
            let _ = sender.send(String::from_utf8(request).unwrap());
        }
    });
    (url, requests)
}

/// Returns whether a request has its head and its body.
fn is_complete(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}

//! Runs the server and sends it every `curl` about the example in `graphql/README.md`: the page shows the responses.

mod server;

use server::Server;

/// What curl sends with `--json`.
const JSON: &str = "Content-Type: application/json\nAccept: application/json";

#[test]
fn readme_shows_what_the_server_responds_and_logs() {
    let server = Server::start();
    let (_, section) = include_str!("../../README.md").split_once("## The example").expect("it has the section");
    let (mut lines, mut sent, mut log) = (section.lines(), 0, String::new());
    while let Some(line) = lines.next() {
        let Some(call) = line.strip_prefix("$ curl -s localhost:9600") else { continue };
        let (path, body) =
            call.split_once(" --json '").map_or((call, None), |(path, body)| (path, body.strip_suffix('\'')));
        let answer = match body {
            Some(body) => server.send(&format!("POST {path}"), JSON, body).1,
            None => server.send(&format!("GET {path}"), "", "").1,
        };
        let shown: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty() && *line != "```").collect();
        let (logged, shown): (Vec<&str>, Vec<&str>) = shown.into_iter().partition(|line| line.starts_with("looked up"));
        assert_eq!(answer.trim_end(), shown.join("\n"), "{path}");
        logged.iter().for_each(|line| log.extend([line, "\n"]));
        sent += 1;
    }
    assert!(sent >= 6, "the page shows {sent} requests");
    assert_eq!(server.stop(), log);
}

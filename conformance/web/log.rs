//! No link, no cookie and no name in the log, however much is logged (decisions S4).

use std::io::Read as _;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{Answer, FreshDatabase, Program, http_client, lines_of};

on_sqlite! {
    async fn log_of_a_visit_holds_no_secret_and_no_name(database: FreshDatabase) {
        let program = Program::new(&database).set("RUST_LOG", "card_service=trace");
        let token = program.token("live");
        let serve = &mut program.command(&["serve", "--json"]);
        let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        let line = lines_of(&mut child).recv_timeout(Duration::from_secs(30)).expect("a line with the address");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let base = said["listening"].as_str().expect("an address").to_owned();

        let api = async |query: &str, variables: Value| {
            let request = http_client()
                .post(format!("{base}/partner/api/2026-10/graphql"))
                .header("x-service-access-token", &token)
                .json(&json!({ "query": query, "variables": variables }));
            Answer::read(request.send().await.expect("an answer")).await.data()
        };
        let create = "mutation { cardCreate(input: { externalDossierId: \"1\", deceased: { firstName: \"Zonnebloem\" } })
            { card { id } } }";
        let gid = api(create, json!({})).await["cardCreate"]["card"]["id"].clone();
        let ask = "mutation ($id: ID!) { cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } } }";
        let url = api(ask, json!({ "id": gid })).await["cardSessionCreate"]["cardSession"]["url"].clone();
        let secret = url.as_str().and_then(|url| url.split("/s/").nth(1)).expect("a link").to_owned();
        let mut cookie = String::new();
        for _ in 0..2 {
            let opened = http_client().get(format!("{base}/s/{secret}")).send().await.expect("an answer");
            if let Some(line) = Answer::read(opened).await.header("set-cookie") {
                cookie = line.split(['=', ';']).nth(1).expect("a value").to_owned();
            }
        }
        child.kill().expect("the server ends");
        let _ = child.wait();
        let mut log = String::new();
        child.stderr.take().expect("the log is piped").read_to_string(&mut log).expect("the log is UTF-8");
        assert!(log.contains("session link"), "the route is logged by its name: {log}");
        for hidden in [secret.as_str(), &cookie, &token, "Zonnebloem"] {
            assert!(hidden.len() > 5 && !log.contains(hidden), "{hidden} stands in the log: {log}");
        }
    }
}

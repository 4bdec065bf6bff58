//! The workloads: the requests that both servers are sent, and how their answers begin.

use crate::database::card_id;

const PATH: &str = "/partner/api/2026-10/graphql";

/// A kind of request.
pub(crate) struct Workload {
    pub name: &'static str,
    /// By which the hand-written server knows the workload.
    operation: &'static str,
    query: &'static str,
    /// Writes the variables of the n-th request to a database with this many cards.
    variables: fn(usize, usize) -> String,
    /// Every right answer begins with this.
    pub answer_start: &'static str,
}

pub(crate) const READ: Workload = Workload {
    name: "read",
    operation: "Card",
    query: "query Card($id: ID!) { card(id: $id) { id theme { id legacyResourceId title handle } externalDossierId \
            externalFuneralDirectorId deceased { firstName lastName dateOfBirth dateOfDeath } livestreamUrl familyContact { name email } status cardUrl test createdAt updatedAt } }",
    // A prime number, so that neighbouring requests read cards far apart.
    variables: |n, cards| format!(r#"{{"id":"gid://service/Card/{}"}}"#, card_id(n * 7_919 % cards)),
    answer_start: r#"{"data":{"card":{"id":"gid://service/Card/"#,
};
pub(crate) const THEMES: Workload = Workload {
    name: "themes",
    operation: "Themes",
    query: "query Themes($first: Int) { themes(first: $first) { nodes { id title handle images { url altText } } \
            pageInfo { hasNextPage endCursor } } }",
    variables: |_, _| r#"{"first":50}"#.to_owned(),
    answer_start: r#"{"data":{"themes":{"nodes":[{"id":"gid://service/Theme/"#,
};
pub(crate) const INTROSPECTION: Workload = Workload {
    name: "introspection",
    operation: "IntrospectionQuery",
    query: include_str!("introspection.graphql"),
    variables: |_, _| "{}".to_owned(),
    answer_start: r#"{"data":{"__schema":{"#,
};
pub(crate) const CREATE: Workload = Workload {
    name: "create",
    operation: "Create",
    query: "mutation Create($input: CardCreateInput!) { cardCreate(input: $input) { card { id externalDossierId status test \
            createdAt } userErrors { field code message } } }",
    variables: |n, _| write_input("create", n),
    answer_start: r#"{"data":{"cardCreate":{"card":{"id":"gid://service/Card/"#,
};
/// A create with an idempotency key.
pub(crate) const KEYED_CREATE: Workload =
    Workload { name: "keyed-create", variables: |n, _| write_input("keyed", n), ..CREATE };

fn write_input(dossier: &str, n: usize) -> String {
    format!(
        r#"{{"input":{{"externalDossierId":"{dossier}-{n}","deceased":{{"firstName":"Johanna","lastName":"van den \"Berg\"","dateOfBirth":"1941-03-09"}}}}}}"#
    )
}

impl Workload {
    /// Returns a function that writes the n-th request to a database with this many cards.
    pub(crate) fn requests(&self, token: &str, cards: usize) -> impl Fn(usize) -> Vec<u8> + use<> {
        let head = format!(
            "POST {PATH} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nAccept: application/json\r\n\
             X-Service-Access-Token: {token}\r\n"
        );
        let is_keyed = self.name == KEYED_CREATE.name;
        let (query, operation) = (serde_json::to_string(self.query).expect("text"), self.operation);
        let variables = self.variables;
        move |n| {
            let key = if is_keyed { format!("Idempotency-Key: create-{n}\r\n") } else { String::new() };
            let body =
                format!(r#"{{"operationName":"{operation}","query":{query},"variables":{}}}"#, variables(n, cards));
            format!("{head}{key}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
        }
    }

    /// Replaces what differs between the answers of two servers: the id and the time of a new card.
    pub(crate) fn mask(&self, answer: &[u8]) -> String {
        let mut text = std::str::from_utf8(answer).expect("JSON is text").to_owned();
        if self.operation == CREATE.operation {
            let (id, time) = ("00000000-0000-0000-0000-000000000000", "2026-01-01T00:00:00.000Z");
            for (before, mask) in [("gid://service/Card/", id), ("\"createdAt\":\"", time)] {
                let at = text.find(before).expect("a new card") + before.len();
                text.replace_range(at..at + mask.len(), mask);
            }
        }
        text
    }
}

/// Writes the request that makes the hand-written server send notifications to a port.
pub(crate) fn write_deliver_request(port: u16, count: usize) -> Vec<u8> {
    let body = format!(
        r#"{{"operationName":"Deliver","variables":{{"url":"http://127.0.0.1:{port}/hook","count":{count}}}}}"#
    );
    format!("POST {PATH} HTTP/1.1\r\nHost: bench\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

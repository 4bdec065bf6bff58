//! The workloads: the requests that both servers are sent, and how their answers begin.

use crate::database::{Engine, card_id};

const PATH: &str = "/partner/api/2026-10/graphql";

/// A kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workload {
    /// `card(id:)`, over all cards of the database.
    Read,
    /// `themes(first: 50)` of 60.
    Themes,
    /// The introspection query of GraphiQL; the hand-written server sends the same bytes from memory.
    Introspection,
    /// `cardCreate` without an idempotency key.
    Create,
    /// `cardCreate` with an idempotency key.
    KeyedCreate,
}

impl Workload {
    pub(crate) const ALL: [Workload; 5] =
        [Workload::Read, Workload::Themes, Workload::Introspection, Workload::Create, Workload::KeyedCreate];

    /// The name of its row.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Workload::Read => "read",
            Workload::Themes => "themes",
            Workload::Introspection => "introspection",
            Workload::Create => "create",
            Workload::KeyedCreate => "keyed-create",
        }
    }

    /// The name of the operation, by which the hand-written server knows the workload.
    fn operation(self) -> &'static str {
        match self {
            Workload::Read => "Card",
            Workload::Themes => "Themes",
            Workload::Introspection => "IntrospectionQuery",
            Workload::Create | Workload::KeyedCreate => "Create",
        }
    }

    /// The processor time of the hand-written server divided by ours must be at least this.
    pub(crate) fn goal(self, engine: Engine) -> f64 {
        match (self, engine) {
            (Workload::Read, Engine::Sqlite) | (Workload::Themes, Engine::Postgres) => 0.90,
            (Workload::Themes, Engine::Sqlite) => 0.75,
            _ => 0.80,
        }
    }

    /// Every right answer begins with this.
    pub(crate) fn answer_start(self) -> &'static str {
        match self {
            Workload::Read => r#"{"data":{"card":{"id":"gid://service/Card/"#,
            Workload::Themes => r#"{"data":{"themes":{"nodes":[{"id":"gid://service/Theme/"#,
            Workload::Introspection => r#"{"data":{"__schema":{"#,
            Workload::Create | Workload::KeyedCreate => r#"{"data":{"cardCreate":{"card":{"id":"gid://service/Card/"#,
        }
    }

    fn query(self) -> &'static str {
        match self {
            Workload::Read => {
                "query Card($id: ID!) { card(id: $id) { id externalDossierId externalFuneralDirectorId deceased { firstName \
                 lastName dateOfBirth dateOfDeath } livestreamUrl familyContact { name email } status cardUrl test createdAt \
                 updatedAt } }"
            }
            Workload::Themes => {
                "query Themes($first: Int) { themes(first: $first) { nodes { id title handle images { url altText } } \
                 pageInfo { hasNextPage endCursor } } }"
            }
            Workload::Introspection => include_str!("introspection.graphql"),
            Workload::Create | Workload::KeyedCreate => {
                "mutation Create($input: CardCreateInput!) { cardCreate(input: $input) { card { id externalDossierId status \
                 test createdAt } userErrors { field code message } } }"
            }
        }
    }

    /// The variables of the n-th request, as JSON.
    fn variables(self, n: usize, cards: usize) -> String {
        match self {
            // A prime number, so that neighbouring requests read cards far apart.
            Workload::Read => format!(r#"{{"id":"gid://service/Card/{}"}}"#, card_id(n * 7_919 % cards)),
            Workload::Themes => r#"{"first":50}"#.to_owned(),
            Workload::Introspection => "{}".to_owned(),
            Workload::Create | Workload::KeyedCreate => format!(
                r#"{{"input":{{"externalDossierId":"{self:?}-{n}","deceased":{{"firstName":"Johanna","lastName":"van den \"Berg\"","dateOfBirth":"1941-03-09"}}}}}}"#
            ),
        }
    }

    /// Returns what makes the bytes of the n-th request to a database with this many cards.
    pub(crate) fn requests(self, token: &str, cards: usize) -> impl Fn(usize) -> Vec<u8> + use<> {
        let head = format!(
            "POST {PATH} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nAccept: application/json\r\n\
             X-Service-Access-Token: {token}\r\n"
        );
        let query = serde_json::to_string(self.query()).expect("text");
        let operation = self.operation();
        move |n| {
            let key = match self {
                Workload::KeyedCreate => format!("Idempotency-Key: create-{n}\r\n"),
                _ => String::new(),
            };
            let variables = self.variables(n, cards);
            let body = format!(r#"{{"operationName":"{operation}","query":{query},"variables":{variables}}}"#);
            format!("{head}{key}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
        }
    }
}

/// Replaces what differs between two servers: the id and the time of a new card.
pub(crate) fn masked(workload: Workload, answer: &[u8]) -> String {
    let mut text = std::str::from_utf8(answer).expect("JSON is text").to_owned();
    if matches!(workload, Workload::Create | Workload::KeyedCreate) {
        let (id, time) = ("00000000-0000-0000-0000-000000000000", "2026-01-01T00:00:00.000Z");
        for (before, mask) in [("gid://service/Card/", id), ("\"createdAt\":\"", time)] {
            let at = text.find(before).expect("a new card") + before.len();
            text.replace_range(at..at + mask.len(), mask);
        }
    }
    text
}

//! The guide has the codes, statuses and figures of the service.

use card_service::base::limits::*;
use card_service::model::code;
use dated_graphql::Limits;

fn page(name: &str) -> String {
    let path = format!("{}/docs/partner/{name}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The second cell of the row of a table whose first cell is `name`.
fn cell(page: &str, name: &str) -> String {
    let row = page.lines().find_map(|line| line.strip_prefix(&format!("| {name} | ")));
    row.unwrap_or_else(|| panic!("no row {name}")).split(" |").next().expect("a cell").to_owned()
}

/// The figure that a text begins with, without its thousands separators.
fn figure(text: &str) -> u64 {
    let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
    digits.parse().unwrap_or_else(|_| panic!("no figure in {text}"))
}

#[test]
fn every_code_is_in_the_guide() {
    let page = page("errors");
    for code in [
        code::BAD_REQUEST,
        code::GRAPHQL_PARSE_FAILED,
        code::GRAPHQL_VALIDATION_FAILED,
        code::BAD_USER_INPUT,
        code::OPERATION_RESOLUTION_FAILURE,
        code::MAX_COST_EXCEEDED,
        code::THROTTLED,
        code::UNAUTHENTICATED,
        code::ACCESS_DENIED,
        code::VERSION_NOT_FOUND,
        code::IDEMPOTENCY_KEY_INVALID,
        code::IDEMPOTENCY_KEY_REUSED,
        code::IDEMPOTENCY_KEY_IN_PROGRESS,
        code::INTERNAL_SERVER_ERROR,
        code::UNAVAILABLE,
        code::PERSISTED_QUERY_NOT_SUPPORTED,
    ] {
        assert!(page.contains(&format!("`{code}`")), "{code} is not in the guide");
    }
    let sources = [include_str!("../../graphql/engine/src/code.rs"), include_str!("../../src/model/code.rs")];
    // NOT_IMPLEMENTED is the code of stubs of resolvers: this service has none, so no partner gets it.
    assert_eq!(sources.concat().matches("pub const").count(), 16 + 1, "a code is not in this test");
}

#[test]
fn figure_of_the_guide_is_the_limit_of_the_service() {
    let (limits, documents) = (page("limits"), Limits::DEFAULT);
    let kib = |bytes: usize| bytes as u64 / 1024;
    for (name, limit) in [
        ("body of a request", kib(BODY_BYTES_MAX)),
        ("document", kib(documents.document_bytes_max)),
        ("depth of a document", documents.depth_max as u64),
        ("selected fields, with fragments expanded", documents.fields_max as u64),
        ("aliases", documents.aliases_max as u64),
        ("directives", documents.directives_max as u64),
        ("mutations in one request", documents.root_mutation_fields_max as u64),
        ("items of a page", documents.page_size_max as u64),
        ("`Idempotency-Key`", IDEMPOTENCY_KEY_CHARS_MAX as u64),
        ("portrait", PHOTO_BYTES_MAX as u64 >> 20),
        ("pixels of a jpeg or heic", PHOTO_PIXELS_MAX / 1_000_000),
        ("pixels of a png, webp or gif", PHOTO_PIXELS_MAX_OTHER_FORMATS / 1_000_000),
        ("portraits stored in 24 hours with live keys", PHOTO_BYTES_PER_DAY_LIVE as u64 >> 30),
        ("portraits stored in 24 hours with test keys", PHOTO_BYTES_PER_DAY_TEST as u64 >> 30),
        ("portraits of your account on their way at a time", (PHOTO_BYTES_HELD_EACH_MAX / PHOTO_BYTES_MAX) as u64),
        ("time to fetch a portrait from your address", PHOTO_FETCH_TOTAL.as_secs()),
        ("session link", SESSION_LINK_VALID.as_secs() / 60),
        ("live subscriptions of one topic", SUBSCRIPTIONS_PER_TOPIC_MAX as u64),
        ("other addresses of the family contact of an ordered live card in 24 hours", ORDER_ADDRESS_CHANGES_MAX as u64),
        ("an object", u64::from(documents.object_cost)),
        ("a connection", u64::from(documents.connection_cost)),
        ("a mutation", u64::from(documents.mutation_cost)),
    ] {
        assert_eq!(figure(&cell(&limits, name)), limit, "{name}");
    }
    assert!(limits.contains(&format!("| each {} KiB of its body |", kib(BODY_BYTES_PER_POINT))));
    assert!(cell(&limits, "items of a page").contains(&format!("{} if", documents.page_size_default)));
    assert!(limits.contains(&format!("**{},000 points**", RATE_POINTS / 1_000)));
    assert!(limits.contains(&format!("**{RATE_RESTORED_PER_SECOND} points a second**")));
    let hours = IDEMPOTENCY_REMEMBERED.as_secs() / 3_600;
    assert!(page("idempotency").contains(&format!("**{hours} hours**")));
    let (idle, total) = (BROWSER_SESSION_IDLE.as_secs() / 3_600, BROWSER_SESSION_TOTAL.as_secs() / 3_600);
    assert!(page("sessions").contains(&format!("{idle} hours without use, {total} hours in all")));
}

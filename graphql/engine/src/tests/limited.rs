//! Every limit on a document, at the limit and one over it.

use super::{engine, only_error, prepare, prepare_body, refused};
use crate::code;
use crate::{Limits, REFUSAL_DETAIL_CHARS_MAX, REFUSAL_ERRORS_MAX};

fn cost(query: &str, detail: &str) {
    assert_eq!(refused(query), (code::MAX_COST_EXCEEDED, detail.to_owned()), "{query}");
}

fn allowed(query: &str) {
    if let Err(refusal) = prepare(&engine(), query) {
        panic!("{refusal}: {query}");
    }
}

/// `{single{single{…{id}}}}` with `levels` fields inside each other.
fn deep(levels: usize) -> String {
    format!("{}id{}", "{single".repeat(levels - 1) + "{", "}".repeat(levels))
}

#[test]
fn document_bytes_are_limited() {
    let pad = |bytes: usize| format!("{{__typename}}{}", " ".repeat(bytes - 12));
    allowed(&pad(Limits::DEFAULT.document_bytes_max));
    cost(&pad(Limits::DEFAULT.document_bytes_max + 1), "The document has 32769 bytes; at most 32768 are allowed.");
}

#[test]
fn bracket_nesting_is_limited() {
    let lists = |levels: usize| format!("{{text(deep:{}1{})}}", "[".repeat(levels), "]".repeat(levels));
    // Two brackets stand around the list.
    let (code, _) = refused(&lists(30));
    assert_eq!(code, code::GRAPHQL_VALIDATION_FAILED, "three levels are of the type, more are wrong but not too deep");
    cost(&lists(31), "The document nests brackets deeper than 32 levels.");
    allowed(&format!("{{text(s:\"{}\")}} # {}", "[".repeat(100), "{".repeat(100)));
}

#[test]
fn selected_fields_are_limited_with_fragments_written_out() {
    let fields = |n: usize| format!("{{{}}}", "__typename ".repeat(n));
    allowed(&fields(Limits::DEFAULT.fields_max));
    cost(&fields(1_001), "The document selects 1001 fields, fragments written out; at most 1000 are allowed.");
    let spread = "query{...F ...F ...F} fragment F on Query{".to_owned() + &"__typename ".repeat(334) + "}";
    cost(&spread, "The document selects 1002 fields, fragments written out; at most 1000 are allowed.");
}

#[test]
fn operations_count_together() {
    let query = |name: &str| format!("query {name}{{{}}}", "__typename ".repeat(501));
    let detail = "The document selects 1002 fields, fragments written out; at most 1000 are allowed.";
    cost(&(query("A") + &query("B")), detail);
}

#[test]
fn depth_is_limited_and_introspection_is_exempt() {
    allowed(&deep(Limits::DEFAULT.depth_max));
    cost(&deep(11), "The operation is 11 fields deep; at most 10 are allowed.");
    let of_type = "ofType{".repeat(12) + "name" + &"}".repeat(12);
    allowed(&format!("{{__schema{{types{{fields{{type{{{of_type}}}}}}}}}}}"));
    let fragment = format!("{{single{{single{{single{{...F}}}}}}}} fragment F on Single{}", deep(8));
    cost(&fragment, "The operation is 11 fields deep; at most 10 are allowed.");
}

#[test]
fn nesting_through_fragments_is_limited() {
    let chain = (0..40).map(|i| format!("fragment F{i} on Query{{...F{}}} ", i + 1)).collect::<String>();
    let query = format!("{{...F0}} {chain} fragment F40 on Query{{__typename}}");
    cost(&query, "The document nests deeper than 32 levels once fragments are written out.");
}

#[test]
fn aliases_are_limited_with_fragments_written_out() {
    let aliases = |n: usize| format!("{{{}}}", (0..n).map(|i| format!("a{i}:__typename ")).collect::<String>());
    allowed(&aliases(Limits::DEFAULT.aliases_max));
    cost(&aliases(16), "The operation has 16 aliases, fragments written out; at most 15 are allowed.");
    let spread = "{...F ...F} fragment F on Query{a:__typename b:__typename c:__typename d:__typename e:__typename \
                  f:__typename g:__typename h:__typename}";
    cost(spread, "The operation has 16 aliases, fragments written out; at most 15 are allowed.");
}

#[test]
fn directives_are_limited() {
    let directives = |n: usize| format!("{{{}}}", "__typename @skip(if:false) ".repeat(n));
    allowed(&directives(Limits::DEFAULT.directives_max));
    cost(&directives(51), "The document has 51 directives; at most 50 are allowed.");
    let on_query = format!("query {} {{__typename}}", "@x ".repeat(51));
    cost(&on_query, "The document has 51 directives; at most 50 are allowed.");
    let on_variable = format!("query($a:Int {}){{__typename}}", "@x ".repeat(51));
    cost(&on_variable, "The document has 51 directives; at most 50 are allowed.");
    allowed(&format!("{{text(s:\"{}\")}} # {}", "@".repeat(51), "@".repeat(51)));
}

#[test]
fn root_fields_of_a_mutation_are_limited() {
    let adds = |n: usize| format!("mutation{{{}}}", (0..n).map(|i| format!("a{i}:add ")).collect::<String>());
    allowed(&adds(Limits::DEFAULT.root_mutation_fields_max));
    cost(&adds(6), "The mutation selects 6 fields at its root; at most 5 are allowed.");
    let spread = "mutation{...F ... on Mutation{...F}} fragment F on Mutation{a:add b:add c:add}";
    cost(spread, "The mutation selects 6 fields at its root; at most 5 are allowed.");
    allowed("{a:__typename b:__typename c:__typename d:__typename e:__typename f:__typename}");
}

#[test]
fn planned_fields_are_limited() {
    // Three types can be at each level, each with its plan: 3 + 9 + … of each field.
    cost(
        &format!("{}{{id}}{}", "{node".repeat(9), "}".repeat(9)),
        "The operation has more than 10000 fields, one for each type they can be on.",
    );
    allowed("{node{node{node{node{node{id}}}}}}");
}

#[test]
fn introspection_goes_round_twice_at_most() {
    allowed("{__type(name:\"A\"){fields{type{fields{name}}}}}");
    let (code, detail) = refused("{__type(name:\"A\"){fields{type{fields{type{interfaces{name}}}}}}}");
    assert_eq!(code, code::GRAPHQL_VALIDATION_FAILED);
    assert_eq!(detail, "Maximum introspection depth exceeded");
    let (code, _) = refused(
        "{__schema{...S}} fragment S on __Schema{types{...T}} \
                             fragment T on __Type{fields{type{possibleTypes{inputFields{name}}}}}",
    );
    assert_eq!(code, code::GRAPHQL_VALIDATION_FAILED);
}

#[test]
fn many_errors_are_cut_short() {
    let refusal =
        prepare(&engine(), &format!("{{{}}}", "nope ".repeat(900))).map(|_| ()).expect_err("nothing is right");
    assert_eq!(refusal.errors.len(), REFUSAL_ERRORS_MAX);
    assert!(refusal.errors[19].detail.ends_with("There are 880 more errors."), "{}", refusal.errors[19].detail);
    let (_, detail) = refused(&format!("{{{}}}", "x".repeat(30_000)));
    assert!(detail.chars().count() <= REFUSAL_DETAIL_CHARS_MAX + 1, "{}", detail.len());
}

#[test]
fn uses_of_variables_are_limited_over_all_operations() {
    let uses = |n: usize| format!("fragment F on Query{{text(deep:[[[{}]]])}}", "$a ".repeat(n));
    let operations = |n: usize| (0..n).map(|i| format!("query Q{i}($a:Int){{...F}} ")).collect::<String>();
    let detail = "The operations of the document use variables too often, fragments written out.";
    cost(&(operations(51) + &uses(1_000)), detail);
    // Right but for the name of the operation that is to run.
    assert_eq!(refused(&(operations(40) + &uses(1_000))).0, code::OPERATION_RESOLUTION_FAILURE);
}

/// Each use of `$v` is a copy of a list of a thousand numbers, also in another argument and as the default of the variable.
#[test]
fn copies_of_repeated_variables_are_limited() {
    let list = format!("[{}]", "1,".repeat(1_000));
    let sent = serde_json::json!({ "v": vec![1; 1_000] });
    let document = |n: usize, default: &str| {
        format!("query($v: [Int]{default}) {{ text(deep: [[{}]]) b: text(deep: [[$v]]) }}", "$v ".repeat(n))
    };
    let prepare = |query: String, variables: &serde_json::Value| {
        let body = serde_json::json!({ "query": query, "variables": variables });
        only_error(prepare_body(&engine(), &body).map(|_| ()))
    };
    let body = serde_json::json!({ "query": document(100, ""), "variables": sent });
    assert!(prepare_body(&engine(), &body).is_ok());
    let detail = "The operation copies 4836832 bytes of repeated variables; at most 4194304 are allowed.";
    let expected = (code::MAX_COST_EXCEEDED, detail.to_owned());
    assert_eq!(prepare(document(150, ""), &sent), expected);
    assert_eq!(prepare(document(150, &format!(" = {list}")), &serde_json::json!({})), expected);
}

//! Hostile checks of operations: documents that mean the same work for each operation, or long answers.

use super::Input;
use super::target::Target;

/// The operations of one input: all inputs together cost fewer points than a key has.
const OPERATIONS: usize = 150;

/// Every input.
pub fn all(target: &Target) -> Vec<Input> {
    let each = |text: &dyn Fn(usize) -> String| (0..OPERATIONS).map(text).collect::<Vec<_>>();
    let joined = |count: usize, text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    let inputs = joined(300, &|n| format!("a{n}:cardUpdate(id:1,input:{{deceased:{{}}}}){{card{{id}}}} "));
    let removed = joined(2_000, &|n| format!("webhookDeliveries(first:{n}){{nodes{{id}}}} "));
    let items = "{state:ACTIVE},".repeat(40_000);
    let shared = |fragment: String| [vec![fragment], each(&|n| format!("mutation M{n}{{...F}}"))].concat();
    let shapes = [
        ("a fragment of many inputs", shared(format!("fragment F on Mutation{{{inputs}}}"))),
        (
            "a literal of many items",
            shared(format!("fragment F on Mutation{{cardCreate(input:[{items}]){{card{{id}}}}}}")),
        ),
        (
            "a fragment of many causes",
            [vec![format!("fragment F on Query{{{removed}}}")], each(&|n| format!("query Q{n}{{...F}}"))].concat(),
        ),
        (
            "one long line",
            vec![
                format!("{}{removed}}}", joined(OPERATIONS - 1, &|n| format!("query Q{n}{{{}}}", "é".repeat(9)))),
                removed.clone(),
            ],
        ),
        (
            "many fragments",
            [
                (0..800).map(|n| joined(20, &|m| format!("fragment F{n}_{m} on Query{{__typename}}"))).collect(),
                each(&|n| format!("query Q{n}{{...F{n}_1}}")),
            ]
            .concat(),
        ),
        (
            "many variables",
            vec![format!("query Q({}){{__typename}}", joined(20_000, &|n| format!("$v{n}:WebhookSubscriptionInput ")))],
        ),
        ("a long name", shared(format!("fragment F on Mutation{{{}}}", "x".repeat(500_000)))),
        ("deep nesting", each(&|_| format!("{{{}a{}}}", "...{".repeat(61), "}".repeat(61)))),
    ];
    let input = |(name, documents): (&str, Vec<String>)| Input {
        family: "check",
        name: name.to_owned(),
        bytes: target.post_check(&documents),
        connections: 1,
        reads: true,
    };
    shapes.into_iter().map(input).collect()
}

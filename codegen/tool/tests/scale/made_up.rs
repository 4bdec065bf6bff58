//! A made-up schema of any size: entities that refer to each other, values, connections, enums, unions, interfaces and
//! inputs, in two versions. A seed decides all of it.

use std::fmt::Write;

/// The two versions of the schema, and `versions.toml`.
pub(crate) const VERSIONS: [&str; 2] = ["2026-10", "2027-01"];
pub(crate) const VERSIONS_TOML: &str = "[[version]]\nname = \"2026-10\"\nstatus = \"current\"\npublished = 2026-10-01\n\n\
                                 [[version]]\nname = \"2027-01\"\nstatus = \"candidate\"\n";

/// The kinds of the types, in turn.
const KINDS: usize = 10;

/// Returns the SDL of a version with `types` types.
pub(crate) fn sdl(types: usize, version: &str) -> String {
    let (mut random, newer) = (Random(20_261_001), version == VERSIONS[1]);
    let mut text = String::from("interface Node {\n  \"The id.\"\n  id: ID!\n}\n\n");
    let mut query = String::from("\"The root.\"\ntype Query {\n  node(id: ID!): Node\n");
    for at in 0..types {
        definition(&mut text, at, types, &mut random, newer);
        if at % KINDS == 0 {
            writeln!(query, "  \"Returns one.\"\n  item{at}(id: ID!, where: Filter{}): Item{at}", of(at, 8, types))
                .unwrap();
        }
    }
    text + &query + "}\n"
}

/// Returns the index of the type of this kind that is nearest to `at`.
fn of(at: usize, kind: usize, types: usize) -> usize {
    let block = at / KINDS;
    let last = (types - 1 - kind) / KINDS;
    block.min(last) * KINDS + kind
}

fn definition(text: &mut String, at: usize, types: usize, random: &mut Random, newer: bool) {
    let any = |random: &mut Random, kind| of(random.below(types), kind, types);
    match at % KINDS {
        0..=2 => {
            writeln!(text, "\"An entity, number {at}.\"\ntype Item{at} implements Node & Named{} {{", of(at, 7, types))
        }
        3 => writeln!(text, "\"A connection.\"\ntype Item{}Connection{at} {{", of(at, 0, types)),
        4 => writeln!(text, "\"A value.\"\ntype Value{at} {{"),
        5 => writeln!(text, "\"An enum.\"\nenum Kind{at} {{"),
        6 => writeln!(text, "union Any{at} = Item{} | Value{}\n", any(random, 0), any(random, 4)),
        7 => writeln!(text, "interface Named{at} {{\n  \"The id.\"\n  id: ID!\n}}\n"),
        _ => writeln!(text, "\"An input.\"\ninput Filter{at} {{"),
    }
    .unwrap();
    if matches!(at % KINDS, 6 | 7) {
        return;
    }
    let fields = 6 + random.below(6);
    for field in 0..fields {
        let description = "  \"\"\"\n  One of the fields, with a description of some words that a reader would want to have.\n  \"\"\"\n";
        text.push_str(description);
        match at % KINDS {
            0..=2 if field == 0 => writeln!(text, "  id: ID!"),
            0..=4 => match random.below(8) {
                0 => writeln!(text, "  f{field}: Item{}", any(random, 0)),
                1 => writeln!(text, "  f{field}(first: Int = 10, after: String): [Item{}!]!", any(random, 1)),
                2 => writeln!(text, "  f{field}: [Value{}!]!", any(random, 4)),
                3 => writeln!(text, "  f{field}: Kind{}", any(random, 5)),
                4 => writeln!(text, "  f{field}: [Any{}!]", any(random, 6)),
                5 => writeln!(text, "  f{field}: [Named{}!]", any(random, 7)),
                6 => writeln!(text, "  f{field}: Boolean @deprecated(reason: \"Use `f0`.\")"),
                _ => writeln!(text, "  f{field}: String"),
            },
            5 => writeln!(text, "  VALUE_{field}"),
            _ if field == 0 => writeln!(text, "  f{field}: [Filter{}!]", any(random, 8)),
            _ => writeln!(text, "  f{field}: String = \"a\""),
        }
        .unwrap();
    }
    if newer && at.is_multiple_of(7) {
        let added = if at % KINDS == 5 { "ADDED" } else { "added: String" };
        writeln!(text, "  \"New in this version.\"\n  {added}").unwrap();
    }
    text.push_str("}\n\n");
}

/// A generator of pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as usize % end
    }
}

//! Schemas of the size and the features of public ones, made up from a seed: the same text in every run.

use std::fmt::Write as _;

/// The numbers of a shop's schema (Shopify's Storefront API). GitHub's has four times as many objects.
const OBJECTS: u32 = 260;
const FIELDS: u32 = 5;
const FIELDS_WITH_ARGUMENTS_PERCENT: u32 = 12;
const INTERFACES: u32 = 10;
const UNIONS: u32 = 16;
const ENUMS: u32 = 62;
const VALUES: u32 = 16;
const INPUTS: u32 = 53;
const SCALARS: u32 = 10;
const MUTATIONS: u32 = 41;

/// Names of fields that are keywords of Rust, or nearly.
const KEYWORDS: [&str; 8] = ["type", "self", "match", "async", "crate", "super", "fn", "try"];

/// Every kind of default value, with the type of its argument; `E0` and `In0` are in every schema.
const DEFAULTS: [(&str, &str); 12] = [
    ("Int", "-1"),
    ("Int!", "7"),
    ("Float", "1.5e3"),
    ("Float! ", "2"),
    ("String", "\"a \\\"b\\\" \\u00e9\""),
    ("String!", "\"\"\"a block\"\"\""),
    ("Boolean!", "true"),
    ("ID", "12"),
    ("[Int!]", "[1, 2]"),
    ("[String]", "\"one\""),
    ("E0", "SELF"),
    ("In0", "{n: 3, e: [TYPE], again: {n: 4}}"),
];

/// A random number generator (Lehmer's).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        (self.0 % u64::from(n)) as u32
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len() as u32) as usize]
    }
}

/// Returns the SDL of a schema as large as a shop's. The second version adds a field to each object, an input field and an enum value,
/// and removes a field of every tenth object.
pub(crate) fn sdl(version: u32) -> String {
    let (mut random, mut out) = (Random(20_261_001), String::new());
    let later = version > 1;
    // A string is always writable.
    macro_rules! line {
        ($($part:tt)*) => { let _ = writeln!(out, $($part)*); };
    }
    line!("# Made up. This comment is kept.");
    line!("directive @audited(by: String! = \"nobody\", at: [E0!]) repeatable on FIELD_DEFINITION | OBJECT\n");
    for n in 0..SCALARS {
        line!("\"A value of a kind of its own.\"\nscalar Scalar{n} @specifiedBy(url: \"https://example.com/{n}\")\n");
    }
    for n in 0..ENUMS {
        line!("enum E{n} {{ SELF TYPE # beside a value");
        (2..VALUES).for_each(|value| {
            let _ = writeln!(out, "  \"The value {value}.\"\n  VALUE_{value}");
        });
        line!("{}}}\n", if later { "  ADDED\n" } else { "" });
    }
    line!("\"An object with an identity.\"\ninterface Node {{ id: ID! }}\n");
    for n in 0..INTERFACES {
        // Every fourth implements the one before it.
        let before = if n % 4 == 1 { format!(" & I{}", n - 1) } else { String::new() };
        line!(
            "interface I{n} implements Node{before} {{ id: ID! shared{n}(size: Int! = {n}): String{} }}\n",
            inherited(n)
        );
    }
    for n in 0..UNIONS {
        let members: Vec<String> = (0..3).map(|at| format!("O{}", (n * 3 + at) % OBJECTS)).collect();
        line!("union U{n} = {}\n", members.join(" | "));
    }
    for n in 0..INPUTS {
        let one_of = n % 10 == 9;
        line!("\"\"\"\nAn input.\n\"\"\"\ninput In{n} {} {{", if one_of { "@oneOf" } else { "" });
        // A chain of inputs; rustc ends at some hundred types in a type.
        let before = format!("In{}", if n % 64 == 0 { 0 } else { n - 1 });
        for (name, ty) in [("n", "Int"), ("e", "[E0!]"), ("text", "String"), ("scalar", "Scalar0"), ("other", &*before)]
        {
            line!("  {name}: {ty}");
        }
        line!("  again: In{n} # a cycle\n{}}}\n", if later && !one_of { "  added: Boolean = false\n" } else { "" });
    }
    for n in 0..OBJECTS {
        let interface = (n % 3 == 0).then_some(n / 3 % INTERFACES);
        let implements = match interface {
            Some(i) if i % 4 == 1 => format!(" implements Node & I{} & I{i}", i - 1),
            Some(i) => format!(" implements Node & I{i}"),
            None if n % 5 == 0 => " implements Node".to_owned(),
            None => String::new(),
        };
        line!(
            "\"\"\"\nThe object {n}: \"quoted\", `code`, and\n\na second paragraph.\n\"\"\"\ntype O{n}{implements} @audited {{"
        );
        line!("  id: ID!");
        if let Some(i) = interface {
            line!("  shared{i}(size: Int! = {i}): String{}", inherited(i));
        }
        for field in 0..random.below(FIELDS * 2) {
            let ty = field_type(&mut random);
            let arguments = match random.below(100) < FIELDS_WITH_ARGUMENTS_PERCENT {
                true => arguments(&mut random),
                false => String::new(),
            };
            let keyword = KEYWORDS.get(field as usize).filter(|_| n % 7 == 0);
            let name = keyword.map_or_else(|| format!("field{field}"), |keyword| (*keyword).to_owned());
            let end = if field == 3 { " @deprecated(reason: \"Use `id`.\")" } else { "" };
            line!("  \"Says something.\" {name}{arguments}: {ty}{end}");
        }
        if !later && n % 10 == 0 {
            line!("  removed: Int");
        }
        line!("{}}}\n", if later { "  added: [E0!]\n" } else { "" });
    }
    line!("type Query implements Node {{\n  id: ID!\n  node(id: ID!): Node");
    for n in 0..30 {
        line!("  object{n}{}: O{}\n  all{n}: [I{}!]!", arguments(&mut random), n * 7, n % INTERFACES);
    }
    line!("  found(like: In0): [U0!]\n}}\n\ntype Mutation {{");
    for n in 0..MUTATIONS {
        line!("  change{n}(input: In{}!): O{}", n % INPUTS, n * 3 % OBJECTS);
    }
    line!("}}");
    out
}

fn inherited(n: u32) -> String {
    if n % 4 == 1 { format!(" shared{0}(size: Int! = {0}): String", n - 1) } else { String::new() }
}

fn arguments(random: &mut Random) -> String {
    let (first, second) = (random.below(12) as usize, random.below(12) as usize);
    let written = |at: usize| format!("a{at}: {} = {}", DEFAULTS[at].0, DEFAULTS[at].1);
    match first == second {
        true => format!("(\"Which.\" {})", written(first)),
        false => format!("({}, {}, plain: Scalar0)", written(first), written(second)),
    }
}

fn field_type(random: &mut Random) -> String {
    let named = match random.below(20) {
        0..=8 => random.pick(&["Int", "Float", "String", "Boolean", "ID"]).to_owned(),
        9 | 10 => format!("Scalar{}", random.below(SCALARS)),
        11 | 12 => format!("E{}", random.below(ENUMS)),
        13..=17 => format!("O{}", random.below(OBJECTS)),
        18 => format!("I{}", random.below(INTERFACES)),
        _ => format!("U{}", random.below(UNIONS)),
    };
    match random.below(6) {
        0 => format!("[{named}!]!"),
        1 => format!("[{named}]"),
        2 | 3 => format!("{named}!"),
        _ => named,
    }
}

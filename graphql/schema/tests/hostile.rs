//! Texts on which a parser falls over: each is read, or refused with its place, on the small stack of a test.

use dated_graphql_schema::Sdl;

const QUERY: &str = "type Query { a: Int }";
const LONG: usize = 1_000_000;

/// Returns the errors, each as `line:column: message`; none if the text is read.
fn errors(text: &str) -> Vec<String> {
    let found = Sdl::parse("2026-10", "a.graphql", text).err();
    let lines: Vec<String> = found.iter().flat_map(|report| report.lines()).collect();
    lines.into_iter().map(|line| line.replacen("a.graphql:", "", 1)).collect()
}

#[test]
fn text_of_any_length_between_tokens_is_read() {
    for text in [
        format!("\"{}\" {QUERY}", "x".repeat(LONG)),
        format!("\"{}\" {QUERY}", "é🌹\\n".repeat(LONG / 4)),
        format!("\"\"\"{}\"\"\" {QUERY}", "x\n".repeat(LONG / 2)),
        format!("{}{QUERY}", " ".repeat(LONG)),
        format!("{}{QUERY}", ",\u{FEFF}".repeat(LONG / 2)),
        format!("{}{QUERY}", "#🌹\n\r".repeat(LONG / 4)),
        format!("#{}\n{QUERY}", "é".repeat(LONG)),
        format!("type Query {{ a: {} }} type {} {{ a: Int }}", "X".repeat(LONG), "X".repeat(LONG)),
        format!("type Query {{ {} }}", (0..LONG / 20).map(|at| format!("f{at}: Int ")).collect::<String>()),
    ] {
        assert!(errors(&text).is_empty(), "{:?} {}", errors(&text), &text[..40]);
    }
}

#[test]
fn text_beyond_a_limit_is_refused_with_its_place() {
    let default =
        |ty: &str, value: &str| format!("type Query {{ a(b: {ty} = {value}): Int }} input I {{ a: I b: Int }}");
    for (ty, value, message) in [
        ("I", "{a:".repeat(LONG / 10), "more than 64 brackets lie in each other"),
        ("I", "[".repeat(LONG / 10), "more than 64 brackets lie in each other"),
        ("Float", "1".repeat(LONG), "1111… is not within 64 bits"),
        ("Float", "1.5e".to_owned() + &"1".repeat(LONG), "1111… is not within 64 bits"),
        ("Int", "-2147483649".to_owned(), "not within 32 bits"),
    ] {
        let found = errors(&default(ty, &value));
        assert_eq!(found.len(), 1, "{found:?}");
        let found = found[0].replace('`', "");
        assert!(found.starts_with("1:") && found.ends_with(message), "{found}");
    }
    let nested = format!("{}{}", "{a:".repeat(60), "{}".to_owned() + &"}".repeat(60));
    assert!(errors(&default("I", &nested)).is_empty());
}

#[test]
fn text_that_is_not_utf_8_is_refused_with_its_place() {
    let found = errors("type Query {\n  \"\u{FFFD}\" a: Int }");
    assert_eq!(found, ["2:4: the file is not UTF-8 (save it as UTF-8; U+FFFD replaces bytes that are no character)"]);
}

/// The number of types in a chain, each of which refers to the next.
const CHAIN: usize = 3_000;

/// Returns a schema of types in a chain; the last refers to the first if it is a `ring`.
fn chain(ring: bool, link: impl Fn(usize, usize) -> String) -> String {
    let next = |at: usize| if ring { (at + 1) % CHAIN } else { at + 1 };
    let links: String = (0..CHAIN).map(|at| link(at, next(at))).collect();
    format!("{QUERY}\n{links}")
}

#[test]
fn chain_of_any_length_is_checked() {
    let last = CHAIN - 1;
    for (link, end, in_a_ring) in [
        (
            (|at, next| format!("input I{at} {{ a: I{next}! }}\n")) as fn(usize, usize) -> String,
            format!("input I{CHAIN} {{ a: Int }}"),
            "requires itself, so it has no value",
        ),
        (
            |at, next| format!("input I{at} @oneOf {{ a: I{next} }}\n"),
            format!("input I{CHAIN} {{ a: Int }}"),
            "requires itself, so it has no value",
        ),
        (
            |at, next| format!("directive @d{at}(a: Int @d{next}) on ARGUMENT_DEFINITION\n"),
            format!("directive @d{CHAIN} on ARGUMENT_DEFINITION"),
            "refers to itself",
        ),
        (|at, next| format!("type T{at} {{ a: T{next} b: [T{next}!]! }}\n"), format!("type T{CHAIN} {{ a: Int }}"), ""),
    ] {
        let line = chain(false, link) + &end;
        assert!(errors(&line).is_empty(), "{:?}", errors(&line));
        let ring = chain(true, link);
        let found = errors(&ring);
        let expected = if in_a_ring.is_empty() { 0 } else { CHAIN };
        assert_eq!(found.len(), expected, "{:?}", found.first());
        assert!(found.iter().all(|error| error.contains(in_a_ring)), "{:?}", found.first());
    }
    // Defaults that take in each other are one value, so their number is limited.
    let link = |at, next| format!("input I{at} {{ a: I{next} = {{}} }}\n");
    let ring = errors(&chain(true, link));
    assert_eq!(ring.len(), CHAIN);
    assert!(ring[0].contains("the default of `I0.a` contains itself"), "{}", ring[0]);
    let line = errors(&(chain(false, link) + &format!("input I{CHAIN} {{ a: Int = 1 }}")));
    let expected = format!("the default of `I{}.a` has more than 64 lists and objects in each other", last - 64);
    assert!(line.len() == 1 && line[0].contains(&expected), "{line:?}");
}

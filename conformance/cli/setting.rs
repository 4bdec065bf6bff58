//! Every form of a setting that is accepted works, and every other one is refused with what to write (docs/settings.md). No
//! message repeats a password.

use crate::app::Program;

const PASSWORD: &str = "hemelsblauw";

/// A setting, a value that cannot work, and a part of what the refusal says.
const REFUSED: [(&str, &str, &str); 33] = [
    ("LISTEN", "localhost:8080", "127.0.0.1:8080"),
    ("LISTEN", "8080", "127.0.0.1:8080"),
    ("LISTEN", "\"127.0.0.1:0\"", "without them"),
    ("LISTEN", "'127.0.0.1:0'", "without them"),
    ("DATA_DIR", "\"./data\"", "without them"),
    ("METRICS_LISTEN", "127.0.0.1", "127.0.0.1:8080"),
    ("PUBLIC_BASE_URL", "https://kaarten.example/kaarten", "without path"),
    ("PUBLIC_BASE_URL", "https://kaarten.example/?a", "without path"),
    ("PUBLIC_BASE_URL", "https://kaarten.example:0", "https://kaarten.example"),
    ("PUBLIC_BASE_URL", "kaarten.example", "https://kaarten.example"),
    ("PUBLIC_BASE_URL", "https://kaarten.example\\@evil.example", "https://kaarten.example"),
    ("PUBLIC_BASE_URL", "https://u:p@kaarten.example", "without path, user"),
    ("EGRESS_ALLOW", "localhost:4100", "127.0.0.1:4100"),
    ("EGRESS_ALLOW", "10.0.0.1:0", "127.0.0.1:4100"),
    ("EGRESS_CA", "/nowhere/roots.pem", "cannot be read"),
    ("SMTP_URL", "smtp://u:hemels/blauw@mail.example", "%2F"),
    ("SMTP_URL", "smtp://u:12/hemelsblauw@mail.example", "%2F"),
    ("SMTP_URL", "smtp://mail.example?tls=yes", "?tls=required"),
    ("SMTP_URL", "smtp://mail.example?auth=login", "?tls="),
    ("SMTP_URL", "smtp://mail.example:0", "port 0"),
    ("SMTP_URL", "mail.example:587", "smtp://"),
    ("MAIL_FROM", "Gedenkkaart", "Gedenkkaart <post@voorbeeld.nl>"),
    ("MAIL_FROM", "Gedenkkaart <post@kaarten>", "to which mail can be sent"),
    ("MAIL_FROM", "\"a@b\"@kaarten.example", "to which mail can be sent"),
    ("MAIL_FROM", "Zoë <zoë@kaarten.example>", "to which mail can be sent"),
    ("MAIL_FROM", "Jansen, Uitvaart <post@kaarten.example>", "between double quotes"),
    ("DATABASE_URL", "postgres://u:hemels@blauw@db.example/d", "%40"),
    ("DATABASE_URL", "postgres://u:hemels@blauw/1@db.example/d", "%40"),
    ("DATABASE_URL", "postgres://u:hemels@b?lauw=1@db.example/d", "%40"),
    ("DATABASE_URL", "postgres://u:hemelsblauw@db.example/d?x", "name=value"),
    ("DATABASE_URL", "postgres://u:hemelsblauw@db.example:0/d", "port 0"),
    ("DATABASE_URL", "\"sqlite:///tmp/x.db\"", "without them"),
    ("RUST_LOG", "\"info\"", "without them"),
];

/// A setting, and a value that works.
const ACCEPTED: [(&str, &str); 17] = [
    ("LISTEN", "127.0.0.1:0\r"),
    ("LISTEN", " 127.0.0.1:0 "),
    ("LISTEN", "0.0.0.0:0"),
    ("METRICS_LISTEN", "127.0.0.1:0\n"),
    ("PUBLIC_BASE_URL", " https://kaarten.example/ "),
    ("PUBLIC_BASE_URL", "https://kärten.example:8443"),
    ("PUBLIC_BASE_URL", "http://[::1]:8080"),
    ("EGRESS_ALLOW", "127.0.0.1:4100, 10.1.0.0/16, [fd00::/8]:443\r"),
    ("SMTP_URL", "smtp://u:p%2Fq%40r@127.0.0.1:1\r"),
    ("SMTP_URL", "smtp://[::1]:1"),
    ("MAIL_FROM", "post@kaarten.example"),
    ("MAIL_FROM", " Gedenkkaart <post@kärten.example>\r"),
    ("MAIL_FROM", "\"Jansen, Uitvaart\" <post@kaarten.example>"),
    ("CARD_ACTIVATION", "operator\r"),
    ("RATE_LIMIT_POINTS", " 500\r"),
    ("DRAIN_DELAY", "0 "),
    ("RUST_LOG", " info "),
];

#[test]
fn setting_is_refused_with_what_to_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = format!("sqlite://{}", folder.path().join("x.db").display());
    let program = Program::with(&database, folder.path());
    for (name, value, words) in REFUSED {
        let said = program.clone().set(name, value).expect_failure(&["serve"]);
        assert!(said.contains(&format!("{name}: ")) && said.contains(words), "{name}={value}: {said}");
        assert!(!said.contains(PASSWORD) && !said.contains("blauw"), "{name}={value}: {said}");
        let shown = program.clone().set(name, value).run(&["serve", "--print-config"]);
        let shown = [shown.stdout, shown.stderr].concat();
        assert!(!String::from_utf8_lossy(&shown).contains(PASSWORD), "{name}={value}");
    }
}

#[test]
fn setting_that_is_accepted_serves() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = format!("sqlite://{}", folder.path().join("x.db").display());
    let program = Program::with(&database, folder.path()).create_database();
    for (name, value) in ACCEPTED {
        let serving = program.clone().set(name, value).try_serve();
        assert!(serving.is_some_and(|serving| serving.terminate()), "{name}={value:?}");
    }
}

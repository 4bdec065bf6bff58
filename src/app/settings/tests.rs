//! Settings: defaults, errors, the file, and how they are shown.

use std::path::Path;

use super::*;
use crate::app::settings::register;

fn read(variables: &[(&str, &str)]) -> Result<Settings, Vec<SettingError>> {
    Settings::from_env(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
}

#[test]
fn empty_environment_gives_the_defaults() {
    for variables in [&[][..], &[("DATABASE_URL", ""), ("LISTEN", ""), ("SMTP_URL", ""), ("EGRESS_ALLOW", "")]] {
        let settings = read(variables).expect("defaults are right");
        assert_eq!(settings.database_url, "sqlite://./data/card-service.db");
        assert_eq!(settings.listen, "127.0.0.1:8080".parse().unwrap());
        assert_eq!(settings.public_base_url, "http://127.0.0.1:8080");
        assert_eq!((settings.egress_allow.as_str(), settings.egress_ca, settings.smtp_url), ("", None, None));
        assert_eq!(settings.card_activation, CardActivation::Automatic);
    }
}

#[test]
fn certificate_and_key_come_together() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert_eq!(
        read(&[("TLS_CERTIFICATE", file), ("TLS_KEY", file)]).unwrap().tls.expect("both").key.to_str(),
        Some(file)
    );
    assert_eq!(read(&[]).unwrap().tls, None);
    for (given, missing) in [("TLS_CERTIFICATE", "TLS_KEY"), ("TLS_KEY", "TLS_CERTIFICATE")] {
        let errors = read(&[(given, file)]).expect_err("one of two");
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].name, missing);
    }
}

#[test]
fn administration_leaves_the_loopback_over_tls_alone() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let with_tls = |listen| {
        read(&[
            ("ADMIN_LISTEN", listen),
            ("PUBLIC_BASE_URL", "https://kaarten.example"),
            ("TLS_CERTIFICATE", file),
            ("TLS_KEY", file),
        ])
    };
    for (listen, base) in [("127.0.0.1:8081", "http://127.0.0.1:8081"), ("[::1]:8081", "http://[::1]:8081")] {
        assert_eq!(read(&[("ADMIN_LISTEN", listen)]).unwrap().admin_base().as_deref(), Some(base));
        assert_eq!(with_tls(listen).unwrap().admin_base().as_deref(), Some(base));
    }
    for listen in ["0.0.0.0:8081", "[::]:8081", "192.0.2.1:8081"] {
        let errors = read(&[("ADMIN_LISTEN", listen)]).expect_err("no certificate");
        assert!(errors.len() == 1 && errors[0].name == "ADMIN_LISTEN", "{errors:?}");
        assert_eq!(with_tls(listen).unwrap().admin_base().as_deref(), Some("https://kaarten.example:8081"));
    }
    assert_eq!(read(&[]).unwrap().admin_base(), None);
}

#[test]
fn secret_is_read_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file");
        folder.path().join(name).display().to_string()
    };
    let (url, empty) = (file("url", "smtp://localhost:25\r\n"), file("empty", "\n"));
    assert_eq!(read(&[("SMTP_URL_FILE", &url)]).unwrap().smtp_url.as_deref(), Some("smtp://localhost:25"));
    assert_eq!(read(&[("LISTEN_FILE", &url)]).unwrap().listen, read(&[]).unwrap().listen, "it is no secret");
    for (variables, reason) in [
        (&[("SMTP_URL_FILE", url.as_str()), ("SMTP_URL", "smtp://localhost")][..], "is given beside SMTP_URL"),
        (&[("SMTP_URL_FILE", &empty)], "is empty"),
        (&[("SMTP_URL_FILE", "/does/not/exist")], "cannot be read"),
    ] {
        let errors = read(variables).expect_err("it cannot be used");
        assert!(
            errors.len() == 1 && errors[0].name == "SMTP_URL_FILE" && errors[0].reason.contains(reason),
            "{errors:?}"
        );
    }
    let (config, errors) = ConfigFile::read(Path::new(&file("c.toml", &format!("smtp_url_file = \"{url}\""))));
    assert_eq!((config.get("SMTP_URL_FILE"), errors), (Some(url.as_str()), vec![]));
}

#[test]
fn embedded_database_lies_in_the_data_folder() {
    assert_eq!(read(&[("DATA_DIR", "/srv/cards")]).unwrap().database_url, "sqlite:///srv/cards/card-service.db");
}

#[test]
fn every_mistake_is_reported_at_once_and_no_value_is_repeated() {
    let errors = read(&[
        ("DATABASE_URL", "mysql://root:hemelsblauw@db"),
        ("LISTEN", "hemelsblauw"),
        ("PUBLIC_BASE_URL", "ftp://hemelsblauw"),
        ("TLS_CERTIFICATE", "/does/not/exist.pem"),
        ("TLS_KEY", "/does/not/exist.pem"),
        ("EGRESS_ALLOW", "10.0.0.0/99"),
        ("EGRESS_CA", "/does/not/exist.pem"),
        ("SMTP_URL", "hemelsblauw"),
        ("MAIL_FROM", "hemelsblauw"),
        ("CARD_ACTIVATION", "hemelsblauw"),
        ("POSTGRES_POOL_SIZE", "hemelsblauw"),
        ("MEDIA_URL", "hemelsblauw"),
        ("METRICS_LISTEN", "hemelsblauw"),
        ("ADMIN_LISTEN", "192.0.2.1:8081"),
        ("CONNECTIONS_PER_ADDRESS", "0"),
        ("DRAIN_DELAY", "16"),
        ("RATE_LIMIT_POINTS", "0"),
        ("RATE_LIMIT_RESTORE", "-5"),
        ("WEBHOOK_RETRY_SCHEDULE", "5s, 10s"),
        ("INVITATIONS_PER_DAY", "0"),
        ("WEBHOOK_CHALLENGE", "hemelsblauw"),
        ("RETENTION_DRAFTS", "hemelsblauw"),
        ("RETENTION_CARDS", "0d"),
        ("RETENTION_INVITEES", "36501d"),
        ("RETENTION_EVENTS", "30d"),
        ("RETENTION_AUDIT", "1"),
        ("RUST_LOG", "info,card_service=loud"),
    ])
    .expect_err("all of them are wrong");
    let names: Vec<_> = errors.iter().map(|error| error.name.as_ref()).collect();
    let cannot_be_wrong = ["CONFIG", "DATA_DIR"];
    let can = register::all().map(|setting| setting.name);
    let can: Vec<_> = can.filter(|name| !name.starts_with("AWS_") && !cannot_be_wrong.contains(name)).collect();
    let (mut wrong, mut expected) = (names, can);
    wrong.sort_unstable();
    expected.sort_unstable();
    assert_eq!(wrong, expected);
    assert!(errors.iter().all(|error| !error.to_string().contains("hemelsblauw")), "{errors:?}");
}

#[test]
fn access_to_the_object_store_is_checked_before_it_is_used() {
    for (name, wrong, form) in [
        ("AWS_ENDPOINT", "127.0.0.1:9000", "https://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "s3.example.nl", "https://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "localhost:9000", "https://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "//s3.example.nl", "https://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "s3://bucket", "https://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "https:s3.example.nl", "https://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "https://", "https://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "http://127.0.0.1:9000", "AWS_ALLOW_HTTP"),
        ("AWS_ENDPOINT", "https://id:key@s3.example.nl", "no user"),
        ("AWS_ENDPOINT", "https://s3.example.nl?x=y", "query"),
        ("AWS_REGION", "eu west 1", "eu-west-1"),
        ("AWS_REGION", "eu/west", "eu-west-1"),
        ("AWS_ACCESS_KEY_ID", "a b", "without blanks"),
        ("AWS_SECRET_ACCESS_KEY", "a\u{e9}", "ASCII"),
        ("AWS_SESSION_TOKEN", "a b", "without blanks"),
        ("AWS_ALLOW_HTTP", "yes", "true or false"),
    ] {
        let errors = read(&[(name, wrong)]).expect_err(wrong);
        assert!(
            errors.len() == 1 && errors[0].name == name && errors[0].reason.contains(form),
            "{wrong:?}: {errors:?}"
        );
    }
    let right = [
        ("AWS_ENDPOINT", "https://s3.example.nl/"),
        ("AWS_ENDPOINT", "HTTPS://s3.example.nl:9000"),
        ("AWS_ENDPOINT", "https://[2001:db8::1]:9000/storage/v1/s3"),
        ("AWS_REGION", "nl-ams"),
        ("AWS_SECRET_ACCESS_KEY", "a/b+c="),
    ];
    right.iter().for_each(|setting| drop(read(&[*setting]).expect("it is right")));
    read(&[("AWS_ENDPOINT", "http://127.0.0.1:9000"), ("AWS_ALLOW_HTTP", "true")]).expect("it is allowed");
}

#[test]
fn public_base_is_normalised() {
    for (given, kept) in [
        ("https://Kaarten.example/", "https://kaarten.example"),
        (" https://bücher.example:443/\r", "https://xn--bcher-kva.example"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ] {
        assert_eq!(read(&[("PUBLIC_BASE_URL", given)]).expect("a right address").public_base_url, kept);
    }
    for wrong in
        ["kaarten.example", "https://user@kaarten.example", "https://kaarten.example/?a", "https://a/#b", "https://a/b"]
    {
        assert!(read(&[("PUBLIC_BASE_URL", wrong)]).is_err(), "{wrong}");
    }
}

#[test]
fn defaults_of_the_register_are_the_numbers_of_the_limits() {
    assert_eq!(read(&[]).expect("defaults are right").policy, Policy::default());
}

#[test]
fn choices_of_the_operator_are_read() {
    let policy = read(&[
        ("RATE_LIMIT_POINTS", "20"),
        ("RATE_LIMIT_RESTORE", "3"),
        ("WEBHOOK_RETRY_SCHEDULE", "0s,90s, 5m,2h , 7d"),
        ("CONNECTIONS_PER_ADDRESS", "4096"),
    ])
    .expect("all of them are right")
    .policy;
    let seconds: Vec<_> = policy.retry.delays.iter().map(Duration::as_secs).collect();
    assert_eq!(seconds, [0, 90, 300, 7_200, 604_800]);
    assert_eq!((policy.rate.points.get(), policy.rate.restored_per_second.get()), (20, 3));
    assert_eq!(policy.front.connections_per_address, 4_096);
    for wrong in ["", "0s,", "0", "0s 5s", "0s,8d", "5s", "0s,-1s", &"0s,".repeat(21)] {
        let read = read(&[("WEBHOOK_RETRY_SCHEDULE", wrong)]);
        assert_eq!(read.is_err(), !wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn register_names_every_setting_once_and_describes_it() {
    let mut seen = std::collections::HashSet::new();
    for setting in register::all() {
        assert!(seen.insert(setting.name), "{} is listed twice", setting.name);
        assert!(setting.description.ends_with(['.', '…', ')']), "{}", setting.name);
    }
}

#[test]
fn file_gives_what_the_environment_leaves_open_and_names_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.toml");
    let write = |text: &str| std::fs::write(&path, text).expect("the folder can be written");
    write("listen = \"127.0.0.1:1\"\nrate_limit_points = 7\nlisten_too = 1\nsmtp_url = [1]\nconfig = \"a\"\n");
    let (file, errors) = ConfigFile::read(&path);
    assert_eq!((file.get("LISTEN"), file.get("RATE_LIMIT_POINTS")), (Some("127.0.0.1:1"), Some("7")));
    let mut names: Vec<_> = errors.iter().map(|error| error.name.as_ref()).collect();
    names.sort_unstable();
    assert_eq!(names, ["SMTP_URL", "config", "listen_too"]);
    let shown = Settings::describe(|name| (name == "LISTEN").then(|| "127.0.0.1:2".to_owned()), &file);
    let of = |name| shown.iter().find(|setting| setting.name == name).expect("it is in the register");
    assert_eq!((of("LISTEN").value.as_deref(), of("LISTEN").origin), (Some("127.0.0.1:2"), "environment"));
    assert_eq!((of("RATE_LIMIT_POINTS").value.as_deref(), of("RATE_LIMIT_POINTS").origin), (Some("7"), "file"));
    assert_eq!((of("SMTP_URL").value.as_deref(), of("SMTP_URL").origin), (None, "default"));

    for (text, expected) in [
        ("data_dirr = \"/a\"\n", "data_dirr: is no setting (in the file): did you mean data_dir?"),
        ("LISTEN = \"127.0.0.1:1\"\n", "LISTEN: is written in lower case in the file: listen"),
        (
            "[server]\nlisten = \"127.0.0.1:1\"\n",
            "server: is a section, and the file has none: write the settings without the line [server]",
        ),
        ("colour = \"blue\"\n", "colour: is no setting (in the file): docs/settings.md lists them, here in lower case"),
    ] {
        write(text);
        assert_eq!(ConfigFile::read(&path).1[0].to_string(), expected);
    }
    write("public_base_url = \"https://a.example\"\nlisten = 127.0.0.1:8080\n");
    let said = ConfigFile::read(&path).1[0].to_string();
    assert!(
        said.contains("line 2") && said.ends_with(": a text stands between quotes, as in listen = \"…\""),
        "{said}"
    );

    write("database_url = \"postgres://a:hemelsblauw\n");
    let (_, errors) = ConfigFile::read(&path);
    let said = errors[0].to_string();
    assert!(said.contains("line 1") && !said.contains("hemelsblauw"), "{said}");
    assert_eq!(ConfigFile::read(&folder.path().join("none.toml")).1.len(), 1);
}

#[test]
fn file_is_found_by_option_by_variable_and_at_its_usual_place_which_alone_may_be_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the folder can be written");
        path
    };
    let option = path("option.toml", "data_dir = \"/option\"");
    let variable = path("variable.toml", "data_dir = \"/variable\"").display().to_string();
    let usual = path("usual.toml", "data_dir = \"/usual\"");
    let missing = folder.path().join("none.toml");
    let found = |option: Option<&PathBuf>, variable: Option<&str>, usual: Option<&PathBuf>| {
        let variable = variable.map(str::to_owned);
        let (file, errors) = ConfigFile::find(option.cloned(), variable, usual.map(PathBuf::as_path));
        let source = file.source().map_or("none", |(_, origin)| origin);
        (file.get("DATA_DIR").unwrap_or_default().to_owned(), source, errors.len())
    };
    assert_eq!(found(Some(&option), Some(&variable), Some(&usual)), ("/option".to_owned(), "option", 0));
    assert_eq!(found(None, Some(&variable), Some(&usual)), ("/variable".to_owned(), "environment", 0));
    assert_eq!(found(None, Some(""), Some(&usual)), ("/usual".to_owned(), "default", 0));
    assert_eq!(found(None, None, Some(&missing)), (String::new(), "none", 0));
    assert_eq!(found(None, None, None), (String::new(), "none", 0));
    assert_eq!(found(Some(&missing), None, Some(&usual)), (String::new(), "option", 1));
    assert_eq!(found(None, missing.to_str(), Some(&usual)), (String::new(), "environment", 1));
    // An unreadable file is an error.
    assert_eq!(found(None, None, Some(&folder.path().to_owned())), (String::new(), "default", 1));
    assert_eq!(found(None, Some("/dev/null"), Some(&usual)), (String::new(), "environment", 0));
    assert_eq!(Settings::CONFIG_DEFAULT, "/etc/card-service.toml");
}

#[test]
#[allow(clippy::disallowed_methods)] // a switch of this test's own
fn document_of_the_settings_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/settings.md");
    let current = Settings::document();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &current).expect("the document can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == current,
        "docs/settings.md is not current: UPDATE_DOCS=1 cargo test --all-features --lib settings"
    );
}

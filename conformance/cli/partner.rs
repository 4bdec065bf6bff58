//! `partner add`, `partner list`, `partner show`, and the settings of a partner.

use card_service::base::limits::LOGO_BYTES_MAX;
use serde_json::json;

use crate::app::{FreshDatabase, Program};

on_both_databases! {
    async fn partner_is_added_once(database: FreshDatabase) {
        let program = Program::new(&database);
        let added = program.json(&["partner", "add", "Uitvaart \"Noord\" 🕯"]);
        assert_eq!(added["partner"]["name"], "Uitvaart \"Noord\" 🕯");
        assert!(program.expect_failure(&["partner", "add", "Uitvaart \"Noord\" 🕯"]).contains("Noord"));
        let listed = program.json(&["partner", "list"]);
        assert_eq!(listed["partners"].as_array().expect("a list").len(), 1, "{listed}");
    }

    async fn partner_without_a_name_is_refused(database: FreshDatabase) {
        let program = Program::new(&database);
        for name in ["", " \t ", "a\u{1b}[2Jb", &"x".repeat(256)] {
            program.expect_failure(&["partner", "add", name]);
        }
        program.json(&["partner", "add", &"é".repeat(255)]);
    }

    async fn partner_is_renamed_and_keeps_everything(database: FreshDatabase) {
        let program = Program::new(&database);
        let (token, added) = (program.token("live"), program.json(&["partner", "show", "Noord"]));
        program.json(&["partner", "add", "Zuid"]);
        for (name, new_name) in [("Noord", "Zuid"), ("Noord", " "), ("Noord", "a\u{7}b"), ("Noord", &"x".repeat(256)), ("Oost", "West")] {
            program.expect_failure(&["partner", "set", name, &format!("name={new_name}")]);
        }
        assert_eq!(program.json(&["partner", "show", "Noord"]), added);
        let renamed = program.json(&["partner", "set", "Noord", "name= Noord en Zonen "]);
        assert_eq!((&renamed["partner"]["name"], &renamed["partner"]["id"]), (&json!("Noord en Zonen"), &added["partner"]["id"]));
        assert_eq!(program.json(&["partner", "show", "Noord en Zonen"])["partner"], renamed["partner"]);
        program.expect_failure(&["partner", "show", "Noord"]);
        program.json(&["partner", "set", "Noord en Zonen", "name=Noord en Zonen"]); // its own name is no other's
        let noted = program.audit_records().into_iter().filter(|(command, ..)| command == "partner set");
        assert_eq!(noted.count(), 2);
        program.serve().create(&token, json!({ "externalDossierId": "1" })).await;
    }

    async fn partner_gets_its_addresses_and_price_and_shows_them(database: FreshDatabase) {
        let program = Program::new(&database);
        let added = program.json(&["partner", "add", "Noord"]);
        assert_eq!((&added["partner"]["testAddress"], &added["partner"]["priceCents"]), (&json!(null), &json!(4950)));
        program.json(&["partner", "set", "Noord", "test-address=test@noord.example"]);
        let refresh = "refresh-address=https://noord.example/kaart?bron=a";
        let priced = program.json(&["partner", "set", "Noord", refresh, "price=1250,00"]);
        let shown = program.json(&["partner", "show", "Noord"]);
        assert_eq!(shown["partner"], priced["partner"]);
        assert_eq!(shown["partner"]["testAddress"], "test@noord.example");
        assert_eq!(shown["partner"]["refreshAddress"], "https://noord.example/kaart?bron=a");
        assert_eq!((&shown["partner"]["priceCents"], &shown["partner"]["price"]), (&json!(125_000), &json!("€ 1.250,00")));
        assert_eq!(program.json(&["partner", "list"])["partners"][0], shown["partner"]);
        let cleared = program.json(&["partner", "set", "Noord", "test-address="]);
        assert_eq!(cleared["partner"]["testAddress"], json!(null));
        assert_eq!(cleared["partner"]["refreshAddress"], shown["partner"]["refreshAddress"], "the rest stays");

        for command in [
            &["partner", "set", "Noord", "test-address=geen adres"][..],
            &["partner", "set", "Noord", "refresh-address=ftp://noord.example"],
            &["partner", "set", "Noord", "refresh-address=noord.example"],
            &["partner", "set", "Noord", "price=veel"],
            &["partner", "set", "Noord", "price=49,5"],
            &["partner", "set", "Noord", "price="],
            &["partner", "set", "Noord", "test-address=test@noord.example", "price=veel"],
            &["partner", "set", "Zuid", "price=49,50"],
            &["partner", "show", "Zuid"],
            &["partner", "show", "noord"],
        ] {
            program.expect_failure(command);
        }
        assert_eq!(program.json(&["partner", "show", "Noord"])["partner"], cleared["partner"], "all or nothing");
        for wrong in ["prijs=49,50", "price"] {
            let said = program.run(&["partner", "set", "Noord", wrong]);
            let said = String::from_utf8_lossy(&said.stderr).into_owned();
            assert!(said.contains("Settings: name, shown-name, phone"), "{said}");
        }
    }

    async fn partner_gets_what_families_see_of_it(database: FreshDatabase) {
        let program = Program::new(&database);
        let added = program.json(&["partner", "add", "Noord"]);
        assert_eq!((&added["partner"]["shownName"], &added["partner"]["phone"]), (&json!("Noord"), &json!(null)));
        let logo = database.folder.path().join("logo.png");
        std::fs::write(&logo, include_bytes!("../data/photo/pixel.png")).expect("a file");
        let logo = logo.to_str().expect("a UTF-8 path");
        for (command, value) in [
            ("shown-name", "Uitvaart van Noord"),
            ("phone", "020 123 45 67"),
            ("email", "hulp@noord.example"),
            ("privacy-url", "https://noord.example/privacy"),
            ("logo", logo),
        ] {
            program.json(&["partner", "set", "Noord", &format!("{command}={value}")]);
        }
        let shown = &program.json(&["partner", "show", "Noord"])["partner"];
        let fields = ["shownName", "phone", "email", "privacyUrl"].map(|field| shown[field].as_str().expect(field));
        assert_eq!(fields, ["Uitvaart van Noord", "020 123 45 67", "hulp@noord.example", "https://noord.example/privacy"]);
        assert!(shown["logo"].as_str().is_some_and(|key| key.ends_with(".png")), "{shown}");
        let records = program.audit_records();
        for field in ["phone", "privacyUrl", "logo"] {
            assert!(records.iter().any(|(command, _, fields)| command == "partner set" && fields == &[field]), "{records:?}");
        }
        let cleared = program.json(&["partner", "set", "Noord", "phone="]);
        assert_eq!((&cleared["partner"]["phone"], &cleared["partner"]["email"]), (&json!(null), &shown["email"]));

        let large = database.folder.path().join("large.png");
        std::fs::write(&large, vec![0; LOGO_BYTES_MAX + 1]).expect("a file");
        for (command, value, why) in [
            ("shown-name", " ", "cannot be empty"),
            ("phone", "bel ons", "is not a telephone number"),
            ("email", "hulp", "is not an e-mail address"),
            ("privacy-url", "noord.example/privacy", "is not an http or https address"),
            ("logo", large.to_str().expect("a UTF-8 path"), "the most is 102400"),
            ("logo", "/nowhere/logo.png", "cannot be read"),
        ] {
            let said = program.expect_failure(&["partner", "set", "Noord", &format!("{command}={value}")]);
            assert!(said.contains(why), "{command}: {said}");
        }
        assert_eq!(program.json(&["partner", "show", "Noord"])["partner"], cleared["partner"]);
    }
}

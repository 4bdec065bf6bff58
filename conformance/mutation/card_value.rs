//! The limits on values of a card, on creation and on update: lengths in characters, formats, days (specification,
//! sections 2.10 and 8; decisions V1, V3, V4).

use serde_json::{Value, json};

use crate::app::{Caller, Payload, TestApp, codes_of};

/// Sends a value in both ways: a new card, and an update of a card.
async fn send(live: &Caller, draft: &str, dossier: &str, path: &str, value: &Value) -> [Payload; 2] {
    let input = nested(path, value.clone());
    let mut new = input.clone();
    new["externalDossierId"] = json!(dossier);
    [live.create(new).await, live.update(draft, input).await]
}

/// `{"deceased": {"firstName": value}}` for `deceased.firstName`.
pub fn nested(path: &str, value: Value) -> Value {
    path.rsplit('.').fold(value, |inner, name| json!({ name: inner }))
}

/// The field of a card at such a path.
pub fn value_at<'a>(card: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(card, |value, name| &value[name])
}

/// Asserts that a new card and an update keep the value.
async fn assert_kept(live: &Caller, draft: &str, path: &str, value: &str) {
    for payload in send(live, draft, &format!("{path} {value}"), path, &json!(value)).await {
        assert_eq!((payload.faults.as_slice(), value_at(&payload.card, path)), (&[][..], &json!(value)));
    }
}

/// Asserts that a new card and an update refuse the value; returns the messages.
async fn assert_invalid(live: &Caller, draft: &str, path: &str, value: &str) -> [String; 2] {
    let payloads = send(live, draft, "new", path, &json!(value)).await;
    payloads.map(|payload| payload.fault("INVALID", &format!("input.{path}")).to_owned())
}

/// Every text field, with its maximum in characters (decisions V4).
const TEXTS: [(&str, usize); 4] = [
    ("externalFuneralDirectorId", 200),
    ("deceased.firstName", 255),
    ("deceased.lastName", 255),
    ("familyContact.name", 255),
];

on_both_databases! {
    async fn text_at_the_limit_is_kept_and_above_it_is_refused(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        // One, two, three and four bytes; a family of seven code points counts as seven, a combining mark as one.
        let fillers = ["a", "é", "字", "🕯", "e\u{301}", "👨\u{200d}👩\u{200d}👧\u{200d}👦"];
        for (path, chars_max) in TEXTS {
            for filler in fillers {
                let kept: String = filler.chars().cycle().take(chars_max).collect();
                for payload in send(&live, &draft, &format!("{path} {filler}"), path, &json!(kept)).await {
                    assert_eq!((payload.faults.as_slice(), value_at(&payload.card, path)), (&[][..], &json!(kept)));
                }
                let long = format!("{kept}a");
                for message in assert_invalid(&live, &draft, path, &long).await {
                    assert!(message.contains(&chars_max.to_string()), "{message} names the maximum");
                }
            }
        }
    }

    async fn dossier_number_of_255_characters_is_kept_and_256_are_refused(app: TestApp) {
        let live = app.live().await;
        let kept = "🕯".repeat(255);
        assert_eq!(live.create(json!({ "externalDossierId": kept })).await.card["externalDossierId"], *kept);
        let refused = live.create(json!({ "externalDossierId": "🕯".repeat(256) })).await;
        refused.fault("INVALID", "input.externalDossierId");
    }

    async fn dossier_number_of_nothing_or_white_space_is_blank(app: TestApp) {
        let live = app.live().await;
        for blank in ["", " ", "\t\r\n", "\u{a0}\u{2003}\u{3000}"] {
            let refused = live.create(json!({ "externalDossierId": blank })).await;
            assert_eq!(refused.fault("BLANK", "input.externalDossierId"), "Vul het dossiernummer in.");
        }
    }

    async fn text_with_a_null_character_is_invalid_unless_it_is_a_name(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        for path in [
            "externalFuneralDirectorId",
            "familyContact.email",
            "livestreamUrl",
            "deceased.photoUrl",
            "deceased.dateOfBirth",
            "deceased.dateOfDeath",
        ] {
            assert_invalid(&live, &draft, path, "a\u{0}b").await;
        }
        live.create(json!({ "externalDossierId": "a\u{0}b" })).await.fault("INVALID", "input.externalDossierId");
    }

    async fn text_is_kept_as_it_was_sent(app: TestApp) {
        let live = app.live().await;
        for (number, text) in [
            "O'Brien \"Robert'); DROP TABLE cards;--",
            "100% _ \\ \\0 \\u0000",
            "<script>alert(1)</script> & {{x}}",
            "e\u{301} is niet é",
            "van der Berg-Müller",
            "שלום עליכם",
            "محمد عبد الله",
            "👨\u{200d}👩\u{200d}👧\u{200d}👦",
        ].into_iter().enumerate() {
            let created = live.create(json!({
                "externalDossierId": format!("{number} {text}"),
                "externalFuneralDirectorId": text,
                "deceased": { "firstName": text, "lastName": text },
                "familyContact": { "name": text },
            })).await;
            let card = live.card(&created.gid()).await;
            assert_eq!(card["externalDossierId"], format!("{number} {text}"));
            for (path, _) in TEXTS {
                assert_eq!(value_at(&card, path), text, "{path}");
            }
        }
    }

    async fn name_is_cleaned_to_one_line_of_visible_characters(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        let names = TEXTS.into_iter().filter(|(path, _)| *path != "externalFuneralDirectorId");
        for (path, chars_max) in names {
            let letters = "a".repeat(chars_max);
            let longest = format!(" {letters}\u{200b}\n");
            let cases = [
                ("regel een\r\nregel twee", "regel een regel twee"),
                ("Jan\tJansen\u{2028}sr.", "Jan Jansen sr."),
                ("  Jan \u{a0} Jansen ", "Jan Jansen"),
                ("Jan\u{a0}Jansen", "Jan\u{a0}Jansen"),
                ("\u{feff}An\u{ad}na\u{200b}", "Anna"),
                ("\u{200f}שלום\u{200e}", "שלום"),
                ("\u{202e}Jan\u{2066}tne\u{2069}", "Jantne"),
                ("\u{1b}Jan\u{7f}", "Jan"),
                ("\u{200d}می\u{200c}نا\u{200c} 👩\u{200d}👧", "می\u{200c}نا 👩\u{200d}👧"),
                (" \n", ""),
                ("\u{2800}", ""),
                ("\u{3164}\u{200d} \u{fe0f}", ""),
                (&longest, &letters),
            ];
            for (number, (sent, kept)) in cases.into_iter().enumerate() {
                for payload in send(&live, &draft, &format!("{path} {number}"), path, &json!(sent)).await {
                    assert_eq!((payload.faults.as_slice(), value_at(&payload.card, path)), (&[][..], &json!(kept)), "{sent:?}");
                }
            }
        }
        // A text that appears in no mail is kept as it was sent.
        let text = "regel 1\r\nregel 2\ttab\u{7f} \u{202e}abc\u{202c} www.x.nl";
        let input = json!({ "externalDossierId": text, "externalFuneralDirectorId": text });
        let card = live.card(&live.create(input).await.gid()).await;
        assert_eq!([&card["externalDossierId"], &card["externalFuneralDirectorId"]], [text, text]);
    }

    async fn name_with_a_web_address_is_refused_in_every_spelling(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        for (path, _) in TEXTS.into_iter().filter(|(path, _)| *path != "externalFuneralDirectorId") {
            for name in [
                "Uw pakket: ing-betaal.nl/x", "betaal.nu", "ing.nl", "http:ing.nl", "hxxps//ing.nl", "ｗｗｗ.ing.nl",
                "evil。nl", "evil．nl", "ing\u{200c}.\u{200d}nl", "192.168.1.1/x", "Jan (jan.nl)", "Jan www.x.nl",
                "Betaal 1,95 via https://betaal.example/ing",
            ] {
                for message in assert_invalid(&live, &draft, path, name).await {
                    assert!(message.contains("webadres"), "{name:?}: {message}");
                }
            }
            for name in ["J.W. de Vries", "J.de Vries", "A.la Cour", "Fam.Jansen", "Chr.is Bos"] {
                assert_kept(&live, &draft, path, name).await;
            }
        }
    }

    async fn identifier_of_2027_01_has_visible_characters_only(app: TestApp) {
        let partner = app.partner("Uitvaart Noord").await;
        let (old, new) = (partner.test().await, partner.test().await.on_version("2027-01"));
        let draft = old.draft("draft").await;
        for id in ["a\u{202e}b", "a\u{200b}", "\u{1b}[31m1", "a\r\nb", "a\u{2028}b", "a\u{ad}b", "a\u{200d}b", "\u{feff}1"] {
            let director = json!({ "externalFuneralDirectorId": id });
            let report = "Dit nummer bevat een regeleinde of een onzichtbaar teken. Typ het nummer opnieuw.";
            let refused = new.create(json!({ "externalDossierId": id })).await;
            assert_eq!(refused.fault("INVALID", "input.externalDossierId"), report, "{id:?}");
            let refused = new.update(&draft, director.clone()).await;
            assert_eq!(refused.fault("INVALID", "input.externalFuneralDirectorId"), report, "{id:?}");
            old.create(json!({ "externalDossierId": id })).await.gid();
            old.update(&draft, director).await.gid();
        }
        for (number, blank) in ["\u{200b}", "\u{feff} \u{2800}", "\u{200d}\u{3164}"].into_iter().enumerate() {
            new.create(json!({ "externalDossierId": blank })).await.fault("BLANK", "input.externalDossierId");
            old.create(json!({ "externalDossierId": blank })).await.gid();
            let visible = format!("{number} Zoë/é 字 \u{a0}x");
            assert_eq!(new.create(json!({ "externalDossierId": visible })).await.card["externalDossierId"], *visible);
        }
    }

    async fn email_address_is_kept_if_mail_can_be_delivered_to_it(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        let longest = format!("{}@{}.nl", "a".repeat(64), ["b".repeat(63), "c".repeat(63), "d".repeat(58)].join("."));
        assert_eq!(longest.chars().count(), 254);
        let path = "familyContact.email";
        // `src/base/email_address.rs` has the whole table with its sources.
        for (number, (email, kept)) in [
            ("naam@voorbeeld.nl", "naam@voorbeeld.nl"), ("o'neil+a@sub.voorbeeld.nl", "o'neil+a@sub.voorbeeld.nl"),
            ("a@münchen.de", "a@münchen.de"), ("a@xn--mnchen-3ya.de", "a@xn--mnchen-3ya.de"),
            (" naam@voorbeeld.nl", "naam@voorbeeld.nl"), ("naam@voorbeeld.nl\u{a0}\r\n", "naam@voorbeeld.nl"),
            ("\u{202a}naam@voorbeeld.nl\u{200b}", "naam@voorbeeld.nl"), (&format!(" {longest} "), &longest),
        ].into_iter().enumerate() {
            for payload in send(&live, &draft, &number.to_string(), path, &json!(email)).await {
                assert_eq!((payload.faults.as_slice(), value_at(&payload.card, path)), (&[][..], &json!(kept)), "{email:?}");
            }
        }
        let too_long = format!("{}@{}.nl", "a".repeat(64), ["b".repeat(63), "c".repeat(63), "d".repeat(59)].join("."));
        for email in ["", " ", "naam", "naam@voorbeeld", "a@b@c.nl", "naam@voor beeld.nl", "naam@voorbeeld.nl\nBcc: x@y.nl",
            "Jan <jan@voorbeeld.nl>", "na\u{202e}am@voorbeeld.nl", "na\u{200b}am@voorbeeld.nl", "naam@[192.0.2.1]",
            "naam@voorbeeld.nl, ander@voorbeeld.nl", "\"a@b\"@c.nl", "\"a.b\"@c.nl", "zoë@voorbeeld.nl", "用户@例子.广告",
            "jan@gmail_com.nl", "jan@x.nl?subject=hoi", "jan@1.2.3.4", "jan@x.n", &too_long] {
            assert_invalid(&live, &draft, path, email).await;
        }
    }

    async fn livestream_url_is_http_or_https_of_at_most_2048_characters(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        let longest = format!("https://live.example/{}", "a".repeat(2_048 - 21));
        let kept = ["http://live.example", "https://[::1]:8443/@a?b=c@d#@e", "https://live.example:8443/é?q=1#t", "HTTPS://LIVE.example/",
            "https://live.example/❤\u{fe0f}", "https://live.example/می\u{200c}نا", &longest];
        let trimmed = [" https://live.example", "https://live.example\r\n", "\u{200b}https://live.example\u{a0}\u{202c}"];
        let cases = kept.map(|url| (url, url)).into_iter().chain(trimmed.map(|url| (url, "https://live.example")));
        for (number, (url, kept)) in cases.enumerate() {
            for payload in send(&live, &draft, &number.to_string(), "livestreamUrl", &json!(url)).await {
                assert_eq!((payload.faults.as_slice(), &payload.card["livestreamUrl"]), (&[][..], &json!(kept)));
            }
        }
        let too_long = format!("{longest}a");
        for url in ["", " ", "live.example", "//live.example", "ftp://live.example", "javascript:alert(1)", "http://",
            "https:///", "https:x", "http:///x", "https:\\\\x", "https://u:geheim@x.nl/", "https://u@x.nl", "mailto:a@b.nl", "https://live .example",
            "https://live.example/a b", &too_long,
            // Browsers open evil.nl (WHATWG URL Standard), readers of RFC 3986 see x.nl.
            "https://evil.nl\\@x.nl/", "https://x.nl\\.evil.nl/", "https:\\/evil.nl", "https://x.nl/a\\b",
            "https://x.nl/\u{202e}gnp.exe", "https://x.nl/a\u{200b}b", "https://x.nl/a\u{ad}b", "https://x.nl/a\tb", "https://x\u{200b}.nl",
            "https://evil.nl／@x.nl/", "https://x.nl%40evil.nl/"] {
            assert_invalid(&live, &draft, "livestreamUrl", url).await;
        }
    }

    async fn date_is_an_existing_day_in_its_one_form(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        for day in ["0000-02-29", "0001-01-01", "0999-12-31"] {
            for path in ["deceased.dateOfBirth", "deceased.dateOfDeath"] {
                let messages = assert_invalid(&live, &draft, path, day).await;
                assert_eq!(messages, ["Vul een datum in vanaf het jaar 1000."; 2]);
            }
        }
        for day in ["1940-02-29", "2000-02-29", "1899-12-31", "1000-01-01"] {
            assert_kept(&live, &draft, "deceased.dateOfBirth", day).await;
        }
        for day in ["", "1941-02-29", "1900-02-29", "1940-13-01", "1940-00-10", "1940-06-31", "1940-6-1", "01-06-1940",
            "19400601", "1940-06-01T00:00:00Z", " 1940-06-01", "+1940-06-01", "gisteren"] {
            for path in ["deceased.dateOfBirth", "deceased.dateOfDeath"] {
                assert_invalid(&live, &draft, path, day).await;
            }
        }
    }

    async fn date_in_the_future_is_judged_by_the_day_in_the_netherlands(app: TestApp) {
        let (live, draft) = app.live_draft("draft").await;
        let dates = [("deceased.dateOfBirth", "geboortedatum"), ("deceased.dateOfDeath", "overlijdensdatum")];
        // 23:59 in the Netherlands is 22:59 UTC in November.
        app.pass(chrono::Duration::minutes(14 * 60 + 29));
        for (path, name) in dates {
            let messages = assert_invalid(&live, &draft, path, "2026-11-11").await;
            assert_eq!(messages, [0; 2].map(|_| format!("De {name} ligt in de toekomst.")));
            live.update(&draft, nested(path, json!("2026-11-10"))).await.gid();
        }
        app.pass(chrono::Duration::minutes(1));
        for (path, _) in dates.into_iter().rev() {
            assert_kept(&live, &draft, path, "2026-11-11").await;
        }
    }

    async fn death_before_birth_is_invalid_and_on_one_day_is_not(app: TestApp) {
        let live = app.live().await;
        let deceased = |birth: &str, death: &str| json!({ "dateOfBirth": birth, "dateOfDeath": death });
        let refused = live.create(json!({
            "externalDossierId": "1", "deceased": deceased("2026-11-09", "2026-11-08")
        })).await;
        let message = refused.fault("INVALID", "input.deceased.dateOfDeath");
        assert_eq!(message, "De overlijdensdatum ligt vóór de geboortedatum.");
        let created = live.create(json!({
            "externalDossierId": "1", "deceased": deceased("2026-11-09", "2026-11-09")
        })).await;
        created.gid();
        // One error for each wrong date.
        let refused = live.create(json!({
            "externalDossierId": "2", "deceased": deceased("2027-01-02", "2027-01-01")
        })).await;
        let [birth, death] = ["input.deceased.dateOfBirth", "input.deceased.dateOfDeath"].map(|field| ("INVALID", field));
        assert_eq!(codes_of(&refused.faults), [birth, death]);
        let refused = live.create(json!({
            "externalDossierId": "2", "deceased": deceased("1940-01-01", "0939-01-01")
        })).await;
        assert_eq!(codes_of(&refused.faults), [death]);
    }

    async fn input_errors_are_reported_together_in_schema_order_and_create_nothing(app: TestApp) {
        let live = app.live().await;
        let wrong = json!({
            "themeId": "999999",
            "externalFuneralDirectorId": "x".repeat(201),
            "deceased": {
                "firstName": "x".repeat(256), "lastName": "x".repeat(256),
                "dateOfBirth": "1940-02-30", "dateOfDeath": "2030-01-01", "photoUrl": "ftp://photos.example/a",
            },
            "livestreamUrl": "geen adres",
            "familyContact": { "name": "x".repeat(256), "email": "geen adres" },
        });
        let mut expected = vec![ // in the order of the schema
            ("NOT_FOUND", "input.themeId"),
            ("INVALID", "input.externalFuneralDirectorId"),
            ("INVALID", "input.deceased.firstName"),
            ("INVALID", "input.deceased.lastName"),
            ("INVALID", "input.deceased.dateOfBirth"),
            ("INVALID", "input.deceased.dateOfDeath"),
            ("INVALID", "input.deceased.photoUrl"),
            ("INVALID", "input.livestreamUrl"),
            ("INVALID", "input.familyContact.name"),
            ("INVALID", "input.familyContact.email"),
        ];
        let draft = live.draft("draft").await;
        assert_eq!(codes_of(&live.update(&draft, wrong.clone()).await.faults), expected);
        let mut new = wrong;
        new["externalDossierId"] = json!(" ");
        expected.insert(0, ("BLANK", "input.externalDossierId"));
        assert_eq!(codes_of(&live.create(new).await.faults), expected);
        assert_eq!(app.topics(&draft).await, ["CARDS_CREATE"], "the draft was not touched");
    }
}

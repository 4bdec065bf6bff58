//! The invitee list: added, pasted, invited, removed, and hidden from others (specification, section 2.7;
//! decisions S4, S6, S10).

use card_service::base::limits;
use card_service::model::{Invitee, MailKind};
use card_service::operation::partner::PartnerSetting;
use chrono::Duration;
use serde_json::json;

use crate::app::family::{Browser, attribute, path_of};
use crate::app::{Answer, Caller, FreshDatabase, PUBLIC_BASE, TestApp, card_id};

/// The path of a page of a card's list.
pub(super) fn list(gid: &str, action: &str) -> String {
    let start = format!("/gasten/{}", card_id(gid));
    if action.is_empty() { start } else { format!("{start}/{action}") }
}

pub(super) async fn card(live: &Caller, dossier: &str) -> String {
    let input = json!({
        "externalDossierId": dossier, "deceased": { "firstName": "Johanna" },
        "familyContact": { "name": "Pieter", "email": "pieter@voorbeeld.nl" },
    });
    live.create(input).await.gid()
}

/// A browser that has just opened a link to the list of this card.
pub(super) async fn at_list(live: &Caller, gid: &str) -> Browser {
    let mut browser = Browser::new(&live.app);
    let opened = browser.get(&path_of(&live.link(gid, "INVITEE_LIST").await)).await;
    assert_eq!((opened.status, opened.header("location")), (303, Some(list(gid, "").as_str())));
    browser
}

/// A draft card of a live partner, its global id, and a browser at its list.
pub(super) async fn visit(app: &TestApp) -> (Caller, String, Browser) {
    let live = app.live().await;
    let gid = card(&live, "1").await;
    let browser = at_list(&live, &gid).await;
    (live, gid, browser)
}

/// Sends one of the forms of the list.
pub(super) async fn send(browser: &mut Browser, gid: &str, action: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.get(&list(gid, "")).await;
    assert_eq!(page.status, 200, "{}", page.text());
    browser.post(&list(gid, action), &page.hidden_fields(), fields).await
}

/// Pastes a list, and agrees to what was read of it as it is. Returns the check and the answer to it.
pub(super) async fn paste(browser: &mut Browser, gid: &str, pasted: &str) -> [Answer; 2] {
    let check = send(browser, gid, "plakken", &[("lijst", pasted)]).await;
    let rows = check.rows();
    let fields: Vec<_> = rows.iter().flat_map(|(name, email)| [("n", name.as_str()), ("e", email.as_str())]).collect();
    let answer = send(browser, gid, "overnemen", &fields).await;
    [check, answer]
}

impl Answer {
    /// Returns the name and the address of each row of the check of a pasted list.
    pub(super) fn rows(&self) -> Vec<(String, String)> {
        let page = self.text();
        let values = |name: &str| -> Vec<String> {
            let start = format!("<input name=\"{name}\"");
            let inputs = page.split(&start).skip(1);
            inputs.map(|input| attribute(input, "value")).collect()
        };
        values("n").into_iter().zip(values("e")).collect()
    }
}

pub(super) async fn stored_invitees(app: &TestApp, gid: &str) -> Vec<Invitee> {
    app.store().invitees_of(card_id(gid)).await.expect("the store answers")
}

on_both_databases! {
    async fn person_is_added_with_a_link_of_its_own(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        let empty = browser.get(&list(&gid, "")).await.text();
        assert!(empty.contains("Er staat nog niemand op de lijst.") && empty.contains("nog niet online"), "{empty}");
        let added = send(&mut browser, &gid, "toevoegen", &[("naam", " Aal <b> "), ("email", "aal@voorbeeld.nl")]).await;
        assert_eq!(added.header("location"), Some(format!("{}?melding=toegevoegd", list(&gid, "")).as_str()));
        let page = browser.open(&format!("{}?melding=toegevoegd", list(&gid, ""))).await.text();
        let invitee = stored_invitees(&app, &gid).await.remove(0);
        for piece in [
            "De genodigde is toegevoegd.",
            "Aal &lt;b&gt;",
            "aal@voorbeeld.nl",
            "<span class=\"chip\">Nieuw</span>",
            &format!("{PUBLIC_BASE}/kaart/voor/{}", invitee.token),
        ] {
            assert!(page.contains(piece), "{piece}: {page}");
        }
        for (fields, message) in [
            (&[("naam", ""), ("email", "")][..], "Vul de naam in."),
            (&[("naam", "Bep"), ("email", "bep@")], "Vul een geldig e-mailadres in"),
            (&[("naam", "Bep"), ("email", "bep\u{200b}@voorbeeld.nl")], "Vul een geldig e-mailadres in"),
            (&[("naam", "Bep"), ("email", &format!("{}@{}voorbeeld.nl", "b".repeat(60), format!("{}.", "c".repeat(60)).repeat(3)))], "Vul een geldig e-mailadres in"),
            (&[("naam", "AAL <B>"), ("email", "AAL@voorbeeld.nl")], "staat al op de lijst"),
            (&[("naam", &"b".repeat(256)), ("email", "")], "Deze naam is te lang."),
        ] {
            let refused = send(&mut browser, &gid, "toevoegen", fields).await;
            assert_eq!(refused.status, 422);
            assert!(refused.text().contains(message), "{message}: {}", refused.text());
        }
        assert_eq!(stored_invitees(&app, &gid).await.len(), 1);
    }

    async fn pasted_list_is_checked_before_anybody_is_added(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        let pasted = "Hoi, hierbij de lijst:\r\nAal <aal@voorbeeld.nl>\r\nBep zonder adres\r\n\r\n\"Jansen, Cor\" <cor@voorbeeld.nl>\r\n\
                      Dirk, dirk@voorbeeld\r\nAAL, AAL@voorbeeld.nl\r\nEva\teva@voorbeeld.nl\r\n<script>alert(1)</script>";
        let check = send(&mut browser, &gid, "plakken", &[("lijst", pasted)]).await;
        assert_eq!(check.status, 200);
        assert_eq!(stored_invitees(&app, &gid).await, [], "nobody is added yet");
        let page = check.text();
        for piece in [
            "<h1>Klopt deze lijst?</h1>",
            "Wij lazen 5 genodigden.",
            "Bij 1 genodigde klopt nog iets niet.",
            "<p class=\"error\" id=\"fout-1\">Vul een geldig e-mailadres in, bijvoorbeeld naam@voorbeeld.nl.</p>\
             <input name=\"n\" value=\"Dirk\"",
            "<strong>Regel 1</strong>: <q>Hoi, hierbij de lijst:</q> Wij zagen hier geen genodigde in.",
            "<strong>Regel 7</strong>: <q>AAL AAL@voorbeeld.nl</q> Deze genodigde staat ook op een eerdere regel.",
            "<strong>Regel 9</strong>: <q>&lt;script&gt;alert(1)&lt;/script&gt;</q> Wij zagen hier geen genodigde in.",
        ] {
            assert!(page.contains(piece), "{piece}: {page}");
        }
        assert!(!page.contains("<script>alert"), "{page}");
        let read = [("Dirk", "dirk@voorbeeld"), ("Aal", "aal@voorbeeld.nl"), ("Bep zonder adres", ""),
                    ("Cor Jansen", "cor@voorbeeld.nl"), ("Eva", "eva@voorbeeld.nl")];
        assert_eq!(check.rows(), read.map(|(name, email)| (name.to_owned(), email.to_owned())));

        // Eva is emptied, Bep gets an address, and Dirk is not mended.
        let agreed = [("n", "Dirk"), ("e", "dirk@voorbeeld"), ("n", "Aal"), ("e", "aal@voorbeeld.nl"), ("n", "Bep"),
                      ("e", " bep@voorbeeld.nl "), ("n", "Cor Jansen"), ("e", "cor@voorbeeld.nl"), ("n", ""), ("e", "")];
        let answer = send(&mut browser, &gid, "overnemen", &agreed).await;
        assert_eq!((answer.status, answer.rows()), (200, vec![("Dirk".to_owned(), "dirk@voorbeeld".to_owned())]));
        assert!(answer.text().contains("3 genodigden zijn toegevoegd."), "{}", answer.text());
        let stored = async || {
            let people = stored_invitees(&app, &gid).await.into_iter();
            let mut people: Vec<_> = people.map(|one| (one.name, one.email.unwrap_or_default())).collect();
            people.sort();
            people
        };
        let person = |name: &str, email: &str| (name.to_owned(), email.to_owned());
        let three = [person("Aal", "aal@voorbeeld.nl"), person("Bep", "bep@voorbeeld.nl"), person("Cor Jansen", "cor@voorbeeld.nl")];
        assert_eq!(stored().await, three);
        let answer = send(&mut browser, &gid, "overnemen", &[("n", "Dirk"), ("e", "dirk@voorbeeld.nl")]).await;
        assert!(answer.status == 200 && answer.text().contains("1 genodigde is toegevoegd."), "{}", answer.text());

        let [_, again] = paste(&mut browser, &gid, "Aal <AAL@voorbeeld.nl>").await;
        assert!(again.status == 422 && again.text().contains("Deze genodigde staat al op de lijst"), "{}", again.text());
        let nobody = send(&mut browser, &gid, "plakken", &[("lijst", " \r\n ")]).await;
        assert!(nobody.status == 422 && nobody.text().contains("Wij vonden geen genodigden."), "{}", nobody.text());
        assert_eq!(stored().await.len(), 4);
    }

    async fn two_people_share_a_mailbox_and_are_both_invited(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        app.online(&gid).await;
        app.mails(1).await; // the order's
        paste(&mut browser, &gid, "Jan de Vries <thuis@voorbeeld.nl>").await;
        send(&mut browser, &gid, "toevoegen", &[("naam", "Marie de Vries"), ("email", "Thuis@voorbeeld.nl")]).await;
        let refused = send(&mut browser, &gid, "toevoegen", &[("naam", "jan de vries"), ("email", "thuis@voorbeeld.nl")]).await;
        assert!(refused.status == 422 && refused.text().contains("Deze genodigde staat al op de lijst"), "{}", refused.text());
        send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        let mails = app.mails(3).await;
        for name in ["Jan de Vries", "Marie de Vries"] {
            assert!(mails.iter().any(|mail| mail.text.contains(&format!("Beste {name},"))), "{name}");
        }
        let invitees = stored_invitees(&app, &gid).await;
        assert_ne!(invitees[0].token, invitees[1].token);
        // One person is not invited twice within an hour.
        let again = send(&mut browser, &gid, "lijst", &[("uitnodigen", &invitees[0].id.to_string())]).await;
        assert!(again.header("location").is_some_and(|to| to.contains("melding=te-snel")), "{again:?}");
    }

    async fn answer_to_a_pasted_list_is_bounded(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        let many = send(&mut browser, &gid, "plakken", &[("lijst", &"1\n".repeat(limits::PASTED_LINES_MAX + 1))]).await;
        assert_eq!(many.status, 422);
        assert!(many.text().contains("meer dan 1.000 regels") && many.body.len() < 20_000, "{}", many.text());
        let left = format!("Aal\n{}", "1\n".repeat(limits::PASTED_LINES_MAX - 1));
        let page = send(&mut browser, &gid, "plakken", &[("lijst", &left)]).await.text();
        assert_eq!(page.matches("<strong>Regel ").count(), limits::PASTED_PROBLEMS_SHOWN_MAX);
        assert!(page.contains("<li>en nog 949 regels</li>"), "{page}");
        let long = "b".repeat(limits::PASTED_LINE_CHARS_MAX + 1);
        let page = send(&mut browser, &gid, "plakken", &[("lijst", &long)]).await.text();
        assert!(page.contains("Deze regel is te lang.") && !page.contains(&long), "{page}");
        let all: String = (0..limits::PASTED_LINES_MAX).map(|n| format!("Nummer {n} <n{n}@voorbeeld.nl>\n")).collect();
        let [check, answer] = paste(&mut browser, &gid, &all).await;
        assert!(check.rows().len() == limits::PASTED_LINES_MAX && check.body.len() < 400_000, "{}", check.body.len());
        assert_eq!(answer.rows().len(), limits::PASTED_LINES_MAX - limits::INVITEES_MAX, "the list is full");
    }

    async fn list_takes_its_maximum_and_its_pages_stay_small(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        let lines: Vec<_> = (0..=limits::INVITEES_MAX)
            .map(|n| format!("Genodigde met een lange naam nummer {n:04} <genodigde.{n:04}@een-heel-lang-domein.voorbeeld.nl>"))
            .collect();
        let [_, answer] = paste(&mut browser, &gid, &lines.join("\n")).await;
        let page = answer.text();
        assert!(page.contains("500 genodigden zijn toegevoegd.") && page.contains("De lijst is vol."), "{page}");
        assert_eq!(stored_invitees(&app, &gid).await.len(), limits::INVITEES_MAX);
        let twice = [("naam", "Genodigde met een lange naam nummer 0007"), ("email", "genodigde.0007@een-heel-lang-domein.voorbeeld.nl")];
        let refused = send(&mut browser, &gid, "toevoegen", &twice).await.text();
        assert!(refused.contains("staat al op de lijst") && !refused.contains("vol"), "{refused}");
        app.online(&gid).await;
        for number in ["1", "20", "999", "0", "x"] {
            let page = browser.get(&format!("{}?pagina={number}", list(&gid, ""))).await;
            assert_eq!(page.status, 200);
            assert!(page.body.len() < 60 * 1024, "{} bytes", page.body.len());
        }
        let last = browser.get(&format!("{}?pagina=20", list(&gid, ""))).await.text();
        assert!(last.contains("nummer 0499") && last.contains("Pagina 20 van 20"), "{last}");
    }

    async fn invitation_goes_to_the_invitee_and_is_limited(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        paste(&mut browser, &gid, "Aal <aal@voorbeeld.nl>\nBep <bep@voorbeeld.nl>").await;
        send(&mut browser, &gid, "toevoegen", &[("naam", "Zonder adres")]).await;
        let aal = stored_invitees(&app, &gid).await.into_iter().find(|invitee| invitee.name == "Aal").expect("Aal");
        let id = aal.id.to_string();
        let asked = async |browser: &mut Browser, fields: &[(&str, &str)]| {
            let answer = send(browser, &gid, "lijst", fields).await;
            answer.header("location").and_then(|place| place.split("melding=").nth(1)).expect("a message").to_owned()
        };
        assert_eq!(asked(&mut browser, &[("uitnodigen", &id)]).await, "niet-online");
        assert_eq!(asked(&mut browser, &[("allen", "ja")]).await, "niet-online");
        assert_eq!(app.queued_mails(&gid).await, []);

        app.online(&gid).await;
        app.mails(1).await; // the order's
        assert_eq!(asked(&mut browser, &[("uitnodigen", &id)]).await, "uitgenodigd");
        let mail = app.mails(2).await.remove(1);
        assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("aal@voorbeeld.nl", "In herinnering aan Johanna: een kaart van de familie"));
        assert!(mail.text.contains("Pieter heeft een kaart gemaakt ter nagedachtenis aan Johanna. U kunt de kaart hier bekijken."), "{}", mail.text);
        assert!(mail.text.contains("Neem dan contact op met Uitvaart Noord."), "{}", mail.text);
        let link = mail.link(&format!("{PUBLIC_BASE}/kaart/voor/"));
        assert!(link.ends_with(&aal.token), "{link}");
        assert!(asked(&mut browser, &[("uitnodigen", &id)]).await.starts_with("te-snel&om="));
        for _ in 1..limits::INVITATIONS_MAX {
            app.pass(Duration::minutes(61));
            assert_eq!(asked(&mut browser, &[("uitnodigen", &id)]).await, "uitgenodigd");
        }
        app.pass(Duration::minutes(61));
        assert_eq!(asked(&mut browser, &[("uitnodigen", &id)]).await, "te-vaak");
        // Bep alone was not invited yet and has an address.
        assert_eq!(asked(&mut browser, &[("allen", "ja")]).await, "allen-uitgenodigd");
        let mails = app.mails(2 + limits::INVITATIONS_MAX as usize).await;
        assert_eq!(mails.iter().filter(|mail| mail.to == "bep@voorbeeld.nl").count(), 1);
        assert_eq!(asked(&mut browser, &[("allen", "ja")]).await, "niemand");
    }

    async fn list_begins_with_who_has_not_seen_the_card_and_counts_who_is_not_invited(app: TestApp) {
        let (live, gid, mut browser) = visit(&app).await;
        paste(&mut browser, &gid, "Aal <aal@voorbeeld.nl>\nBep <bep@voorbeeld.nl>\nCor zonder adres").await;
        let draft = browser.get(&list(&gid, "")).await.text();
        assert!(!draft.contains("versturen</summary>") && !draft.contains("wa.me") && !draft.contains("werkt tot en met"), "{draft}");
        app.online(&gid).await;
        app.mails(1).await; // the order's
        let aal = stored_invitees(&app, &gid).await.into_iter().find(|invitee| invitee.name == "Aal").expect("Aal");
        app.store().note_seen(aal.id, app.now()).await.expect("the store answers");
        let page = browser.get(&list(&gid, "")).await.text();
        let place = |piece: &str| page.find(piece).unwrap_or_else(|| panic!("{piece}: {page}"));
        assert!(place(">Bep</h3>") < place(">Cor zonder adres</h3>") && place(">Cor zonder adres</h3>") < place(">Aal</h3>"), "{page}");
        for piece in [
            "2 uitnodigingen versturen</summary>",
            "2 genodigden krijgen nu een e-mail",
            "De link naar deze lijst in uw e-mail werkt tot en met 8 februari 2027. Daarna kunt u Uitvaart Noord om een nieuwe link vragen.",
            &format!("href=\"https://wa.me/?text=In%20herinnering%20aan%20Johanna%0Ahttps%3A%2F%2Fkaarten.example%2Fkaart%2Fvoor%2F{}\"", aal.token),
        ] {
            place(piece);
        }
        let id = aal.id.to_string();
        send(&mut browser, &gid, "lijst", &[("uitnodigen", &id)]).await;
        assert!(browser.get(&list(&gid, "")).await.text().contains("1 uitnodiging versturen</summary>"));
        send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        assert!(!browser.get(&list(&gid, "")).await.text().contains("versturen</summary>"));
        app.pass(Duration::days(91));
        let page = at_list(&live, &gid).await.get(&list(&gid, "")).await.text();
        assert!(!page.contains("werkt tot en met"), "{page}");
    }

    async fn invitee_removed_and_added_again_keeps_the_invitation_limit(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        app.online(&gid).await;
        app.mails(1).await; // the order's
        let mut sent = 0;
        // Each time under another name, and sometimes another form of the same address.
        for round in 0..20 {
            let mut browser = at_list(&live, &gid).await; // a browser session is shorter than the test
            let email = ["aal@voorbeeld.nl", "AAL@voorbeeld.nl", "aal+1@voorbeeld.nl"][round % 3];
            send(&mut browser, &gid, "toevoegen", &[("naam", &format!("Aal {round}")), ("email", email)]).await;
            let id = stored_invitees(&app, &gid).await.remove(0).id.to_string();
            let invited = send(&mut browser, &gid, "lijst", &[("uitnodigen", &id)]).await;
            let place = invited.header("location").expect("back to the list").to_owned();
            match round {
                0 => assert!(place.ends_with("uitgenodigd"), "{place}"),
                // 09:30 in the Netherlands, and an hour.
                1 => {
                    let page = browser.get(&place).await.text();
                    assert!(page.contains("U kunt opnieuw een uitnodiging sturen vanaf 10 november 2026 om 10.30 uur."), "{page}");
                    app.pass(Duration::minutes(30));
                }
                _ => app.pass(Duration::minutes(61)),
            }
            sent += usize::from(place.ends_with("uitgenodigd"));
            send(&mut browser, &gid, "lijst", &[("verwijderen", &id)]).await;
        }
        assert_eq!(sent, limits::INVITATIONS_MAX as usize);
    }

    async fn card_sends_so_many_invitations_a_day_and_the_others_the_next(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        app.online(&gid).await;
        let mut browser = at_list(&live, &gid).await;
        let max = limits::INVITATIONS_PER_CARD_AND_DAY as usize;
        let lines: Vec<_> = (0..max + 2).map(|n| format!("Gast {n} <gast.{n}@voorbeeld.nl>")).collect();
        paste(&mut browser, &gid, &lines.join("\n")).await;
        let invited = async |app: &TestApp| {
            app.queued_mails(&gid).await.iter().filter(|mail| mail.kind == MailKind::Invitation).count()
        };
        let refused = send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        let page = browser.get(refused.header("location").expect("back to the list")).await.text();
        let told = "Voor deze kaart zijn vandaag 250 uitnodigingen verstuurd. Meer kan op één dag niet. Vanaf 11 november 2026 \
                    kunt u de overige uitnodigingen versturen.";
        assert!(page.contains(told), "{page}");
        assert_eq!(invited(&app).await, max);
        app.pass(Duration::hours(14)); // 23:30 in the Netherlands
        let mut browser = at_list(&live, &gid).await;
        send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        assert_eq!(invited(&app).await, max, "it is the same day");
        app.pass(Duration::minutes(31));
        let rest = send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        assert!(rest.header("location").is_some_and(|place| place.ends_with("allen-uitgenodigd")));
        assert_eq!(invited(&app).await, max + 2);
    }

    async fn invitations_of_a_partner_are_limited_a_day_and_in_readiness(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "invitations", &[("INVITATIONS_PER_DAY", "3")]).await;
        let (live, other) = (app.partner("Noord").await.live().await, app.partner("Zuid").await.live().await);
        let warned = async || {
            let ready = app.http().get(app.metrics_url("/health/ready")).send().await.expect("an answer");
            Answer::read(ready).await.text().contains("INVITATIONS_PER_DAY")
        };
        let invite = async |caller: &Caller, dossier: &str, people: &str| {
            let gid = card(caller, dossier).await;
            app.online(&gid).await;
            let mut browser = at_list(caller, &gid).await;
            paste(&mut browser, &gid, people).await;
            let answer = send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
            browser.get(answer.header("location").expect("back to the list")).await.text()
        };
        let two = "Aal <aal@voorbeeld.nl>\nBep <bep@voorbeeld.nl>";
        assert!(invite(&live, "1", two).await.contains("verstuurd.</p>"));
        assert!(!warned().await);
        let page = invite(&live, "2", two).await;
        let told = "Uw uitvaartonderneming kan vandaag geen uitnodigingen meer versturen. Vanaf 11 november 2026";
        assert!(page.contains(told), "{page}");
        assert!(warned().await);
        assert!(invite(&other, "1", two).await.contains("verstuurd.</p>"), "another partner's");
        app.pass(Duration::hours(15));
        assert!(!warned().await, "it is another day");
        assert!(invite(&live, "3", two).await.contains("verstuurd.</p>"));
    }

    async fn name_is_cleaned_and_one_with_a_web_address_is_not_added(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        for (name, message) in [
            ("Betaal via https://betaal.example", "geen webadres"),
            ("Jan (ｉｎｇ．ｎｌ)", "geen webadres"),
            ("ing\u{200b}.nl", "geen webadres"),
        ] {
            let refused = send(&mut browser, &gid, "toevoegen", &[("naam", name), ("email", "jan@voorbeeld.nl")]).await;
            assert!(refused.status == 422 && refused.text().contains(message), "{name:?}: {}", refused.text());
            let line = name.to_owned() + " <jan@voorbeeld.nl>";
            for refused in paste(&mut browser, &gid, &line).await {
                assert!(refused.text().contains(message), "{line:?}: {}", refused.text());
            }
        }
        assert_eq!(stored_invitees(&app, &gid).await, []);
        let unclean = "Jan\u{202e}\u{b}de  Vries\u{feff}";
        for is_pasted in [false, true] {
            match is_pasted {
                false => drop(send(&mut browser, &gid, "toevoegen", &[("naam", unclean), ("email", "")]).await),
                true => drop(paste(&mut browser, &gid, &format!("{unclean} <jan@voorbeeld.nl>")).await),
            }
            let invitee = stored_invitees(&app, &gid).await.remove(0);
            assert_eq!(invitee.name, "Jan de Vries", "pasted: {is_pasted}");
            app.store().delete_invitee(card_id(&gid), invitee.id).await.expect("the store answers");
        }
        let people = "O'Brien <a@voorbeeld.nl>\nvan der Berg-Müller <b@voorbeeld.nl>\nיעקב כהן <c@voorbeeld.nl>\nمحمد <d@voorbeeld.nl>";
        paste(&mut browser, &gid, people).await;
        assert_eq!(stored_invitees(&app, &gid).await.len(), 4);
    }

    async fn invitation_of_a_test_card_goes_to_the_test_address(app: TestApp) {
        let account = app.partner("Noord").await;
        app.set("Noord", PartnerSetting::TestAddress(Some("test@noord.example"))).await;
        let test = account.test().await;
        let gid = card(&test, "1").await;
        app.online(&gid).await;
        let mut browser = at_list(&test, &gid).await;
        paste(&mut browser, &gid, "Aal <aal@voorbeeld.nl>\nBep <bep@voorbeeld.nl>").await;
        send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        let mails = app.mails(3).await;
        assert!(mails.iter().all(|mail| mail.to == "test@noord.example"), "{mails:?}");
        assert!(mails.iter().all(|mail| mail.subject.starts_with("[Test]")), "{mails:?}");
    }

    async fn person_who_is_removed_has_no_link_and_gets_no_mail(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        paste(&mut browser, &gid, "Aal <aal@voorbeeld.nl>").await;
        let aal = stored_invitees(&app, &gid).await.remove(0);
        let removed = send(&mut browser, &gid, "lijst", &[("verwijderen", &aal.id.to_string())]).await;
        assert!(removed.header("location").is_some_and(|place| place.ends_with("verwijderd")));
        assert_eq!(stored_invitees(&app, &gid).await, []);
        app.online(&gid).await;
        assert_eq!(browser.get(&format!("/kaart/voor/{}", aal.token)).await.status, 404);
        let again = send(&mut browser, &gid, "lijst", &[("verwijderen", &aal.id.to_string())]).await;
        assert!(again.header("location").is_some_and(|place| place.ends_with("weg")));
        assert!(app.queued_mails(&gid).await.iter().all(|mail| mail.kind != MailKind::Invitation));
    }

    async fn list_of_another_card_is_out_of_reach(app: TestApp) {
        let live = app.live().await;
        let (own, foreign) = (card(&live, "1").await, card(&live, "2").await);
        let mut theirs = at_list(&live, &foreign).await;
        paste(&mut theirs, &foreign, "Aal <aal@voorbeeld.nl>").await;
        let aal = stored_invitees(&app, &foreign).await.remove(0);
        app.online(&own).await;
        app.online(&foreign).await;

        let mut browser = at_list(&live, &own).await;
        assert_eq!(browser.get(&list(&foreign, "")).await.status, 403);
        let hidden = browser.get(&list(&own, "")).await.hidden_fields();
        let whom = aal.id.to_string();
        for action in ["toevoegen", "wijzigen", "plakken", "overnemen", "lijst", "bericht"] {
            let fields =
                [("wie", whom.as_str()), ("naam", "X"), ("lijst", "X <x@voorbeeld.nl>"), ("allen", "ja"), ("bericht", "X")];
            assert_eq!(browser.post(&list(&foreign, action), &hidden, &fields).await.status, 403, "{action}");
        }
        // Nor by a form of the own list.
        for field in ["uitnodigen", "verwijderen"] {
            let answer = send(&mut browser, &own, "lijst", &[(field, &aal.id.to_string())]).await;
            assert!(answer.header("location").is_some_and(|place| place.ends_with("weg")), "{field}");
        }
        let fields = [("wie", whom.as_str()), ("naam", "X"), ("email", "")];
        let answer = send(&mut browser, &own, "wijzigen", &fields).await;
        assert!(answer.header("location").is_some_and(|place| place.ends_with("weg")));
        assert_eq!(stored_invitees(&app, &foreign).await, [aal]);
        assert_eq!(app.store().invitation_note(card_id(&foreign)).await.expect("the store answers"), None);
        // Nor with a session of the customizer, nor without the token of a form.
        let mut customizer = Browser::at_customizer(&live, &own).await;
        assert_eq!(customizer.get(&list(&own, "")).await.status, 403);
        assert_eq!(browser.post(&list(&own, "toevoegen"), &[], &[("naam", "X")]).await.status, 403);
        assert_eq!(stored_invitees(&app, &own).await, []);
    }
}

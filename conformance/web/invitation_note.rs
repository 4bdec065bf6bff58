//! The note of the family in its invitations: stored, mailed, refused, and not overwritten (decisions S6).

use card_service::base::limits::INVITATION_NOTE_CHARS_MAX;
use card_service::model::InvitationNote;
use chrono::Duration;

use super::invitees::{at_list, card, list, send, stored_invitees, visit};
use crate::app::family::Browser;
use crate::app::mail::Sent;
use crate::app::{Answer, TestApp, card_id};

const ACTION: &str = "bericht";

async fn stored(app: &TestApp, gid: &str) -> Option<InvitationNote> {
    app.store().invitation_note(card_id(gid)).await.expect("the store answers")
}

/// Sends the form of the note.
async fn send_note(browser: &mut Browser, gid: &str, note: &str) -> Answer {
    let page = browser.get(&list(gid, "")).await;
    browser.post(&list(gid, ACTION), &page.hidden_fields_of(ACTION), &[(ACTION, note)]).await
}

/// Saves a note; asserts that the page says so.
async fn save(browser: &mut Browser, gid: &str, note: &str, message: &str) {
    let saved = send_note(browser, gid, note).await;
    let place = saved.header("location").unwrap_or_else(|| panic!("{}", saved.text())).to_owned();
    let page = browser.open(&place).await.text();
    assert!(page.contains(message), "{message}: {page}");
}

/// Invites the only person on the list, and returns that mail, the `count`th.
async fn invite(app: &TestApp, browser: &mut Browser, gid: &str, count: usize) -> Sent {
    let id = stored_invitees(app, gid).await.remove(0).id.to_string();
    let invited = send(browser, gid, "lijst", &[("uitnodigen", &id)]).await;
    assert!(invited.header("location").is_some_and(|place| place.ends_with("uitgenodigd")), "{}", invited.text());
    app.mails(count).await.pop().expect("a mail")
}

on_both_databases! {
    async fn note_is_quoted_in_each_mail_as_it_is_when_the_mail_is_made(app: TestApp) {
        let (live, gid, mut browser) = visit(&app).await;
        let before = (app.row(&gid).await, app.topics(&gid).await);
        save(&mut browser, &gid, " Lieve <b>allemaal</b>,\r\n\r\nKom \"gerust\" langs. \r\n", "Uw woorden zijn opgeslagen.").await;
        let note = "Lieve <b>allemaal</b>,\n\nKom \"gerust\" langs.";
        assert_eq!(stored(&app, &gid).await.map(|stored| (stored.note, stored.changed_at)), Some((note.to_owned(), app.now())));
        assert_eq!((app.row(&gid).await, app.topics(&gid).await), before, "a note is no part of the card, and notifies nobody");
        let page = browser.get(&list(&gid, "")).await.text();
        assert!(page.contains("\nLieve &lt;b&gt;allemaal&lt;/b&gt;,\n\nKom &quot;gerust&quot; langs.</textarea>"), "{page}");
        send(&mut browser, &gid, "toevoegen", &[("naam", "Aal"), ("email", "aal@voorbeeld.nl")]).await;
        app.online(&gid).await;
        let order = app.mails(1).await.remove(0);
        assert!(!order.text.contains("gerust") && !order.html.contains("gerust"), "{}", order.text);
        let mail = invite(&app, &mut browser, &gid, 2).await;
        let quoted = "\n\nPieter schrijft:\n\n> Lieve <b>allemaal</b>,\n> \n> Kom \"gerust\" langs.\n\n";
        assert!(mail.text.replace("\r\n", "\n").contains(quoted), "{}", mail.text);
        let quoted = "Lieve &lt;b&gt;allemaal&lt;/b&gt;,<br><br>Kom &quot;gerust&quot; langs.<br></blockquote>";
        assert!(mail.html.contains(quoted), "{}", mail.html);

        app.pass(Duration::minutes(61));
        save(&mut browser, &gid, "Een ander woord.", "Uw woorden zijn opgeslagen.").await;
        let operator = app.operator();
        let sent = app.queued_mails(&gid).await.into_iter().find(|mail| mail.invitee_id.is_some()).expect("the invitation");
        operator.json(&["mail", "resend", &sent.id.to_string()]);
        app.catch_up();
        let again = app.mails(3).await.pop().expect("a mail");
        assert!(again.text.contains("> Een ander woord.") && !again.text.contains("gerust"), "{}", again.text);

        let mut browser = at_list(&live, &gid).await;
        save(&mut browser, &gid, "", "De uitnodigingen bevatten geen persoonlijk woord.").await;
        assert_eq!(stored(&app, &gid).await, None);
        let mail = invite(&app, &mut browser, &gid, 4).await;
        assert!(!mail.text.contains("schrijft") && !mail.html.contains("blockquote"), "{}", mail.text);
    }

    async fn answer_goes_to_the_family_only_if_it_has_chosen_that(app: TestApp) {
        let (live, gid, mut browser) = visit(&app).await;
        send(&mut browser, &gid, "toevoegen", &[("naam", "Aal"), ("email", "aal@voorbeeld.nl")]).await;
        app.online(&gid).await;
        let mail = invite(&app, &mut browser, &gid, 2).await;
        assert!(mail.reply_to.is_none() && mail.text.contains("komen niet bij hen aan"), "{mail:?}");
        app.pass(Duration::minutes(61));
        let mut browser = at_list(&live, &gid).await;
        let page = browser.get(&list(&gid, "")).await;
        assert!(page.text().contains("name=\"antwoorden\" value=\"ja\">"), "off by default: {}", page.text());
        let saved = browser.post(&list(&gid, ACTION), &page.hidden_fields_of(ACTION), &[(ACTION, ""), ("antwoorden", "ja")]).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        assert!(browser.get(&list(&gid, "")).await.text().contains("name=\"antwoorden\" value=\"ja\" checked>"));
        let mail = invite(&app, &mut browser, &gid, 3).await;
        assert_eq!(mail.reply_to.as_deref(), Some("pieter@voorbeeld.nl"));
        assert!(mail.text.contains("Uw antwoord op deze e-mail gaat naar Pieter.") && !mail.text.contains("schrijft"), "{}", mail.text);
        save(&mut browser, &gid, "", "De uitnodigingen bevatten geen persoonlijk woord.").await;
        assert_eq!(stored(&app, &gid).await, None);
    }

    async fn note_with_an_address_a_hidden_character_or_too_many_characters_is_shown_again(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        for (note, problem) in [
            ("Kijk op <i>www.betaal.example</i>", "Deze tekst mag geen webadres bevatten."),
            ("Betaal op betaal.example", "Deze tekst mag geen webadres bevatten."),
            ("Kijk op evil。nl of 192.168.1.1/x", "Deze tekst mag geen webadres bevatten."),
            ("Een\ttab", "een onzichtbaar teken"),
            ("Omge\u{202e}keerd", "een onzichtbaar teken"),
            (&*"é".repeat(INVITATION_NOTE_CHARS_MAX + 1), "Deze tekst is te lang. Gebruik hoogstens 500 tekens."),
        ] {
            let refused = send_note(&mut browser, &gid, note).await;
            let page = refused.text();
            assert_eq!(refused.status, 422, "{page}");
            assert!(page.contains(problem), "{problem}: {page}");
            let kept = note.replace('<', "&lt;").replace('>', "&gt;");
            assert!(page.contains(&format!("aria-invalid=\"true\" aria-describedby=\"bericht-hint bericht-error\">\n{kept}</textarea>")), "{page}");
            assert_eq!(stored(&app, &gid).await, None);
        }
        let longest = "é".repeat(INVITATION_NOTE_CHARS_MAX);
        save(&mut browser, &gid, &longest, "Uw woorden zijn opgeslagen.").await;
        assert_eq!(stored(&app, &gid).await.map(|stored| stored.note), Some(longest));
    }

    async fn note_of_another_is_not_overwritten_unseen(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        let (mut anna, mut bram) = (at_list(&live, &gid).await, at_list(&live, &gid).await);
        let seen = bram.get(&list(&gid, "")).await.hidden_fields_of(ACTION);
        save(&mut anna, &gid, "Van Anna", "Uw woorden zijn opgeslagen.").await;
        let clash = bram.post(&list(&gid, ACTION), &seen, &[(ACTION, "Van Bram")]).await;
        let page = clash.text();
        assert_eq!(clash.status, 409, "{page}");
        for piece in ["Iemand anders heeft de tekst intussen gewijzigd.", "<blockquote dir=\"auto\">Van Anna</blockquote>", "\nVan Bram</textarea>"] {
            assert!(page.contains(piece), "{piece}: {page}");
        }
        assert_eq!(stored(&app, &gid).await.map(|stored| stored.note), Some("Van Anna".to_owned()));
        // Bram has now seen the note of Anna. A form that is sent twice is no conflict.
        for _ in 0..2 {
            assert_eq!(bram.post(&list(&gid, ACTION), &clash.hidden_fields_of(ACTION), &[(ACTION, "Van Bram")]).await.status, 303);
        }
        assert_eq!(stored(&app, &gid).await.map(|stored| stored.note), Some("Van Bram".to_owned()));
    }
}

//! Names on the invitee list: pasted as programs write them, greeted in the invitation, and corrected (decisions S6, S10).

use card_service::model::Invitee;

use super::invitees::{list, paste, send, stored_invitees, visit};
use crate::app::TestApp;

on_both_databases! {
    async fn pasted_names_are_greeted_as_they_are_called(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        app.online(&gid).await;
        app.mails(1).await; // the order's
        let pasted = "Naam;E-mailadres\n1. Karel karel@voorbeeld.nl\n\"Boer, Piet de\" <piet@voorbeeld.nl>\nkees@voorbeeld.nl\n\
                      Zoë (vriendin van mama) zoe@voorbeeld.nl\n<b>Hans</b> hans@voorbeeld.nl\nOma Truus\n\
                      Jan <jan@voorbeeld.nl>; Kim <kim@voorbeeld.nl>";
        let [_, answer] = paste(&mut browser, &gid, pasted).await;
        assert!(answer.text().contains("8 genodigden zijn toegevoegd."), "{}", answer.text());
        send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        let mails = app.mails(8).await;
        for (to, greeting) in [
            ("karel@voorbeeld.nl", "Beste Karel,"),
            ("piet@voorbeeld.nl", "Beste Piet de Boer,"),
            ("kees@voorbeeld.nl", "Geachte heer, mevrouw,"),
            ("zoe@voorbeeld.nl", "Beste Zoë (vriendin van mama),"),
            ("hans@voorbeeld.nl", "Beste Hans,"),
            ("jan@voorbeeld.nl", "Beste Jan,"),
            ("kim@voorbeeld.nl", "Beste Kim,"),
        ] {
            let mail = mails.iter().find(|mail| mail.to == to).unwrap_or_else(|| panic!("no mail to {to}"));
            assert!(mail.text.lines().any(|line| line == greeting), "{}", mail.text);
        }
    }

    async fn invitee_is_corrected_and_keeps_the_personal_link(app: TestApp) {
        let (_, gid, mut browser) = visit(&app).await;
        app.online(&gid).await;
        app.mails(1).await; // the order's
        paste(&mut browser, &gid, "Aal <al@voorbeeld.nl>\nBep <bep@voorbeeld.nl>").await;
        let aal = stored_invitees(&app, &gid).await.into_iter().find(|invitee| invitee.name == "Aal").expect("Aal");
        let id = aal.id.to_string();
        send(&mut browser, &gid, "lijst", &[("uitnodigen", &id)]).await;
        app.mails(2).await;
        let now = async || stored_invitees(&app, &gid).await.into_iter().find(|invitee| invitee.id == aal.id).expect("Aal");
        let form = list(&gid, &format!("wijzigen?wie={id}"));
        let page = browser.get(&list(&gid, "")).await.text();
        assert!(page.contains(&format!("href=\"{form}\"")), "{page}");
        let page = browser.get(&form).await;
        assert!(page.text().contains("value=\"al@voorbeeld.nl\""), "{}", page.text());
        let mut change = async |name: &str, email: &str| {
            browser.post(&list(&gid, "wijzigen"), &page.hidden_fields(), &[("naam", name), ("email", email)]).await
        };
        for (name, email, message) in [
            ("", "al@voorbeeld.nl", "Vul de naam in."),
            ("Aal", "al@", "Vul een geldig e-mailadres in"),
            ("BEP", "Bep@voorbeeld.nl", "Deze genodigde staat al op de lijst"),
        ] {
            let refused = change(name, email).await;
            assert!(refused.status == 422 && refused.text().contains(message), "{message}: {}", refused.text());
        }
        let sent = now().await;
        assert_eq!((sent.name.as_str(), sent.email.as_deref(), sent.mail_count), ("Aal", Some("al@voorbeeld.nl"), 1));
        // Another name, or another case, is the same address.
        assert!(change("Aaltje", "AL@voorbeeld.nl").await.header("location").is_some_and(|to| to.ends_with("gewijzigd")));
        assert_eq!(now().await, Invitee { name: "Aaltje".to_owned(), email: Some("AL@voorbeeld.nl".to_owned()), ..sent });
        // Another address gets a separate invitation, with the same link.
        assert_eq!(change("Aaltje", "aal@voorbeeld.nl").await.status, 303);
        let changed = now().await;
        assert_eq!((changed.token, changed.mail_count, changed.last_mail_at), (aal.token.clone(), 0, None));
        let of_aal = async || app.queued_mails(&gid).await.into_iter().filter(|mail| mail.invitee_id == Some(aal.id)).count();
        assert_eq!(of_aal().await, 0);
        send(&mut browser, &gid, "lijst", &[("allen", "ja")]).await;
        let mail = app.mails(4).await.into_iter().find(|mail| mail.to == "aal@voorbeeld.nl").expect("an invitation");
        assert!(mail.text.contains("Beste Aaltje,") && mail.text.contains(&aal.token), "{}", mail.text);
        assert_eq!(of_aal().await, 1);
    }
}

//! The words above the name: chosen by the family, shown wherever the card names its person.

use card_service::model::LeadIn;
use card_service::operation::invitee::{self, NewInvitee};

use super::card::{full, public_path};
use crate::app::family::{Browser, customizer, path_of};
use crate::app::{TestApp, card_id};

const NAME: &str = "Johanna van der Meer";

on_both_databases! {
    async fn chosen_words_are_on_card_preview_and_mails(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        app.online(&gid).await;
        let (path, step) = (public_path(&live, &gid).await, customizer(&gid, "tekst"));
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let person = NewInvitee { name: "Aal".to_owned(), email: None };
        invitee::add(app.services(), card_id(&gid), vec![person]).await.expect("the store answers");
        let mut pictures = std::collections::BTreeSet::new();
        let events = app.events(&gid).await.len();
        for (invited, (value, lead_in, words)) in [
            ("IN_MEMORY", LeadIn::InMemory, Some("In herinnering aan")),
            ("REMEMBRANCE", LeadIn::Remembrance, Some("Ter nagedachtenis aan")),
            ("WITH_LOVE", LeadIn::WithLove, Some("Met liefde herinneren wij")),
            ("NAME_ALONE", LeadIn::NameAlone, None),
        ].into_iter().enumerate() {
            let (title, lead) = match words {
                Some(words) => (format!("{words} {NAME}"), format!("<p class=\"lead\">{words}</p><h1")),
                None => (NAME.to_owned(), "<div><h1".to_owned()),
            };
            let hidden = browser.get(&step).await.hidden_fields();
            let tried = browser.post(&format!("{step}/kaart"), &hidden, &[("lead_in", value)]).await.text();
            assert!(tried.contains(&lead), "{value}: {tried}");
            assert_eq!(browser.post(&step, &hidden, &[("lead_in", value)]).await.status, 303);
            assert_eq!(app.row(&gid).await.lead_in, lead_in);
            assert!(browser.get(&step).await.text().contains(&format!("value=\"{value}\" checked")), "{value}");

            let page = app.get(&path).await.text();
            let tag = |property| format!("property=\"{property}\" content=\"");
            for piece in [&lead, &format!("<title>{title}</title>"), &(tag("og:title") + &title), &(tag("og:image:alt") + &title)] {
                assert!(page.contains(piece), "{value}: {piece}: {page}");
            }
            let picture = page.split(&tag("og:image")).nth(1).and_then(|rest| rest.split('"').next()).expect("a picture");
            assert_eq!(app.get(&path_of(picture)).await.status, 200);
            assert!(pictures.insert(picture.to_owned()), "each has a picture of its own: {picture}");
            let ordered = browser.get(&customizer(&gid, "besteld")).await.text();
            let message = url::form_urlencoded::byte_serialize(title.as_bytes()).collect::<String>().replace('+', "%20");
            assert!(ordered.contains(&format!("text={message}%0A")), "{value}: {ordered}");

            let email = format!("gast{invited}@voorbeeld.nl");
            let guest = NewInvitee { name: format!("Gast {invited}"), email: Some(email.clone()) };
            invitee::add(app.services(), card_id(&gid), vec![guest]).await.expect("the store answers");
            let guests = app.store().invitees_of(card_id(&gid)).await.expect("the store answers");
            let guest = guests.iter().find(|guest| guest.email.as_deref() == Some(&email)).expect("the guest");
            invitee::invite(app.services(), card_id(&gid), guest.id).await.expect("the store answers");
            let all = app.mails(invited + 2).await;
            let mail = all.iter().find(|mail| mail.to == email).expect("the invitation");
            assert_eq!(mail.subject, format!("{title}: een kaart van de familie"));
            let head: Vec<_> = mail.text.lines().take_while(|line| *line != "12 april 1938 – 7 november 2026").collect();
            assert_eq!(head, words.into_iter().chain([NAME]).collect::<Vec<_>>(), "{}", mail.text);
            assert_eq!(words.is_some_and(|words| mail.html.contains(&format!(">{words}</p>"))), words.is_some(), "{value}: {}", mail.html);
        }
        assert_eq!(app.events(&gid).await.len(), events, "the words are no field of Card");
        assert_eq!(browser.submit(&step, &[("lead_in", "ANDERS")]).await.status, 303, "an unknown choice changes nothing");
        assert_eq!(app.row(&gid).await.lead_in, LeadIn::NameAlone);
    }

    async fn words_belong_to_the_text_and_are_asked_in_a_conflict(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        let step = customizer(&gid, "tekst");
        let mut anna = Browser::at_customizer(&live, &gid).await;
        let mut bram = Browser::at_customizer(&live, &gid).await;
        assert!(anna.get(&step).await.text().contains("value=\"IN_MEMORY\" checked"), "the first words unless others are chosen");
        let seen = bram.get(&step).await.hidden_fields();
        assert_eq!(anna.submit(&step, &[("lead_in", "WITH_LOVE"), ("text", "")]).await.status, 303);
        let clash = bram.post(&step, &seen, &[("lead_in", "NAME_ALONE"), ("text", "")]).await;
        let page = clash.text();
        assert_eq!(clash.status, 409, "{page}");
        for words in ["<dd>Niets, alleen de naam</dd>", "<dd>Met liefde herinneren wij</dd>"] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert_eq!(bram.post(&step, &clash.hidden_fields(), &[]).await.status, 303);
        assert_eq!(app.row(&gid).await.lead_in, LeadIn::NameAlone);
        let overview = anna.get(&customizer(&gid, "")).await.text();
        assert_eq!(overview.matches("Optioneel").count(), 1, "words alone are no text: {overview}");
    }
}

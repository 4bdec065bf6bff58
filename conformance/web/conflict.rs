//! Concurrent edits of a card are shown as a conflict (decisions S5).

use card_service::base::limits::CARD_TEXT_CHARS_MAX;

use crate::app::TestApp;
use crate::app::family::{Browser, customizer};
use crate::app::picture::photo;

on_both_databases! {
    async fn second_of_two_sees_both_and_chooses(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = customizer(&gid, "tekst");
        let mut anna = Browser::at_customizer(&live, &gid).await;
        let mut bram = Browser::at_customizer(&live, &gid).await;
        let seen = bram.get(&path).await.hidden_fields();
        assert_eq!(anna.submit(&path, &[("text", "Van Anna")]).await.status, 303);
        let clash = bram.post(&path, &seen, &[("text", "Van <b>Bram</b>")]).await;
        let page = clash.text();
        assert_eq!(clash.status, 409, "{page}");
        assert!(page.contains("Van &lt;b&gt;Bram&lt;/b&gt;") && page.contains("Van Anna"), "{page}");
        assert_eq!(app.row(&gid).await.text.as_deref(), Some("Van Anna"), "nothing is overwritten yet");
        // The page holds the text of Bram and the current version, so he can save it again.
        assert_eq!(bram.post(&path, &clash.hidden_fields(), &[]).await.status, 303);
        assert_eq!(app.row(&gid).await.text.as_deref(), Some("Van <b>Bram</b>"));
    }

    async fn two_who_fill_in_different_parts_do_not_meet(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let mut anna = Browser::at_customizer(&live, &gid).await;
        let mut bram = Browser::at_customizer(&live, &gid).await;
        let seen = bram.get(&customizer(&gid, "overledene")).await.hidden_fields();
        assert_eq!(anna.submit(&customizer(&gid, "tekst"), &[("text", "Van Anna")]).await.status, 303);
        let saved = bram.post(&customizer(&gid, "overledene"), &seen, &[("first_name", "Aal")]).await;
        assert_eq!(saved.status, 303);
    }

    async fn form_that_is_sent_twice_is_saved_once(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let seen = browser.get(&path).await.hidden_fields();
        for _ in 0..2 {
            assert_eq!(browser.post(&path, &seen, &[("first_name", "Aal")]).await.status, 303);
        }
        assert_eq!(app.topics(&gid).await, ["CARDS_CREATE", "CARDS_UPDATE"]);
    }

    async fn partner_change_during_an_edit_counts_as_a_conflict(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "contact");
        let seen = browser.get(&path).await.hidden_fields();
        live.update(&gid, serde_json::json!({ "familyContact": { "email": "partner@voorbeeld.nl" } })).await.gid();
        let clash = browser.post(&path, &seen, &[("email", "familie@voorbeeld.nl")]).await;
        assert_eq!(clash.status, 409);
        assert!(clash.text().contains("partner@voorbeeld.nl") && clash.text().contains("familie@voorbeeld.nl"));
    }

    async fn portrait_that_meets_another_is_kept_until_its_sender_chooses(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = customizer(&gid, "overledene");
        let mut anna = Browser::at_customizer(&live, &gid).await;
        let mut bram = Browser::at_customizer(&live, &gid).await;
        let seen = bram.get(&path).await.hidden_fields();
        assert_eq!(anna.upload(&path, "photo", "a.png", &photo("png")).await.status, 303);
        let annas = app.row(&gid).await.deceased.photo.expect("a photo");
        // Bram's form removes a photo that his page did not show yet.
        let clash = bram.post(&path, &seen, &[("photo_remove", "ja")]).await;
        assert_eq!(clash.status, 409, "{}", clash.text());
        assert_eq!(app.row(&gid).await.deceased.photo, Some(annas));
        let unknown = [("photo_kept".to_owned(), format!("{}.gif", "A".repeat(43)))];
        let hidden = [clash.hidden_fields(), unknown.to_vec()].concat();
        let hidden: Vec<_> = hidden.into_iter().filter(|(name, _)| name != "photo_remove").collect();
        assert_eq!(bram.post(&path, &hidden, &[]).await.status, 422, "a photo that nobody sent");
        assert_eq!(bram.upload(&path, "photo", "b.gif", &photo("gif")).await.status, 303);
    }

    /// The back button brings a page back as it was, and its form with the version from before the save.
    async fn form_that_is_sent_again_with_other_words_meets_no_conflict_of_its_own(app: TestApp) {
        let (live, gid, mut anna) = app.draft_in_customizer("1").await;
        for (step, field, words) in [
            ("tekst", "text", ["Rust", "Rust zacht", "Rust zacht."]),
            ("overledene", "first_name", ["Anna", "Johanna", "Hanna"]),
            ("afscheid", "farewell_place", ["Aula", "De aula", "De kerk"]),
        ] {
            let path = customizer(&gid, step);
            let [form, other_tab] = [anna.get(&path).await.hidden_fields(), anna.get(&path).await.hidden_fields()];
            for typed in words {
                assert_eq!(anna.post(&path, &form, &[(field, typed)]).await.status, 303, "{step}: {typed}");
                assert!(anna.get(&path).await.text().contains(typed));
            }
            let clash = anna.post(&path, &other_tab, &[(field, "Anders")]).await;
            assert_eq!(clash.status, 409, "{}", clash.text());
            assert!(clash.text().contains("in een ander venster") && !clash.text().contains("Iemand anders"), "{}", clash.text());
            let mut bram = Browser::at_customizer(&live, &gid).await;
            assert_eq!(bram.submit(&path, &[(field, "Van Bram")]).await.status, 303);
            let clash = anna.post(&path, &form, &[(field, "Weer van Anna")]).await;
            assert!(clash.status == 409 && clash.text().contains("Iemand anders heeft dit ook gewijzigd"), "{}", clash.text());
            // The choice belongs to the same form.
            assert_eq!(anna.post(&path, &clash.hidden_fields(), &[]).await.status, 303);
            assert_eq!(anna.post(&path, &form, &[(field, "Nog eens")]).await.status, 303, "{step}");
        }
    }

    async fn every_way_out_of_a_step_saves_it(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let long = "a".repeat(CARD_TEXT_CHARS_MAX + 1);
        for (step, before, field, wrong) in [
            ("overledene", "thema", "first_name", ("birth_day", "31")),
            ("tekst", "overledene", "text", ("text", &long)),
            ("afscheid", "tekst", "farewell_place", ("farewell_time", "25.00")),
            ("contact", "afscheid", "contact_name", ("email", "els")),
        ] {
            let path = customizer(&gid, step);
            let overview = format!("{}?opgeslagen={step}", customizer(&gid, ""));
            for (way, to) in [("vorige", customizer(&gid, before)), ("overzicht", overview)] {
                let typed = format!("Woorden {way}");
                let left = browser.submit(&path, &[("naar", way), (field, &typed)]).await;
                assert_eq!((left.status, left.header("location")), (303, Some(to.as_str())), "{}", left.text());
                assert!(browser.get(&path).await.text().contains(&typed), "{step} {way}");
                let asked = browser.submit(&path, &[("naar", way), wrong]).await;
                assert!(asked.status == 422 && asked.text().contains("zonder dit op te slaan"), "{}", asked.text());
                assert!(asked.text().contains(wrong.1), "{}", asked.text());
            }
        }
        // A card without a theme can be left, too.
        let left = browser.submit(&customizer(&gid, "thema"), &[("naar", "overzicht"), ("layout", "TEXT")]).await;
        let overview = browser.open(left.header("location").expect("a way on")).await;
        assert!(overview.text().contains("Uw wijziging is opgeslagen."), "{}", overview.text());
    }
}

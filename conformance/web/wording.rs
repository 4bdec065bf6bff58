//! The words of pages and mails, also about unusual cards (decisions, section 8).

use card_service::operation::partner::PartnerSetting;
use serde_json::json;

use crate::app::TestApp;
use crate::app::family::{Browser, customizer, path_of};

on_both_databases! {
    async fn ordered_card_is_called_ordered(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        app.complete(&gid).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        app.order(&gid).await;
        let overview = customizer(&gid, "");
        for online in [false, true] {
            if online {
                app.activate(&gid).await;
            }
            let address = match live.card(&gid).await["cardUrl"].as_str() {
                Some(url) => path_of(url),
                None => customizer(&gid, "voorbeeld"),
            };
            assert_eq!(address.starts_with("/kaart/"), online);
            let page = browser.get(&overview).await.text();
            for words in [
                &format!("<a class=\"button\" href=\"{address}\">De kaart bekijken</a>"),
                &format!("<a href=\"{}\">Uw bestelling</a>", customizer(&gid, "besteld")),
                &format!("<span dir=\"auto\">Thema besteld\nFoto bovenaan\nIedereen met de link</span></dd><dd class=\"act\"><a href=\"{}\">", customizer(&gid, "thema")),
                &format!("<a href=\"{}\">Bekijk de kaart</a>", customizer(&gid, "voorbeeld")),
            ] {
                assert!(page.contains(words), "{words}: {page}");
            }
        }
        let theme = browser.get(&customizer(&gid, "thema")).await.text();
        assert!(theme.contains("Het thema kan niet meer worden gewijzigd.") && !theme.contains("Kies een thema"), "{theme}");
        let preview = browser.get(&customizer(&gid, "voorbeeld")).await.text();
        assert!(preview.contains("Zo ziet de kaart eruit."), "{preview}");
    }

    async fn free_card_asks_for_no_consent_to_a_price(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        app.complete(&gid).await;
        app.set("Uitvaart Noord", PartnerSetting::Price("0")).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let path = customizer(&gid, "bestellen");
        let page = browser.get(&path).await;
        let (text, hidden) = (page.text(), page.hidden_fields());
        assert!(text.contains("Kosteloos") && !text.contains("€") && !text.contains("akkoord"), "{text}");
        // A price that was set meanwhile needs consent.
        app.set("Uitvaart Noord", PartnerSetting::Price("49,50")).await;
        assert_eq!(browser.post(&path, &hidden, &[]).await.status, 422);
        assert_eq!(browser.submit(&path, &[]).await.status, 422);
        app.set("Uitvaart Noord", PartnerSetting::Price("0")).await;
        let ordered = browser.submit(&path, &[]).await;
        assert_eq!(ordered.header("location"), Some(customizer(&gid, "besteld").as_str()), "{}", ordered.text());
        let receipt = browser.get(&customizer(&gid, "besteld")).await.text();
        assert!(receipt.contains("Kosteloos") && !receipt.contains("€"), "{receipt}");
    }

    async fn card_of_who_was_born_and_died_on_one_day_has_one_date(app: TestApp) {
        let live = app.live().await;
        let day = "2026-11-07";
        let deceased = json!({ "firstName": "Noor", "dateOfBirth": day, "dateOfDeath": day });
        let gid = live.create(json!({ "externalDossierId": "1", "deceased": deceased })).await.gid();
        app.online(&gid).await;
        let url = live.card(&gid).await["cardUrl"].clone();
        let card = app.get(&path_of(url.as_str().expect("an address"))).await.text();
        let shown = "Geboren en overleden op <time datetime=\"2026-11-07\">7 november 2026</time>";
        assert!(card.contains(shown), "{card}");
        assert!(card.contains("property=\"og:description\" content=\"Geboren en overleden op 7 november 2026\""), "{card}");
        assert_eq!(card.matches("<time").count(), 1, "{card}");
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let overview = browser.get(&customizer(&gid, "")).await.text();
        assert!(overview.contains("Noor\nGeboren en overleden op 7 november 2026</span>"), "{overview}");
        let small = browser.get(&customizer(&gid, "tekst")).await.text();
        assert!(small.contains("<span class=\"years\">2026</span>"), "{small}");
    }
}

//! Every page and mail of the family names the funeral organisation and how to reach it, as the operator set it;
//! and the page on accessibility, which every footer links to.

use bytes::Bytes;
use card_service::operation::organisation::OrganisationField;
use card_service::operation::partner::PartnerSetting;

use crate::app::family::{Browser, customizer, path_of};
use crate::app::{Answer, TestApp};

const PNG: &[u8] = include_bytes!("../data/photo/pixel.png");

/// Sets everything that families see of the partner.
async fn describe(app: &TestApp) {
    for field in [
        OrganisationField::ShownName(Some("Uitvaart van Noord & Zn.")),
        OrganisationField::Phone(Some("+31 (0)20 123 45 67")),
        OrganisationField::Email(Some("hulp@noord.example")),
        OrganisationField::PrivacyUrl(Some("https://noord.example/privacy")),
        OrganisationField::Logo(Some(("Logo Noord.PNG", Bytes::from_static(PNG)))),
    ] {
        app.set("Uitvaart Noord", PartnerSetting::Organisation(field)).await;
    }
}

/// Asserts that the footer of a page names the organisation, with its logo.
async fn assert_named(app: &TestApp, answer: &Answer, what: &str) {
    let page = answer.text();
    let footer = page.split("<footer").nth(1).unwrap_or_else(|| panic!("{what} has a footer: {page}"));
    for part in [
        "<strong>Uitvaart van Noord &amp; Zn.</strong>",
        "<a href=\"tel:+31201234567\">+31 (0)20 123 45 67</a>",
        "<a href=\"mailto:hulp@noord.example\">hulp@noord.example</a>",
        "href=\"https://noord.example/privacy\"",
        "<a href=\"/toegankelijkheid\">",
    ] {
        assert!(footer.contains(part), "{what} lacks {part}: {footer}");
    }
    let logo = footer.split('"').find(|text| text.contains("/media/partner/")).expect("a logo");
    let picture = app.get(logo).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")), "{what}: {logo}");
    assert_eq!(picture.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(picture.body, PNG);
}

on_both_databases! {
    async fn every_page_and_mail_of_the_family_says_whom_to_call(app: TestApp) {
        let live = app.live().await;
        describe(&app).await;
        let gid = live.draft("1").await;
        let link = path_of(&live.link(&gid, "CUSTOMIZER").await);
        let mut browser = Browser::new(&app);
        assert_eq!(browser.get(&link).await.status, 303);
        app.complete(&gid).await;
        for step in ["thema", "tekst", "bestellen"] {
            assert_named(&app, &browser.get(&customizer(&gid, step)).await, step).await;
        }
        assert_named(&app, &browser.get(&customizer(&gid, "")).await, "the overview").await;
        app.online(&gid).await;
        let receipt = browser.get(&customizer(&gid, "besteld")).await;
        assert!(receipt.text().contains("Uitvaart van Noord &amp; Zn. brengt dit bedrag in rekening."), "{}", receipt.text());
        assert_named(&app, &receipt, "the receipt").await;
        let list = browser.open(&path_of(&live.link(&gid, "INVITEE_LIST").await)).await;
        assert_named(&app, &list, "the invitee list").await;
        let url = live.card(&gid).await["cardUrl"].as_str().expect("an address").to_owned();
        assert_named(&app, &app.get(&path_of(&url)).await, "the card").await;
        // Browsers without a session, and a link that was used.
        assert_named(&app, &app.get(&customizer(&gid, "")).await, "a page without a session").await;
        assert_named(&app, &app.get(&link).await, "a used link").await;
        let mail = app.mails(1).await.remove(0);
        for part in [
            "Vragen? Neem contact op met Uitvaart van Noord & Zn.: telefoon +31 (0)20 123 45 67, e-mail hulp@noord.example.",
            "Privacyverklaring: https://noord.example/privacy",
            "besteld bij Uitvaart van Noord & Zn.",
        ] {
            assert!(mail.text.contains(part), "{part}: {}", mail.text);
        }
        for part in [
            "Neem contact op met Uitvaart van Noord &amp; Zn.: telefoon <a href=\"tel:+310201234567\"",
            ", e-mail <a href=\"mailto:hulp@noord.example\"",
            "Privacyverklaring: <a href=\"https://noord.example/privacy\"",
            "besteld bij Uitvaart van Noord &amp; Zn.",
        ] {
            assert!(mail.html.contains(part), "{part}: {}", mail.html);
        }
    }

    async fn organisation_without_settings_is_the_partner_by_its_name(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let page = browser.get(&customizer(&gid, "tekst")).await.text();
        assert!(page.contains("<strong>Uitvaart Noord</strong></p>"), "{page}");
        assert!(!page.contains("tel:") && !page.contains("mailto:") && !page.contains("Privacyverklaring"), "{page}");
    }

    async fn removed_field_and_replaced_logo_are_gone(app: TestApp) {
        let live = app.live().await;
        describe(&app).await;
        let logo = || async { app.store().partner_by_name("Uitvaart Noord").await.expect("an answer").expect("it").logo };
        let before = logo().await.expect("a logo");
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>";
        let drawing = OrganisationField::Logo(Some(("a.svg", Bytes::from_static(svg))));
        app.set("Uitvaart Noord", PartnerSetting::Organisation(drawing)).await;
        assert_eq!(app.get(&format!("/media/partner/{before}")).await.status, 404);
        let after = logo().await.expect("a logo");
        assert_eq!(app.get(&format!("/media/partner/{after}")).await.status, 200);
        for field in [OrganisationField::Phone(None), OrganisationField::Logo(None)] {
            app.set("Uitvaart Noord", PartnerSetting::Organisation(field)).await;
        }
        let gid = live.draft("1").await;
        let page = Browser::at_customizer(&live, &gid).await.get(&customizer(&gid, "tekst")).await.text();
        assert!(!page.contains("tel:") && !page.contains("/media/partner/") && page.contains("mailto:"), "{page}");
    }

    async fn page_on_accessibility_says_what_is_and_how_to_complain(app: TestApp) {
        let answer = app.get("/toegankelijkheid").await;
        assert_eq!(answer.status, 200);
        let page = answer.text();
        for part in ["EN 301 549", "WCAG 2.2", "Een klacht of een vraag", "Autoriteit Consument &amp; Markt", "alleen een toetsenbord"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        for path in ["/", "/nergens", "/toegankelijkheid"] {
            assert!(app.get(path).await.text().contains("<a href=\"/toegankelijkheid\">Toegankelijkheid</a>"), "{path}");
        }
    }
}

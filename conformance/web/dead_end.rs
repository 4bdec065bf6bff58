//! Addresses outside every page: a person gets a page, and programs the files that they look for (decisions S4).

use super::safety::assert_sealed;
use crate::app::{TestApp, http_client};

const NO_CARD: &str = "Alleen wie een persoonlijke link heeft";

on_both_databases! {
    async fn path_outside_every_page_is_a_page(app: TestApp) {
        for (path, status, words) in [
            ("/", 200, "Een kaart ter nagedachtenis"),
            ("/nergens", 404, "Deze pagina bestaat niet"),
            ("/kaarten", 404, "Deze pagina bestaat niet"),
            ("/kaart/", 404, "Deze pagina bestaat niet"),
        ] {
            let answer = app.get(path).await;
            assert_eq!((answer.status, answer.header("content-type")), (status, Some("text/html; charset=utf-8")), "{path}");
            let page = answer.text();
            assert!(page.contains("<html lang=\"nl\">") && page.contains(words) && !page.contains(NO_CARD), "{path}: {page}");
            assert_sealed(&answer);
        }
        let refused = app.send_request("POST", "/", &[]).await;
        assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")));
    }

    async fn browser_finds_the_icon_and_a_search_engine_its_rules(app: TestApp) {
        for url in [app.url("/favicon.ico"), app.admin_url("/favicon.ico")] {
            let icon = http_client().get(&url).send().await.expect("an answer");
            assert_eq!(icon.status(), 200, "{url}");
            assert_eq!(icon.headers()["content-type"], "image/x-icon");
            assert_eq!(icon.headers()["cache-control"], "public, max-age=86400");
            let bytes = icon.bytes().await.expect("the icon");
            assert!(bytes.starts_with(&[0, 0, 1, 0]) && bytes.len() < 4 * 1024, "{} bytes", bytes.len());
        }
        for path in ["/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"] {
            let icon = app.get(path).await;
            assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/png")), "{path}");
            let picture = image::load_from_memory_with_format(&icon.body, image::ImageFormat::Png).expect("a PNG");
            assert_eq!((picture.width(), picture.height()), (180, 180));
        }
        let rules = app.get("/robots.txt").await;
        assert_eq!((rules.status, rules.header("content-type")), (200, Some("text/plain; charset=utf-8")));
        assert_eq!(rules.text(), "User-agent: *\nDisallow:\n");
    }
}

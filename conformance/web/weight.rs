//! The weight of a card's page: what a phone has to fetch.

use serde_json::json;

use super::card::{full, public_path};
use crate::app::TestApp;

/// The most bytes of a page with everything that it links to, except its portrait; and of one font.
const PAGE_BYTES_MAX: usize = 200_000;
const FONT_BYTES_MAX: usize = 40_000;

/// The bytes of a path as a browser gets them.
async fn compressed(app: &TestApp, path: &str) -> usize {
    let answer = app.send_request("GET", path, &[("accept-encoding", "gzip")]).await;
    assert_eq!(answer.status, 200, "{path}");
    answer.body.len()
}

/// The values after `start`, up to a quote.
fn after<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.split(start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

on_sqlite! {
    async fn card_page_of_every_theme_weighs_little_without_its_portrait(app: TestApp) {
        let live = app.live().await;
        for theme in ["linde", "zee", "winterlicht", "avondrood", "eenvoud", "tak"] {
            let gid = full(&live, theme, theme).await;
            for (key, file) in [("voor", "omslag"), ("achter", "detail")] {
                let drawing = std::fs::read(format!("themes/{theme}/{file}.svg")).expect("the theme has it");
                app.services().media.put(&format!("theme/{theme}/{key}.svg"), drawing.into()).await.expect("it is stored");
            }
            live.update(&gid, json!({ "deceased": { "photoUrl": null } })).await.gid();
            app.online(&gid).await;
            let path = public_path(&live, &gid).await;
            let page = app.get(&path).await.text();
            let mut bytes = compressed(&app, &path).await;
            assert!(bytes * 2 < page.len(), "{theme}: {bytes} of {} bytes", page.len());
            let fonts = after(&page, "url(\"");
            for font in &fonts {
                let font = app.get(font).await;
                assert_eq!((font.status, font.header("content-type")), (200, Some("font/woff2")), "{theme}");
                assert_eq!(font.header("cache-control"), Some("public, max-age=31536000, immutable"));
                assert!(font.body.len() < FONT_BYTES_MAX, "{theme}: {} bytes", font.body.len());
                bytes += font.body.len();
            }
            let pictures = after(&page, " src=\"");
            for picture in &pictures {
                bytes += compressed(&app, picture).await;
            }
            // A style sheet would delay the first paint.
            assert_eq!((fonts.len(), pictures.len(), after(&page, "rel=\"stylesheet\"").len()), (2, 2, 0), "{theme}: {page}");
            assert!(bytes < PAGE_BYTES_MAX, "{theme}: {bytes} bytes");
            println!("{theme}: {bytes} bytes");
        }
    }
}

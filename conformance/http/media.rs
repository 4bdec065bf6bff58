//! `GET /media/…`: objects of the store, and nothing else (decisions, section 7).

use std::io::Read as _;

use card_service::base::limits;
use serde_json::json;

use crate::app::mock_server::PNG;
use crate::app::{TestApp, picture};

on_both_databases! {
    async fn portrait_is_cached_for_an_hour_and_goes_with_its_card(app: TestApp) {
        let live = app.live().await;
        let url = app.mock_server().photo("/a.jpeg", "image/jpeg", picture::photo("jpeg"));
        let gid = live.create(json!({ "externalDossierId": "1", "deceased": { "photoUrl": url } })).await.gid();
        let photo = app.row(&gid).await.deceased.photo.expect("a photo");
        let portrait = format!("/media/photo/{}", photo.as_str());
        let rendition = app.media_files().into_iter().find(|file| file.starts_with("rendition/")).expect("a rendition");
        let paths = [portrait, format!("/media/{rendition}")];
        for path in &paths {
            let shown = app.send_request("GET", path, &[]).await;
            assert_eq!((shown.status, shown.header("cache-control")), (200, Some("public, max-age=3600")), "{path}");
            assert_eq!(shown.header("x-robots-tag"), Some("noindex, nofollow"));
        }
        assert_eq!(limits::PORTRAIT_CACHED.as_secs(), 3_600);
        app.operator().json(&["card", "delete", &gid, "--yes"]);
        for path in &paths {
            let etag = format!("\"{}\"", path.trim_start_matches("/media/"));
            for headers in [&[][..], &[("if-none-match", etag.as_str())]] {
                assert_eq!(app.send_request("GET", path, headers).await.status, 404, "{path}");
            }
        }
    }
}

on_sqlite! {
    async fn media_is_public_and_revalidated_by_etag(app: TestApp) {
        let live = app.live().await;
        let url = app.mock_server().photo("/a.png", "image/png", PNG);
        let created = live.create(json!({ "externalDossierId": "1", "deceased": { "photoUrl": url } })).await;
        let id = created.gid();
        let path = format!("/media/photo/{}", app.row(&id).await.deceased.photo.expect("a photo").as_str());
        let whole = app.send_request("GET", &path, &[]).await;
        assert_eq!((whole.status, whole.body.as_slice()), (200, PNG));
        let etag = whole.header("etag").expect("an entity tag").to_owned();
        for known in [etag.clone(), format!("W/{etag}"), format!("\"b\", {etag}"), "*".to_owned()] {
            let again = app.send_request("GET", &path, &[("if-none-match", &known)]).await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
        }
        for other in ["\"b\"", etag.trim_matches('"'), ""] {
            assert_eq!(app.send_request("GET", &path, &[("if-none-match", other)]).await.status, 200, "{other}");
        }
        let head = app.send_request("HEAD", &path, &[]).await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-type"), Some("image/png"));
        assert_eq!(app.send_request("POST", &path, &[]).await.status, 405);
    }

    async fn cover_of_a_theme_is_compressed_for_who_accepts_it(app: TestApp) {
        app.operator().import_themes();
        let covers = std::fs::read_dir(app.folder().join("media/theme/linde")).expect("the covers of themes");
        let names = covers.map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"));
        let cover = names.into_iter().find(|file| file.ends_with("omslag.svg")).expect("a cover");
        let path = format!("/media/theme/linde/{cover}");
        let plain = app.send_request("GET", &path, &[("accept-encoding", "identity")]).await;
        assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")));
        let gzip = app.send_request("GET", &path, &[("accept-encoding", "gzip")]).await;
        assert_eq!((gzip.header("content-encoding"), gzip.header("vary")), (Some("gzip"), Some("accept-encoding")));
        assert!(gzip.body.len() * 2 < plain.body.len(), "{} of {} bytes", gzip.body.len(), plain.body.len());
        let mut whole = Vec::new();
        flate2::read::GzDecoder::new(&*gzip.body).read_to_end(&mut whole).expect("gzip");
        assert_eq!(whole, plain.body);
        let etags = [&plain, &gzip].map(|answer| answer.header("etag").expect("an entity tag").to_owned());
        assert_ne!(etags[0], etags[1]);
        let known = app.send_request("GET", &path, &[("accept-encoding", "gzip"), ("if-none-match", &etags[1])]).await;
        assert_eq!(known.status, 304);
    }

    async fn media_that_is_not_there_or_lies_elsewhere_is_404(app: TestApp) {
        std::fs::create_dir_all(app.folder().join("media")).expect("the data folder can be written");
        std::fs::write(app.folder().join("secret.txt"), "geheim").expect("the data folder can be written");
        for path in [
            "/media", "/media/", "/media/photo", "/media/photo/", "/media/photo/none.png", "/media/../secret.txt",
            "/media/%2e%2e/secret.txt", "/media/photo/%2e%2e/%2e%2e/secret.txt", "/media/..%2fsecret.txt",
            "/media/photo/..%5c..%5csecret.txt", "/media/%2fetc%2fpasswd", "/media//etc/passwd", "/media/photo/a%00.png",
            "/media/photo/%ff%fe", "/media/card-service.db",
            &format!("/media/photo/{}", "a".repeat(5_000)),
        ] {
            let answer = app.send_request("GET", path, &[]).await;
            assert_eq!(answer.status, 404, "{path}: {}", String::from_utf8_lossy(&answer.body));
            assert!(!String::from_utf8_lossy(&answer.body).contains("geheim"), "{path}");
        }
    }
}

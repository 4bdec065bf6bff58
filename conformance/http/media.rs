//! `GET /media/…`: objects of the store, and nothing else (decisions, section 7).

use serde_json::json;

use crate::app::TestApp;
use crate::app::mock_server::PNG;

on_sqlite! {
    async fn media_is_public_and_revalidated_by_etag(app: TestApp) {
        let live = app.live().await;
        let url = app.mock_server().photo("/a.png", "image/png", PNG);
        let created = live.create(json!({ "externalDossierId": "1", "deceased": { "photoUrl": url } })).await;
        let id = created.gid();
        let path = format!("/media/photo/{}", app.row(&id).await.deceased.photo.expect("a photo").as_str());
        let whole = app.asked("GET", &path, &[]).await;
        assert_eq!((whole.status, whole.body.as_slice()), (200, PNG));
        let etag = whole.header("etag").expect("an entity tag").to_owned();
        let again = app.asked("GET", &path, &[("if-none-match", &etag)]).await;
        assert_eq!((again.status, again.body.len()), (304, 0));
        let head = app.asked("HEAD", &path, &[]).await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-type"), Some("image/png"));
        assert_eq!(app.asked("POST", &path, &[]).await.status, 405);
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
            let answer = app.asked("GET", path, &[]).await;
            assert_eq!(answer.status, 404, "{path}: {}", String::from_utf8_lossy(&answer.body));
            assert!(!String::from_utf8_lossy(&answer.body).contains("geheim"), "{path}");
        }
    }
}

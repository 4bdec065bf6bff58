//! Portraits: fetched, checked, copied and served (specification, section 2.11; decisions, section 7).

use card_service::base::limits::PHOTO_BYTES_MAX;
use serde_json::{Value, json};

use crate::app::family::path_of;
use crate::app::mock_server::{GIF, HEIC, JPEG, PNG, Reply, WEBP};
use crate::app::picture::{bomb, huge_heic, jpeg_of_12_bits, photo};
use crate::app::{Answer, PUBLIC_BASE, TestApp, codes_of};

fn with_photo(dossier: &str, url: &str) -> Value {
    json!({ "externalDossierId": dossier, "deceased": { "photoUrl": url } })
}

async fn get(app: &TestApp, public: &Value) -> Answer {
    app.get(&path_of(public.as_str().expect("an address"))).await
}

on_both_databases! {
    async fn photo_of_every_format_is_copied_and_served_with_its_type(app: TestApp) {
        let live = app.live().await;
        for (format, bytes) in [("jpeg", JPEG), ("png", PNG), ("webp", WEBP), ("gif", GIF), ("heic", HEIC)] {
            // The bytes decide the format, not the announced content type.
            let url = app.mock_server().photo(&format!("/{format}"), "text/html", bytes);
            let created = live.create(with_photo(format, &url)).await;
            let id = created.gid();
            let photo_url = &created.card["deceased"]["photoUrl"];
            let key = app.row(&id).await.deceased.photo.expect("a photo");
            assert_eq!(*photo_url, format!("{PUBLIC_BASE}/media/photo/{}", key.as_str()));
            let (secret, extension) = key.as_str().split_once('.').expect("a format");
            assert_eq!((secret.len(), extension), (43, format));

            let served = get(&app, photo_url).await;
            assert_eq!((served.status, served.body.as_slice()), (200, bytes));
            assert_eq!(served.header("content-type"), Some(format!("image/{format}").as_str()));
            let caching = served.header("cache-control").expect("caching is stated");
            assert_eq!(caching, "public, max-age=3600");
            assert_eq!(served.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(live.card(&id).await["deceased"]["photoUrl"], *photo_url);
        }
    }

    async fn photo_that_fails_to_download_creates_no_card(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        for status in [300, 304, 400, 401, 403, 404, 410, 418, 500, 503] {
            let url = far.reply(&format!("/{status}"), Reply::Status(status));
            let refused = live.create(with_photo("1", &url)).await;
            let message = refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
            let expected = format!("De foto kon niet worden opgehaald (status {status}). Er is geen kaart aangemaakt.");
            assert_eq!(message, expected);
        }
        let reset = far.reply("/reset", Reply::Reset);
        for url in [&reset, "http://unknown.example/a", "https://unknown.example/a"] {
            let refused = live.create(with_photo("1", url)).await;
            let message = refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
            assert_eq!(message, "De foto kon niet worden opgehaald (geen verbinding). Er is geen kaart aangemaakt.");
        }
        // No card was made, so the dossier number is still free.
        live.draft("1").await;
    }

    async fn photo_of_an_empty_answer_is_missing(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        for url in [far.photo("/empty", "image/jpeg", &b""[..]), far.reply("/nothing", Reply::Status(204))] {
            let refused = live.create(with_photo("1", &url)).await;
            let message = refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
            assert_eq!(message, "Op dit adres staat geen foto. Er is geen kaart aangemaakt.", "{url}");
        }
        live.draft("1").await;
    }

    async fn photo_at_an_address_that_is_not_public_says_so(app: TestApp) {
        let live = app.live().await;
        for url in ["http://10.0.0.1/a.png", "https://192.168.1.1/a.png", "http://localhost/a.png"] {
            let refused = live.create(with_photo("1", url)).await;
            let message = refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
            let found = "De foto kon niet worden opgehaald (geen verbinding). Het adres moet openbaar zijn. Deze server is niet \
                        vanaf het internet bereikbaar. Er is geen kaart aangemaakt.";
            assert_eq!(message, found, "{url}");
        }
    }

    async fn photo_of_no_known_format_is_invalid(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        for (path, body) in [
            ("/text", &b"geen foto"[..]),
            ("/svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
            ("/bmp", b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0"),
            ("/tiff", b"II*\0\x08\0\0\0"),
            ("/avif", b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf"),
            ("/pdf", b"%PDF-1.7"),
            ("/mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"),
            ("/half-png", b"\x89PNG"),
        ] {
            let url = far.photo(path, "image/jpeg", body);
            let refused = live.create(with_photo("1", &url)).await;
            let message = refused.fault("INVALID", "input.deceased.photoUrl");
            assert!(message.contains("jpeg, png, webp, gif of heic"), "{path}: {message}");
        }
        for (path, body, words) in [
            ("/html", &b"<!doctype html><script>alert(1)</script>"[..], "Op dit adres staat een webpagina"),
            ("/HTML", b"\xef\xbb\xbf\r\n <HTML><body>", "Op dit adres staat een webpagina"),
            ("/comment", b"\n<!-- nginx -->", "Op dit adres staat een webpagina"),
            ("/gzip", b"\x1f\x8b\x08\0\0\0\0\0", "gecomprimeerd met gzip"),
        ] {
            let refused = live.create(with_photo("1", &far.photo(path, "image/jpeg", body))).await;
            let message = refused.fault("INVALID", "input.deceased.photoUrl");
            assert!(message.contains(words), "{path}: {message}");
        }
        live.draft("1").await;
    }

    async fn photo_that_cannot_be_decoded_is_invalid_and_keeps_nothing(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        let half = |format| {
            let photo = photo(format);
            photo[..photo.len() / 2].to_vec()
        };
        let kept = live.create(with_photo("0", &far.photo("/whole", "image/png", PNG))).await.gid();
        let before = (app.row(&kept).await, app.media_files());
        for (path, body, cause) in [
            ("/half-jpeg", half("jpeg"), "beschadigd"),
            ("/half-png", half("png"), "beschadigd"),
            ("/half-webp", half("webp"), "beschadigd"),
            ("/half-heic", half("heic"), "beschadigd"),
            ("/first-bytes", b"GIF89a".to_vec(), "beschadigd"),
            ("/bomb", bomb(), "te veel pixels"),
            ("/huge-heic", huge_heic(), "te veel pixels"),
            ("/12-bits", jpeg_of_12_bits(), "geen bruikbaar formaat"),
        ] {
            let url = far.photo(path, "image/jpeg", body);
            let refused = live.create(with_photo("1", &url)).await;
            let message = refused.fault("INVALID", "input.deceased.photoUrl");
            assert!(message.contains(cause) && message.ends_with("Er is geen kaart aangemaakt."), "{path}: {message}");
            let refused = live.update(&kept, json!({ "deceased": { "firstName": "Aal", "photoUrl": url } })).await;
            let message = refused.fault("INVALID", "input.deceased.photoUrl");
            assert!(message.contains(cause) && message.ends_with("De kaart is niet gewijzigd."), "{path}: {message}");
        }
        assert_eq!((app.row(&kept).await, app.media_files()), before);
        live.draft("1").await;
    }

    async fn photo_of_the_maximum_is_kept_and_one_byte_more_is_invalid(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        let mut bytes = JPEG.to_vec();
        bytes.resize(PHOTO_BYTES_MAX, 0);
        let url = far.photo("/most", "image/jpeg", bytes.clone());
        let created = live.create(with_photo("1", &url)).await;
        created.gid();
        assert_eq!(get(&app, &created.card["deceased"]["photoUrl"]).await.body.len(), PHOTO_BYTES_MAX);
        bytes.push(0);
        far.photo("/more", "image/jpeg", bytes);
        // An announced length needs no reading; an unannounced one is stopped while reading.
        far.reply("/announced", Reply::Announced { bytes: PHOTO_BYTES_MAX + 1 });
        far.reply("/unannounced", Reply::Unannounced { bytes: 64 * PHOTO_BYTES_MAX });
        for path in ["/more", "/announced", "/unannounced"] {
            let refused = live.create(with_photo("2", &far.url(path))).await;
            let message = refused.fault("INVALID", "input.deceased.photoUrl");
            let expected = "De foto is te groot. Gebruik een foto van hoogstens 10 MB. Er is geen kaart aangemaakt.";
            assert_eq!(message, expected);
        }
    }

    async fn photo_update_replaces_the_copy_and_a_failure_keeps_it(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        let png = far.photo("/a.png", "image/png", PNG);
        let gif = far.photo("/a.gif", "image/gif", GIF);
        let created = live.create(with_photo("1", &png)).await;
        let id = created.gid();
        let before = app.row(&id).await;
        for (url, code, cause) in [
            (far.url("/none"), "UNPROCESSABLE", "(status 404)"),
            ("ftp://photos.example/a".to_owned(), "INVALID", ""),
            (far.photo("/a.txt", "image/png", "geen foto"), "INVALID", "formaat"),
        ] {
            let change = json!({ "deceased": { "firstName": "Aal", "photoUrl": url } });
            let refused = live.update(&id, change).await;
            let message = refused.fault(code, "input.deceased.photoUrl");
            assert!(message.contains(cause), "{message}");
            assert!(code == "INVALID" || message.ends_with("De kaart is niet gewijzigd."), "{message}");
        }
        assert_eq!(app.row(&id).await, before);
        let replaced = live.update(&id, json!({ "deceased": { "photoUrl": gif } })).await;
        assert_eq!(get(&app, &replaced.card["deceased"]["photoUrl"]).await.body, GIF);
        assert_ne!(app.row(&id).await.deceased.photo, before.deceased.photo);
    }

    async fn photo_sent_back_as_it_was_read_stays_and_is_not_fetched(app: TestApp) {
        let live = app.live().await;
        let url = app.mock_server().photo("/a.png", "image/png", PNG);
        let created = live.create(with_photo("1", &url)).await;
        let id = created.gid();
        let own = &created.card["deceased"]["photoUrl"];
        let updated = live.update(&id, json!({ "deceased": { "firstName": "Aal", "photoUrl": own } })).await;
        assert_eq!(updated.card["deceased"]["photoUrl"], *own);
        assert_eq!(app.events(&id).await[1].changed_fields, ["deceased.firstName"]);
        assert_eq!(app.mock_server().requests().len(), 1);
    }

    async fn photo_error_stands_beside_other_errors_of_the_input(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        let (right, missing) = (far.photo("/a.png", "image/png", PNG), far.reply("/404", Reply::Status(404)));
        let draft = live.draft("draft").await;
        let before = app.media_files();
        let with_others = |url: &str| json!({
            "deceased": { "firstName": "www.x.nl", "photoUrl": url }, "livestreamUrl": "geen adres", "familyContact": { "email": "geen adres" },
        });
        let others = [("INVALID", "input.deceased.firstName"), ("INVALID", "input.livestreamUrl"), ("INVALID", "input.familyContact.email")];
        let all = [others[0], ("UNPROCESSABLE", "input.deceased.photoUrl"), others[1], others[2]];
        for (url, expected) in [(&missing, all.as_slice()), (&right, &others)] {
            let mut new = with_others(url);
            new["externalDossierId"] = json!("1");
            assert_eq!(codes_of(&live.create(new).await.faults), expected);
            assert_eq!(codes_of(&live.update(&draft, with_others(url)).await.faults), expected);
        }
        assert_eq!(far.requests().len(), 4);
        assert_eq!(app.media_files(), before, "the portrait of a refused input is deleted");
        live.draft("1").await;
        // No photo makes a number free.
        live.create(with_photo("1", &missing)).await.fault("TAKEN", "input.externalDossierId");
        assert_eq!(far.requests().len(), 4);
    }
}

on_sqlite! {
    /// A portrait is given up after 15 seconds of real time, in whichever way the server hangs.
    async fn photo_that_does_not_arrive_in_time_is_unprocessable(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        let urls = [far.reply("/silence", Reply::Silence), far.reply("/drip", Reply::Drip)];
        let [one, other] = [with_photo("1", &urls[0]), with_photo("2", &urls[1])];
        for refused in futures_util::future::join_all([live.create(one), live.create(other)]).await {
            let message = refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
            assert_eq!(message, "De foto kon niet worden opgehaald (time-out). Er is geen kaart aangemaakt.");
        }
    }

    async fn photo_is_fetched_without_credentials_cookies_or_compression(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        far.photo("/end.png", "image/png", PNG);
        let url = far.reply("/start", Reply::Redirect { status: 302, location: "/end.png".to_owned() });
        live.create(with_photo("1", &url)).await.gid();
        let seen = far.requests();
        assert_eq!(seen.iter().map(|seen| seen.path.as_str()).collect::<Vec<_>>(), ["/start", "/end.png"]);
        for request in seen {
            let mut names: Vec<_> = request.headers.keys().map(|name| name.as_str()).collect();
            names.sort_unstable();
            assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"]);
            assert_eq!(request.headers["accept-encoding"], "identity");
            assert_eq!(request.headers["user-agent"], "PartnerCardService/1");
        }
    }

    async fn photo_redirects_are_followed_three_times_never_to_http(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        let end = far.photo("/0", "image/png", PNG);
        for (hops, status) in (1..).zip([301, 302, 303, 308]) {
            far.reply(&format!("/{hops}"), Reply::Redirect { status, location: format!("/{}", hops - 1) });
        }
        live.create(with_photo("https", &far.secure_url("/0"))).await.gid();
        live.create(with_photo("three", &far.url("/3"))).await.gid();
        far.reply("/up", Reply::Redirect { status: 307, location: far.secure_url("/0") });
        live.create(with_photo("up", &far.url("/up"))).await.gid();

        far.reply("/down", Reply::Redirect { status: 302, location: end });
        let aside = ["file:///etc/passwd", "ftp://ftp.example/a.jpeg", "data:image/png;base64,iVBORw0KGgo=", "//10.0.0.1/", "http://[broken"];
        for (number, location) in aside.into_iter().enumerate() {
            far.reply(&format!("/aside/{number}"), Reply::Redirect { status: 302, location: location.to_owned() });
        }
        far.reply("/loop", Reply::Redirect { status: 302, location: "/loop".to_owned() });
        far.reply("/bare", Reply::Status(302));
        let aside = (0..aside.len()).map(|number| far.url(&format!("/aside/{number}")));
        for url in [far.secure_url("/down"), far.url("/bare")].into_iter().chain(aside) {
            let refused = live.create(with_photo("new", &url)).await;
            refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
        }
        for url in [far.url("/4"), far.url("/loop")] {
            let refused = live.create(with_photo("new", &url)).await;
            let message = refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
            assert!(message.contains("het adres verwijst te vaak door"), "{message}");
        }
    }

    async fn photo_address_with_blanks_or_accents_is_fetched(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        far.photo("/opa%20jan.png", "image/png", PNG);
        far.photo("/zo%C3%AB.png", "image/png", PNG);
        // As Chromium follows and sends each of them.
        for (number, location) in ["/opa jan.png", " /opa%20jan.png ", "/zoë.png", "/zo%C3%AB.png"].into_iter().enumerate() {
            let path = format!("/start/{number}");
            far.reply(&path, Reply::Redirect { status: 302, location: location.to_owned() });
            live.create(with_photo(&path, &far.url(&path))).await.gid();
        }
        for (dossier, address) in ["/opa jan.png", "/opa%20jan.png", "/zoë.png", "/zo%C3%AB.png ", "/opa jan.png\u{a0}"].into_iter().enumerate() {
            live.create(with_photo(&dossier.to_string(), &far.url(address))).await.gid();
        }
        for (dossier, address) in ["http://photos .example/a.png", "http://photos.example/a\tb.png", "opa jan.png"].into_iter().enumerate() {
            let refused = live.create(with_photo(&format!("no {dossier}"), address)).await;
            refused.fault("INVALID", "input.deceased.photoUrl");
        }
    }

    async fn photo_behind_a_certificate_of_another_name_is_no_connection(app: TestApp) {
        let live = app.live().await;
        app.mock_server().photo("/a.png", "image/png", PNG);
        let url = format!("https://elsewhere.example:{}/a.png", app.mock_server().https.port());
        let message = live.create(with_photo("1", &url)).await;
        let message = message.fault("UNPROCESSABLE", "input.deceased.photoUrl");
        assert!(message.contains("geen verbinding"), "{message}");
    }
}

//! Photos in an S3-compatible store: stored, served, deleted, and requests while the store is down.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use card_service::base::Clock;
use card_service::base::limits::MEDIA_PART_BYTES;
use card_service::media::MediaStore;
use card_service::operation;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::app::family::path_of;
use crate::app::{
    Answer, BrokenS3, Database, FreshDatabase, Program, S3Server, TestApp, card_id, create_document, picture,
    run_alone, tamper, wait_for,
};

/// The longest time until a partner gets the error of a store that does not answer.
const TOLD_WITHIN: Duration = Duration::from_secs(25);

/// Runs `body` on a server that stores its photos in s3rver.
fn run_on_s3<F>(name: &'static str, body: impl FnOnce(TestApp, Arc<Mutex<S3Server>>) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    run_alone(Database::Sqlite, move |database| async move {
        let s3 = tokio::task::spawn_blocking(S3Server::start).await.expect("s3rver starts");
        let settings = s3.settings();
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let app = TestApp::start_with(&database, name, &settings).await;
        body(app.clone(), Arc::new(Mutex::new(s3))).await;
    });
}

/// Returns the input of a card with a portrait.
fn with_photo(app: &TestApp, dossier: &str) -> Value {
    let url = app.mock_server().photo("/portret.jpeg", "image/jpeg", picture::photo("jpeg"));
    json!({ "externalDossierId": dossier, "deceased": { "photoUrl": url } })
}

/// Requests a picture of the service.
async fn media(app: &TestApp, url: &str) -> Answer {
    app.get(&path_of(url)).await
}

async fn readiness(app: &TestApp) -> Value {
    app.get("/health/ready").await.json()
}

/// Waits until the store has this many objects.
async fn wait_for_objects(s3: &Mutex<S3Server>, count: usize) -> Vec<String> {
    let names = || async { Some(s3.lock().await.names()).filter(|names| names.len() == count) };
    wait_for(&format!("{count} objects"), names).await
}

#[test]
fn bytes_in_a_real_bucket_are_read_back_until_deleted() {
    run_alone(Database::Sqlite, |_| async {
        let s3 = S3Server::start();
        let url = s3.settings()[0].1.clone();
        let store = MediaStore::from_url(&url, s3.settings()).expect("the store opens");
        assert_eq!(store.get("photo/a.png").await.expect("an answer"), None);
        assert_eq!(store.size("photo/a.png").await.expect("an answer"), None);
        assert!(store.get_in_parts("photo/a.png").await.expect("an answer").is_none());
        let now = Clock::system().now();
        store.check(now).await.expect("it keeps objects");
        assert_eq!(s3.names(), [""; 0], "the object of the check is deleted");
        // As large as a portrait may be.
        let large = Bytes::from(vec![7; 10 * 1024 * 1024]);
        for bytes in [Bytes::from_static(b"one"), large] {
            store.put("photo/a.png", bytes.clone()).await.expect("it is kept");
            let size = Some(bytes.len() as u64);
            assert_eq!(store.size("photo/a.png").await.expect("an answer"), size);
            let (mut part, mut rest) =
                store.get_in_parts("photo/a.png").await.expect("an answer").expect("it is there");
            let mut whole = Vec::new();
            while !part.is_empty() {
                assert!(part.len() as u64 <= MEDIA_PART_BYTES);
                whole.extend_from_slice(&part);
                (part, rest) = rest.next().await.expect("an answer");
            }
            assert!(whole == bytes, "the parts are the whole");
            assert_eq!(store.get("photo/a.png").await.expect("an answer"), Some(bytes), "what lay there is replaced");
        }
        store.put("theme/zee/voor.svg", Bytes::from_static(b"<svg/>")).await.expect("it is kept");
        assert_eq!(s3.names(), ["media/photo/a.png", "media/theme/zee/voor.svg"]);
        store.delete("photo/a.png").await.expect("it goes");
        store.delete("photo/a.png").await.expect("a sweep may come twice");
        assert_eq!(s3.names(), ["media/theme/zee/voor.svg"]);
    });
}

#[test]
fn photo_in_the_bucket_is_served_until_its_card_is_deleted() {
    run_on_s3("photo_in_s3", |app, s3| async move {
        let live = app.live().await;
        let created = live.create(with_photo(&app, "1")).await;
        let id = created.gid();
        let url = created.card["deceased"]["photoUrl"].as_str().expect("an address").to_owned();
        let served = media(&app, &url).await;
        assert_eq!((served.status, served.body), (200, picture::photo("jpeg")));
        let name = url.rsplit('/').next().expect("a name");
        let names = wait_for_objects(&s3, 4).await;
        assert!(names.contains(&format!("media/photo/{name}")), "{names:?}");
        assert_eq!(names.iter().filter(|name| name.starts_with("media/rendition/")).count(), 3, "{names:?}");
        operation::card::delete(app.services(), card_id(&id)).await.expect("it can be deleted");
        wait_for_objects(&s3, 0).await;
        assert_eq!(media(&app, &url).await.status, 404);
    });
}

#[test]
fn missing_store_refuses_portraits_only_until_it_is_back() {
    run_on_s3("s3_gone", |app, s3| async move {
        let live = app.live().await;
        let before = live.create(with_photo(&app, "1")).await;
        let url = before.card["deceased"]["photoUrl"].as_str().expect("an address").to_owned();
        wait_for_objects(&s3, 4).await;
        s3.lock().await.stop();

        let (keyed, variables) = (live.with_key("k-2"), json!({ "input": with_photo(&app, "2") }));
        let started = Instant::now();
        keyed.graphql(&create_document(), variables.clone()).await.expect_error(503, "UNAVAILABLE");
        assert!(started.elapsed() < TOLD_WITHIN, "{:?}", started.elapsed());
        assert_eq!(media(&app, &url).await.status, 503);
        let report = readiness(&app).await;
        assert_eq!((&report["ready"], &report["object_store"]), (&json!(true), &json!("does not answer")), "{report}");
        // Requests without a picture succeed, and the dossier number of the refused card is free.
        live.draft("3").await;
        assert_eq!(live.card(&before.gid()).await["deceased"]["photoUrl"], url.as_str());
        // The card is deleted at once, and its photo once the object store answers.
        let gone = live.create(json!({ "externalDossierId": "4" })).await.gid();
        operation::card::delete(app.services(), card_id(&gone)).await.expect("it has no photo");
        let deleted = operation::card::delete(app.services(), card_id(&before.gid())).await.expect("it can be deleted");
        assert!(deleted.photo_waits);
        assert_eq!(live.card(&before.gid()).await, Value::Null);
        card_service::worker::housekeeping::step(app.services()).await.expect_err("the photo cannot be removed yet");

        let again = s3.clone();
        tokio::task::spawn_blocking(move || again.blocking_lock().resume()).await.expect("it starts again");
        assert_eq!(media(&app, &url).await.status, 200);
        let round = card_service::worker::housekeeping::step(app.services()).await.expect("a round");
        assert_eq!((round.photos, media(&app, &url).await.status), (1, 404));
        let answer = keyed.graphql(&create_document(), variables).await.data();
        assert_eq!(answer["cardCreate"]["userErrors"], json!([]), "{answer}");
        let url = answer["cardCreate"]["card"]["deceased"]["photoUrl"].as_str().expect("an address").to_owned();
        assert_eq!(media(&app, &url).await.status, 200);
    });
}

#[test]
fn portrait_that_the_store_does_not_take_is_503_and_counted_as_failed() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
        let settings = BrokenS3::NoBucket.start();
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let app = TestApp::start_with(&database, "no bucket", &settings).await;
        let live = app.live().await;
        let answer = live.graphql(&create_document(), json!({ "input": with_photo(&app, "1") })).await;
        answer.expect_error(503, "UNAVAILABLE");
        let put = "card_service_object_store_requests_total{operation=\"put\",outcome=";
        let figures = app.figures().await;
        let counted: Vec<_> = figures.lines().filter_map(|line| line.strip_prefix(put)).collect();
        assert!(
            !counted.is_empty() && counted.iter().all(|line| !line.starts_with("\"ok\"") || line.ends_with(" 0")),
            "{counted:?}"
        );
        live.draft("1").await; // the dossier is free
    });
}

#[test]
fn store_that_takes_connections_and_answers_nothing_is_given_up() {
    run_on_s3("s3_silent", |app, s3| async move {
        let live = app.live().await;
        s3.lock().await.signal("STOP");
        let started = Instant::now();
        let answer = live.graphql(&create_document(), json!({ "input": with_photo(&app, "1") })).await;
        let took = started.elapsed();
        s3.lock().await.signal("CONT");
        answer.expect_error(503, "UNAVAILABLE");
        assert!(took < TOLD_WITHIN, "{took:?}");
        live.create(with_photo(&app, "1")).await.gid();
    });
}

on_sqlite! {
    async fn store_that_keeps_nothing_is_told_by_checks_and_commands(database: FreshDatabase) {
        for (broken, told, import_is_told) in [
            (BrokenS3::NoBucket, "its bucket does not exist", true),
            (BrokenS3::NothingFound, "answers, but stores no objects", true),
            (BrokenS3::ReadOnly, "answers, but stores no objects", true),
            (BrokenS3::Forgets, "answers, but stores no objects", false),
        ] {
            let settings = broken.start();
            let (folder, own) = (tempfile::tempdir().expect("a folder"), Program::new(&database));
            let own = own.set("DATA_DIR", &folder.path().display().to_string());
            let program = settings.iter().fold(own.clone(), |program, (name, value)| program.set(name, value));

            // The checks of a server and of `doctor`.
            let serving = program.serve();
            let ready = serving.get("/health/ready").await.json();
            assert_eq!((&ready["ready"], &ready["object_store"]), (&json!(true), &json!(told)), "{broken:?}");
            let doctor = program.run(&["doctor", "--json"]);
            let report: Value = serde_json::from_slice(&doctor.stdout).expect("an object");
            assert!(doctor.status.code() == Some(1) && report["checks"][1]["reason"] == told, "{broken:?}: {report}");

            // Commands that store pictures.
            let import = ["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")];
            if import_is_told {
                let said = program.expect_failure(&import);
                assert!(said.contains("bucket does not exist") || said.contains("40"), "{broken:?}: {said}");
                assert_eq!(program.json(&["theme", "list"])["themes"], json!([]), "{broken:?}");
            } else {
                own.import_themes();
                let file = folder.path().join("verloren.db").display().to_string();
                let said = program.expect_failure(&["backup", &file]);
                assert!(said.contains("pictures that cards and themes show were not in the object store"), "{said}");
                continue;
            }

            // A backup of pictures that are there into a store that keeps none.
            own.import_themes();
            let file = folder.path().join("kopie.db").display().to_string();
            program.clone().set("MEDIA_URL", "").expect_failure(&["backup", &file, "--media", "s3://kaarten/backup"]);
            assert!(!Path::new(&file).exists(), "{broken:?}");
            let records = own.audit_records().into_iter().filter(|(command, ..)| command == "backup").count();
            assert_eq!(records, 0, "{broken:?}");
            for theme in own.json(&["theme", "list"])["themes"].as_array().expect("a list") {
                tamper(&database.url, &format!("DELETE FROM themes WHERE handle = '{}'", theme["handle"].as_str().expect("a text"))).await;
            }
        }
    }

    async fn copy_that_a_store_forgets_is_no_backup(database: FreshDatabase) {
        let own = Program::new(&database);
        own.import_themes();
        let settings = BrokenS3::Forgets.start();
        let program = settings.iter().fold(own, |program, (name, value)| program.set(name, value)).set("MEDIA_URL", "");
        let file = database.folder.path().join("kopie.db").display().to_string();
        let said = program.expect_failure(&["backup", &file, "--media", "s3://kaarten/backup"]);
        assert!(said.contains("files of media are missing or damaged"), "{said}");
        assert!(!Path::new(&file).exists());
    }

    async fn store_that_rejects_our_key_is_unavailable(database: FreshDatabase) {
        let s3 = S3Server::start();
        let mut program = Program::new(&database);
        for (name, value) in s3.settings() {
            program = program.set(name, if name == "AWS_ACCESS_KEY_ID" { "another" } else { &value });
        }
        let serving = program.serve();
        let url = format!("{}/health/ready", serving.base);
        let answer = crate::app::http_client().get(url).send().await.expect("an answer");
        assert_eq!(Answer::read(answer).await.json()["object_store"], "does not answer");
    }
}

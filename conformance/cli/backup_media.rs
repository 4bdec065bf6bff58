//! Backups with their media: verified, restored at other paths, and drilled, on both databases (docs/operating.md).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use card_service::model::DeliveryState;
use serde_json::{Value, json};
use tempfile::TempDir;
use url::Url;

use super::deletion::{lived_in, wait_until_rendered};
use crate::app::mock_server::Reply;
use crate::app::{Database, FreshDatabase, Program, S3Server, TestApp, run_alone, tamper};

const METRIC: &str = "card_service_backup_drilled_timestamp_seconds ";

/// A backup of a service with one active card, its photo and the themes, and what a drill of it needs.
pub(super) struct Backup {
    folder: TempDir,
    program: Program,
    pub(super) gid: String,
    /// On PostgreSQL: the server, and the database that the dump was restored into.
    restored: Option<(String, String)>,
}

impl Backup {
    pub(super) async fn new(app: &TestApp) -> Self {
        let program = app.operator();
        program.import_themes();
        let caller = app.live().await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let subscription = caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        let gid = lived_in(&caller, "1", "Zilvervosje").await;
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
        wait_until_rendered(app, 1).await;
        let backup = Self { folder: tempfile::tempdir().expect("a folder"), program, gid, restored: None };
        let report = match app.database_url().starts_with("sqlite") {
            true => backup.program.json(&["backup", &backup.file(), "--media", &backup.media()]),
            false => return backup.dumped(app).await,
        };
        assert_eq!(report["rows"]["cards"], 1, "{report}");
        backup.lists_media(&report);
        backup
    }

    async fn dumped(mut self, app: &TestApp) -> Self {
        let url = Url::parse(app.database_url()).expect("an address");
        let (_, options) = url.query_pairs().find(|(name, _)| name == "options").expect("the schema of the test");
        let schema = options.trim_start_matches("-csearch_path=").to_owned();
        let mut server = url.clone();
        server.set_query(None);
        let (file, server) = (self.file(), server.to_string());
        let report = self.program.json(&["backup", &file, "--media", &self.media()]);
        self.lists_media(&report);
        tamper(&server, &format!("CREATE DATABASE {schema}")).await;
        let mut restored = url;
        restored.set_path(&schema);
        let mut target = restored.clone();
        target.set_query(None);
        let run =
            Command::new("pg_restore").args(["--exit-on-error", "--no-owner", "-d", target.as_str(), &file]).status();
        assert!(run.expect("pg_restore is there").success());
        self.restored = Some((server, restored.to_string()));
        self
    }

    /// A photo with three renditions, and the pictures of the themes.
    fn lists_media(&self, report: &Value) {
        let files = files(Path::new(&self.media()));
        assert!(files.len() > 10, "{files:?}");
        assert_eq!(report["media"]["files"], files.len(), "{report}");
        assert_eq!(report["media"]["bytes"], files.values().sum::<u64>(), "{report}");
    }

    fn file(&self) -> String {
        self.folder.path().join("kopie").display().to_string()
    }

    pub(super) fn media(&self) -> String {
        self.folder.path().join("media").display().to_string()
    }

    /// The address of a copy of the database that no server uses.
    pub(super) fn source(&self) -> String {
        match &self.restored {
            Some((_, url)) => url.clone(),
            None => format!("sqlite://{}", self.file()),
        }
    }

    fn drill(&self) -> Vec<String> {
        let mut words = ["backup", "drill", &self.file(), "--media", &self.media()].map(str::to_owned).to_vec();
        if let Some((_, url)) = &self.restored {
            words.extend(["--database".to_owned(), url.clone()]);
        }
        words
    }

    pub(super) async fn drop(self) {
        if let Some((server, url)) = &self.restored {
            let url = Url::parse(url).expect("an address");
            tamper(server, &format!("DROP DATABASE {}", url.path().trim_start_matches('/'))).await;
        }
    }
}

/// Returns the files below a folder with their sizes.
fn files(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry")) {
        match entry.metadata().expect("it is there") {
            file if file.is_file() => drop(found.insert(entry.path(), file.len())),
            _ => found.extend(files(&entry.path())),
        }
    }
    found
}

/// The file of the original photo in a copy of the media.
fn photo_in(media: &str) -> PathBuf {
    let photos = files(&Path::new(media).join("photo"));
    photos.into_keys().next().expect("the photo of the card")
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

async fn drilled_at(app: &TestApp) -> f64 {
    let figures = app.figures().await;
    let line = figures.lines().find_map(|line| line.strip_prefix(METRIC)).unwrap_or_else(|| panic!("{figures}"));
    line.parse().unwrap_or_else(|_| panic!("{line}"))
}

pub(super) fn count_audit_records(program: &Program, command: &str) -> usize {
    program.audit_records().into_iter().filter(|(known, ..)| known == command).count()
}

on_both_databases! {
    async fn drill_reads_the_card_of_a_backup_and_sets_the_metric(app: TestApp) {
        let backup = Backup::new(&app).await;
        assert_eq!(drilled_at(&app).await, 0.0);
        let sent = app.mock_server().requests().len();
        let report = backup.program.json(&words(&backup.drill()));
        assert_eq!(report["drill"]["card"], backup.gid, "{report}");
        assert_eq!(report["drill"]["page"], true, "{report}");
        let renditions = 3;
        assert_eq!(report["drill"]["pictures"], files(Path::new(&backup.media())).len() - renditions, "{report}");
        let at = drilled_at(&app).await;
        assert!(at > 1_700_000_000.0, "{at}");
        assert_eq!(count_audit_records(&backup.program, "backup drill"), 1);
        assert_eq!(app.mock_server().requests().len(), sent, "a drill sends nothing");
        assert!(!app.folder().join("drill").exists());
        assert_eq!(backup.program.json(&["key", "list", "--partner", "Uitvaart Noord"])["keys"].as_array().map(Vec::len), Some(1));

        // A picture that the copy lost: no drill, and the metric stays.
        std::fs::remove_file(photo_in(&backup.media())).expect("a file");
        let said = backup.program.expect_failure(&words(&backup.drill()));
        assert!(said.contains("1 of ") && said.contains("photo/"), "{said}");
        assert_eq!((drilled_at(&app).await, count_audit_records(&backup.program, "backup drill")), (at, 1));
        assert!(!app.folder().join("drill").exists());
        backup.drop().await;
    }

    async fn backup_without_a_picture_that_is_shown_fails(app: TestApp) {
        let backup = Backup::new(&app).await;
        let photo = photo_in(&app.folder().join("media").display().to_string());
        let away = app.folder().join("weg");
        std::fs::rename(&photo, &away).expect("it moves");
        let again = format!("{}-2", backup.file());
        let words = match app.database_url().starts_with("sqlite") {
            true => vec!["backup", &again],
            false => {
                std::fs::copy(backup.file(), &again).expect("a copy");
                vec!["backup", "manifest", &again]
            }
        };
        let count = || count_audit_records(&backup.program, &words[..words.len() - 1].join(" "));
        let before = count();
        let said = backup.program.expect_failure(&words);
        assert!(said.contains("1 pictures") && said.contains("photo/") && said.contains("MEDIA_URL"), "{said}");
        assert_eq!(count(), before, "it is not recorded");
        assert!(Path::new(&again).exists(), "the database is safe");
        std::fs::rename(&away, &photo).expect("it moves back");
        if app.database_url().starts_with("sqlite") {
            [again.clone(), format!("{again}.manifest.json")].iter().for_each(|file| std::fs::remove_file(file).expect("a file"));
        }
        backup.program.json(&words);
        assert_eq!(count(), before + 1);
        backup.drop().await;
    }

    async fn damaged_file_of_a_backup_is_found_by_verify(app: TestApp) {
        let backup = Backup::new(&app).await;
        let (file, media) = (backup.file(), backup.media());
        let verify = ["backup", "verify", &file, "--media", &media];
        let report = backup.program.json(&verify);
        let manifest = std::fs::read(format!("{file}.manifest.json")).expect("a file");
        let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
        assert_eq!(manifest["database"]["path"], "kopie");
        assert_eq!((&report["mediaVerified"], &report["media"]["files"]), (&json!(true), &json!(files(Path::new(&media)).len())));
        assert_eq!(backup.program.json(&["backup", "verify", &file])["mediaVerified"], false);
        // One byte of a photo differs; its size does not.
        let photo = photo_in(&media);
        let good = std::fs::read(&photo).expect("a file");
        let mut bad = good.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        std::fs::write(&photo, &bad).expect("a file");
        let said = backup.program.expect_failure(&verify);
        let key = format!("photo/{}", photo.file_name().expect("a name").to_string_lossy());
        assert!(said.contains(&key) && said.contains("1 of "), "{said}");
        std::fs::write(&photo, &good).expect("a file");
        backup.program.json(&verify);
        // The first three are named.
        let all: Vec<_> = files(Path::new(&media)).into_keys().take(4).map(|path| (std::fs::read(&path).expect("a file"), path)).collect();
        for count in [3, 4] {
            all[..count].iter().for_each(|(_, path)| std::fs::remove_file(path).unwrap_or_default());
            let said = backup.program.expect_failure(&verify);
            assert!(said.contains(&format!("{count} of ")) && said.contains(", …") == (count > 3), "{said}");
        }
        all.iter().for_each(|(bytes, path)| std::fs::write(path, bytes).expect("the folder can be written"));
        backup.program.json(&verify);
        // The database: cut off, and without its manifest.
        let whole = std::fs::read(&file).expect("a file");
        std::fs::write(&file, &whole[..whole.len() - 1]).expect("a file");
        assert!(backup.program.expect_failure(&verify).contains("cut off"));
        std::fs::write(&file, &whole).expect("a file");
        std::fs::remove_file(format!("{file}.manifest.json")).expect("a file");
        assert!(backup.program.expect_failure(&verify).contains("manifest.json"));
        backup.drop().await;
    }
}

on_sqlite! {
    async fn backup_is_restored_at_other_paths_with_its_media(app: TestApp) {
        let backup = Backup::new(&app).await;
        let card = app.row(&backup.gid).await;
        let place = tempfile::tempdir().expect("a folder");
        let data = place.path().join("elders");
        let program = Program::with(&format!("sqlite://{}/kaarten.db", data.display()), &data);
        let (file, media) = (backup.file(), backup.media());
        let restore = ["backup", "restore", &file, "--media", &media];
        assert!(program.expect_failure(&restore[..3]).contains("--media"), "the media are not forgotten");
        // An object store that holds anything else is refused, and nothing is written.
        std::fs::create_dir_all(data.join("media/photo")).expect("a folder");
        std::fs::write(data.join("media/photo/vreemd.png"), "x").expect("a file");
        assert!(program.expect_failure(&restore).contains("photo/vreemd.png"));
        assert!(!data.join("kaarten.db").exists());
        std::fs::remove_file(data.join("media/photo/vreemd.png")).expect("a file");

        let report = program.json(&restore);
        assert_eq!((&report["restored"], &report["rows"]["cards"]), (&json!(true), &json!(1)), "{report}");
        assert_eq!(files(&data.join("media")).len(), files(Path::new(&media)).len());
        assert_eq!(count_audit_records(&program, "backup restore"), 1);
        assert!(program.expect_failure(&restore).contains("already"), "a database is never overwritten");
        let serving = program.serve();
        let page = serving.get(&format!("/kaart/{}", card.slug.expect("it is online"))).await;
        assert_eq!(page.status, 200, "{}", page.text());
        let text = page.text();
        let picture = text.split('"').find(|word| word.contains("/media/rendition/")).expect("a portrait on the page");
        let at = picture.find("/media/").expect("a path");
        assert_eq!(serving.get(&picture[at..]).await.status, 200);
    }

    async fn killed_restore_is_repeated(app: TestApp) {
        let backup = Backup::new(&app).await;
        let place = tempfile::tempdir().expect("a folder");
        let program = Program::with(&format!("sqlite://{}/kaarten.db", place.path().display()), place.path());
        // As a kill leaves it: some of the media, and half of the database under its temporary name.
        let photo = photo_in(&backup.media());
        let folder = place.path().join("media/photo");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::copy(&photo, folder.join(photo.file_name().expect("a name"))).expect("a copy");
        std::fs::write(place.path().join("kaarten.db.part"), "half of a page").expect("a file");
        program.expect_failure(&["partner", "list"]);
        program.json(&["backup", "restore", &backup.file(), "--media", &backup.media()]);
        assert_eq!(program.json(&["partner", "list"])["partners"].as_array().map(Vec::len), Some(1));
        assert!(!place.path().join("kaarten.db.part").exists());
    }

    async fn backup_copies_new_media_only(app: TestApp) {
        let backup = Backup::new(&app).await;
        let photo = photo_in(&backup.media());
        let before = std::fs::metadata(&photo).expect("a file").modified().expect("a time");
        std::fs::remove_file(format!("{}/theme/{}", backup.media(), theme_picture(&backup))).expect("a file");
        let second = format!("{}-2", backup.file());
        backup.program.json(&["backup", &second, "--media", &backup.media()]);
        assert_eq!(std::fs::metadata(&photo).expect("a file").modified().expect("a time"), before);
        backup.program.json(&["backup", "verify", &second, "--media", &backup.media()]);
        backup.program.json(&["backup", "verify", &backup.file(), "--media", &backup.media()]);
    }
}

/// The path of a picture below `theme/`.
fn theme_picture(backup: &Backup) -> String {
    let themes = Path::new(&backup.media()).join("theme");
    let picture = files(&themes).into_keys().next().expect("a picture");
    picture.strip_prefix(&themes).expect("it is below").display().to_string()
}

#[test]
fn media_in_an_s3_bucket_are_backed_up_and_restored() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
        let s3 = tokio::task::spawn_blocking(S3Server::start).await.expect("s3rver starts");
        let program = |data: &Path| {
            let url = format!("sqlite://{}/card-service.db", data.display());
            s3.settings().iter().fold(Program::with(&url, data), |program, (name, value)| program.set(name, value))
        };
        let (data, copy) = (database.folder.path().join("a"), database.folder.path().join("copy"));
        let own = program(&data).create_database();
        own.import_themes();
        let (file, media) = (copy.join("kopie.db").display().to_string(), copy.join("media").display().to_string());
        std::fs::create_dir_all(&copy).expect("a folder");
        let report = own.json(&["backup", &file, "--media", &media]);
        assert_eq!(report["media"]["files"], s3.names().len(), "{report}");
        assert_eq!(files(Path::new(&media)).len(), s3.names().len());
        own.json(&["backup", "drill", &file, "--media", &media]);
        // Into an empty part of the bucket.
        let other = program(&database.folder.path().join("b")).set("MEDIA_URL", "s3://kaarten/elders");
        let report = other.json(&["backup", "restore", &file, "--media", &media]);
        let restored = s3.names().into_iter().filter(|name| name.starts_with("elders/")).count();
        assert_eq!(report["media"]["files"], restored, "{report}");
        other.json(&["backup", "verify", &file, "--media", "s3://kaarten/elders"]);
    });
}

//! An operator's work around backups and settings: folders of backups, deletions after a backup, mistakes in settings, and a mail
//! server whose address only the running service can read.

use std::path::Path;

use serde_json::{Value, json};

use super::database::names;
use crate::app::mail::SmtpServer;
use crate::app::{FreshDatabase, Program};

on_sqlite! {
    async fn restored_backup_deletes_the_cards_again_that_were_deleted_after_it(database: FreshDatabase) {
        let program = Program::new(&database);
        let token = program.token("live");
        let serving = program.serve();
        let [kept, deleted] = [serving.create(&token, json!({ "externalDossierId": "blijft" })).await,
            serving.create(&token, json!({ "externalDossierId": "weg", "deceased": { "lastName": "Zilvervos" } })).await];
        let backups = tempfile::tempdir().expect("a folder");
        let place = backups.path().to_str().expect("UTF-8");
        program.json(&["backup", place]);
        program.json(&["card", "delete", &deleted, "--yes"]);
        let list = std::fs::read_to_string(backups.path().join("deleted-cards.txt")).expect("a list next to the backup");
        assert!(list.trim_end().ends_with(&deleted) && list.lines().count() == 1, "{list}");
        assert!(!list.contains("weg") && !list.contains("Zilvervos"), "it names the card alone: {list}");

        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}", folder.path().join("card-service.db").display());
        let restored = Program::with(&url, folder.path());
        let report = restored.json(&["backup", "restore", place]);
        assert_eq!(report["deletedAgain"], 1, "{report}");
        restored.json(&["card", "show", &kept]);
        assert!(restored.expect_failure(&["card", "show", &deleted]).contains("There is no card"));
        // The same for a database that another program restored.
        let list = format!("{place}/deleted-cards.txt");
        let listed = ["card", "delete", "--listed", list.as_str()];
        assert!(restored.expect_failure(&listed).contains("Say --yes"));
        assert_eq!(restored.json(&[&listed[..], &["--yes"]].concat())["deletedListed"], 0);
    }

    async fn folder_of_backups_keeps_the_newest_and_their_media(database: FreshDatabase) {
        let program = Program::new(&database);
        program.import_themes();
        let folder = tempfile::tempdir().expect("a folder");
        let (place, media) = (folder.path().join("kopie"), folder.path().join("media"));
        std::fs::create_dir(&place).expect("a folder");
        let media = media.to_str().expect("UTF-8");
        for day in ["1", "2", "3"] {
            let file = place.join(format!("cards-2020-01-0{day}.db"));
            program.json(&["backup", file.to_str().expect("UTF-8"), "--media", media, "--keep", "2"]);
            let old = folder.path().join("media/theme/oud");
            std::fs::create_dir_all(&old).expect("a folder");
            std::fs::write(old.join(format!("{day}.png")), "an old picture").expect("a file");
        }
        std::fs::write(place.join("cards-of-an-operator.db"), "no backup").expect("a file");
        let other = folder.path().join("media/notes.txt");
        std::fs::write(&other, "no media").expect("a file");
        let place_text = place.to_str().expect("UTF-8");
        let report = program.json(&["backup", place_text, "--media", media, "--keep", "2"]);
        assert_eq!(report["deleted"], json!({ "backups": 1, "media": 1 }), "{report}");
        assert!(other.exists(), "only media are deleted");
        let newest = Path::new(report["backup"].as_str().expect("a path")).file_name().expect("a name").to_owned();
        let newest = newest.into_string().expect("UTF-8");
        let manifest = format!("{newest}.manifest.json");
        let kept = ["cards-2020-01-03.db", "cards-2020-01-03.db.manifest.json", newest.as_str(), manifest.as_str()];
        assert_eq!(names(&place), [&kept[..], &["cards-of-an-operator.db"]].concat());
        for command in ["verify", "drill"] {
            let report = program.json(&["backup", command, place_text, "--media", media]);
            assert!(report["backup"].as_str().is_some_and(|file| file.ends_with(&newest)), "{report}");
        }
        assert!(program.expect_failure(&["backup", "verify", media]).contains("There is no complete backup in"));
    }

    async fn backup_check_fails_for_a_live_key_without_any_backup(database: FreshDatabase) {
        let program = Program::new(&database).set("SMTP_URL", "smtp://127.0.0.1:1");
        let backup = || -> Value {
            let report: Value = serde_json::from_slice(&program.run(&["doctor", "--json"]).stdout).expect("an object");
            let checks = report["checks"].as_array().expect("a list");
            checks.iter().find(|check| check["name"] == "backup").expect("the check")["outcome"].clone()
        };
        program.token("test");
        assert_eq!(backup(), "not_asked");
        program.key("live");
        assert_eq!(backup(), "failed");
        let folder = tempfile::tempdir().expect("a folder");
        program.json(&["backup", folder.path().to_str().expect("UTF-8")]);
        assert_eq!(backup(), "ok");
    }

    async fn commands_need_no_mail_server_whose_address_only_the_service_can_read(database: FreshDatabase) {
        let program = Program::new(&database).set("SMTP_URL_FILE", "/run/credentials/card-service.service/smtp_url");
        program.json(&["partner", "add", "Noord"]);
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_str().expect("UTF-8");
        program.json(&["backup", place]);
        let data = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}", data.path().join("card-service.db").display());
        Program::with(&url, data.path()).set("SMTP_URL_FILE", "/nowhere").json(&["backup", "restore", place]);
        for command in [&["serve"][..], &["mail", "test", "a@voorbeeld.nl"]] {
            assert!(program.expect_failure(command).contains("SMTP_URL_FILE: the file"), "{command:?}");
        }
        // What is wrong does not keep doctor from its checks.
        let examined = program.clone().set("LISTEN", "hier").run(&["doctor", "--json"]);
        let report: Value = serde_json::from_slice(&examined.stdout).expect("an object");
        assert_eq!(examined.status.code(), Some(1), "{report}");
        let wrong: Vec<_> = report["wrongSettings"].as_array().expect("a list").iter().map(|wrong| &wrong["setting"]).collect();
        assert_eq!(wrong, ["LISTEN", "SMTP_URL_FILE"], "{report}");
        assert_eq!((&report["checks"][0]["name"], &report["checks"][0]["outcome"]), (&json!("database"), &json!("ok")), "{report}");
    }

    async fn test_mail_is_sent_at_once_or_says_what_the_server_said(database: FreshDatabase) {
        let (program, server) = (Program::new(&database), SmtpServer::start());
        let with_server = program.clone().set("SMTP_URL", &server.url());
        assert_eq!(with_server.json(&["mail", "test", "piet@voorbeeld.nl"])["sent"], true);
        let sent = server.received_mails(1).await.remove(0);
        assert_eq!((sent.to.as_str(), sent.subject.as_str()), ("piet@voorbeeld.nl", "Test of the card service"));
        let said = with_server.expect_failure(&["mail", "test", "unknown@voorbeeld.nl"]);
        assert!(said.starts_with("The mail to unknown@voorbeeld.nl was not sent: 550 "), "{said}");
        let said = program.clone().set("SMTP_URL", "smtp://127.0.0.1:1").expect_failure(&["mail", "test", "piet@voorbeeld.nl"]);
        assert!(said.contains("cannot be reached") && said.contains("refused"), "{said}");
        assert_eq!(program.json(&["mail", "test", "piet@voorbeeld.nl"])["sent"], false, "it was written into the data folder");
    }
}

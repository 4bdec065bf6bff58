//! `backup` of PostgreSQL: pg_dump gets the address of the settings, in whatever form they hold it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::app::{Database, FreshDatabase, Program, run_alone};

/// A pg_dump that writes down its arguments, and then runs the real one.
const RECORDING: &str = "#!/bin/sh\necho \"$0 $*\" >>\"$(dirname \"$0\")/arguments\"\nPATH=\"${PATH#*:}\"; export PATH; exec pg_dump \"$@\"\n";

fn put(path: &Path, text: &str) -> String {
    std::fs::write(path, text).expect("the folder is ours");
    path.display().to_string()
}

#[test]
fn dump_follows_every_form_of_the_settings() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let with_environment = Program::new(&database);
        let folder = database.folder.path().join("backups");
        let tools = database.folder.path().join("tools");
        for folder in [&folder, &tools] {
            std::fs::create_dir(folder).expect("the folder is ours");
        }
        let tool = put(&tools.join("pg_dump"), RECORDING);
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").expect("a path"));
        // The server of the tests asks for no password, so any is right.
        let url = database.url.replacen("postgres@", "postgres:geh%27eim%2F@", 1);
        assert_ne!(url, database.url);
        let without = with_environment.clone().set("DATABASE_URL", "");
        let config = |number: usize, text: &str| {
            without.clone().set("CONFIG", &put(&database.folder.path().join(format!("{number}.toml")), text))
        };
        let secret = put(&database.folder.path().join("secret"), &format!("{url}\n"));
        for (number, program) in [
            with_environment.clone().set("DATABASE_URL", &url),
            without.clone().set("DATABASE_URL_FILE", &secret),
            config(2, &format!("database_url = \"{url}\"\n")),
            config(3, &format!("database_url='{url}'")),
            config(4, &format!("# cards\n  database_url   =  \"{url}\"   # ours\n")),
            config(5, &format!("\r\ndatabase_url = \"{url}\"\r\n")),
            config(6, &format!("\"database_url\" = '''{url}'''\n")),
        ]
        .into_iter()
        .enumerate()
        {
            let file = folder.join(format!("cards-{number}.dump"));
            let report = program.set("PATH", &path).json(&["backup", &file.display().to_string()]);
            let found = std::fs::metadata(&file).expect("the dump is there");
            assert_eq!(report["bytes"], found.len(), "{report}");
            assert_eq!(found.permissions().mode() & 0o777, 0o600);
            let mut start = std::fs::read(&file).expect("the dump is ours");
            start.truncate(5);
            assert_eq!(start, b"PGDMP", "{number}");
        }
        let arguments = std::fs::read_to_string(tools.join("arguments")).expect("pg_dump was run");
        assert_eq!(arguments.lines().count(), 7, "{arguments}");
        assert!(!arguments.contains("geh") && !arguments.contains("postgres://"), "{arguments}");

        // In a folder the dump is named after the time, and older ones are deleted.
        let place = folder.display().to_string();
        let report = with_environment.json(&["backup", &place, "--keep", "2"]);
        let newest = report["backup"].as_str().expect("a path");
        assert!(newest.ends_with("Z.dump") && Path::new(newest).exists(), "{report}");
        assert_eq!(report["deleted"]["backups"], 6, "{report}");
        with_environment.json(&["backup", "verify", &place]);

        // A dump that fails leaves nothing, and says why.
        let failing = put(&tools.join("pg_dump"), "#!/bin/sh\necho half; echo 'server version mismatch' >&2; exit 1\n");
        let program = with_environment.set("PATH", &path);
        let file = folder.join("failed.dump");
        let said = program.expect_failure(&["backup", &file.display().to_string()]);
        assert!(said.contains("server version mismatch"), "{said}");
        std::fs::remove_file(failing).expect("the file is ours");
        let said =
            program.set("PATH", &tools.display().to_string()).expect_failure(&["backup", &file.display().to_string()]);
        assert!(said.contains("postgresql-client"), "{said}");
        let left = std::fs::read_dir(&folder).expect("a folder").filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("failed"))
        });
        assert_eq!(left.count(), 0);
    });
}

//! `/graphiql`: there when its files are there, and then those files and nothing else of the folder. That it works is
//! tested in `conformance/browser/graphiql.rs`.

use std::path::Path;

use card_service::http::released;

use crate::app::{FreshDatabase, TestApp};

const FILES: [&str; 4] = [
    "graphiql/graphiql.min.css",
    "graphiql/graphiql.min.js",
    "react/umd/react.production.min.js",
    "react-dom/umd/react-dom.production.min.js",
];

/// Lays all files where an installation would.
pub fn lay(data_dir: &Path) {
    lay_files(data_dir, &FILES);
}

fn lay_files(data_dir: &Path, files: &[&str]) {
    for file in files {
        let file = data_dir.join("graphiql/node_modules").join(file);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(file, "/* laid */").expect("a file");
    }
}

on_sqlite! {
    async fn page_is_there_with_its_files_alone(database: FreshDatabase) {
        lay_files(database.folder.path(), &[&FILES[..], &["graphiql/package.json"]].concat());
        let app = TestApp::start(&database, "graphiql").await;
        let page = app.get("/graphiql").await;
        assert_eq!((page.status, page.header("cache-control")), (200, Some("no-store")));
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'; style-src 'self'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe-") && !policy.contains("http"), "{policy}");
        let latest = released().into_iter().rfind(|life| life.published.is_some()).expect("a published version").name;
        let option = format!("<option value=\"{latest}\" selected>{latest}</option>");
        assert!(page.text().contains(&option), "{}", page.text());
        for file in FILES {
            assert!(page.text().contains(&format!("\"/graphiql/{file}\"")), "the page refers to {file}");
            let answer = app.get(&format!("/graphiql/{file}")).await;
            assert_eq!((answer.status, answer.text().as_str()), (200, "/* laid */"), "{file}");
            assert!(answer.header("etag").is_some() && answer.header("x-content-type-options") == Some("nosniff"));
        }
        for other in
            ["graphiql/package.json", "../card-service.db", "", "graphiql", "graphiql/../graphiql/package.json"]
        {
            let status = app.get(&format!("/graphiql/{other}")).await.status;
            assert_eq!(status, if other.is_empty() { 200 } else { 404 }, "{other}");
        }
    }

    async fn page_is_not_there_without_all_of_its_files(database: FreshDatabase) {
        for files in [&[][..], &FILES[..3]] {
            lay_files(database.folder.path(), files);
            let app = TestApp::start(&database, "graphiql").await;
            for path in ["/graphiql", "/graphiql/", "/graphiql/graphiql/graphiql.min.css"] {
                assert_eq!(app.get(path).await.status, 404, "{path} with {files:?}");
            }
        }
    }

    async fn page_appears_once_its_files_are_installed(database: FreshDatabase) {
        let app = TestApp::start(&database, "graphiql").await;
        assert_eq!(app.get("/graphiql").await.status, 404);
        lay(database.folder.path());
        let page = app.get("/graphiql").await;
        assert_eq!(page.status, 200);
        assert!(!page.text().contains("value=\"pcs_"), "only a demo has a token to fill in");
    }
}

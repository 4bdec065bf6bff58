//! `graphiql install` with other programs in the place of npm. With npm itself: `conformance/browser/graphiql.rs`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::app::Program;

/// Packs files of its own for the packages that it is asked for: `npm pack --silent --fetch-retries=1 --pack-destination …`.
const OTHER_FILES: &str = r#"#!/bin/sh
mkdir -p "$5/package/umd" && cd "$5"
for file in graphiql.min.css graphiql.min.js umd/react.production.min.js umd/react-dom.production.min.js; do
  echo other > package/$file
done
for name in graphiql-4.1.2 react-18.3.1 react-dom-18.3.1; do tar -czf $name.tgz package; done
"#;

#[test]
fn graphiql_is_installed_whole_and_as_it_was_tested_or_not_at_all() {
    for (npm, said) in [
        (None, "npm is not on this machine"),
        (Some("#!/bin/sh\necho 'no such package' >&2\nexit 1\n"), "npm failed: no such package"),
        (Some("#!/bin/sh\nexit 0\n"), "tar failed"),
        (Some(OTHER_FILES), "is not the one that this release was tested with"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (data, programs) = (folder.path().join("data"), folder.path().join("bin"));
        fs::create_dir_all(&programs).expect("a folder");
        let mut path = programs.display().to_string();
        if let Some(script) = npm {
            let npm = programs.join("npm");
            fs::write(&npm, script).expect("a file");
            fs::set_permissions(&npm, fs::Permissions::from_mode(0o755)).expect("a mode");
            path += ":/usr/bin:/bin";
        }
        let error = Program::with("", &data).set("PATH", &path).refused(&["graphiql", "install"]);
        assert!(error.contains(said), "{said}: {error}");
        let left: Vec<_> = fs::read_dir(&data).expect("a folder").collect();
        assert!(left.is_empty(), "{said}: {left:?}");
    }
}

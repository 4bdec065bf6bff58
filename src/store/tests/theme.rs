//! Themes: added, changed and numbered.

use futures_util::future::join_all;

use super::database::TestDatabase;
use crate::base::HttpUrl;
use crate::model::{Theme, ThemeImage};

on_both_engines! {
    theme_reads_back_as_it_was,
    concurrent_themes_get_different_numbers,
}

async fn theme_reads_back_as_it_was(db: &TestDatabase) {
    let image = |key: &str, alt: Option<&str>| ThemeImage { key: key.to_owned(), alt_text: alt.map(str::to_owned) };
    let theme = Theme {
        title: "Roos \"wit\"".to_owned(),
        description: "Regel 1\nRegel 2".to_owned(),
        images: vec![image("roos/cover.jpeg", Some("Een roos 🌹")), image("roos/detail.jpeg", None)],
        videos: vec![HttpUrl::trusted("https://example.org/v")],
        demo_url: HttpUrl::parse("https://example.org/demo"),
        number: 77,
        ..db.theme("roos", 3)
    };
    let stored = db.store.put_theme(theme.clone()).await.unwrap();
    assert_eq!(stored, Theme { number: 1, ..theme });
    assert_eq!(db.store.theme(stored.id).await.unwrap(), Some(stored.clone()));
    assert_eq!(db.store.theme_by_number(1).await.unwrap(), Some(stored.clone()));
    assert_eq!(db.store.theme_by_handle("roos").await.unwrap(), Some(stored));
    assert_eq!(db.store.theme_by_number(i64::MAX).await.unwrap(), None);
}

async fn concurrent_themes_get_different_numbers(db: &TestDatabase) {
    let handles: Vec<String> = (0..12).map(|n| format!("theme {}", n % 8)).collect();
    let themes = join_all(handles.iter().map(|handle| db.store.put_theme(db.theme(handle, 1)))).await;
    let mut numbers: Vec<i64> = themes.into_iter().map(|theme| theme.unwrap().number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>());
}

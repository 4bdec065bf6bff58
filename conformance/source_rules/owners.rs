//! One module owns each foreign crate that shapes the code around it (docs/STYLE.md, "Building").

use super::source::below;

/// A crate, and the paths that may name it.
const OWNERS: [(&str, &[&str]); 30] = [
    ("diesel", &["src/store"]),
    ("diesel_async", &["src/store"]),
    ("diesel_migrations", &["src/store"]),
    ("tokio_postgres", &["src/store/postgres"]),
    ("tokio_postgres_rustls", &["src/store/postgres"]),
    ("reqwest", &["src/outbound"]),
    ("hyper", &["src/http", "src/cli/demo_receiver.rs"]),
    ("hyper_util", &["src/http", "src/cli/demo_receiver.rs"]),
    ("tokio_rustls", &["src/http/tls.rs", "src/cli/demo_receiver.rs", "src/outbound"]),
    ("lettre", &["src/mail"]),
    ("image", &["src/media"]),
    ("heifer", &["src/media"]),
    ("resvg", &["src/media"]),
    ("moxcms", &["src/media"]),
    ("maud", &["src/web"]),
    ("flate2", &["src/web"]),
    ("qrcode", &["src/web/qr.rs"]),
    ("multer", &["src/web"]),
    ("governor", &["src/http/throttle.rs"]),
    ("prometheus_client", &["src/services/metrics"]),
    ("opentelemetry", &["src/base/trace.rs", "src/app"]),
    ("opentelemetry_http", &["src/base/trace.rs", "src/app"]),
    ("opentelemetry_otlp", &["src/app"]),
    ("opentelemetry_sdk", &["src/base/trace.rs", "src/app"]),
    ("tracing_opentelemetry", &["src/base/trace.rs", "src/app"]),
    ("clap", &["src/cli", "src/main.rs"]),
    ("indicatif", &["src/cli/progress.rs"]),
    ("listenfd", &["src/cli/serve.rs"]),
    ("rustix", &["src/base/system.rs", "src/cli/run.rs", "src/media"]),
    ("webpki", &["src/http/tls.rs"]),
];

#[test]
fn foreign_crate_is_named_by_its_owner_only() {
    let mut broken = Vec::new();
    for source in below("src") {
        for (number, line) in source.code() {
            for (name, owners) in OWNERS {
                let named = line.match_indices(&format!("{name}::")).any(|(start, _)| {
                    // Not the end of a longer name.
                    !line[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                }) || line.trim_start().starts_with(&format!("use {name};"));
                if named && !owners.iter().any(|owner| source.path.starts_with(owner)) {
                    broken.push(format!("{}:{number}: {name} belongs to {}", source.path, owners.join(", ")));
                }
            }
        }
    }
    assert!(broken.is_empty(), "a foreign crate outside its owner:\n  {}", broken.join("\n  "));
}

//! The register of all settings: name, default and description.
//!
//! `docs/settings.md` and `serve --print-config` are generated from it.

/// A setting of the operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The environment variable; in a file, the same in lower case. An empty value counts as missing.
    pub name: &'static str,
    /// The default value, if any.
    pub default: Option<&'static str>,
    pub description: &'static str,
    pub secrecy: Secrecy,
}

/// The part of a value that may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Secrecy {
    Open,
    /// A URL that may contain a password.
    Password,
    Secret,
}

impl Setting {
    /// The name of the variable that names a file with the value, for a setting that is a secret.
    pub(super) fn file_name(&self) -> Option<String> {
        (self.secrecy != Secrecy::Open).then(|| format!("{}_FILE", self.name))
    }
}

/// The groups of the register, in the order of the documentation.
pub(super) const GROUPS: &[(&str, &[Setting])] = &[
    ("Where things are", &[CONFIG, DATABASE_URL, POSTGRES_POOL_SIZE, DATA_DIR, MEDIA_URL]),
    ("The object store, when MEDIA_URL is s3://", &AWS),
    (
        "Addresses",
        &[
            LISTEN,
            TLS_CERTIFICATE,
            TLS_KEY,
            PUBLIC_BASE_URL,
            METRICS_LISTEN,
            ADMIN_LISTEN,
            CONNECTIONS_PER_ADDRESS,
            DRAIN_DELAY,
        ],
    ),
    ("The way out", &[EGRESS_ALLOW, EGRESS_CA]),
    ("Mail", &[SMTP_URL, MAIL_FROM]),
    (
        "Rules",
        &[
            CARD_ACTIVATION,
            RATE_LIMIT_POINTS,
            RATE_LIMIT_RESTORE,
            WEBHOOK_RETRY_SCHEDULE,
            WEBHOOK_CHALLENGE,
            INVITATIONS_PER_DAY,
        ],
    ),
    ("Retention", &[RETENTION_DRAFTS, RETENTION_CARDS, RETENTION_INVITEES, RETENTION_EVENTS, RETENTION_AUDIT]),
    ("The log", &[RUST_LOG]),
];

/// Returns all settings, by group.
pub(super) fn all() -> impl Iterator<Item = &'static Setting> {
    GROUPS.iter().flat_map(|(_, settings)| settings.iter())
}

const fn open(name: &'static str, default: Option<&'static str>, description: &'static str) -> Setting {
    Setting { name, default, description, secrecy: Secrecy::Open }
}

const fn secret(name: &'static str, secrecy: Secrecy, description: &'static str) -> Setting {
    Setting { name, default: None, description, secrecy }
}

/// The default path of the settings file.
pub(super) const CONFIG_DEFAULT: &str = "/etc/card-service.toml";

pub(super) const CONFIG: Setting = open(
    "CONFIG",
    Some(CONFIG_DEFAULT),
    "A TOML file with settings, their names in lower case; the environment wins over it. The option --config names one \
     too. The default file may be missing, one that is named may not; CONFIG=/dev/null reads none. `demo` reads the \
     default file only where it is named.",
);
pub(super) const DATABASE_URL: Setting = Setting {
    name: "DATABASE_URL",
    default: Some("sqlite://<DATA_DIR>/card-service.db"),
    description: "The database: sqlite://<file> or postgres://<user>:<password>@<host>/<database>. PostgreSQL on another \
                  machine is reached over TLS: ?sslmode=verify-full&sslrootcert=<a PEM file> checks its certificate, \
                  require does not, disable does without TLS.",
    secrecy: Secrecy::Password,
};
pub(super) const POSTGRES_POOL_SIZE: Setting = open(
    "POSTGRES_POOL_SIZE",
    Some("16"),
    "Connections to PostgreSQL that one replica opens at the most for its transactions: 1 to 1000. Two to four times its \
     cores serve well. It opens up to five more: four that lookups share, and one to listen.",
);
pub(super) const DATA_DIR: Setting = open(
    "DATA_DIR",
    Some("./data"),
    "The folder for the embedded database, for portraits and theme pictures, and for mails without SMTP_URL.",
);
pub(super) const MEDIA_URL: Setting = open(
    "MEDIA_URL",
    Some("file://<DATA_DIR>/media"),
    "Where portraits and theme pictures lie: file:///<folder>, or s3://<bucket>/<prefix>, which several replicas share.",
);
pub(super) const AWS: [Setting; 6] = [
    open("AWS_ACCESS_KEY_ID", None, "The id of the access key."),
    secret("AWS_SECRET_ACCESS_KEY", Secrecy::Secret, "The access key itself."),
    secret("AWS_SESSION_TOKEN", Secrecy::Secret, "A session token, where the access key needs one."),
    open("AWS_REGION", None, "The region of the bucket."),
    open("AWS_ENDPOINT", None, "The address of another provider than Amazon, such as https://s3.example.nl:9000."),
    AWS_ALLOW_HTTP,
];
pub(super) const AWS_ALLOW_HTTP: Setting =
    open("AWS_ALLOW_HTTP", None, "true lets that address be http: for a store on this machine.");
pub(super) const LISTEN: Setting = open(
    "LISTEN",
    Some("127.0.0.1:8080"),
    "The address and port to listen on: over TLS where there is a certificate, otherwise in the clear, for a balancer or \
     proxy in front.",
);
pub(super) const TLS_CERTIFICATE: Setting = open(
    "TLS_CERTIFICATE",
    None,
    "A PEM file with the certificate of the server, followed by its chain up to the root. It is read again when it \
     changes, and on SIGHUP.",
);
pub(super) const TLS_KEY: Setting =
    open("TLS_KEY", None, "A PEM file with the private key of that certificate; the two come together.");
pub(super) const PUBLIC_BASE_URL: Setting = open(
    "PUBLIC_BASE_URL",
    Some("http://127.0.0.1:8080"),
    "Where the world reaches the service: the start of every link that it hands out.",
);
pub(super) const METRICS_LISTEN: Setting = open(
    "METRICS_LISTEN",
    None,
    "The address and port of /metrics for Prometheus and of /health/live and /health/ready with warnings, such as \
     127.0.0.1:9090; without it there are neither figures nor warnings. Keep it from the world.",
);
pub(super) const ADMIN_LISTEN: Setting = open(
    "ADMIN_LISTEN",
    None,
    "The address and port of the administration, the operator's pages, such as 127.0.0.1:8081; without it there is none. \
     An address that is not on the loopback needs TLS_CERTIFICATE and TLS_KEY, and is served over https.",
);
pub(super) const CONNECTIONS_PER_ADDRESS: Setting = open(
    "CONNECTIONS_PER_ADDRESS",
    Some("64"),
    "Connections that one IPv4 address or IPv6 /64 network may have open at a replica: 1 to 4096. Addresses of this \
     machine and of private networks, where proxies and balancers are, have no such limit; where a balancer connects from \
     a public address, set 4096.",
);
pub(super) const DRAIN_DELAY: Setting = open(
    "DRAIN_DELAY",
    Some("5 under Kubernetes, otherwise 0"),
    "For how many seconds a server that gets SIGTERM still accepts and answers requests, while /health/ready is 503 and \
     HTTP/1.1 connections are ended with their next answer, so that a balancer sends requests elsewhere: 0 to 15.",
);
pub(super) const EGRESS_ALLOW: Setting = open(
    "EGRESS_ALLOW",
    None,
    "Non-public addresses that may be reached, for development and tests: address-or-CIDR[:port], …",
);
pub(super) const EGRESS_CA: Setting = open(
    "EGRESS_CA",
    None,
    "A PEM file of roots to trust for outbound https and for the mail server, in addition to the usual ones.",
);
pub(super) const SMTP_URL: Setting = secret(
    "SMTP_URL",
    Secrecy::Password,
    "The mail server: smtps://… is TLS from the start, smtp://…?tls=required turns to TLS before anything else is said. \
     smtp:// alone does so where it holds a password, and where the server can; on the loopback it stays as it is. \
     Without this setting mail is written into the data folder.",
);
pub(super) const MAIL_FROM: Setting = open(
    "MAIL_FROM",
    Some("Gedenkkaart <noreply@host-of-PUBLIC_BASE_URL>"),
    "The sender of mails: an address, or a name with an address between angle brackets.",
);
pub(super) const CARD_ACTIVATION: Setting =
    open("CARD_ACTIVATION", Some("automatic"), "Who activates an ordered card: automatic, or operator.");
pub(super) const RATE_LIMIT_POINTS: Setting = open(
    "RATE_LIMIT_POINTS",
    Some("1000"),
    "What the bucket of a partner holds, live and test apart: the most that one request may cost. Each replica keeps \
     its own buckets, so n replicas let through up to n times as much.",
);
pub(super) const RATE_LIMIT_RESTORE: Setting =
    open("RATE_LIMIT_RESTORE", Some("50"), "How many points flow back into each bucket every second.");
pub(super) const WEBHOOK_RETRY_SCHEDULE: Setting = open(
    "WEBHOOK_RETRY_SCHEDULE",
    Some("0s, 5s, 5m, 30m, 2h, 5h, 10h, 14h, 20h, 24h"),
    "When a notification is attempted, each delay after the attempt before: 1 to 20 of them, the first 0s, in s, m, h or \
     d, each at most 7d. A delay turns out up to a fifth longer or shorter.",
);
pub(super) const WEBHOOK_CHALLENGE: Setting = open(
    "WEBHOOK_CHALLENGE",
    Some("off"),
    "Whether a callback address has to answer a signed challenge before it is subscribed: on, or off. Subscriptions that \
     exist already are not asked; tell your partners before you switch it on.",
);
pub(super) const INVITATIONS_PER_DAY: Setting = open(
    "INVITATIONS_PER_DAY",
    Some("5000"),
    "How many invitations the cards of one partner send by mail on one day in the Netherlands, live and test apart: 1 to \
     1000000. One card sends 250 of them at the most.",
);
pub(super) const RETENTION_DRAFTS: Setting = open(
    "RETENTION_DRAFTS",
    Some("off"),
    "After how many days without a change a card that was never ordered is deleted, with everything of it: 1d to 36500d, or \
     off. Test cards too. Tell partners before you set it. `retention show --dry-run` counts what each of these settings would \
     delete now.",
);
pub(super) const RETENTION_CARDS: Setting = open(
    "RETENTION_CARDS",
    Some("off"),
    "How many days after it went online a card is deleted, with everything of it but its order: 1d to 36500d, or off. Set \
     what families were promised.",
);
pub(super) const RETENTION_INVITEES: Setting = open(
    "RETENTION_INVITEES",
    Some("off"),
    "How many days after they were added people are deleted from invitee lists, with their personal links, and after its last change \
     the note in invitations: 1d to 36500d, or off.",
);
pub(super) const RETENTION_EVENTS: Setting = open(
    "RETENTION_EVENTS",
    Some("off"),
    "How many days the events of cards are kept, which `card show` lists: 31d to 36500d, or off. They hold names of fields \
     and no values.",
);
pub(super) const RETENTION_AUDIT: Setting =
    open("RETENTION_AUDIT", Some("730d"), "How many days the audit log goes back: 1d to 36500d, or off.");
pub(super) const RUST_LOG: Setting = open(
    "RUST_LOG",
    Some("info"),
    "What is logged, as in info or info,card_service::http=debug (which logs every query too).",
);

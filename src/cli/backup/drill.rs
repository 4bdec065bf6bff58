//! `backup drill`: proves that the service comes back from a backup, and records when.
//!
//! The database is restored into a temporary folder; the media are compared with the manifest and read from their copy. A
//! server without workers answers a request for a card, so that nothing is sent to a partner or a family.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;

use bytes::Bytes;
use clap::Args;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use url::Url;

use super::{media_copy, object, path_text};
use crate::app::{LocalServer, Settings};
use crate::base::{GlobalId, HttpUrl, Kind, Progress, Step, limits, private};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::media::MediaStore;
use crate::model::{Card, KeyMode, Partner, Visibility, path};
use crate::operation::backup::{
    BackupFault, DrillFailure, newest_backup, restore_database, shown_media, verify_database, verify_media,
};
use crate::operation::{Failure, key};
use crate::outbound::{EgressPolicy, FetchLimits, Names, Outbound};
use crate::services::Services;
use crate::store::CardFilter;

/// The newest cards among which a readable one is searched: the partner of a card may be blocked.
const CARDS_TRIED: usize = 50;
/// The folder in DATA_DIR with the restored database; removed at the end.
const FOLDER: &str = "drill";

#[derive(Debug, Args)]
pub(super) struct DrillArgs {
    /// The file that `backup` or pg_dump wrote, with its manifest; in a folder the newest one
    pub file: PathBuf,
    /// The copy of the media: a folder, or s3://bucket/prefix
    #[arg(long, value_name = "PLACE")]
    media: Option<String>,
    /// A PostgreSQL database into which pg_restore restored the dump; drop it afterwards
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

pub(super) async fn run(
    services: &Services,
    settings: &Settings,
    args: DrillArgs,
    output: Output,
) -> Result<(), CliFailure> {
    if args.database.as_deref() == Some(&settings.database_url) {
        return Err(DrillFailure::OwnDatabase.into());
    }
    let file = newest_backup(&args.file)?;
    let progress = output.progress();
    let of_media = args.media.as_ref().map(|_| Step::CompareMedia);
    let of_restore = args.database.is_none().then_some([Step::RestoreDatabase, Step::CheckDatabase]);
    progress.plan(
        [Step::DigestDatabase, Step::CheckDatabase]
            .into_iter()
            .chain(of_media)
            .chain(of_restore.into_iter().flatten())
            .chain([Step::FindPictures, Step::ReadCard]),
        "The backup was not proved: run it again.",
    );
    let manifest = verify_database(&file, progress).await?;
    if manifest.contents.is_none() && args.database.is_none() {
        return Err(BackupFault::Dump.into());
    }
    let folder = DrillFolder::create(settings)?;
    let copy = media_copy(settings, args.media.as_deref(), &manifest)?;
    if let Some(copy) = &copy {
        verify_media(&manifest.media, copy, progress).await?;
    }
    let restored = folder.settings(settings, &args);
    if args.database.is_none() {
        restore_database(&file, &restored.database_url, &manifest, progress).await?;
    }
    let server = LocalServer::open(&restored).await?;
    let read = read_back(&server, progress).await;
    server.close().await;
    let read = read?;
    drop(folder);
    services.store.record_command().await.map_err(Failure::from)?;
    let mut object = object(&file, &manifest);
    object["drill"] = read.object();
    output.show(&object, || {
        let card = match &read.card {
            Some(card) => format!("The card {card} was read through its API{}", if read.page { " and on its page." } else { "." }),
            None => "It has no card to read: none, or only cards of blocked partners.".to_owned(),
        };
        let (file, pictures, media) = (path_text(&file), read.pictures, manifest.media.len());
        format!("The drill of {file} succeeded. {card} {pictures} pictures of cards and themes and {media} files of media are there.")
    })
}

/// The answers of the restored service.
#[derive(Debug, Default)]
struct Read {
    /// The global id of the card; `None` if there is none to read.
    card: Option<String>,
    /// Whether its public page was read too.
    page: bool,
    /// The pictures of cards and themes.
    pictures: usize,
}

impl Read {
    fn object(&self) -> Value {
        json!({ "card": self.card, "page": self.page, "pictures": self.pictures })
    }
}

async fn read_back(server: &LocalServer, progress: &Progress) -> Result<Read, CliFailure> {
    let services = server.services();
    let pictures = pictures(services, progress).await?;
    progress.begin(Step::ReadCard, None);
    let Some((partner, card)) = readable_card(services).await? else { return Ok(Read { pictures, ..Read::default() }) };
    let mode = if card.test { KeyMode::Test } else { KeyMode::Live };
    let new = key::NewKey { mode, label: Some("drill".to_owned()), valid_days: Some(1) };
    let (issued, token) = key::issue(services, &partner, new).await?;
    let client = Client::new(server)?;
    let read = client.card(server, &card, token.reveal()).await;
    let page = match card.online_slug() {
        Some(slug) if card.visibility == Visibility::Open => client.page(slug).await.map(|()| true),
        _ => Ok(false),
    };
    key::revoke(services, &issued.id.to_string()).await?; // the restored database may stay
    Ok(Read { card: Some(read?), page: page?, pictures })
}

/// The newest card of a partner that is not blocked.
async fn readable_card(services: &Services) -> Result<Option<(Partner, Card)>, Failure> {
    for card in services.store.latest_cards(CardFilter::default(), CARDS_TRIED).await? {
        match services.store.partner(card.partner_id).await? {
            Some(partner) if !partner.blocked => return Ok(Some((partner, card))),
            _ => {}
        }
    }
    Ok(None)
}

/// Counts the pictures that cards and themes show. One that is not in the object store is an error.
async fn pictures(services: &Services, progress: &Progress) -> Result<usize, CliFailure> {
    let keys = shown_media(services).await?;
    let (number, count) = (keys.len(), progress.begin(Step::FindPictures, Some(keys.len())));
    for key in keys {
        check_picture(&services.media, key).await?;
        count.add(1);
    }
    Ok(number)
}

async fn check_picture(media: &MediaStore, key: String) -> Result<(), CliFailure> {
    match media.size(&key).await.map_err(BackupFault::from)? {
        Some(_) => Ok(()),
        None => Err(DrillFailure::Picture(key).into()),
    }
}

/// A client of the restored service.
struct Client {
    outbound: Outbound,
    base: String,
}

impl Client {
    fn new(server: &LocalServer) -> Result<Self, DrillFailure> {
        let address = server.address().to_string();
        let policy = EgressPolicy::parse(&address).map_err(|error| DrillFailure::Client(error.into()))?;
        let outbound =
            Outbound::new(policy, Names::system(), None).map_err(|error| DrillFailure::Client(error.into()))?;
        Ok(Self { outbound, base: format!("http://{address}") })
    }

    /// Reads a card over the API, and compares it with its row. Returns its global id.
    async fn card(&self, server: &LocalServer, card: &Card, token: &str) -> Result<String, DrillFailure> {
        let id = GlobalId::new(Kind::Card, card.id).to_string();
        let version = server.version().ok_or(DrillFailure::NoVersion)?;
        let url = format!("{}{}", self.base, path::graphql(version));
        let url = Url::parse(&url).map_err(|error| DrillFailure::Client(error.into()))?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let token = HeaderValue::from_str(token).map_err(|error| DrillFailure::Client(error.into()))?;
        headers.insert(HeaderName::from_static("x-service-access-token"), token);
        let query = "query Drill($id: ID!) { card(id: $id) { id externalDossierId status } }";
        let body = json!({ "query": query, "variables": { "id": id } }).to_string();
        let asked = self.outbound.ask(&url, headers, Bytes::from(body), limits::DELIVERY_ANSWER_BYTES_MAX).await;
        let answer = asked.map_err(|error| DrillFailure::Request(id.clone(), error))?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let expected = json!({
            "id": id, "externalDossierId": card.external_dossier_id, "status": card.status.as_str()
        });
        if answer["data"]["card"] == expected { Ok(id) } else { Err(DrillFailure::Card(id)) }
    }

    /// Reads the public page of a card.
    async fn page(&self, slug: &str) -> Result<(), DrillFailure> {
        let address = HttpUrl::trusted(format!("{}{}", self.base, path::card(slug)));
        let fetched = self.outbound.fetch(&address, FetchLimits { redirects_max: 0, ..FetchLimits::PHOTO }).await;
        fetched.map(|_| ()).map_err(|error| DrillFailure::Request(path::card(slug), error))
    }
}

/// The temporary folder of a drill, locked while it runs. Dropping it removes the folder.
struct DrillFolder {
    path: PathBuf,
    /// Tells a running drill from one that was killed.
    _lock: File,
}

impl DrillFolder {
    /// Creates the folder, or replaces the one of a drill that was killed.
    fn create(settings: &Settings) -> Result<Self, DrillFailure> {
        let path = settings.data_dir.join(FOLDER);
        let failed = |error| DrillFailure::Folder(path.clone(), error);
        private::create_folder(&path).map_err(failed)?;
        let lock = File::open(&path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DrillFailure::Running(path)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        for left in fs::read_dir(&path).map_err(failed)? {
            let left = left.map_err(failed)?.path();
            let removed = if left.is_dir() { fs::remove_dir_all(&left) } else { fs::remove_file(&left) };
            removed.map_err(failed)?;
        }
        Ok(Self { path, _lock: lock })
    }

    /// The settings of the restored service.
    fn settings(&self, settings: &Settings, args: &DrillArgs) -> Settings {
        let embedded = format!("sqlite://{}", self.path.join("card-service.db").display());
        let media = args.media.as_deref().map(|place| match place.contains("://") {
            true => place.to_owned(),
            false => {
                let folder = std::path::absolute(place).unwrap_or_else(|_| place.into());
                Url::from_directory_path(folder).map_or_else(|()| place.to_owned(), String::from)
            }
        });
        Settings {
            database_url: args.database.clone().unwrap_or(embedded),
            data_dir: self.path.clone(),
            media_url: media,
            create_database: false,
            migrate_database: true,
            examine_database: true,
            ..settings.clone()
        }
    }
}

impl Drop for DrillFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path); // the next drill removes the rest
    }
}

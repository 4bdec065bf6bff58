//! A version of the API with its schema, its status and its days: what the pages are made of.

use dated_graphql_schema::Sdl;
use dated_graphql_schema::VersionStatus;

/// A schema with the status and the days of its version.
#[derive(Clone, Copy, Debug)]
pub struct DatedSdl<'a> {
    /// The schema.
    pub sdl: &'a Sdl,
    /// The status that pages show.
    pub status: VersionStatus,
    /// The day of publication, `YYYY-MM-DD`.
    pub published: Option<&'a str>,
    /// The day of deprecation, `YYYY-MM-DD`.
    pub deprecated: Option<&'a str>,
    /// The day on which the version ends, `YYYY-MM-DD`.
    pub sunset: Option<&'a str>,
}

impl DatedSdl<'_> {
    /// Returns the status in words, with the days as `day` writes them.
    pub(crate) fn status_text(&self, day: impl Fn(&str) -> String) -> String {
        let status = match self.status {
            VersionStatus::Candidate => "Candidate: not published yet; it can still change.",
            VersionStatus::Deprecated => "Deprecated: move to a newer version.",
            VersionStatus::Retired => "Retired: it does not answer any more.",
            VersionStatus::Current => "Current.",
        };
        let days = [("Published on", self.published), ("Deprecated on", self.deprecated), ("Ends on", self.sunset)]
            .into_iter();
        let days = days.filter_map(|(what, on)| Some(format!(" {what} {}.", day(on?))));
        days.fold(status.to_owned(), |text, day| text + &day)
    }
}

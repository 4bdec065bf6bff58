//! The themes in memory. They are few, cards and lists show them all the time, and only the operator changes them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::{Page, PageRequest, PageStart, Theme};
use crate::store::{Result, Store, page};

/// The list of a process, which is read again after [`limits::THEMES_CACHED`], and at once if the process changed a theme.
#[derive(Clone, Default)]
pub(in crate::store) struct ThemeCache(Arc<Mutex<Option<Arc<ThemeList>>>>);

/// All themes at a time.
pub(super) struct ThemeList {
    /// By the monotonic clock, before the query.
    read_at: Duration,
    by_id: HashMap<Uuid, Arc<Theme>>,
    /// The themes that are not retired, in the operator's order.
    offered: Vec<Arc<Theme>>,
}

impl ThemeCache {
    pub(super) fn clear(&self) {
        self.put(None);
    }

    fn get(&self, now: Duration) -> Option<Arc<ThemeList>> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        (now.saturating_sub(list.read_at) < limits::THEMES_CACHED).then_some(list)
    }

    fn put(&self, list: Option<Arc<ThemeList>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = list;
    }
}

impl Store {
    /// Returns the list from memory, or from the database.
    pub(super) async fn theme_list(&self) -> Result<Arc<ThemeList>> {
        let now = self.clock.elapsed();
        if let Some(list) = self.themes.get(now) {
            return Ok(list);
        }
        let list = Arc::new(ThemeList::new(now, self.all_themes().await?));
        self.themes.put(Some(Arc::clone(&list)));
        Ok(list)
    }
}

impl ThemeList {
    fn new(read_at: Duration, themes: Vec<(Theme, Option<Timestamp>)>) -> Self {
        let themes: Vec<_> = themes.into_iter().map(|(theme, retired_at)| (Arc::new(theme), retired_at)).collect();
        let offered = themes.iter().filter(|(_, retired_at)| retired_at.is_none()).map(|(theme, _)| Arc::clone(theme));
        Self {
            read_at,
            offered: offered.collect(),
            by_id: themes.into_iter().map(|(theme, _)| (theme.id, theme)).collect(),
        }
    }

    pub(super) fn find(&self, id: Uuid) -> Option<Arc<Theme>> {
        self.by_id.get(&id).cloned()
    }

    /// Returns a page of the offered themes. The page key is position and number.
    pub(super) fn page(&self, request: &PageRequest<(i64, i64)>) -> Page<Arc<Theme>> {
        let place = |is_before: &dyn Fn((i64, i64)) -> bool| {
            self.offered.partition_point(|theme| is_before((theme.position, theme.number)))
        };
        let start = request.after.map_or(0, |after| place(&|key| key <= after));
        let end = request.before.map_or(self.offered.len(), |before| place(&|key| key < before));
        let within = self.offered.get(start..end).unwrap_or_default().iter().cloned();
        let fetched = match request.start {
            PageStart::First => within.take(request.size + 1).collect(),
            PageStart::Last => within.rev().take(request.size + 1).collect(),
        };
        page::cut(request, fetched, start > 0, end < self.offered.len())
    }
}

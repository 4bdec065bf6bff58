//! The documents that partners send, if the operator stores them: written by the usage worker, read by the operator
//! (`usage documents`) and by the partner (`/partner/api/<version>/check`; decisions H11 and H12).

use super::Failure;
use super::usage::{name, names};
use crate::base::limits;
use crate::model::UsageDocument;
use crate::services::Services;

/// Writes the documents of this replica. Those that cannot be written are kept for the next time.
pub(crate) async fn write(services: &Services) -> Result<(), Failure> {
    let mut unwritten = services.documents.unwritten.lock().await;
    if unwritten.is_empty() {
        let (taken, dropped) = services.documents.take();
        if dropped > 0 {
            tracing::warn!(operations = dropped, "more documents were sent than there is room for: not all are stored");
        }
        *unwritten = taken;
    }
    while !unwritten.is_empty() {
        let count = unwritten.len().min(limits::DOCUMENTS_WRITTEN_AT_ONCE);
        services.store.add_usage_documents(unwritten[..count].to_vec()).await?;
        unwritten.drain(..count);
    }
    Ok(())
}

/// Returns the stored documents, of one version and partner or of all, each with the name of its partner.
pub(crate) async fn list(
    services: &Services,
    version: Option<&str>,
    partner: Option<&str>,
) -> Result<Vec<(String, UsageDocument)>, Failure> {
    let names = names(services).await?;
    let documents = services.store.usage_documents(version).await?.into_iter();
    let named = documents.map(|document| (name(&names, document.partner_id), document));
    Ok(named.filter(|(name, _)| partner.is_none_or(|partner| partner == name)).collect())
}

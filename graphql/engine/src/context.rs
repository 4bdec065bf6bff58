//! The context of a request: what the engine asks of the type that resolvers get.

use super::error::{FieldError, Message};
use super::executed::Executed;
use super::field_info::FieldInfo;
use super::prepared_operation::PreparedOperation;

/// The context of a request, which resolvers get. Every method has a default.
///
/// [`around_operation`](Self::around_operation), [`check_field`](Self::check_field) and [`around_field`](Self::around_field) are hooks, for
/// authorisation, tracing and metrics. Their defaults add nothing to the code of a request.
///
/// ```
/// use dated_graphql::{Executed, FieldError, FieldInfo, PreparedOperation, RequestContext};
/// use tracing::Instrument as _;
///
/// struct Context {
///     is_admin: bool,
/// }
///
/// impl RequestContext for Context {
///     // A span for each operation, and a line in the log.
///     async fn around_operation<F: Future<Output = Executed> + Send>(
///         &self,
///         operation: &PreparedOperation,
///         execute: impl FnOnce() -> F + Send,
///     ) -> Executed {
///         let executed = execute().instrument(operation.span()).await;
///         tracing::info!(errors = executed.error_codes.len(), "an operation was executed");
///         executed
///     }
///
///     // A field for administrators.
///     fn check_field(&self, field: FieldInfo<'_>) -> Result<(), FieldError> {
///         match (field.parent(), field.name()) {
///             ("Employee", "salary") if !self.is_admin => {
///                 Err(FieldError::new("FORBIDDEN", "Only administrators see salaries."))
///             }
///             _ => Ok(()),
///         }
///     }
///
///     // A span for each resolver.
///     async fn around_field<T, F: Future<Output = Result<T, FieldError>> + Send>(
///         &self,
///         field: FieldInfo<'_>,
///         resolve: impl FnOnce() -> F + Send,
///     ) -> Result<T, FieldError> {
///         resolve().instrument(field.span()).await
///     }
/// }
/// ```
pub trait RequestContext: Send + Sync + 'static {
    /// Returns the id that every error of the response has, if any.
    fn request_id(&self) -> Option<&str> {
        None
    }

    /// Returns the text of a message for the user.
    fn message(&self, message: &Message) -> String {
        message.to_string()
    }

    /// Returns the written value of a root field of a mutation that was executed before and must not be executed again.
    fn remembered(&self, _response_key: &str) -> Option<&[u8]> {
        None
    }

    /// Executes an operation, or refuses it with [`Executed::refuse`].
    fn around_operation<F: Future<Output = Executed> + Send>(
        &self,
        _operation: &PreparedOperation,
        execute: impl FnOnce() -> F + Send,
    ) -> impl Future<Output = Executed> + Send {
        execute()
    }

    /// Returns an error for a field that the caller may not read, which is then null. Called before each field is read, also one that is
    /// stored in its object; introspection and `__typename` are answered in any case.
    fn check_field(&self, _field: FieldInfo<'_>) -> Result<(), FieldError> {
        Ok(())
    }

    /// Runs the resolver of a field. Stored fields have none, so authorisation belongs into [`check_field`](Self::check_field).
    fn around_field<T, F: Future<Output = Result<T, FieldError>> + Send>(
        &self,
        _field: FieldInfo<'_>,
        resolve: impl FnOnce() -> F + Send,
    ) -> impl Future<Output = Result<T, FieldError>> + Send {
        resolve()
    }
}

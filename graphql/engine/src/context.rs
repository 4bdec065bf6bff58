//! The context of a request: what the engine asks of the type that resolvers get.

use super::error::Message;

/// The context of a request, which resolvers get.
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
}

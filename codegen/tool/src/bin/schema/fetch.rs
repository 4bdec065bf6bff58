//! Reads the schema of a running service, or a file, from an address. Runs `curl`, as the checks run `git`: an HTTP client with
//! TLS of its own would double the time in which `cargo schema` is built.

use std::io::{Read, Write as _};
use std::process::{Command, Stdio};

use schema_tool::check::introspection::{self, IntrospectionError};
use serde_json::{Value, json};

use crate::exit::Failure;

/// How large an answer is and how long it takes at most.
#[derive(Clone, Copy)]
struct Limits {
    bytes: u64,
    seconds: u32,
}

/// The largest public schemas have 10 MB of introspection.
const LIMITS: Limits = Limits { bytes: 64 << 20, seconds: 60 };

/// The endings of files, which are read; any other address is that of a service, which gets a query.
const FILE_ENDINGS: [&str; 4] = [".graphql", ".graphqls", ".gql", ".json"];

/// Returns the SDL behind an address.
pub(crate) fn sdl(url: &str, headers: &[String]) -> Result<String, Failure> {
    let named = |Failure(message)| Failure(format!("{url}: {message}"));
    let path = url.split(['?', '#']).next().unwrap_or_default();
    if FILE_ENDINGS.iter().any(|ending| path.ends_with(ending)) {
        let text = request(url, headers, None, LIMITS).and_then(|(status, text)| successful(status, text));
        return text.and_then(|text| text_as_sdl(&text)).map_err(named);
    }
    let query = |query: &str| request(url, headers, Some(&json!({ "query": query })), LIMITS);
    let (status, answer) = query(introspection::QUERY).map_err(named)?;
    match introspection::sdl(&answer) {
        // A service that does not know all of the query refuses it as a whole.
        Err(IntrospectionError::Refused(_)) => {
            let (_, answer) = query(introspection::QUERY_OF_OLDER_SERVICES).map_err(named)?;
            introspection::sdl(&answer).map_err(|error| named(error.into()))
        }
        Err(IntrospectionError::Json(_)) => {
            let text = successful(status, answer).map_err(named)?;
            introspection::sdl(&text).map_err(|error| named(error.into()))
        }
        done => done.map_err(|error| named(error.into())),
    }
}

/// Returns the SDL of a text that is SDL or introspection as JSON.
pub(crate) fn text_as_sdl(text: &str) -> Result<String, Failure> {
    if is_json(text) { Ok(introspection::sdl(text)?) } else { Ok(text.to_owned()) }
}

/// Returns whether a text is JSON and not SDL, which never begins with a brace.
pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

fn successful(status: u16, text: String) -> Result<String, Failure> {
    if status == 200 { Ok(text) } else { Err(Failure(format!("the answer has the status {status}"))) }
}

/// Sends a request: GET, or POST with a body. Returns status and body.
fn request(url: &str, headers: &[String], body: Option<&Value>, limits: Limits) -> Result<(u16, String), Failure> {
    // Headers hold secrets, so they are not arguments, which every user of the machine can read.
    let mut settings = vec![("url", url.to_owned()), ("header", "Accept: application/json, */*;q=0.5".to_owned())];
    settings.extend(headers.iter().map(|header| ("header", header.clone())));
    if let Some(body) = body {
        settings.push(("header", "Content-Type: application/json".to_owned()));
        settings.push(("data-raw", body.to_string()));
    }
    let lines = settings.iter().map(|(name, value)| format!("{name} = {}\n", quoted(value)));
    let mut curl = Command::new("curl")
        .args(["--disable", "--config", "-", "--silent", "--show-error", "--globoff", "--proto", "=http,https"])
        .args(["--max-time", &limits.seconds.to_string(), "--write-out", "\n%{http_code}"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure(format!("`curl`, which reads addresses, cannot be run: {error}")))?;
    if let Some(mut input) = curl.stdin.take() {
        input.write_all(lines.collect::<String>().as_bytes())?;
    }
    let mut output = vec![];
    if let Some(from) = &mut curl.stdout {
        from.take(limits.bytes + 1).read_to_end(&mut output)?;
    }
    if output.len() as u64 > limits.bytes {
        curl.kill()?;
        curl.wait()?;
        return Err(Failure(format!("the answer has more than {} bytes", limits.bytes)));
    }
    let ended = curl.wait_with_output()?;
    if !ended.status.success() {
        return Err(Failure(String::from_utf8_lossy(&ended.stderr).trim().to_owned()));
    }
    let text = String::from_utf8(output).map_err(|_| Failure("the answer is not UTF-8".to_owned()))?;
    let (text, status) = text.rsplit_once('\n').unwrap_or_default();
    Ok((status.parse().unwrap_or_default(), text.to_owned()))
}

/// Writes a value of curl's configuration.
fn quoted(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n").replace('\r', "\\r"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    use super::{Limits, request};

    /// Returns the address of a server that sends an answer of 30 bytes after some time.
    fn server(pause: Duration) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            thread::sleep(pause);
            let body = "x".repeat(30);
            let _ = write!(connection, "HTTP/1.1 200 OK\r\nContent-Length: 30\r\nConnection: close\r\n\r\n{body}");
        });
        url
    }

    #[test]
    fn answer_is_limited_in_size_and_time() {
        let limits = Limits { bytes: 34, seconds: 10 };
        let (status, body) = request(&server(Duration::ZERO), &[], None, limits).unwrap();
        assert_eq!((status, body.len()), (200, 30));
        let large = request(&server(Duration::ZERO), &[], None, Limits { bytes: 33, ..limits }).unwrap_err();
        assert_eq!(large.0, "the answer has more than 33 bytes");
        let late = request(&server(Duration::from_secs(20)), &[], None, Limits { seconds: 1, ..limits }).unwrap_err();
        assert!(late.0.contains("timed out"), "{late:?}");
    }
}

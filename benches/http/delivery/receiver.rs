//! The receiver: a process that answers every request with 204 and counts in shared memory.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::process::on_second_core;

/// The receiver's process.
pub(crate) struct Receiver {
    child: Child,
    pub port: u16,
    counter: NamedTempFile,
}

impl Receiver {
    pub(crate) fn start() -> Self {
        let counter = NamedTempFile::new().expect("a file");
        counter.as_file().write_all_at(&0_u64.to_ne_bytes(), 0).expect("it can be written");
        let own = std::env::current_exe().expect("this program has a path");
        let mut child = on_second_core(own.to_str().expect("a UTF-8 path"))
            .arg("receiver")
            .arg(counter.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the process starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        Self { child, port: line.trim().parse().expect("a port"), counter }
    }

    /// Returns how many notifications have arrived.
    pub(crate) fn count(&self) -> u64 {
        let mut bytes = [0; 8];
        self.counter.as_file().read_exact_at(&mut bytes, 0).expect("the count can be read");
        u64::from_ne_bytes(bytes)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the process: keep-alive connections on one thread.
pub(crate) fn receive(counter: &Path) {
    let counter: &File = Box::leak(Box::new(File::options().write(true).open(counter).expect("the counter")));
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        println!("{}", listener.local_addr().expect("an address").port());
        loop {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let _ = stream.set_nodelay(true);
            tokio::spawn(async move {
                let mut buffer = Vec::with_capacity(16 * 1024);
                while let Some(length) = request(&mut stream, &mut buffer).await {
                    buffer.drain(..length);
                    let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
                    counter.write_all_at(&count.to_ne_bytes(), 0).expect("the count can be written");
                    if stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.is_err() {
                        return;
                    }
                }
            });
        }
    });
}

/// Reads a complete request. Returns its length.
async fn request(stream: &mut tokio::net::TcpStream, buffer: &mut Vec<u8>) -> Option<usize> {
    loop {
        if let Some(head) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let text = std::str::from_utf8(&buffer[..head]).ok()?.to_ascii_lowercase();
            let length =
                text.lines().find_map(|line| line.strip_prefix("content-length:"))?.trim().parse::<usize>().ok()?;
            if buffer.len() >= head + 4 + length {
                return Some(head + 4 + length);
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}

/// A receiver that does not work.
pub(crate) struct Dead {
    pub port: u16,
    _listener: Option<TcpListener>,
}

/// Returns a port on which nothing listens.
pub(crate) fn refusing() -> Dead {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    Dead { port: listener.local_addr().expect("an address").port(), _listener: None }
}

/// Accepts connections and sends nothing.
pub(crate) fn silent() -> Dead {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    Dead { port: listener.local_addr().expect("an address").port(), _listener: Some(listener) }
}

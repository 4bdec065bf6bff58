//! A proxy that makes PostgreSQL stop answering, like a failover, a frozen machine or a lost route.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

/// A proxy with its own port and thread, because tests block while they wait for processes. It accepts in every state, and
/// its connections stay open until it is dropped.
pub struct Proxy {
    /// The address of the database through this proxy.
    pub url: String,
    state: watch::Sender<State>,
    thread: Option<std::thread::JoinHandle<()>>,
    end: Option<oneshot::Sender<()>>,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// The number of connections so far.
    count: usize,
    /// Connections with lower numbers never pass on data again.
    frozen: usize,
    /// Whether new connections pass on no data either.
    silent: bool,
}

impl Proxy {
    pub fn start(database: &str) -> Self {
        let mut url = url::Url::parse(database).expect("an address");
        let target = (url.host_str().expect("a host").to_owned(), url.port().unwrap_or(5432));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address: SocketAddr = listener.local_addr().expect("an address");
        url.set_host(Some("127.0.0.1")).expect("a host");
        url.set_port(Some(address.port())).expect("a port");
        let state = watch::Sender::new(State::default());
        let (states, (end, ended)) = (state.clone(), oneshot::channel());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                tokio::select! {
                    () = serve(listener, states, target) => {}
                    _ = ended => {}
                }
            });
        });
        Self { url: url.into(), state, thread: Some(thread), end: Some(end) }
    }

    /// Stops all connections, present and future.
    pub fn freeze(&self) {
        self.state.send_modify(|state| (state.frozen, state.silent) = (state.count, true));
    }

    /// Serves new connections; stopped ones stay dead.
    pub fn serve_new(&self) {
        self.state.send_modify(|state| (state.frozen, state.silent) = (state.count, false));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        drop(self.end.take());
        let _ = self.thread.take().map(std::thread::JoinHandle::join); // an error: the test fails anyway
    }
}

async fn serve(listener: std::net::TcpListener, states: watch::Sender<State>, target: (String, u16)) {
    listener.set_nonblocking(true).expect("a listener of tokio's");
    let listener = TcpListener::from_std(listener).expect("a listener of tokio's");
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let mut number = 0;
        states.send_modify(|state| {
            number = state.count;
            state.count += 1;
        });
        connections.spawn(pass(stream, number, states.subscribe(), target.clone()));
    }
}

async fn pass(mut near: TcpStream, number: usize, mut state: watch::Receiver<State>, target: (String, u16)) {
    let mut far = None;
    let passing = async {
        let far = far.insert(TcpStream::connect(target).await.expect("PostgreSQL runs"));
        let _ = tokio::io::copy_bidirectional(&mut near, far).await;
    };
    tokio::select! {
        biased;
        _ = state.wait_for(|state| state.silent || number < state.frozen) => {}
        () = passing => return,
    }
    // Neither side learns of anything.
    let _held = (near, far);
    std::future::pending().await
}

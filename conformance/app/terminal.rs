//! A pseudo-terminal, as a command meets it.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// The longest wait for an output on a busy machine.
const SHOWN_WITHIN: Duration = Duration::from_secs(120);

/// A terminal of 100 columns.
pub struct Terminal {
    device: File,
    pieces: mpsc::Receiver<Vec<u8>>,
    shown: String,
}

impl Terminal {
    pub fn open() -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&controller).and_then(|()| unlockpt(&controller)).expect("it can be opened");
        tcsetwinsize(&controller, Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).expect("a size");
        let name = ptsname(&controller, Vec::new()).expect("a name").into_string().expect("UTF-8");
        let device = OpenOptions::new().read(true).write(true).open(name).expect("the device");
        let (send, pieces) = mpsc::channel();
        let mut output = File::from(controller);
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut piece) {
                let _ = send.send(piece[..length].to_vec()); // the test may have ended
            }
        });
        Self { device, pieces, shown: String::new() }
    }

    /// An output of a command.
    pub fn stdio(&self) -> Stdio {
        self.device.try_clone().expect("the device").into()
    }

    /// Waits until the terminal has shown a text. Returns everything that it got.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) -> &str {
        while !self.shown.contains(text) {
            let Ok(piece) = self.pieces.recv_timeout(SHOWN_WITHIN) else { panic!("no {text:?} in {:?}", self.shown) };
            self.shown.push_str(&String::from_utf8_lossy(&piece));
        }
        &self.shown
    }
}

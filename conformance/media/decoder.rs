//! The limits of the process that decodes photos. The fairness of its queue is tested in `src/media/rendition/queue.rs`.

use std::io::Write as _;
use std::process::{Child, Stdio};

use card_service::base::limits;

use crate::app::picture::{photo, size_of};
use crate::app::{FreshDatabase, Program, wait_for};

/// Returns a limit of a process from the kernel.
fn limit(child: &Child, name: &str) -> String {
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).expect("the process is there");
    let line = limits.lines().find(|line| line.starts_with(name)).expect("the kernel knows the limit");
    line[name.len()..].split_whitespace().next().expect("a value").to_owned()
}

on_sqlite! {
    async fn decoder_limits_itself_before_it_reads_a_photo(database: FreshDatabase) {
        let mut command = Program::new(&database).command(&["decode-photo", "renditions"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let memory = limits::DECODING_MEMORY_BYTES_MAX.to_string();
        let is_limited = || async { (limit(&child, "Max address space") == memory).then_some(()) };
        wait_for("the decoder limits itself", is_limited).await;
        let seconds = limits::DECODING_CPU.as_secs().to_string();
        for (name, value) in [
            ("Max address space", memory.as_str()),
            ("Max cpu time", &seconds),
            ("Max open files", "0"),
            ("Max file size", "0"),
            ("Max core file size", "0"),
        ] {
            assert_eq!(limit(&child, name), value, "{name}");
        }
        child.stdin.take().expect("stdin").write_all(&photo("jpeg")).expect("the decoder reads");
        let output = child.wait_with_output().expect("the decoder ends");
        assert!(output.status.success(), "{}", output.status);
        // Found, 96 by 64, and the picture for the screen behind its length.
        assert_eq!(output.stdout[..9], [0, 0, 0, 0, 96, 0, 0, 0, 64]);
        let length = u32::from_be_bytes(output.stdout[9..13].try_into().expect("four bytes")) as usize;
        assert_eq!(size_of(&output.stdout[13..13 + length]), (96, 64));
    }

    async fn decoder_has_its_whole_stack_under_its_limits(database: FreshDatabase) {
        let depth = 200; // more than the part of a main thread's stack that is in memory at the start
        let svg = ["<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>", &"<g opacity='.9'>".repeat(depth), &"</g>".repeat(depth), "</svg>"];
        let mut command = Program::new(&database).command(&["decode-photo", "draw"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
        child.stdin.take().expect("stdin").write_all(svg.concat().as_bytes()).expect("the decoder reads");
        let output = child.wait_with_output().expect("the decoder ends");
        assert!(output.status.success() && output.stdout.starts_with(&[0]), "{}", output.status);
    }
}

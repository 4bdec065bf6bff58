//! `kill -9` at random times under load: every committed event arrives, and no other (decisions W3).

use std::time::{Duration, Instant};

use card_service::base::{Entropy, limits};

use super::follow::{Followed, kill_seconds};
use crate::app::FreshDatabase;

on_both_databases! {
    async fn nothing_is_lost_when_the_process_is_killed_again_and_again(database: FreshDatabase) {
        let followed = Followed::new(database).await;
        let (entropy, end) = (Entropy::system(), Instant::now() + Duration::from_secs(kill_seconds()));
        let mut serving = followed.program.serve();
        followed.ask([serving.base.clone()]);
        let load = followed.run();
        let mut kills = 0;
        while Instant::now() < end {
            let pause = 100 + u64::from(u16::from_be_bytes(entropy.bytes())) % 1_500;
            tokio::time::sleep(Duration::from_millis(pause)).await;
            serving.kill();
            kills += 1;
            serving = followed.program.serve();
            followed.ask([serving.base.clone()]);
        }
        followed.rest(load).await;
        assert!(kills > 3 && followed.acknowledged() > 20, "{kills} kills, {} changes", followed.acknowledged());
        // What the last one killed had claimed is claimed again when its lease ends.
        followed.check(2 * limits::DELIVERY_LEASE).await;
        assert!(serving.terminate());
    }
}

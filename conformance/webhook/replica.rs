//! Two replicas on one PostgreSQL: one is killed, one is stopped for longer than its leases; nothing is lost (decisions W3).

use std::time::Duration;

use card_service::base::limits;

use super::follow::Followed;
use crate::app::{Database, FreshDatabase, run_alone};

#[test]
fn killed_and_sleeping_replicas_lose_no_delivery() {
    run_alone(Database::Postgres, |database: FreshDatabase| async move {
        let followed = Followed::new(database).await;
        let (sleeper, victim) = (followed.program.serve(), followed.program.serve());
        followed.ask([sleeper.base.clone(), victim.base.clone()]);
        let load = followed.run();
        tokio::time::sleep(Duration::from_secs(3)).await;

        // In the middle of its work: with deliveries claimed, and some on their way.
        sleeper.signal("STOP");
        followed.ask([victim.base.clone()]);
        tokio::time::sleep(limits::DELIVERY_LEASE + Duration::from_secs(3)).await;
        sleeper.signal("CONT");
        followed.ask([sleeper.base.clone(), victim.base.clone()]);
        tokio::time::sleep(Duration::from_secs(2)).await;

        victim.kill();
        followed.ask([sleeper.base.clone()]);
        tokio::time::sleep(Duration::from_secs(2)).await;
        followed.rest(load).await;
        assert!(followed.acknowledged() > 100, "{} changes", followed.acknowledged());
        followed.check(2 * limits::DELIVERY_LEASE).await;
        assert!(sleeper.terminate());
    });
}

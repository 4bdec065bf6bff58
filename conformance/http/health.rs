//! Health checks, for balancers.

use crate::app::{Answer, TestApp};

on_both_databases! {
    async fn health_of_a_running_server_is_good(app: TestApp) {
        for path in ["/health/live", "/health/ready"] {
            let answer = Answer::read(app.http().get(app.url(path)).send().await.expect("the server answers")).await;
            assert_eq!(answer.status, 200, "{path}");
        }
    }
}

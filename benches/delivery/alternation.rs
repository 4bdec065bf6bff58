//! Two paces measured turn by turn: the speed of a machine wanders, and the two of one round share its moment.

use std::fmt::{self, Display, Formatter};

use crate::pace::Pace;

/// What was measured: `ours` is compared with `other`, round by round.
pub struct Turns {
    rounds: Vec<(Pace, Pace)>,
}

impl Turns {
    /// Takes so many rounds; who comes first changes from one to the next.
    pub async fn take(rounds: usize, ours: impl AsyncFn() -> Pace, other: impl AsyncFn() -> Pace) -> Self {
        let mut taken = Vec::with_capacity(rounds);
        for round in 0..rounds {
            taken.push(if round.is_multiple_of(2) {
                (ours().await, other().await)
            } else {
                let others = other().await;
                (ours().await, others)
            });
        }
        Self { rounds: taken }
    }

    fn best(&self, which: fn(&(Pace, Pace)) -> Pace) -> Pace {
        self.rounds.iter().map(which).max_by(|a, b| a.per_second.total_cmp(&b.per_second)).expect("a round")
    }
}

impl Display for Turns {
    /// The fastest round of each, and the ratios.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (ours, other) = (self.best(|round| round.0), self.best(|round| round.1));
        let mut ratios: Vec<f64> = self.rounds.iter().map(|(ours, other)| ours.per_second / other.per_second).collect();
        ratios.sort_by(f64::total_cmp);
        write!(
            f,
            "{ours} against {other}, best against best {:.2}; round by round {ratios:.2?}, in the middle {:.2}",
            ours.per_second / other.per_second,
            ratios[ratios.len() / 2]
        )
    }
}

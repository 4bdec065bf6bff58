//! Measures two rates alternately, because the speed of a machine varies over time.

use std::fmt::{self, Display, Formatter};

use crate::pace::Pace;

/// The rates of `ours` and `other`, by round.
pub(crate) struct Alternation {
    rounds: Vec<(Pace, Pace)>,
}

impl Alternation {
    /// Measures so many rounds; the order changes with each round.
    pub(crate) async fn measure(rounds: usize, ours: impl AsyncFn() -> Pace, other: impl AsyncFn() -> Pace) -> Self {
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

impl Display for Alternation {
    /// Formats the fastest round of each, and the ratios.
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

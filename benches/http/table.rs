//! The rows of the table, each with its goal and verdict, as text or as a JSON object a line.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::comparison::{Comparison, Cost, median};
use crate::database::Engine;

#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    pub row: String,
    pub database: Engine,
    /// Seeded cards.
    pub cards: Option<usize>,
    /// `None` on SQLite.
    pub autovacuum: Option<bool>,
    pub figures: Figures,
    pub goal: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Figures {
    /// The median ratio by processor time must be at least the goal.
    ProcessorTime(Comparison),
    /// The median ratio of the rates must be at least the goal.
    Rate(Comparison),
    /// Ours must be at most the goal.
    Amount { unit: String, ours: f64, limit: Option<f64> },
}

impl Row {
    fn ratios(&self) -> Option<Vec<f64>> {
        match &self.figures {
            Figures::ProcessorTime(comparison) => Some(comparison.ratios(false)),
            Figures::Rate(comparison) => Some(comparison.ratios(true)),
            Figures::Amount { .. } => None,
        }
    }

    /// Returns whether the goal is met; a ratio is rounded as it is printed.
    fn is_met(&self) -> bool {
        match (&self.figures, self.ratios()) {
            (_, Some(ratios)) => (ratios[ratios.len() / 2] * 100.0).round() / 100.0 >= self.goal,
            (Figures::Amount { ours, .. }, None) => *ours <= self.goal,
            _ => unreachable!("a comparison has ratios"),
        }
    }

    pub(crate) fn print(&self, json: bool) {
        if !json {
            return println!("{self}");
        }
        let mut row = serde_json::to_value(self).expect("JSON");
        row["met"] = self.is_met().into();
        if let Some(ratios) = self.ratios() {
            row["ratio"] = ratios[ratios.len() / 2].into();
        }
        println!("{row}");
    }
}

pub(crate) const HEAD: &str = "\
row            database  cards  autovacuum | limit: processor time (in PostgreSQL), rate, p99   | ours                                                 | ratio (all rounds)  goal verdict";

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cards = self.cards.map_or("-".to_owned(), |cards| cards.to_string());
        let autovacuum = self.autovacuum.map_or("-", |on| if on { "on" } else { "off" });
        let database = format!("{:?}", self.database).to_lowercase();
        write!(f, "{:<14} {database:<8} {cards:>6}  {autovacuum:<10} | ", self.row)?;
        match &self.figures {
            Figures::ProcessorTime(comparison) | Figures::Rate(comparison) => {
                cost(f, median(&comparison.limit))?;
                f.write_str(" | ")?;
                cost(f, median(&comparison.ours))?;
                let ratios = self.ratios().expect("a comparison has ratios");
                let last = ratios.len() - 1;
                write!(f, " | {:.2} ({:.2} to {:.2})", ratios[ratios.len() / 2], ratios[0], ratios[last])?;
                write!(f, " >= {:.2}", self.goal)?;
            }
            Figures::Amount { unit, ours, limit } => {
                let limit = limit.map_or("-".to_owned(), |limit| format!("{limit:.1} {unit}"));
                write!(f, "{limit:<52} | {:<52} |{:20} <= {:.0}", format!("{ours:.1} {unit}"), "", self.goal)?;
            }
        }
        f.write_str(if self.is_met() { " met" } else { " MISSED" })
    }
}

fn cost(f: &mut Formatter<'_>, cost: Cost) -> fmt::Result {
    let p99 = cost.p99_us.map_or("-".to_owned(), |us| us.to_string());
    let (total, database, rate) = (cost.total_us(), cost.database_us, cost.per_second);
    write!(f, "{total:>7.1} us ({database:>6.1}) {rate:>7.0}/s p99 {p99:>8} us")
}

//! The answer to a check: a verdict on each operation, and their numbers.

use std::collections::HashMap;

use schema::diagnostic::LineIndex;
use schema::operation::{Cause, Comparison, Document, Outcome, Verdict};
use serde::Serialize;

use super::{Check, Operations};
use crate::base::{limits, lower_hex};
use crate::http::api_error::ApiError;
use crate::http::throttle::Charge;
use crate::http::version::Versions;
use crate::model::{KeyMode, UsageDocument};

/// The answer. Fields are written in this order.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    version: &'static str,
    broken: usize,
    affected: usize,
    unaffected: usize,
    invalid: usize,
    /// The number of stored documents that were not checked, because there are too many.
    left_out: usize,
    operations: Vec<CheckedOperation>,
}

#[derive(Debug, Serialize)]
struct CheckedOperation {
    /// The name of its document; the digest of a stored one.
    document: String,
    /// Null if it has none, or if its document cannot be read.
    operation: Option<String>,
    from: &'static str,
    verdict: &'static str,
    line: usize,
    column: usize,
    /// The worst first.
    causes: Vec<WrittenCause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<StoredUse>,
}

#[derive(Debug, Serialize)]
struct WrittenCause {
    verdict: &'static str,
    coordinate: Option<String>,
    message: String,
    reason: Option<&'static str>,
    line: usize,
    column: usize,
}

/// Who sent a stored document, and when.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StoredUse {
    test: bool,
    count: i64,
    first_used_on: String,
    last_used_on: String,
    /// The document without values, in which the lines count.
    text: String,
}

/// Documents that share their fragments, with the version that they were written for.
struct Group {
    from: &'static str,
    files: Vec<File>,
    stored: Option<StoredUse>,
}

struct File {
    name: String,
    text: String,
    lines: LineIndex,
}

impl Answer {
    /// Checks the operations of a check. Returns the points that it cost too.
    ///
    /// # Errors
    /// 400 for too many operations or none; 429.
    pub(super) fn of(check: Check) -> Result<(Self, Charge), ApiError> {
        let Check { operations, versions, version, bucket, charge } = check;
        let mut answer = Self { version, ..Self::default() };
        // As many as a full bucket pays for.
        let affordable = usize::try_from(bucket.points_max() / limits::COST_CHECKED_OPERATION).unwrap_or(usize::MAX);
        let max = limits::CHECKED_OPERATIONS_MAX.min(affordable);
        let (groups, is_sent) = groups(operations, &versions);
        let mut parsed = vec![];
        let mut count = 0;
        for group in groups {
            let documents: Vec<_> = group.files.iter().map(|file| Document::parse(&file.text)).collect();
            let found: usize = documents.iter().map(|read| read.as_ref().map_or(1, Document::operation_count)).sum();
            if !is_sent && count + found > max {
                answer.left_out += 1;
                continue;
            }
            count += found;
            parsed.push((group, documents));
        }
        if is_sent && count == 0 {
            return Err(ApiError::check_invalid("The documents hold no operation."));
        }
        if count > max {
            let detail = format!("The documents hold {count} operations; at most {max} are allowed.");
            return Err(ApiError::check_invalid(detail));
        }
        let points = u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(limits::COST_CHECKED_OPERATION);
        let charge = bucket.take_rest(charge, points)?;
        let mut comparisons = HashMap::new();
        for (group, documents) in parsed {
            let Some(pair) = versions.pair(group.from, version) else { continue };
            let comparison =
                comparisons.entry(group.from).or_insert_with(|| Comparison::new(pair, limits::CHECK_STEPS_MAX));
            answer.check(comparison, &group, documents);
        }
        Ok((answer, charge))
    }

    pub(super) fn json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and numbers can be written")
    }

    /// Adds the verdicts on the operations of a group.
    fn check(
        &mut self,
        comparison: &Comparison<'_>,
        group: &Group,
        documents: Vec<Result<Document, Box<schema::Diagnostic>>>,
    ) {
        let (mut files, mut read) = (vec![], vec![]);
        for (file, document) in group.files.iter().zip(documents) {
            match document {
                Ok(document) => {
                    files.push(file);
                    read.push(document);
                }
                Err(error) => {
                    let cause = Cause {
                        outcome: Outcome::Invalid,
                        coordinate: String::new(),
                        message: error.message,
                        reason: None,
                        span: error.span,
                    };
                    let (span, outcome, causes) = (error.span, Outcome::Invalid, vec![cause]);
                    self.add(group, file, Verdict { document: 0, operation: None, span, outcome, causes });
                }
            }
        }
        for verdict in comparison.check(&read) {
            self.add(group, files[verdict.document], verdict);
        }
    }

    fn add(&mut self, group: &Group, file: &File, verdict: Verdict) {
        *match verdict.outcome {
            Outcome::Broken => &mut self.broken,
            Outcome::Affected => &mut self.affected,
            Outcome::Unaffected => &mut self.unaffected,
            Outcome::Invalid => &mut self.invalid,
        } += 1;
        let (line, column) = file.lines.position(&file.text, verdict.span.start);
        let causes = verdict.causes.into_iter().take(limits::CHECK_CAUSES_MAX).map(|cause| {
            let (line, column) = file.lines.position(&file.text, cause.span.start);
            let Cause { outcome, coordinate, message, reason, .. } = cause;
            let coordinate = Some(coordinate).filter(|coordinate| !coordinate.is_empty());
            WrittenCause { verdict: name(outcome), coordinate, message, reason, line, column }
        });
        self.operations.push(CheckedOperation {
            document: file.name.clone(),
            operation: verdict.operation,
            from: group.from,
            verdict: name(verdict.outcome),
            line,
            column,
            causes: causes.collect(),
            stored: group.stored.clone(),
        });
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Broken => "BROKEN",
        Outcome::Affected => "AFFECTED",
        Outcome::Unaffected => "UNAFFECTED",
        Outcome::Invalid => "INVALID",
    }
}

/// Returns the groups, and whether they were sent with the request.
fn groups(operations: Operations, versions: &Versions) -> (Vec<Group>, bool) {
    match operations {
        Operations::Sent(from, documents) => {
            let files = documents.into_iter().map(|document| File::new(document.name, document.text));
            (vec![Group { from, files: files.collect(), stored: None }], true)
        }
        // A version that was taken out of the service since has no schema to compare with.
        Operations::Stored(documents) => {
            let group = |document: UsageDocument| {
                let from = versions.name(&document.version)?;
                let stored = StoredUse {
                    test: document.mode == KeyMode::Test,
                    count: document.count,
                    first_used_on: document.first_day.to_string(),
                    last_used_on: document.last_day.to_string(),
                    text: document.document.clone(),
                };
                let file = File::new(lower_hex(&document.digest), document.document);
                Some(Group { from, files: vec![file], stored: Some(stored) })
            };
            (documents.into_iter().filter_map(group).collect(), false)
        }
    }
}

impl File {
    fn new(name: String, text: String) -> Self {
        Self { name, lines: LineIndex::new(&text), text }
    }
}

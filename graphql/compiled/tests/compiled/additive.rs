//! Structs and inputs that only gain fields: resolvers that take or return them, or what contains them, are written once.

use dated_graphql::{FieldError, Patch};

use crate::generated::additive as generated;
use crate::{Context, assert_answers};
use generated::v2026_10::{Maker, Mass, MassInput, Query, Rocket, Unit};

/// The one place that fills in the struct names the new fields.
fn mass(kg: i32) -> Mass {
    let maker = Some(Maker { age: Some(9), name: "m".into() });
    Mass { stones: Some(f64::from(kg) / 8.0), kg, maker }
}

impl Query for Context {
    async fn rocket(&self) -> Result<Rocket, FieldError> {
        Ok(Rocket { name: "r".into(), mass: mass(8) })
    }

    async fn rockets(&self, heavier: Option<MassInput>) -> Result<Vec<Rocket>, FieldError> {
        let MassInput { kg, unit } = heavier.ok_or_else(|| FieldError::new("NONE", "no mass"))?;
        let name = match unit {
            Patch::Absent => "absent",
            Patch::Null | Patch::Value(Unit::Kg) => "kg",
            Patch::Value(Unit::Stone) => "stone",
        };
        Ok(vec![Rocket { name: name.into(), mass: mass(kg.value().unwrap_or(0)) }])
    }
}

#[test]
fn version_that_adds_fields_needs_no_other_resolver() {
    let kg = "{ rocket { name mass { kg } } }";
    let kg_answer = r#"{"rocket":{"name":"r","mass":{"kg":8}}}"#;
    let stones = "{ rockets(heavier: {kg: 16, unit: STONE}) { name mass { stones maker { name } } } }";
    let stones_answer = r#"{"rockets":[{"name":"stone","mass":{"stones":2.0,"maker":{"name":"m"}}}]}"#;
    let absent = "{ rockets(heavier: {kg: 16}) { name } }";
    let absent_answer = r#"{"rockets":[{"name":"absent"}]}"#;
    let age = "{ rocket { mass { maker { age } } } }";
    for version in ["2026-10", "2027-01", "2027-04"] {
        assert_answers(generated::engines, &[(version, kg, kg_answer), (version, absent, absent_answer)]);
    }
    let refused = "Cannot query field \"stones\" on type \"Mass\".";
    let unknown = "Cannot query field \"age\" on type \"Maker\".";
    let answers = [
        ("2026-10", "{ rocket { mass { stones } } }", refused),
        (
            "2026-10",
            "{ rockets(heavier: {unit: KG}) { name } }",
            "Field \"unit\" is not defined by type \"MassInput\".",
        ),
        ("2027-01", stones, stones_answer),
        ("2027-01", age, unknown),
        ("2027-04", stones, stones_answer),
        ("2027-04", age, r#"{"rocket":{"mass":{"maker":{"age":9}}}}"#),
    ];
    assert_answers(generated::engines, &answers);
}

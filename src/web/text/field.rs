//! Words of forms that all pages share.

pub const SUMMARY: &str = "Controleer uw gegevens";
pub const ERROR: &str = "Let op: ";
pub const DAY: &str = "Dag";
pub const MONTH: &str = "Maand";
pub const YEAR: &str = "Jaar";
pub const DATE_HINT: &str = "Bijvoorbeeld 12 4 1938";
pub const DATE_INVALID: &str = "Vul een bestaande datum in, met het jaar in vier cijfers. Bijvoorbeeld 12 4 1938.";

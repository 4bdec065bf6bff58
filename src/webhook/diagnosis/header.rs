//! `webhook-signature`, read as forgivingly as can be: what it was meant to hold, and what is wrong with how it says so.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::webhook::signature::SIGNATURE_HEADER;

/// What is wrong with the writing of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderFault {
    #[error("{SIGNATURE_HEADER} is empty.")]
    Empty,
    #[error("A signature begins with v1, and a comma: this one does not.")]
    NoScheme,
    #[error("The signature is in hexadecimal. It has to be in base64.")]
    Hexadecimal,
    #[error("The signature is in the base64 of web addresses (- and _), or without its padding (=).")]
    OtherBase64,
    #[error("Signatures are separated by a space, not by a comma.")]
    Separator,
    #[error("The signature is cut off, or is none: 32 bytes in base64 are 44 characters, and end in =.")]
    Length,
    #[error("{SIGNATURE_HEADER} holds only signatures of another scheme than v1.")]
    OtherScheme,
}

/// Either alphabet, with or without padding.
const FORGIVING: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, FORGIVING);
const OF_ADDRESSES: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, FORGIVING);

/// The signatures in a header, and what is wrong with their writing; no signature is given without a fault.
pub(super) fn read_header(header: &str) -> (Vec<Vec<u8>>, Vec<HeaderFault>) {
    let (mut signatures, mut faults, mut others) = (Vec::new(), Vec::new(), false);
    if header.trim().is_empty() {
        return (signatures, vec![HeaderFault::Empty]);
    }
    // A proxy that joins two headers of one name puts a comma between them.
    let separated = header.replace(",v1,", " v1,").replace(", ", " ");
    if separated != header {
        faults.push(HeaderFault::Separator);
    }
    for piece in separated.split_whitespace() {
        let encoded = match piece.split_once([',', '=']) {
            Some(("v1", encoded)) => {
                if !piece.starts_with("v1,") {
                    faults.push(HeaderFault::NoScheme);
                }
                encoded
            }
            Some((scheme, _)) if is_scheme(scheme) => {
                others = true;
                continue;
            }
            _ => {
                faults.push(HeaderFault::NoScheme);
                piece
            }
        };
        match decode(encoded) {
            Ok((bytes, fault)) => {
                signatures.push(bytes);
                faults.extend(fault);
            }
            Err(fault) => faults.push(fault),
        }
    }
    if signatures.is_empty() && faults.is_empty() && others {
        faults.push(HeaderFault::OtherScheme);
    }
    faults.dedup();
    (signatures, faults)
}

/// Other schemes of the specification: `v1a` and whatever comes.
fn is_scheme(text: &str) -> bool {
    let digits = text.strip_prefix('v').unwrap_or_default();
    text.len() <= 4 && digits.starts_with(|c: char| c.is_ascii_digit())
}

fn decode(text: &str) -> Result<(Vec<u8>, Option<HeaderFault>), HeaderFault> {
    if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        let digits = |start: usize| u8::from_str_radix(&text[start..start + 2], 16).ok();
        let bytes: Option<Vec<u8>> = (0..64).step_by(2).map(digits).collect();
        return Ok((bytes.ok_or(HeaderFault::Length)?, Some(HeaderFault::Hexadecimal)));
    }
    let is_standard = text.len() == 44 && text.ends_with('=') && !text.contains(['-', '_']);
    let decoded = STANDARD.decode(text).or_else(|_| OF_ADDRESSES.decode(text));
    match decoded {
        Ok(bytes) if bytes.len() == 32 => Ok((bytes, (!is_standard).then_some(HeaderFault::OtherBase64))),
        _ => Err(HeaderFault::Length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "v1,EN9Fow2uZKqFckkISPMEpj5Thjw/ifYcgY3vwtzv4/w=";
    const HEX: &str = "10df45a30dae64aa8572490848f304a63e53863c3f89f61c818defc2dcefe3fc";

    #[test]
    fn header_as_it_should_be_has_no_fault() {
        for (header, count) in [(OURS.to_owned(), 1), (format!("{OURS} {OURS}"), 2), (format!("v1a,AAAA= {OURS}"), 1)] {
            let (signatures, faults) = read_header(&header);
            assert_eq!((signatures.len(), faults), (count, vec![]), "{header}");
        }
    }

    #[test]
    fn signature_in_another_writing_is_read_and_its_fault_named() {
        let whole = read_header(OURS).0;
        let naked = OURS.trim_start_matches("v1,");
        for (header, fault) in [
            (naked.to_owned(), HeaderFault::NoScheme),
            (format!("v1={naked}"), HeaderFault::NoScheme),
            (format!("v1,{HEX}"), HeaderFault::Hexadecimal),
            (OURS.replace('/', "_"), HeaderFault::OtherBase64),
            (OURS.trim_end_matches('=').to_owned(), HeaderFault::OtherBase64),
        ] {
            assert_eq!(read_header(&header), (whole.clone(), vec![fault]), "{header}");
        }
        for joined in [format!("{OURS},{OURS}"), format!("{OURS}, {OURS}")] {
            assert_eq!(read_header(&joined), ([&whole[..], &whole].concat(), vec![HeaderFault::Separator]));
        }
    }

    #[test]
    fn header_that_holds_no_signature_says_why() {
        for (header, fault) in [
            ("", HeaderFault::Empty),
            ("  ", HeaderFault::Empty),
            ("v1,", HeaderFault::Length),
            ("v1,AAAA", HeaderFault::Length),
            ("v1,EN9Fow2uZKqFckkISPMEpj5Thjw/ifYcg", HeaderFault::Length),
            ("v1a,AAAA", HeaderFault::OtherScheme),
        ] {
            assert_eq!(read_header(header), (vec![], vec![fault]), "{header:?}");
        }
    }
}

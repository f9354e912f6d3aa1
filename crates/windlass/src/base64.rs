//! Base64 with the usual alphabet and padding.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text.
pub(crate) fn to_base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |n: usize| u32::from(three.get(n).copied().unwrap_or_default());
        let all = (at(0) << 16) | (at(1) << 8) | at(2);
        for n in 0..4 {
            let digit = DIGITS[((all >> (18 - 6 * n)) & 63) as usize];
            out.push(if n > three.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

/// What a text stands for, line ends left out; `None` if it is no Base64.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0_u32, 0);
    for c in text.bytes().filter(|c| !c.is_ascii_whitespace() && *c != b'=') {
        let digit = DIGITS.iter().position(|digit| *digit == c)?;
        held = (held << 6) | u32::try_from(digit).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from((held >> bits) & 0xff).ok()?);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for (text, coded) in
            [("", ""), ("h", "aA=="), ("he", "aGU="), ("hello", "aGVsbG8="), ("\u{fe}\u{ff}", "w77Dvw==")]
        {
            assert_eq!(to_base64(text.as_bytes()), coded);
            assert_eq!(from_base64(coded).as_deref(), Some(text.as_bytes()));
        }
        assert_eq!(from_base64("aGVs\nbG8=").as_deref(), Some(b"hello".as_slice()));
        assert_eq!(from_base64("no!"), None);
    }
}

//! Removes secrets from a stream while it is written, whatever pieces it arrives in.
//!
//! Bytes that may begin a secret are held back until that is decided.

use super::mask::{Mask, memmem};

/// How well-known keys begin, and how many letters and digits follow at least.
const SHAPES: [(&[u8], usize); 14] = [
    (b"sk-ant-", 16),
    (b"sk-proj-", 16),
    (b"sk-", 32),
    (b"ghp_", 30),
    (b"gho_", 30),
    (b"ghs_", 30),
    (b"github_pat_", 30),
    (b"glpat-", 20),
    (b"xoxb-", 20),
    (b"xoxp-", 20),
    (b"AKIA", 16),
    (b"AIza", 30),
    (b"npm_", 30),
    (b"pypi-", 40),
];
const PEM_BEGIN: &[u8] = b"-----BEGIN ";
const PEM_KIND: &[u8] = b"PRIVATE KEY-----";
const PEM_END: &[u8] = b"-----END ";
/// How long the first line of such a key may be.
const PEM_LINE: usize = 200;
/// How many bytes are looked through at a time.
const BLOCK: usize = 1024;
/// The longest of the beginnings above.
const PREFIX: usize = 11;
/// A word longer than this is no key.
const LONGEST: usize = 4096;
const STAND_IN: &[u8] = b"[secret]";

/// A mask over a stream.
#[derive(Debug)]
pub(super) struct Masker {
    mask: Mask,
    /// The bytes with which something to be looked at begins.
    firsts: Vec<u8>,
    /// Bytes of which one stands in everything that is to be looked at: in keys within their first letters.
    signs: Vec<u8>,
    held: Vec<u8>,
    /// The last byte before what is held.
    before: u8,
    inside: OpenSecret,
}

/// What of a secret is still to be thrown away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenSecret {
    Nothing,
    /// The rest of a word.
    Word,
    /// Everything up to the line that ends it.
    Pem,
}

/// Whether more is to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoreInput {
    Maybe,
    No,
}

/// What stands at one place.
enum ScanResult {
    Plain,
    /// So many bytes of a secret, what stands for them, and what follows of it.
    Secret(usize, Vec<u8>, OpenSecret),
    /// It cannot be told yet.
    Unclear,
}

impl Masker {
    pub(super) fn new(mask: Mask) -> Self {
        let firsts = mask.values().iter().map(|(_, value)| value.as_slice());
        let firsts = firsts.chain(SHAPES.iter().map(|(prefix, _)| *prefix)).chain([PEM_BEGIN]);
        let mut firsts: Vec<u8> = firsts.filter_map(|bytes| bytes.first().copied()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let mut signs: Vec<u8> =
            mask.values().iter().filter_map(|(_, value)| value.first().copied()).collect();
        signs.extend(b"-_A");
        Self { mask, firsts, signs, held: Vec::new(), before: b'\n', inside: OpenSecret::Nothing }
    }

    /// Takes the next piece; what is clear by now comes back.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        self.advance(MoreInput::Maybe)
    }

    /// The rest, when nothing more comes.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.advance(MoreInput::No)
    }

    fn advance(&mut self, more: MoreInput) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        let mut out = Vec::with_capacity(held.len());
        // Up to here every byte has to be looked at; most output has long stretches without anything.
        let (mut at, mut looked) = (0, 0);
        while at < held.len() {
            if self.inside != OpenSecret::Nothing {
                let gone = self.throw_away(&held[at..], more);
                at += gone;
                if self.inside != OpenSecret::Nothing {
                    break;
                }
                continue;
            }
            if at >= looked {
                let block = &held[at..held.len().min(at + BLOCK)];
                looked = at + block.len();
                if block.len() > PREFIX && !self.signs.iter().any(|sign| block.contains(sign)) {
                    // What begins at its end may have its sign in the next one.
                    let plain = block.len() - PREFIX;
                    out.extend_from_slice(&block[..plain]);
                    at += plain;
                }
            }
            let before = if at == 0 { self.before } else { held[at - 1] };
            match self.look(&held[at..], before, more) {
                ScanResult::Plain => {
                    out.push(held[at]);
                    at += 1;
                }
                ScanResult::Secret(length, stand_in, inside) => {
                    out.extend(stand_in);
                    at += length;
                    self.inside = inside;
                }
                ScanResult::Unclear => break,
            }
        }
        if at > 0 {
            self.before = held[at - 1];
        }
        self.held = held[at..].to_vec();
        out
    }

    /// How many bytes still belong to the secret; notes when it is over.
    fn throw_away(&mut self, rest: &[u8], more: MoreInput) -> usize {
        match self.inside {
            OpenSecret::Nothing => 0,
            OpenSecret::Word => {
                let word = rest.iter().take_while(|b| is_part(**b)).count();
                if word < rest.len() {
                    self.inside = OpenSecret::Nothing;
                }
                word
            }
            OpenSecret::Pem => {
                let Some(end) = memmem(rest, PEM_END) else {
                    // The end may have begun already.
                    let kept = if more == MoreInput::No { 0 } else { PEM_END.len() - 1 };
                    return rest.len().saturating_sub(kept);
                };
                let Some(line) = rest[end..].iter().position(|b| *b == b'\n') else {
                    return if more == MoreInput::No { rest.len() } else { end };
                };
                self.inside = OpenSecret::Nothing;
                end + line
            }
        }
    }

    fn look(&self, rest: &[u8], before: u8, more: MoreInput) -> ScanResult {
        if !self.firsts.contains(&rest[0]) {
            return ScanResult::Plain;
        }
        for (name, value) in self.mask.values() {
            if rest.starts_with(value) {
                return ScanResult::Secret(
                    value.len(),
                    format!("[{name}]").into_bytes(),
                    OpenSecret::Nothing,
                );
            }
            if more == MoreInput::Maybe && value.starts_with(rest) {
                return ScanResult::Unclear;
            }
        }
        if is_part(before) { ScanResult::Plain } else { shaped(rest, more) }
    }
}

fn is_part(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// What is shaped like a key here.
fn shaped(rest: &[u8], more: MoreInput) -> ScanResult {
    if rest.starts_with(PEM_BEGIN) {
        return match rest.iter().position(|b| *b == b'\n') {
            Some(line) if line < PEM_LINE && memmem(&rest[..line], PEM_KIND).is_some() => {
                ScanResult::Secret(line, STAND_IN.to_vec(), OpenSecret::Pem)
            }
            None if more == MoreInput::Maybe && rest.len() < PEM_LINE => ScanResult::Unclear,
            Some(_) | None => ScanResult::Plain,
        };
    }
    let Some((prefix, least)) = SHAPES.iter().find(|(prefix, _)| rest.starts_with(prefix)) else {
        let may_become = SHAPES.iter().map(|(prefix, _)| *prefix).chain([PEM_BEGIN]);
        let unclear =
            more == MoreInput::Maybe && may_become.into_iter().any(|prefix| prefix.starts_with(rest));
        return if unclear { ScanResult::Unclear } else { ScanResult::Plain };
    };
    let length = rest.iter().take_while(|b| is_part(**b)).count();
    let body = &rest[prefix.len()..length.min(LONGEST)];
    let is_key = body.len() >= *least && body.iter().any(u8::is_ascii_digit);
    let open = length == rest.len() && more == MoreInput::Maybe;
    match (is_key, open) {
        (true, false) => ScanResult::Secret(length, STAND_IN.to_vec(), OpenSecret::Nothing),
        (true, true) => ScanResult::Secret(length, STAND_IN.to_vec(), OpenSecret::Word),
        (false, true) if length < LONGEST => ScanResult::Unclear,
        (false, _) => ScanResult::Plain,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mask() -> Mask {
        let env =
            [("API_KEY", "hunter2hunter2"), ("LONG_TOKEN", "line one\nline two"), ("A_SECRET", "hunter2h")];
        Mask::of(&env.map(|(n, v)| (n.into(), v.into())))
    }

    /// What comes out when it goes in in pieces of these lengths.
    fn in_pieces(text: &[u8], lengths: &[usize]) -> Vec<u8> {
        let mut masker = Masker::new(mask());
        let (mut out, mut rest) = (Vec::new(), text);
        for length in lengths.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, more) = rest.split_at((*length).clamp(1, rest.len()));
            out.extend(masker.push(piece));
            rest = more;
        }
        out.extend(masker.finish());
        out
    }

    #[test]
    fn a_secret_in_pieces_is_a_secret() {
        let key = format!("sk-ant-{}", "a1B2".repeat(8));
        let pem = "-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----";
        let text = format!(
            "a hunter2hunter2 b hunter2hx c {key} d\n{pem}\ne line one\nline two f hunter2 sk-learn -----BEGIN CERTIFICATE-----\ng"
        );
        let expected = "a [API_KEY] b [A_SECRET]x c [secret] d\n[secret]\ne [LONG_TOKEN] f hunter2 sk-learn -----BEGIN CERTIFICATE-----\ng";
        for length in 1..text.len() {
            let said = String::from_utf8(in_pieces(text.as_bytes(), &[length])).unwrap();
            assert_eq!(said, expected, "in pieces of {length}");
        }
    }

    #[test]
    fn nothing_of_a_secret_is_seen_before_it_is_over() {
        let mut masker = Masker::new(mask());
        assert_eq!(masker.push(b"the key is hunter2hun"), b"the key is ");
        assert_eq!(masker.push(b"ter3 "), b"[A_SECRET]unter3 ");
        assert_eq!(masker.push(b"and ghp_0123456789"), b"and ");
        assert_eq!(masker.push(b"0123456789012345678901"), b"[secret]");
        assert_eq!(masker.push(b"23 then"), b" then");
        assert_eq!(masker.finish(), b"");
    }

    proptest! {
        #[test]
        fn the_pieces_make_no_difference(
            words in proptest::collection::vec(prop_oneof![
                Just("hunter2hunter2".to_owned()), Just("hunter2h".to_owned()), Just("sk-".to_owned()),
                Just("AKIAIOSFODNN7EXAMPLE1".to_owned()), Just("-----BEGIN X PRIVATE KEY-----\n".to_owned()),
                Just("-----END X-----\n".to_owned()), Just("line one\n".to_owned()), Just("line two".to_owned()),
                "[a-z0-9 \n-]{0,12}",
            ], 0..20),
            lengths in proptest::collection::vec(1_usize..9, 1..6),
        ) {
            let text = words.concat();
            let whole = in_pieces(text.as_bytes(), &[usize::MAX]);
            prop_assert_eq!(in_pieces(text.as_bytes(), &lengths), whole.clone());
            let seen = String::from_utf8_lossy(&whole).into_owned();
            prop_assert!(!seen.contains("hunter2h"));
        }
    }
}

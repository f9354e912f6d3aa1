//! The encryption of sigstore's private keys: scrypt makes a key of a password, NaCl's secretbox opens what it closed.
//!
//! Only opening is needed, of one small file, so this is written out here instead of bringing thirty packages. Both are tested
//! with the published vectors. HMAC and PBKDF2 are ring's.

use std::num::NonZeroU32;

use ring::pbkdf2;

/// The largest table that a key file may ask for.
const MOST_MEMORY: usize = 1 << 30;
/// The length of the tag in front of a closed text.
const TAG: usize = 16;

/// What a key file says about its password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScryptCost {
    /// Entries of the table, a power of two.
    pub(super) entries: usize,
    /// The size of an entry in blocks of 128 bytes.
    pub(super) block: usize,
    /// How often the whole is done.
    pub(super) lanes: usize,
}

impl ScryptCost {
    /// Whether it can be paid here.
    fn sensible(self) -> bool {
        let Self { entries, block, lanes } = self;
        let memory = entries.checked_mul(block).and_then(|n| n.checked_mul(128));
        entries.is_power_of_two()
            && entries > 1
            && (1..=64).contains(&block)
            && (1..=16).contains(&lanes)
            && memory.is_some_and(|bytes| bytes <= MOST_MEMORY)
    }
}

/// The key that stands for a password; `None` where the cost makes no sense or is too high.
pub(super) fn scrypt<const N: usize>(password: &[u8], salt: &[u8], cost: ScryptCost) -> Option<[u8; N]> {
    if !cost.sensible() {
        return None;
    }
    let stretch = |salt: &[u8], out: &mut [u8]| {
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, NonZeroU32::MIN, salt, password, out);
    };
    let mut bytes = vec![0_u8; cost.lanes * cost.block * 128];
    stretch(salt, &mut bytes);
    for lane in bytes.chunks_mut(cost.block * 128) {
        let mut words: Vec<u32> = words_of(lane);
        mix(&mut words, cost.entries);
        for (four, word) in lane.chunks_mut(4).zip(words) {
            four.copy_from_slice(&word.to_le_bytes());
        }
    }
    let mut key = [0; N];
    stretch(&bytes, &mut key);
    Some(key)
}

/// ROMix of scrypt: fills the table, then reads it in an order that only the contents know. Written with plain loops: iterators
/// take ten times as long in a debug build.
fn mix(words: &mut [u32], entries: usize) {
    let size = words.len();
    let mut table = vec![0; entries * size];
    let mut other = vec![0; size];
    for at in 0..entries {
        table[at * size..][..size].copy_from_slice(words);
        mix_blocks(words, &mut other);
        words.copy_from_slice(&other);
    }
    for _ in 0..entries {
        let at = words[size - 16] as usize & (entries - 1);
        let entry = &table[at * size..][..size];
        for n in 0..size {
            words[n] ^= entry[n];
        }
        mix_blocks(words, &mut other);
        words.copy_from_slice(&other);
    }
}

/// BlockMix of scrypt.
fn mix_blocks(words: &[u32], out: &mut [u32]) {
    let count = words.len() / 16;
    let mut last = [0; 16];
    last.copy_from_slice(&words[words.len() - 16..]);
    for n in 0..count {
        let block = &words[n * 16..][..16];
        for k in 0..16 {
            last[k] ^= block[k];
        }
        let before = last;
        salsa_rounds(&mut last, 8);
        for k in 0..16 {
            last[k] = last[k].wrapping_add(before[k]);
        }
        // Even blocks first, then the odd ones.
        let to = n / 2 + (n % 2) * (count / 2);
        out[to * 16..][..16].copy_from_slice(&last);
    }
}

/// Rounds of Salsa20, without the addition at the end.
fn salsa_rounds(x: &mut [u32; 16], rounds: usize) {
    for _ in 0..rounds / 2 {
        quarter(x, [0, 4, 8, 12]);
        quarter(x, [5, 9, 13, 1]);
        quarter(x, [10, 14, 2, 6]);
        quarter(x, [15, 3, 7, 11]);
        quarter(x, [0, 1, 2, 3]);
        quarter(x, [5, 6, 7, 4]);
        quarter(x, [10, 11, 8, 9]);
        quarter(x, [15, 12, 13, 14]);
    }
}

fn quarter(block: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    block[b] ^= block[a].wrapping_add(block[d]).rotate_left(7);
    block[c] ^= block[b].wrapping_add(block[a]).rotate_left(9);
    block[d] ^= block[c].wrapping_add(block[b]).rotate_left(13);
    block[a] ^= block[d].wrapping_add(block[c]).rotate_left(18);
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

/// The state of Salsa20: its constants, a key and 16 bytes that tell its blocks apart.
fn salsa_state(key: &[u32], input: &[u32]) -> [u32; 16] {
    let [c0, c1, c2, c3] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
    let (k, i) = (key, input);
    [c0, k[0], k[1], k[2], k[3], c1, i[0], i[1], i[2], i[3], c2, k[4], k[5], k[6], k[7], c3]
}

/// Opens a secretbox; `None` if it was closed with another key or is damaged.
pub(super) fn open(key: &[u8; 32], nonce: &[u8; 24], closed: &[u8]) -> Option<Vec<u8>> {
    let (tag, text) = closed.split_at_checked(TAG)?;
    let nonce = words_of(nonce);
    let mut sub = salsa_state(&words_of(key), &nonce[..4]);
    salsa_rounds(&mut sub, 20);
    let sub = [0, 5, 10, 15, 6, 7, 8, 9].map(|n| sub[n]);
    let mut stream = (0_u64..).flat_map(|block| {
        let [low, high] = [block & u64::from(u32::MAX), block >> 32].map(|n| u32::try_from(n).unwrap_or(0));
        let before = salsa_state(&sub, &[nonce[4], nonce[5], low, high]);
        let mut after = before;
        salsa_rounds(&mut after, 20);
        let words = after.into_iter().zip(before).map(|(a, b)| a.wrapping_add(b));
        words.flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
    });
    let once: Vec<u8> = stream.by_ref().take(32).collect();
    let same = poly1305(&once, text).iter().zip(tag).fold(0, |all, (a, b)| all | (a ^ b)) == 0;
    same.then(|| text.iter().zip(stream).map(|(byte, other)| byte ^ other).collect())
}

/// The Poly1305 tag of a text under a key of 32 bytes that is used once. Numbers are five digits of 26 bits.
fn poly1305(key: &[u8], text: &[u8]) -> [u8; TAG] {
    const MASK: u64 = (1 << 26) - 1;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u128, |all, byte| (all << 8) | u128::from(*byte));
    let digits = |n: u128| {
        [0, 26, 52, 78, 104].map(|shift| u64::try_from((n >> shift) & u128::from(MASK)).unwrap_or(0))
    };
    let carried = |mut h: [u64; 5]| {
        for n in 0..5 {
            let over = h[n] >> 26;
            h[n] &= MASK;
            // 2^130 is 5 in this field.
            h[(n + 1) % 5] += if n == 4 { over * 5 } else { over };
        }
        h
    };
    let r = digits(number(&key[..16]) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff);
    let mut h = [0_u64; 5];
    for block in text.chunks(16) {
        let marked = if block.len() == 16 { number(block) } else { number(block) | (1 << (8 * block.len())) };
        let mut sum = digits(marked);
        sum[4] |= if block.len() == 16 { 1 << 24 } else { 0 };
        for (digit, other) in h.iter_mut().zip(sum) {
            *digit += other;
        }
        let mut product = [0_u64; 5];
        for (i, a) in h.into_iter().enumerate() {
            for (j, b) in r.into_iter().enumerate() {
                product[(i + j) % 5] += a * b * if i + j > 4 { 5 } else { 1 };
            }
        }
        h = carried(carried(product));
    }
    h = carried(carried(h));
    // Once more without the carry that would fold it: the digit above the field says whether it is as large as the prime.
    let mut less = h;
    less[0] += 5;
    for n in 0..4 {
        less[n + 1] += less[n] >> 26;
        less[n] &= MASK;
    }
    let h = if less[4] >> 26 > 0 { less } else { h };
    let number_of_h = (0..5).fold(0_u128, |all, n| all.wrapping_add(u128::from(h[n]) << (26 * n)));
    number_of_h.wrapping_add(number(&key[16..32])).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<char> = hex.chars().filter(|c| !c.is_whitespace()).collect();
        digits.chunks(2).map(|two| u8::from_str_radix(&two.iter().collect::<String>(), 16).unwrap()).collect()
    }

    #[test]
    fn passwords_become_the_keys_of_rfc_7914() {
        let table = [
            (
                "",
                "",
                (16, 1, 1),
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
                 fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906",
            ),
            (
                "password",
                "NaCl",
                (1024, 8, 16),
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
                 2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640",
            ),
        ];
        for (password, salt, (entries, block, lanes), expected) in table {
            let cost = ScryptCost { entries, block, lanes };
            let key = scrypt::<64>(password.as_bytes(), salt.as_bytes(), cost).unwrap();
            assert_eq!(key.as_slice(), bytes(expected));
        }
        for (entries, block, lanes) in
            [(0, 8, 1), (3, 8, 1), (16, 0, 1), (16, 8, 0), (1 << 40, 8, 1), (usize::MAX, 8, 1)]
        {
            assert_eq!(scrypt::<32>(b"p", b"s", ScryptCost { entries, block, lanes }), None);
        }
    }

    #[test]
    fn tags_are_those_of_rfc_8439() {
        let key = bytes("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b");
        let tag = poly1305(&key, b"Cryptographic Forum Research Group");
        assert_eq!(tag.as_slice(), bytes("a8061dc1305136c6c22b8baf0c0127a9"));
        // Sums at the edge of the field: appendix A.3, vectors 7 to 9.
        let table = [
            (
                "01",
                "00",
                "ffffffffffffffffffffffffffffffff f0ffffffffffffffffffffffffffffff 11000000000000000000000000000000",
                "05",
            ),
            (
                "01",
                "00",
                "ffffffffffffffffffffffffffffffff fbfefefefefefefefefefefefefefefe 01010101010101010101010101010101",
                "00",
            ),
            ("02", "00", "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff"),
        ];
        for (r, s, text, tag) in table {
            let padded = |hex: &str| {
                let mut all = bytes(hex);
                all.resize(16, 0);
                all
            };
            let key = [padded(r), padded(s)].concat();
            assert_eq!(poly1305(&key, &bytes(text)).as_slice(), padded(tag), "{text}");
        }
    }

    #[test]
    fn boxes_are_those_of_nacl() {
        let key =
            bytes("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389").try_into().unwrap();
        let nonce = bytes("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37").try_into().unwrap();
        let text = bytes(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a
             1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057
             e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040
             e082f937763848645e0705",
        );
        let mut closed = bytes(
            "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4
             476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738
             b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de
             56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5",
        );
        assert_eq!(open(&key, &nonce, &closed), Some(text));
        closed[40] ^= 1;
        assert_eq!(open(&key, &nonce, &closed), None);
        assert_eq!(open(&key, &nonce, &closed[..10]), None);
    }
}

//! The packed form of a table of numbers. The build script packs, the program unpacks.
//!
//! Neighbouring rows of a parse table are nearly the same. A row is the number of its changes against the row before it, then
//! per change the distance from the last changed column and the new value; a value that repeats is left out. Every number is
//! written in groups of seven bits, the lowest first.

/// Packs the rows of a table; all of them have the same length.
pub(crate) fn pack(rows: &[Vec<u16>]) -> Vec<u8> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut out = Vec::new();
    let mut before = vec![0; columns];
    for row in rows {
        let changed = (0..columns).filter(|at| row[*at] != before[*at]);
        put(&mut out, changed.clone().count());
        let (mut last, mut value) = (0, 0);
        for at in changed {
            let repeats = row[at] == value;
            put(&mut out, ((at - last) << 1) | usize::from(repeats));
            if !repeats {
                put(&mut out, row[at].into());
            }
            (last, value) = (at, row[at]);
        }
        before.clone_from(row);
    }
    out
}

/// Fills a table whose rows have so many columns. What is missing or does not fit stays as it is.
pub(crate) fn unpack(packed: &[u8], columns: usize, table: &mut [u16]) {
    let mut numbers = packed.iter();
    let mut before: Option<&mut [u16]> = None;
    for row in table.chunks_exact_mut(columns.max(1)) {
        if let Some(before) = before {
            row.copy_from_slice(before);
        }
        let (mut at, mut value) = (0, 0);
        for _ in 0..next(&mut numbers) {
            let step = next(&mut numbers);
            at += step >> 1;
            if step & 1 == 0 {
                value = u16::try_from(next(&mut numbers)).unwrap_or_default();
            }
            if let Some(cell) = row.get_mut(at) {
                *cell = value;
            }
        }
        before = Some(row);
    }
}

fn put(out: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        out.push(u8::try_from(number & 127).unwrap_or_default() | 128);
        number >>= 7;
    }
    out.push(u8::try_from(number).unwrap_or_default());
}

fn next(bytes: &mut std::slice::Iter<'_, u8>) -> usize {
    let mut number = 0;
    for (group, byte) in bytes.take(4).enumerate() {
        number |= usize::from(byte & 127) << (7 * group);
        if byte & 128 == 0 {
            break;
        }
    }
    number
}

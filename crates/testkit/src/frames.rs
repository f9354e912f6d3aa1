//! The frames of `windlass attend`, made by hand.

/// A frame of a kind, `m` for a message and `p` for a piece of a parcel: magic, kind, length, checksum, body.
pub fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes();
    let head = [&[kind][..], &length].concat();
    let sum = blake3::Hasher::new().update(&head).update(body).finalize();
    [&[0xf1, b'W', b'L', b'\n'][..], &head, &sum.as_bytes()[..4], body].concat()
}

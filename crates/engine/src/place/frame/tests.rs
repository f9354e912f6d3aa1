//! Frames as tables.

use super::*;

fn written(frames: &[WireFrame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for frame in frames {
        write_frame(&mut bytes, frame).unwrap();
    }
    bytes
}

#[test]
fn frames_come_back_after_the_noise_of_a_login_shell() {
    let frames =
        [WireFrame::Message(b"{}".to_vec()), WireFrame::Piece(vec![0xf1; 300]), WireFrame::Piece(Vec::new())];
    for noise in ["", "Last login: Tue\r\n\u{1b}[1mwelcome\u{1b}[0m\n", "\u{f1}W"] {
        let bytes = [noise.as_bytes(), &written(&frames)].concat();
        let mut reader = FrameReader::new(bytes.as_slice());
        for frame in &frames {
            assert_eq!(reader.next().unwrap(), *frame, "{noise:?}");
        }
        assert!(matches!(reader.next(), Err(FrameError::Closed { .. })));
    }
}

#[test]
fn anything_else_is_refused_with_what_came() {
    let frame = written(&[WireFrame::Message(b"{}".to_vec())]);
    let mut too_large = MAGIC.to_vec();
    too_large.extend_from_slice(&[b'm', 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0]);
    for (bytes, words) in [
        (b"bash: windlass: command not found\n".to_vec(), "it said: bash: windlass: command not found"),
        (Vec::new(), "the connection was closed"),
        (vec![b'x'; MAX_NOISE + 10], "does not follow the protocol"),
        ([&frame[..], b"a print in between"].concat(), "does not follow the protocol"),
        (too_large, "2147483647 bytes came"),
        (frame[..frame.len() - 1].to_vec(), "the connection was closed"),
    ] {
        let mut reader = FrameReader::new(bytes.as_slice());
        let error = std::iter::repeat_with(|| reader.next()).find_map(Result::err).unwrap();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn no_flipped_bit_becomes_another_message() {
    let frames = [
        WireFrame::Message(br#"{"say":"event","added":12}"#.to_vec()),
        WireFrame::Piece(vec![7; 40]),
        WireFrame::Message(br#"{"say":"done","nonce":"x"}"#.to_vec()),
    ];
    let whole = written(&frames);
    let first = written(&frames[..1]).len();
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let mut reader = FrameReader::new(bytes.as_slice());
        let came: Vec<WireFrame> = std::iter::from_fn(|| reader.next().ok()).collect();
        assert!(came.len() < frames.len(), "bit {bit} is noticed");
        // A first frame whose start is damaged is noise; a connection without its greeting is none.
        let from = usize::from(bit < first * 8 && !came.is_empty());
        assert_eq!(came, frames[from..from + came.len()], "bit {bit}");
    }
}

#[test]
fn of_what_a_command_said_the_last_lines_are_told() {
    assert_eq!(tail(b"\r\n  no such host\r\n\r\n\x1b[1mask the admin\n"), "no such host; [1mask the admin");
    assert_eq!(tail("y\n".repeat(5000).as_bytes()), ["y"; 6].join("; "));
    assert_eq!(tail(b""), "");
    assert!(tail(&[b'x'; 5000]).len() <= 400);
}

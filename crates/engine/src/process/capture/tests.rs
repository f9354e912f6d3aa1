//! Tests of `process/capture`.

use super::*;

fn recorder(max_bytes: u64, tail_bytes: usize) -> (tempfile::TempDir, Recorder) {
    let temp = tempfile::tempdir().unwrap();
    let capture = Capture { dir: temp.path().join("live"), max_bytes, tail_bytes };
    let recorder = Recorder::create(&capture, Mask::of(&[]), Activity::new()).unwrap();
    (temp, recorder)
}

fn feed(recorder: &mut Recorder, stream: usize, text: &str) {
    assert!(recorder.arrived(stream, text.as_bytes(), &Ok(text.len())));
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn both_streams_are_kept_apart_and_together() {
    let (_temp, mut recorder) = recorder(1000, 1000);
    for (stream, part) in [(0, "out 1\n"), (1, "err\n"), (0, "out 2\n")] {
        feed(&mut recorder, stream, part);
    }
    let output = recorder.finish();
    assert_eq!((text(&output.stdout), text(&output.stderr)), ("out 1\nout 2\n".into(), "err\n".into()));
    assert_eq!(text(output.merged.as_ref().unwrap()), "out 1\nerr\nout 2\n");
    assert_eq!(
        (output.tail_text().as_str(), output.total_bytes, output.truncated),
        ("out 1\nerr\nout 2\n", 16, false)
    );
}

#[test]
fn no_line_is_broken_by_the_other_stream() {
    let (_temp, mut recorder) = recorder(1000, 1000);
    let parts = [(1, "sh: 0: "), (0, "1..2\nnot o"), (1, "cannot open\nlast "), (0, "k 1 - one\nopen")];
    for (stream, part) in parts {
        feed(&mut recorder, stream, part);
    }
    let output = recorder.finish();
    assert_eq!(
        text(output.merged.as_ref().unwrap()),
        "1..2\nsh: 0: cannot open\nnot ok 1 - one\nopen\nlast "
    );
    assert_eq!(output.tail_text(), text(output.merged.as_ref().unwrap()));
    assert_eq!(text(&output.stdout), "1..2\nnot ok 1 - one\nopen");
}

#[test]
fn a_line_without_an_end_is_not_held_in_memory() {
    let (_temp, mut recorder) = recorder(1 << 20, 10);
    let long = "x".repeat(OPEN_LINE);
    feed(&mut recorder, 0, &long);
    feed(&mut recorder, 0, "y");
    assert!(recorder.open_lines[0].is_empty());
    assert_eq!(text(recorder.finish().merged.as_ref().unwrap()), format!("{long}y"));
}

#[test]
fn files_are_cut_at_the_limit_and_the_end_stays_in_memory() {
    let (_temp, mut recorder) = recorder(10, 6);
    feed(&mut recorder, 0, "0123456789");
    feed(&mut recorder, 0, "the end");
    let output = recorder.finish();
    assert_eq!(text(&output.stdout), "0123456789");
    assert_eq!(text(output.merged.as_ref().unwrap()), "0123456789\n[output cut: 10 of 17 bytes kept]\n");
    assert_eq!((output.tail_text().as_str(), output.truncated), ("he end", true));
}

#[test]
fn the_end_of_a_stream_is_an_empty_read_or_an_error() {
    let (_temp, mut recorder) = recorder(10, 10);
    assert!(!recorder.arrived(0, b"", &Ok(0)));
    assert!(!recorder.arrived(1, b"", &Err(io::ErrorKind::BrokenPipe.into())));
}

#[test]
fn every_command_gets_files_of_its_own() {
    let temp = tempfile::tempdir().unwrap();
    let capture = Capture { dir: temp.path().into(), max_bytes: 10, tail_bytes: 10 };
    let made: Vec<PathBuf> = (0..3)
        .map(|_| Recorder::create(&capture, Mask::of(&[]), Activity::new()).unwrap().finish().merged.unwrap())
        .chain([capture.next_file().unwrap().0])
        .collect();
    for (n, path) in made.iter().enumerate() {
        assert!(path.exists() && !made[..n].contains(path), "{}", path.display());
    }
}

#[test]
fn secrets_never_reach_a_file() {
    let temp = tempfile::tempdir().unwrap();
    let capture = Capture { dir: temp.path().into(), max_bytes: 1000, tail_bytes: 1000 };
    let mask = Mask::of(&[("API_KEY".into(), "hunter2hunter2".into())]);
    let mut recorder = Recorder::create(&capture, mask, Activity::new()).unwrap();
    for part in ["the key is hunter2", "hunter2, really\n"] {
        feed(&mut recorder, 0, part);
    }
    let output = recorder.finish();
    assert_eq!(text(output.merged.as_ref().unwrap()), "the key is [API_KEY], really\n");
    assert_eq!(output.tail_text(), "the key is [API_KEY], really\n");
}

#[test]
fn what_a_killed_removal_left_is_in_nobodys_way() {
    let temp = tempfile::tempdir().unwrap();
    let capture = Capture { dir: temp.path().to_owned(), max_bytes: 100, tail_bytes: 10 };
    for left in ["1.stdout", "1.stderr", "2.stderr"] {
        fs::write(temp.path().join(left), "old").unwrap();
    }
    for _ in 0..3 {
        let mut recorder = Recorder::create(&capture, Mask::of(&[]), Activity::new()).unwrap();
        feed(&mut recorder, 0, "new\n");
        assert_eq!(text(&recorder.finish().stdout), "new\n");
    }
}

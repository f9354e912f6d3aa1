//! Names of cycles, long ones shortened.

use super::arrows;

#[test]
fn a_cycle_is_written_with_arrows_and_cut_in_the_middle() {
    let names: Vec<String> = (0..200).map(|n| format!("t{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(arrows(&names[..0]), "");
    assert_eq!(arrows(&names[..1]), "t0");
    assert_eq!(arrows(&names[..3]), "t0 → t1 → t2");
    let whole = arrows(&names[..101]);
    assert!(whole.ends_with("t99 → t100") && !whole.contains('…'), "{whole}");
    let cut = arrows(&names[..102]);
    assert!(cut.contains("t48 → t49 → … 2 more … → t52 → t53"), "{cut}");
}

//! Tests: the hash chain of records.

use super::*;

#[test]
fn every_part_of_a_record_counts() {
    let record = Record { seq: 1, at: "t".into(), kind: "k".into(), json: "{}".into() };
    let whole = hash_of(&GENESIS, &record);
    let others = [
        Record { seq: 2, ..record.clone() },
        Record { at: "u".into(), ..record.clone() },
        Record { kind: "l".into(), ..record.clone() },
        Record { json: "[]".into(), ..record.clone() },
        Record { at: "tk".into(), kind: String::new(), ..record.clone() },
    ];
    for other in others {
        assert_ne!(hash_of(&GENESIS, &other), whole);
    }
    assert_ne!(hash_of(&[1; 32], &record), whole);
}

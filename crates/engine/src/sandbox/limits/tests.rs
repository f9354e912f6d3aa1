//! Tests of `sandbox/limits`.

use super::*;

#[test]
fn zero_is_no_limit_and_processes_are_checked_first() {
    let limits =
        |processes, total_memory| ResourceLimits { processes, total_memory, ..ResourceLimits::default() };
    let table = [
        (limits(10, 100), (10, 100), None),
        (limits(10, 100), (11, 100), Some(LimitHit::Processes)),
        (limits(10, 100), (10, 101), Some(LimitHit::Memory)),
        (limits(10, 100), (11, 101), Some(LimitHit::Processes)),
        (limits(0, 0), (u64::MAX, u64::MAX), None),
    ];
    for (limits, used, wanted) in table {
        assert_eq!(limits.exceeded(used), wanted, "{limits:?} {used:?}");
    }
}

//! Tests of `process/invocation`.

use super::*;

#[test]
fn a_token_has_only_plain_characters() {
    for (text, wanted) in [
        ("windlass.ab12.plan.T-1.3", "windlass.ab12.plan.T-1.3"),
        ("a b/c\nd=e", "a_b_c_d_e"),
        ("täsk", "t_sk"),
        ("", ""),
    ] {
        assert_eq!(Token::new(text).as_str(), wanted);
        assert_eq!(Token::new(text).to_string(), wanted);
    }
}

#[test]
fn every_limit_names_its_key() {
    for (hit, key) in [
        (LimitHit::Processes, "sandbox.processes"),
        (LimitHit::Memory, "sandbox.total_memory_mb"),
        (LimitHit::Disk, "sandbox.disk_mb"),
    ] {
        assert!(hit.words().contains(&format!("`{key}`")), "{}", hit.words());
    }
}

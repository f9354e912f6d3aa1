//! The relation between units, and orders from components.

use super::*;
use crate::derive::unit::UnitFile;
use crate::spec::Component;
use windlass_core::diagnostic::{FileIx, Span};

fn unit(title: &str, files: &[&str]) -> Unit {
    let file = |path: &&str| UnitFile {
        path: (*path).to_owned(),
        operation: Operation::Create,
        kind: FileKind::of(path),
        note: String::new(),
        lines: None,
    };
    Unit { title: title.to_owned(), files: files.iter().map(file).collect(), ..Unit::default() }
}

fn component(name: &str, file: &str, needs: &[&str]) -> Component {
    Component {
        name: name.to_owned(),
        responsibility: String::new(),
        files: vec![file.to_owned()],
        needs: needs.iter().map(|need| (*need).to_owned()).collect(),
        serves: Vec::new(),
        span: Span { file: FileIx(0), start: 0, end: 0 },
    }
}

#[test]
fn an_order_stated_twice_is_one_dependency() {
    let mut units = vec![unit("first", &[]), unit("second", &[])];
    let mut before = Precedence::new(2);
    assert!(before.add(0, 1) && before.add(0, 1));
    sort(&mut units, &before);
    assert_eq!(units[1].after, [0]);
}

#[test]
fn an_order_that_closes_a_cycle_is_dropped() {
    let mut before = Precedence::new(3);
    assert!(before.add(0, 1) && before.add(1, 2));
    for (first, second) in [(1, 1), (1, 0), (2, 0)] {
        assert!(!before.add(first, second), "{first} before {second}");
    }
    assert!(before.leads(0, 2) && !before.leads(2, 0));
    // Units that are ordered already get no second order.
    before.join(0, 2);
    assert_eq!(before.direct, [vec![], vec![0], vec![1]]);
}

#[test]
fn transitive_orders_are_removed_and_levels_come_first() {
    let mut units = vec![unit("c", &[]), unit("b", &[]), unit("a", &[]), unit("low", &[])];
    units[3].level = Some(1);
    let mut before = Precedence::new(4);
    for (first, second) in [(2, 1), (1, 0), (2, 0)] {
        assert!(before.add(first, second));
    }
    sort(&mut units, &before);
    let shown: Vec<(&str, &[usize])> = units.iter().map(|u| (u.title.as_str(), u.after.as_slice())).collect();
    assert_eq!(shown, [("low", &[][..]), ("a", &[]), ("b", &[1]), ("c", &[2])]);
}

/// Components order the units of their files. Two components of one unit need no order, and are no contradiction.
#[test]
fn components_order_units() {
    let spec = Spec {
        components: vec![
            component("Checkout", "zone.py", &["basket", "Unknown"]),
            component("Basket", "yard.py", &[]),
        ],
        ..Spec::default()
    };
    let ordered = |units: &[Unit]| {
        let (mut before, mut notes) = (Precedence::new(units.len()), Vec::new());
        let any = by_component(units, &spec, &mut before, &mut notes);
        (any, before.direct, notes.len())
    };
    let apart = [unit("zone", &["zone.py"]), unit("yard", &["yard.py"])];
    assert_eq!(ordered(&apart), (true, vec![vec![1], vec![]], 0));
    assert_eq!(ordered(&[unit("both", &["zone.py", "yard.py"])]), (false, vec![vec![]], 0));
    assert_eq!(ordered(&[unit("other", &["other.py"])]), (false, vec![vec![]], 0));
}

#[test]
fn components_that_need_each_other_are_noted() {
    let spec = Spec {
        components: vec![component("Zone", "zone.py", &["Yard"]), component("Yard", "yard.py", &["Zone"])],
        ..Spec::default()
    };
    let units = [unit("zone", &["zone.py"]), unit("yard", &["yard.py"])];
    let (mut before, mut notes) = (Precedence::new(2), Vec::new());
    assert!(by_component(&units, &spec, &mut before, &mut notes));
    let said: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(said, ["`Zone` before `Yard` contradicts an order stated elsewhere"]);
}

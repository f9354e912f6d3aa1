//! The packed grammars against those of their crates.

use std::path::Path;

use tree_sitter::{Language, Parser};

use crate::{pack, whole};

#[test]
fn the_tables_are_packed_where_cargo_has_the_sources() {
    let table = Path::new(concat!(env!("OUT_DIR"), "/ruby.table"));
    assert!(table.is_file(), "build.rs says why not in a warning");
}

#[test]
fn an_unpacked_table_is_the_packed_one() {
    let tables: &[&[&[u16]]] = &[
        &[],
        &[&[0, 0, 0]],
        &[&[1, 1, 1], &[1, 1, 1], &[0, 1, 0]],
        &[&[0, 0, 0, 7], &[65535, 300, 300, 7], &[300, 300, 1, 1]],
    ];
    for rows in tables {
        let rows: Vec<Vec<u16>> = rows.iter().map(|row| row.to_vec()).collect();
        let columns = rows.first().map_or(0, Vec::len);
        let mut table = vec![0; rows.len() * columns];
        pack::unpack(&pack::pack(&rows), columns, &mut table);
        assert_eq!(table, rows.concat());
    }
    let wide: Vec<Vec<u16>> = (0..3).map(|row| (0..500).map(|at| at * row % 90 * 700).collect()).collect();
    let mut table = vec![0; 1500];
    pack::unpack(&pack::pack(&wide), 500, &mut table);
    assert_eq!(table, wide.concat());
}

#[test]
fn a_table_that_was_cut_off_does_no_harm() {
    let packed = pack::pack(&[vec![1, 2, 3], vec![1, 9, 3]]);
    let first = pack::pack(&[vec![1, 2, 3]]).len();
    for end in 0..packed.len() {
        let mut table = [0; 6];
        pack::unpack(&packed[..end], 3, &mut table);
        if end >= first {
            assert_eq!(table[..3], [1, 2, 3], "{end}");
        }
    }
    let mut whole = [0; 6];
    pack::unpack(&packed, 3, &mut whole);
    assert_eq!(whole, [1, 2, 3, 1, 9, 3]);
    pack::unpack(&packed, 2, &mut [0; 4]);
}

/// Every state leads where it leads in the grammar as its crate has it.
#[test]
fn packed_grammars_have_the_transitions_of_their_crates() {
    let pairs =
        [(crate::c_sharp(), whole::c_sharp()), (crate::cpp(), whole::cpp()), (crate::ruby(), whole::ruby())];
    for (packed, whole) in pairs {
        assert_eq!(packed.parse_state_count(), whole.parse_state_count());
        let states = 0..u16::try_from(whole.parse_state_count()).unwrap();
        let symbols = u16::try_from(whole.node_kind_count()).unwrap();
        for state in states {
            assert_eq!(expected(&packed, state), expected(&whole, state), "state {state}");
            let of =
                |language: &Language| (0..symbols).map(|s| language.next_state(state, s)).collect::<Vec<_>>();
            assert_eq!(of(&packed), of(&whole), "state {state}");
        }
    }
}

fn expected(language: &Language, state: u16) -> Vec<u16> {
    language.lookahead_iterator(state).into_iter().flatten().collect()
}

#[test]
fn packed_grammars_read_code() {
    let cases = [
        (
            crate::c_sharp(),
            whole::c_sharp(),
            "namespace N;\nclass A<T> : B { int F(int x) => x switch { 1 => 2, _ => 3 }; }\n",
        ),
        (
            crate::cpp(),
            whole::cpp(),
            "template <class T> T f(T x) { auto g = [&](int y) { return x + y; }; return g(1); }\n",
        ),
        (
            crate::ruby(),
            whole::ruby(),
            "class A < B\n  def f(x) = x.map { |y| \"#{y}\" }\n  T = <<~E\n    a\n  E\nend\n",
        ),
    ];
    for (packed, whole, code) in cases {
        let tree = read(&packed, code);
        assert_eq!(tree, read(&whole, code));
        assert!(!tree.contains("ERROR"), "{tree}");
    }
}

fn read(language: &Language, code: &str) -> String {
    let mut parser = Parser::new();
    parser.set_language(language).unwrap();
    parser.parse(code, None).unwrap().root_node().to_sexp()
}

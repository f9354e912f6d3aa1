//! Tests of `owned`.

use super::*;

#[test]
fn what_owned_files_can_provide() {
    let files: Vec<String> =
        ["src/pkg/thing.py", "src/lexer.rs", "web/src/add.ts", "lib/util/index.ts", "calc/calc.go"]
            .map(str::to_owned)
            .to_vec();
    let names = ["Parser.parse".to_owned()];
    let owned = OwnedFiles { files: &files, names: &names };
    assert!(owned.python_module("pkg") && owned.python_module("pkg.thing") && owned.python_module("thing"));
    assert!(!owned.python_module("numpy") && !owned.python_module("pkg.other"));
    assert!(owned.python_name("pkg", "add") && !owned.python_name("numpy", "array"));
    assert!(owned.rust_module("lexer") && !owned.rust_module("parser") && !owned.rust_crate("serde"));
    assert!(owned.promises("parse"));
    assert!(owned.script_module("../src/add") && owned.script_module("/tmp/x/web/src/add.js"));
    assert!(
        owned.script_module("@/util") && owned.script_module("./add.js") && !owned.script_module("./sub")
    );
    assert!(!owned.script_package("left-pad"));
    assert!(owned.go_package("example.com/lab/calc") && !owned.go_package("example.com/lab/other"));
    assert!(owned.has_path("/tmp/w/src/lexer.rs") && !owned.has_path("/tmp/w/xsrc/lexer.rs"));
}

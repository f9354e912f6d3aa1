//! The tools around C and C++: CMake and clang-format.

use crate::detect::FormatterRow;
use crate::detect::tool_config::{ToolConfig, own_file};
use crate::language::Tooling;
use crate::repo::Tree;

const FORMATTED: &[&str] = &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "proto"];

pub(super) const TOOLING: Tooling = Tooling {
    build_files: &["CMakeLists.txt", "CTestTestfile.cmake"],
    formatters: &[FormatterRow::new("clang-format", FORMATTED, clang_format, "clang-format -i --style=file")],
    format_files: &[".clang-format"],
    likely_manifest: |_, _| Some("enable_testing()\n".to_owned()),
    ..Tooling::NONE
};

fn clang_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &[".clang-format", "_clang-format"])
}

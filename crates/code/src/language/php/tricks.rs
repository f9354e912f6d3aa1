//! PHP's tricks.

use crate::syntax::tricks::{Rule, TrickTable};

pub(super) const TABLE: TrickTable = TrickTable {
    calls: &[
        ("function_call_expression", "", "function", ""),
        ("scoped_call_expression", "scope", "name", "::"),
    ],
    called: &[
        ("register_shutdown_function", Rule::AtExit),
        ("debug_backtrace", Rule::SniffsPlace),
        ("uopz_set_return", Rule::Patches),
        ("uopz_set_hook", Rule::Patches),
        ("runkit7_function_redefine", Rule::Patches),
        ("runkit7_method_redefine", Rule::Patches),
        ("runkit_method_redefine", Rule::Patches),
    ],
    imports: &["namespace_use_declaration"],
    imported: &[
        ("PHPUnit\\Runner", Rule::UsesRunner),
        ("PHPUnit\\TextUI", Rule::UsesRunner),
        ("PHPUnit\\Event", Rule::UsesRunner),
    ],
    strings: &["string_content"],
    texts: &[
        ("PHPUNIT_COMPOSER_INSTALL", Rule::SniffsTest),
        ("__PHPUNIT_PHAR__", Rule::SniffsTest),
        ("PHPUnit\\Framework\\TestCase", Rule::SniffsTest),
    ],
    ..TrickTable::NONE
};

//! The tools around PHP: composer, php-cs-fixer, phpstan.

use super::setup;
use crate::checker::CheckerFormat;
use crate::detect::tool_config::{ToolConfig, own_file};
use crate::detect::{CheckerRow, FormatterRow, json, relative};
use crate::language::Tooling;
use crate::repo::Tree;

const PHPSTAN: &str = "vendor/bin/phpstan analyse --no-progress --";
const PHPSTAN_RAW: &str = "vendor/bin/phpstan analyse --no-progress --error-format raw --";
const PHP_CS_FIXER: &str = "php-cs-fixer fix --quiet --path-mode=intersection --config={} --";

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["php"],
    build_files: &["phpunit.xml", "phpunit.xml.dist"],
    lock_files: &[("composer.json", &["composer.lock"])],
    managers: setup::MANAGERS,
    formatters: &[FormatterRow::new("php-cs-fixer", &["php"], php_cs_fixer, PHP_CS_FIXER)],
    type_checkers: &[CheckerRow::of_files("phpstan", &["php"], phpstan, PHPSTAN)
        .with_report(PHPSTAN_RAW, CheckerFormat::Lines)],
    project_name: |tree, path| Some(json(tree, path)?.get("name")?.as_str()?.to_owned()),
    likely_manifest: |_, _| Some("{\"require-dev\":{\"phpunit/phpunit\":\"*\"}}".to_owned()),
    ..Tooling::NONE
};

/// With the name of its configuration file.
fn php_cs_fixer(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    const NAMES: [&str; 4] = [".php-cs-fixer.php", ".php-cs-fixer.dist.php", ".php_cs", ".php_cs.dist"];
    let config = own_file(tree, file, &NAMES)?;
    let detail = relative(&config.dir, &config.from).to_owned();
    Some(ToolConfig { detail, ..config })
}

fn phpstan(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn a_file_is_formatted_with_the_nearest_rules() {
        let tree = MemoryTree::new([("php/.php_cs", "")]);
        assert_eq!(php_cs_fixer(&tree, "php/src/A.php").unwrap().detail, ".php_cs");
    }
}

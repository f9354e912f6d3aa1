//! Test commands of languages whose build tool runs the tests: Maven, Gradle, dotnet, CTest, make, PHPUnit, Ruby.

use windlass_core::report::Runner;

use super::manifest::{dir_of, exists, first_in, in_dir, json, nearest, relative, text, upwards};
use super::test_command::{TestCommand, command, from_dir};
use crate::repo::Tree;
use crate::script::{quote, recipe};

/// The name of a file without its endings.
fn stem(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file).split('.').next().unwrap_or_default()
}

/// Java and Kotlin: Gradle where its files are nearer, else Maven.
pub(super) fn jvm(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let manifest = nearest(tree, file, &["build.gradle", "build.gradle.kts", "pom.xml"])?;
    if manifest.ends_with("pom.xml") {
        Some(maven(tree, file, &manifest))
    } else {
        Some(gradle(tree, file, &manifest))
    }
}

fn maven(tree: &dyn Tree, file: &str, pom: &str) -> TestCommand {
    // From the outermost project that lists modules, so that a module finds its neighbours.
    let parents = upwards(pom)
        .map(|dir| in_dir(dir, "pom.xml"))
        .filter(|path| path != pom && text(tree, path).is_some_and(|text| text.contains("<modules>")));
    let root = parents.last();
    let dir = dir_of(root.as_deref().unwrap_or(pom));
    let program = if exists(tree, &in_dir(dir, "mvnw")) { "./mvnw" } else { "mvn" };
    // By its path where another module or package has a class of that name.
    let same = |path: &String| {
        path != file && path.ends_with(".java") && stem(path) == stem(file) && is_below(dir, path)
    };
    let inner = file.split_once("/java/").map_or(file, |(_, inner)| inner);
    let twice = tree.paths().iter().any(same);
    let class = if twice { inner.trim_end_matches(".java") } else { stem(file) };
    let script = match relative(dir, dir_of(pom)) {
        "" => format!("{program} -q -Dtest={class} test"),
        module if root.is_some() => {
            let quiet = "-Dsurefire.failIfNoSpecifiedTests=false";
            format!("{program} -q -pl {} -am -Dtest={class} {quiet} test", quote(module))
        }
        _ => format!("{program} -q -Dtest={class} test"),
    };
    command(from_dir(dir, &script), Some(Runner::Junit), pom)
}

fn gradle(tree: &dyn Tree, file: &str, build: &str) -> TestCommand {
    let settings =
        upwards(build).find_map(|dir| first_in(tree, dir, &["settings.gradle", "settings.gradle.kts"]));
    let root = settings.as_deref().map_or_else(|| dir_of(build), dir_of);
    let program = if exists(tree, &in_dir(root, "gradlew")) { "./gradlew" } else { "gradle" };
    let module = relative(root, dir_of(build)).replace('/', ":");
    let task =
        if module.is_empty() || module == root { "test".to_owned() } else { format!(":{module}:test") };
    let inner =
        file.split("/java/").nth(1).or_else(|| file.split("/kotlin/").nth(1)).unwrap_or_else(|| stem(file));
    let class = inner.rsplit_once('.').map_or(inner, |(class, _)| class).replace('/', ".");
    let script = format!("{program} {task} --tests {}", quote(&class));
    command(from_dir(root, &script), Some(Runner::Junit), build)
}

/// C#: the nearest project.
pub(super) fn dotnet(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let project = upwards(file).find_map(|dir| {
        tree.paths().iter().find(|path| path.ends_with(".csproj") && dir_of(path) == dir).cloned()
    })?;
    // Without the last words a run that finds no test passes.
    let strict = "-- RunConfiguration.TreatNoTestsAsError=true";
    let script =
        format!("dotnet test {} --filter FullyQualifiedName~{} {strict}", quote(&project), stem(file));
    Some(command(script, None, &project))
}

/// C and C++: CMake's tests, else a target of the Makefile.
pub(super) fn native(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let lists =
        upwards(file).map(|dir| in_dir(dir, "CMakeLists.txt")).filter(|path| exists(tree, path)).last();
    if let Some(lists) = lists {
        let only = ctest_filter(tree, dir_of(&lists), file);
        let script = format!(
            "cmake -S . -B build && cmake --build build && ctest --test-dir build{only} --no-tests=error --output-on-failure"
        );
        return Some(command(from_dir(dir_of(&lists), &script), Some(Runner::Ctest), &lists));
    }
    make(tree, file)
}

/// What picks the tests of one file: the name that `add_test` gives to it, or its suite where the tests are looked up in
/// the programs. Catch2's tests have free names, so there everything runs.
fn ctest_filter(tree: &dyn Tree, root: &str, file: &str) -> String {
    let below = |path: &&String| is_below(root, path) && path.ends_with("CMakeLists.txt");
    let lists: String = tree.paths().iter().filter(below).filter_map(|path| text(tree, path)).collect();
    let own = stem(file);
    if ["catch_discover_tests", "doctest_discover_tests"].iter().any(|call| lists.contains(call)) {
        return String::new();
    }
    if lists.contains("gtest_discover_tests") {
        let bare = own.strip_prefix("test_").or_else(|| own.strip_suffix("_test")).unwrap_or(own);
        let suite: String = bare.split(['_', '-']).map(capital).collect();
        return format!(" -R {}", quote(&format!("(^|[./]){suite}(Tests?)?[./]")));
    }
    // As the tests beside it are called.
    let names: Vec<&str> = lists
        .split("add_test(")
        .skip(1)
        .filter_map(|call| call.trim_start().strip_prefix("NAME")?.split_whitespace().next())
        .filter(|name| !name.contains('$'))
        .collect();
    let beside = tree.paths().iter().filter(|path| dir_of(path) == dir_of(file)).map(|path| stem(path));
    let shown = beside.filter(|other| !other.is_empty()).find_map(|other| {
        names.iter().find(|name| name.contains(other)).map(|name| name.replace(other, own))
    });
    format!(" -R {}", quote(&format!("^{}$", shown.as_deref().unwrap_or(own))))
}

fn is_below(dir: &str, path: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

/// `test-<name>` for one file, else `test` or `check`, in the nearest Makefile that has one.
pub(super) fn make(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let stem = stem(file);
    // `tests/test_cart.c` and `cart_test.c` are the tests of `cart`.
    let bare = stem.strip_prefix("test_").or_else(|| stem.strip_suffix("_test")).unwrap_or(stem);
    let names = [stem, bare];
    let own: Vec<String> = names
        .iter()
        .flat_map(|name| [format!("test-{name}"), format!("test_{name}"), format!("check-{name}")])
        .chain([stem.to_owned()])
        .collect();
    let makefiles =
        upwards(file).filter_map(|dir| first_in(tree, dir, &["GNUmakefile", "makefile", "Makefile"]));
    makefiles.into_iter().find_map(|path| {
        let recipes = text(tree, &path)?;
        let targets = own.iter().map(String::as_str).chain(["test", "check"]);
        let target = targets.into_iter().find(|target| !recipe(&recipes, target).is_empty())?;
        // A file or directory of that name would be up to date for ever.
        let phony = recipes.lines().any(|line| {
            line.strip_prefix(".PHONY:").is_some_and(|names| names.split_whitespace().any(|n| n == target))
        });
        let dir = dir_of(&path);
        let there = in_dir(dir, target);
        let stands =
            tree.has(&there) || tree.paths().iter().any(|path| path.starts_with(&format!("{there}/")));
        let again = if stands && !phony { " -B" } else { "" };
        Some(command(from_dir(dir, &format!("make{again} {}", quote(target))), None, &path))
    })
}

/// PHPUnit, or Pest where it is asked for, from the directory that installs it.
pub(super) fn php(tree: &dyn Tree, file: &str) -> TestCommand {
    let from = nearest(tree, file, &["composer.json", "phpunit.xml", "phpunit.xml.dist"]);
    let dir = from.as_deref().map_or("", dir_of);
    let composer = json(tree, &in_dir(dir, "composer.json"));
    let asks = |kind: &str, name: &str| {
        composer.as_ref().is_some_and(|c| c.get(kind).is_some_and(|l| l.get(name).is_some()))
    };
    let here = |name: &str| exists(tree, &in_dir(dir, name));
    let listed = |name: &str| asks("require-dev", name) || asks("require", name);
    let program = if listed("pestphp/pest") {
        "vendor/bin/pest"
    } else if listed("symfony/phpunit-bridge") && !listed("phpunit/phpunit") {
        "vendor/bin/simple-phpunit"
    } else if let Some(own) =
        ["tools/phpunit", "tools/phpunit.phar", "phpunit.phar"].into_iter().find(|p| here(p))
    {
        own
    } else if composer.is_some() {
        "vendor/bin/phpunit"
    } else {
        "phpunit"
    };
    let php = if program.ends_with(".phar") { "php " } else { "" };
    let script = format!("{php}{program} {}", quote(relative(dir, file)));
    command(from_dir(dir, &script), Some(Runner::Phpunit), from.as_deref().unwrap_or("a PHP test"))
}

/// rspec for specs, rails for a Rails application's tests, else minitest by itself.
pub(super) fn ruby(tree: &dyn Tree, file: &str) -> TestCommand {
    let gemfile = nearest(tree, file, &["Gemfile", "gems.rb"]);
    let dir = gemfile.as_deref().map_or("", dir_of);
    let bundle = if gemfile.is_some() { "bundle exec " } else { "" };
    let inner = quote(relative(dir, file));
    let (script, runner) = if file.ends_with("_spec.rb") {
        (format!("{bundle}rspec {inner}"), Runner::Rspec)
    } else if exists(tree, &in_dir(dir, "bin/rails")) {
        (format!("bin/rails test {inner}"), Runner::Minitest)
    } else {
        (format!("{bundle}ruby -Ilib -Itest {inner}"), Runner::Minitest)
    };
    command(from_dir(dir, &script), Some(runner), gemfile.as_deref().unwrap_or("a Ruby test"))
}

#[cfg(test)]
mod tests {
    use crate::detect::test_command;
    use crate::repo::MemoryTree;

    #[test]
    fn one_file_one_command() {
        let tree = MemoryTree::new([
            ("mono/pom.xml", "<project><modules><module>core</module></modules></project>"),
            ("mono/mvnw", ""),
            ("mono/core/pom.xml", "<project/>"),
            ("solo/pom.xml", "<project/>"),
            ("g/settings.gradle.kts", ""),
            ("g/gradlew", ""),
            ("g/app/build.gradle.kts", ""),
            ("g1/build.gradle", ""),
            ("cs/App.Tests/App.Tests.csproj", ""),
            ("cpp/CMakeLists.txt", ""),
            ("cpp/tests/CMakeLists.txt", ""),
            ("c/Makefile", "all: x\n\techo\ntest-cart: x\n\t./t\ntest: x\n\t./all\n"),
            ("c2/Makefile", "test:\n\t./all\n"),
            ("c2/test/a.c", ""),
            ("cpp2/CMakeLists.txt", "add_test(\n  NAME unit.page_test COMMAND x)\n"),
            ("cpp2/tests/page_test.cpp", ""),
            ("cpp3/CMakeLists.txt", "gtest_discover_tests(all)\n"),
            ("cpp4/CMakeLists.txt", "catch_discover_tests(all)\n"),
            ("solo2/pom.xml", "<project/>"),
            ("solo2/src/test/java/a/CartTest.java", ""),
            ("plain/phpunit.xml", ""),
            ("phar/tools/phpunit.phar", ""),
            ("phar/composer.json", "{}"),
            ("php/composer.json", "{}"),
            ("pest/composer.json", r#"{"require-dev":{"pestphp/pest":"2"}}"#),
            ("rb/Gemfile", ""),
            ("rails/Gemfile", ""),
            ("rails/bin/rails", ""),
        ]);
        let files = [
            "mono/core/src/test/java/shop/CartTest.java",
            "solo/src/test/java/CartTest.java",
            "g/app/src/test/kotlin/shop/CartTest.kt",
            "g1/src/test/java/shop/CartTest.java",
            "loose/CartTest.java",
            "cs/App.Tests/Cart/CartTests.cs",
            "cpp/tests/cart_test.cpp",
            "cpp2/tests/cart_test.cpp",
            "cpp3/tests/http_client_test.cpp",
            "cpp4/tests/cart_test.cpp",
            "solo2/src/test/java/b/CartTest.java",
            "plain/tests/CartTest.php",
            "phar/tests/CartTest.php",
            "c/tests/cart.c",
            "c/tests/test_cart.c",
            "c/tests/other.c",
            "c2/test/a.c",
            "plain/tests/other.c",
            "php/tests/CartTest.php",
            "pest/tests/CartTest.php",
            "rb/spec/cart_spec.rb",
            "rb/test/cart_test.rb",
            "rails/test/models/cart_test.rb",
        ];
        let all: String = files
            .iter()
            .map(|file| match test_command(&tree, file) {
                Some(found) => format!("{file}: {} ({})\n", found.script, found.why),
                None => format!("{file}: none\n"),
            })
            .collect();
        insta::assert_snapshot!(all, @"
        mono/core/src/test/java/shop/CartTest.java: cd mono && ./mvnw -q -pl core -am -Dtest=CartTest -Dsurefire.failIfNoSpecifiedTests=false test (mono/core/pom.xml)
        solo/src/test/java/CartTest.java: cd solo && mvn -q -Dtest=CartTest test (solo/pom.xml)
        g/app/src/test/kotlin/shop/CartTest.kt: cd g && ./gradlew :app:test --tests shop.CartTest (g/app/build.gradle.kts)
        g1/src/test/java/shop/CartTest.java: cd g1 && gradle test --tests shop.CartTest (g1/build.gradle)
        loose/CartTest.java: none
        cs/App.Tests/Cart/CartTests.cs: dotnet test cs/App.Tests/App.Tests.csproj --filter FullyQualifiedName~CartTests -- RunConfiguration.TreatNoTestsAsError=true (cs/App.Tests/App.Tests.csproj)
        cpp/tests/cart_test.cpp: cd cpp && cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^cart_test$' --no-tests=error --output-on-failure (cpp/CMakeLists.txt)
        cpp2/tests/cart_test.cpp: cd cpp2 && cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^unit.cart_test$' --no-tests=error --output-on-failure (cpp2/CMakeLists.txt)
        cpp3/tests/http_client_test.cpp: cd cpp3 && cmake -S . -B build && cmake --build build && ctest --test-dir build -R '(^|[./])HttpClient(Tests?)?[./]' --no-tests=error --output-on-failure (cpp3/CMakeLists.txt)
        cpp4/tests/cart_test.cpp: cd cpp4 && cmake -S . -B build && cmake --build build && ctest --test-dir build --no-tests=error --output-on-failure (cpp4/CMakeLists.txt)
        solo2/src/test/java/b/CartTest.java: cd solo2 && mvn -q -Dtest=b/CartTest test (solo2/pom.xml)
        plain/tests/CartTest.php: cd plain && phpunit tests/CartTest.php (plain/phpunit.xml)
        phar/tests/CartTest.php: cd phar && php tools/phpunit.phar tests/CartTest.php (phar/composer.json)
        c/tests/cart.c: cd c && make test-cart (c/Makefile)
        c/tests/test_cart.c: cd c && make test-cart (c/Makefile)
        c/tests/other.c: cd c && make test (c/Makefile)
        c2/test/a.c: cd c2 && make -B test (c2/Makefile)
        plain/tests/other.c: none
        php/tests/CartTest.php: cd php && vendor/bin/phpunit tests/CartTest.php (php/composer.json)
        pest/tests/CartTest.php: cd pest && vendor/bin/pest tests/CartTest.php (pest/composer.json)
        rb/spec/cart_spec.rb: cd rb && bundle exec rspec spec/cart_spec.rb (rb/Gemfile)
        rb/test/cart_test.rb: cd rb && bundle exec ruby -Ilib -Itest test/cart_test.rb (rb/Gemfile)
        rails/test/models/cart_test.rb: cd rails && bin/rails test test/models/cart_test.rb (rails/Gemfile)
        ");
    }
}

//! Test commands of languages whose build tool runs the tests: Maven, Gradle, dotnet, CTest, make, PHPUnit, Ruby.

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
    let class = stem(file);
    let script = match relative(dir, dir_of(pom)) {
        "" => format!("{program} -q -Dtest={class} test"),
        module if root.is_some() => {
            let quiet = "-Dsurefire.failIfNoSpecifiedTests=false";
            format!("{program} -q -pl {} -am -Dtest={class} {quiet} test", quote(module))
        }
        _ => format!("{program} -q -Dtest={class} test"),
    };
    command(from_dir(dir, &script), None, pom)
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
    command(from_dir(root, &format!("{program} {task} --tests {}", quote(&class))), None, build)
}

/// C#: the nearest project.
pub(super) fn dotnet(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let project = upwards(file).find_map(|dir| {
        tree.paths().iter().find(|path| path.ends_with(".csproj") && dir_of(path) == dir).cloned()
    })?;
    let script = format!("dotnet test {} --filter FullyQualifiedName~{}", quote(&project), stem(file));
    Some(command(script, None, &project))
}

/// C and C++: CMake's tests, else a target of the Makefile.
pub(super) fn native(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let lists =
        upwards(file).map(|dir| in_dir(dir, "CMakeLists.txt")).filter(|path| exists(tree, path)).last();
    if let Some(lists) = lists {
        let test = quote(stem(file));
        let script = format!(
            "cmake -S . -B build && cmake --build build && ctest --test-dir build -R {test} --no-tests=error --output-on-failure"
        );
        return Some(command(from_dir(dir_of(&lists), &script), None, &lists));
    }
    make(tree, file)
}

/// `test-<name>` for one file, else `test` or `check`, in the nearest Makefile that has one.
pub(super) fn make(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let own = format!("test-{}", stem(file));
    let makefiles =
        upwards(file).filter_map(|dir| first_in(tree, dir, &["GNUmakefile", "makefile", "Makefile"]));
    makefiles.into_iter().find_map(|path| {
        let recipes = text(tree, &path)?;
        let targets = [own.as_str(), "test", "check"];
        let target = targets.iter().find(|target| !recipe(&recipes, target).is_empty())?;
        Some(command(from_dir(dir_of(&path), &format!("make {}", quote(target))), None, &path))
    })
}

/// PHPUnit, or Pest where it is asked for, from the directory that installs it.
pub(super) fn php(tree: &dyn Tree, file: &str) -> TestCommand {
    let from = nearest(tree, file, &["composer.json", "phpunit.xml", "phpunit.xml.dist"]);
    let dir = from.as_deref().map_or("", dir_of);
    let composer = json(tree, &in_dir(dir, "composer.json"));
    let asks = |kind: &str| {
        composer.as_ref().is_some_and(|c| c.get(kind).is_some_and(|l| l.get("pestphp/pest").is_some()))
    };
    let pest = asks("require-dev") || asks("require");
    let program = if pest { "vendor/bin/pest" } else { "vendor/bin/phpunit" };
    let script = format!("{program} {}", quote(relative(dir, file)));
    command(from_dir(dir, &script), None, from.as_deref().unwrap_or("a PHP test"))
}

/// rspec for specs, rails for a Rails application's tests, else minitest by itself.
pub(super) fn ruby(tree: &dyn Tree, file: &str) -> TestCommand {
    let gemfile = nearest(tree, file, &["Gemfile", "gems.rb"]);
    let dir = gemfile.as_deref().map_or("", dir_of);
    let bundle = if gemfile.is_some() { "bundle exec " } else { "" };
    let inner = quote(relative(dir, file));
    let script = if file.ends_with("_spec.rb") {
        format!("{bundle}rspec {inner}")
    } else if exists(tree, &in_dir(dir, "bin/rails")) {
        format!("bin/rails test {inner}")
    } else {
        format!("{bundle}ruby -Ilib -Itest {inner}")
    };
    command(from_dir(dir, &script), None, gemfile.as_deref().unwrap_or("a Ruby test"))
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
            "c/tests/cart.c",
            "c/tests/other.c",
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
        cs/App.Tests/Cart/CartTests.cs: dotnet test cs/App.Tests/App.Tests.csproj --filter FullyQualifiedName~CartTests (cs/App.Tests/App.Tests.csproj)
        cpp/tests/cart_test.cpp: cd cpp && cmake -S . -B build && cmake --build build && ctest --test-dir build -R cart_test --no-tests=error --output-on-failure (cpp/CMakeLists.txt)
        c/tests/cart.c: cd c && make test-cart (c/Makefile)
        c/tests/other.c: cd c && make test (c/Makefile)
        plain/tests/other.c: none
        php/tests/CartTest.php: cd php && vendor/bin/phpunit tests/CartTest.php (php/composer.json)
        pest/tests/CartTest.php: cd pest && vendor/bin/pest tests/CartTest.php (pest/composer.json)
        rb/spec/cart_spec.rb: cd rb && bundle exec rspec spec/cart_spec.rb (rb/Gemfile)
        rb/test/cart_test.rb: cd rb && bundle exec ruby -Ilib -Itest test/cart_test.rb (rb/Gemfile)
        rails/test/models/cart_test.rb: cd rails && bin/rails test test/models/cart_test.rb (rails/Gemfile)
        ");
    }
}

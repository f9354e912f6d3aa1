//! The set-up of JVM projects: what Maven and Gradle fetch is kept in a directory of the project.
//!
//! Neither compiles the sources: files of the project may be missing.

use crate::detect::setup::{DirTree, MANAGER, ManagerRow};

const JVM: ManagerRow = ManagerRow { by_manifest: true, ..MANAGER };

/// Gradle and Maven.
pub(crate) const MANAGERS: &[ManagerRow] = &[
    ManagerRow {
        name: "gradle",
        program: "gradle",
        versions: &[("java", "--version")],
        brings_program: |here| wrapper(here, "gradle").is_some(),
        locks: &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
        command: |here, _| format!("{} dependencies", program(here, "gradle")),
        script: gradle_script,
        inputs: &["gradle.properties", "gradlew"],
        inputs_below: &[
            ".gradle",
            ".gradle.kts",
            ".versions.toml",
            "gradle-wrapper.properties",
            "gradle.lockfile",
        ],
        variables: GRADLE_VARIABLES,
        tool: Some(("gradle", "gradle")),
        outputs: &[GRADLE_HOME],
        ..JVM
    },
    ManagerRow {
        name: "maven",
        program: "mvn",
        versions: &[("mvn", "--version"), ("java", "--version")],
        brings_program: |here| wrapper(here, "mvn").is_some(),
        locks: &["pom.xml"],
        command: |here, _| format!("{} dependency:go-offline", program(here, "mvn")),
        script: maven_script,
        inputs: &["mvnw"],
        inputs_below: &["pom.xml", "maven.config", "extensions.xml", "maven-wrapper.properties"],
        variables: MAVEN_VARIABLES,
        tool: Some(("mvn", "maven")),
        outputs: &[MAVEN_HOME],
        ..JVM
    },
];

/// Where Maven keeps what it fetched.
pub(super) const MAVEN_HOME: &str = ".m2";
pub(super) const MAVEN_VARIABLES: &[(&str, &str)] =
    &[("MAVEN_OPTS", "-Dmaven.repo.local={dir}/.m2/repository"), ("MAVEN_USER_HOME", "{dir}/.m2")];

/// Where Gradle keeps what it fetched.
pub(super) const GRADLE_HOME: &str = ".gradle-home";
pub(super) const GRADLE_VARIABLES: &[(&str, &str)] =
    &[("GRADLE_USER_HOME", "{dir}/.gradle-home"), ("GRADLE_OPTS", "-Dorg.gradle.daemon=false")];

/// The wrapper of a program that a directory has.
pub(super) fn wrapper(here: &DirTree<'_>, name: &str) -> Option<&'static str> {
    let wrapper = match name {
        "mvn" => "mvnw",
        "gradle" => "gradlew",
        _ => return None,
    };
    here.has(wrapper).then_some(wrapper)
}

/// The program itself, or its wrapper.
pub(super) fn program(here: &DirTree<'_>, name: &'static str) -> String {
    wrapper(here, name).map_or_else(|| name.to_owned(), |wrapper| format!("sh ./{wrapper}"))
}

/// A run of the tests of a copy that has every `pom.xml` and an empty test in place of the sources: it fetches the plug-ins of
/// all phases, and what runs the tests, which Maven chooses only then. Where that fails for another reason than the
/// repositories (a check misses a file), the phases up to the tests are carried out in the project itself.
pub(super) fn maven_script(here: &DirTree<'_>, _: &str) -> String {
    let program = program(here, "mvn");
    format!(
        "top=$PWD copy=\"$TMPDIR/poms\" log=\"$TMPDIR/mvn.log\"\n\
         find . -name pom.xml -not -path './.m2/*' | while read -r pom; do\n\
         \x20 at=\"$copy/$(dirname \"$pom\")\"\n\
         \x20 mkdir -p \"$at/src/test/java\"\n\
         \x20 cp \"$pom\" \"$at/\"\n\
         \x20 echo 'public class SetupTest {{ public void testNothing() {{ }} }}' >\"$at/src/test/java/SetupTest.java\"\n\
         done\n\
         for part in .mvn mvnw; do if [ -e $part ]; then cp -R $part \"$copy/\"; fi; done\n\
         fetch() {{ {program} -B -fae -DfailIfNoTests=false -Dsurefire.failIfNoTests=false \"$@\" >\"$log\" 2>&1; }}\n\
         if (cd \"$copy\" && fetch test); then exit 0; fi\n\
         fetch -fn test-compile || true\n\
         grep -E 'ERROR|BUILD' \"$log\" || true\n\
         ! grep -qE 'MAVEN/[A-Za-z]*(Resolution|ProjectBuilding|UnresolvableModel)[A-Za-z]*' \"$log\"\n"
    )
}

/// Resolves what can be resolved; what the tests of a project are built with and run on has to be.
pub(super) fn gradle_script(here: &DirTree<'_>, _: &str) -> String {
    let program = program(here, "gradle");
    format!(
        "cat >\"$TMPDIR/resolve.gradle\" <<'WINDLASS_GRADLE'\n{RESOLVE}\nWINDLASS_GRADLE\n\
         {program} -q --console=plain -I \"$TMPDIR/resolve.gradle\" windlassResolve\n"
    )
}

const RESOLVE: &str = "allprojects { project ->
    project.tasks.create('windlassResolve') {
        doLast {
            project.configurations.findAll { it.canBeResolved }.each { one ->
                try { one.resolve() } catch (Exception problem) {
                    if (one.name ==~ /(testR|r)untimeClasspath|(testC|c)ompileClasspath/) { throw problem }
                }
            }
        }
    }
}";

//! dotnet test.

use super::super::tests::{assert_commands, assert_runs_no_tests, assert_untouched};

#[test]
fn it_is_judged_by_its_exit_code() {
    assert_runs_no_tests(&["dotnet test", "dotnet build"]);
    assert_untouched(&["dotnet test App.sln"]);
}

/// The nearest project above the file, and a filter that must find something.
#[test]
fn one_file() {
    let strict = "-- RunConfiguration.TreatNoTestsAsError=true";
    assert_commands(
        &[("App.csproj", ""), ("t/T.csproj", ""), ("t/deep/x.txt", "")],
        &[
            ("A.cs", &format!("dotnet test App.csproj --filter FullyQualifiedName~A {strict}")),
            (
                "t/deep/ATests.cs",
                &format!("dotnet test t/T.csproj --filter FullyQualifiedName~ATests {strict}"),
            ),
            ("t/A.Unit.cs", &format!("dotnet test t/T.csproj --filter FullyQualifiedName~A {strict}")),
        ],
    );
    assert_commands(&[], &[("A.cs", "none")]);
}

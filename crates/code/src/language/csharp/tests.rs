//! C#: what is read of source code and contracts, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    canary_names, cut, export_lines, findings, import_list, imported, promised, stub_of, style_of, test_names,
};
use crate::survey::test_file_for;
use crate::syntax::facts;

#[test]
fn methods_with_a_test_attribute() {
    let table = [
        ("", ""),
        ("class A { [Fact] public void B() {} public void C() {} }", "A::B"),
        ("class A { [Theory, InlineData(1)] public void B(int n) {} }", "A::B"),
        ("class A { [Test] public void B() {} [TestMethod] public void C() {} }", "A::B, A::C"),
        ("namespace N { class A { [Fact] public void B() {} } }", "A::B"),
        ("namespace N;\nclass A { class In { [Fact] public void B() {} } }", "A::In::B"),
        ("class A { [Fact(Skip = \"slow\")] public void B() {} }", "A::B (skipped)"),
        ("class A { [Test, Ignore(\"slow\")] public void B() {} }", "A::B (skipped)"),
        ("class A { [Facts] public void B() {} [SetUp] public void C() {} }", ""),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("ATests.cs", text), expected, "{text}");
    }
}

#[test]
fn exports_are_public_or_internal() {
    let table: [(&str, &[&str]); 7] = [
        ("internal class A { int x; }", &["Type A | internal class A"]),
        (
            "public class A { public void B() {} internal int C() => 1; protected void D() {} private void E() {} void F() {} }",
            &[
                "Type A | public class A",
                "Method A.B | public void B()",
                "Method A.C | internal int C()",
                "Method A.D | protected void D()",
            ],
        ),
        ("class A { private class B { public void C() {} } }", &["Type A | class A"]),
        (
            "public struct P { public int X { get; set; } }",
            &["Type P | public struct P", "Method P.X | public int X { get; set; }"],
        ),
        (
            "public interface IStore { void Save(string id); }",
            &["Interface IStore | public interface IStore", "Method IStore.Save | void Save(string id)"],
        ),
        ("public delegate void Handler(int a);", &["Function Handler | public delegate void Handler(int a)"]),
        ("namespace A.B { public enum Kind { X } }", &["Type Kind | public enum Kind"]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("A.cs", text), expected, "{text}");
    }
}

#[test]
fn usings_namespaces_and_frameworks() {
    let table = [
        ("using System;\nusing Shop.Core;\n", "System; Shop.Core"),
        ("using static Shop.Math;\nusing X = Shop.Y;\n", "Shop.Math; Shop.Y"),
        ("namespace A\n{\n    using In.Side;\n}\n", "In.Side"),
        ("class A { void F() { using (var x = G()) {} } }", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("A.cs", text), expected, "{text}");
    }
    let package = |text: &str| facts("A.cs", text.as_bytes()).unwrap().package;
    assert_eq!(package("namespace Shop.Core;\nclass A {}").as_deref(), Some("Shop.Core"));
    assert_eq!(package("namespace Shop { class A {} }").as_deref(), Some("Shop"));
    assert_eq!(package("class A {}"), None);
    let styles = [
        ("using NUnit.Framework;\nclass A { [Test] public void B() {} }", "NUnit in classes"),
        (
            "using Microsoft.VisualStudio.TestTools.UnitTesting;\nclass A { [TestMethod] public void B() {} }",
            "MSTest in classes",
        ),
        ("using Xunit;\nclass A { [Fact] public void B() {} }", "xUnit in classes"),
    ];
    for (text, expected) in styles {
        assert_eq!(style_of("ATests.cs", text), expected, "{text}");
    }
}

#[test]
fn code_against_its_contract() {
    let contract = "public class A { public int F(int a) => a; }";
    assert_eq!(promised(contract, "A.cs"), "A, A.F");
    assert_eq!(stub_of(Language::CSharp, contract), None);
    let table = [
        ("public class A { public int F(int a, bool fast = false) => a; }", ""),
        ("public class A { public static int F(int a) { return a; } }", ""),
        // The other half of a type may stand in another file, and a base may provide the method.
        ("public partial class A {}", ""),
        ("public class A : Base {}", ""),
        ("public class A { public long F(int a) => a; }", "different A.F"),
        ("public class A { public int F(string a) => 1; }", "different A.F"),
        ("public class A { public int F() => 1; }", "different A.F"),
        ("public class A {}", "missing A.F"),
        ("public class A { private int F(int a) => a; }", "missing A.F"),
        ("public class B {}", "missing A"),
    ];
    for (code, expected) in table {
        assert_eq!(findings(contract, "A.cs", code), expected, "{code}");
    }
}

#[test]
fn bodies_are_cut_out() {
    let table = [
        ("class A { int F() { return '}'; } }", "class A { int F() {} }"),
        ("class A { string N { get; set; } }", "class A { string N { get; set; } }"),
        ("class A { void F() {", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(cut("A.cs", text), expected, "{text}");
    }
}

#[test]
fn what_is_not_known_of_the_language() {
    assert!(Language::CSharp.row().errors.is_none(), "exit codes have to do");
    let text = "class A { [Fact] public void B() {} }";
    assert_eq!(canary_names("ATests.cs", text, Runner::Junit), "none");
}

#[test]
fn a_namespace_means_the_files_that_declare_it() {
    let tree = [
        ("src/Money.cs", "namespace Shop.Core;\npublic class Money {}"),
        ("lib/Tax.cs", "namespace Shop.Core;\npublic class Tax {}"),
        ("src/Line.cs", "namespace Shop;\npublic class Line {}"),
        ("src/Cart.cs", "using Shop.Core;\nusing System;\nnamespace Shop.Carts;\npublic class Cart {}"),
    ];
    assert_eq!(imported(&tree, "src/Cart.cs"), "lib/Tax.cs src/Money.cs");
    assert_eq!(test_file_for("src/Deep/Cart.cs", &[], "").unwrap().path, "tests/Deep/CartTests.cs");
}

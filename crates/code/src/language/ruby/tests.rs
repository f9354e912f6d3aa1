//! Ruby: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    canary_names, cut, errors_in, export_lines, findings, import_list, imported, promised, stub_of, style_of,
    test_names,
};
use crate::syntax::{facts, same_test};

#[test]
fn examples_methods_and_blocks() {
    let table = [
        ("", ""),
        ("RSpec.describe Cart do\n  it 'adds' do\n  end\nend\n", "Cart adds"),
        (
            "describe 'a cart' do\n  context 'when full' do\n    specify('sums') { }\n  end\nend\n",
            "a cart when full sums",
        ),
        ("RSpec.describe Cart, '#total' do\n  it('adds') { }\nend\n", "Cart #total adds"),
        // An example without a title has one made for it.
        ("describe Cart do\n  it { is_expected.to be }\nend\n", "Cart "),
        (
            "class CartTest < Minitest::Test\n  def test_adds; end\n  def helper; end\nend\n",
            "CartTest::test_adds",
        ),
        ("class CartTest < ActiveSupport::TestCase\n  test 'adds up' do\n  end\nend\n", "CartTest::adds up"),
        (
            "module Shop\n  class CartTest < Minitest::Test\n    def test_a; end\n  end\nend\n",
            "Shop::CartTest::test_a",
        ),
        ("def test_adds; end\n", ""),
        ("it 'has no block'\n", ""),
        ("it { is_expected.to be }\ntest '' do\nend\n", ""),
        // Skipped, alone or with their group.
        ("describe 'x' do\n  xit('a') { }\n  pending('b') { }\nend\n", "x a (skipped), x b (skipped)"),
        ("xdescribe 'x' do\n  it('a') { }\nend\n", "x a (skipped)"),
        (
            "describe 'x' do\n  xcontext 'y' do\n    it('a') { }\n  end\n  it('b') { }\nend\n",
            "x y a (skipped), x b",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("spec/a_spec.rb", text), expected, "{text}");
    }
}

#[test]
fn exports_stand_before_private() {
    let table: [(&str, &[&str]); 6] = [
        ("def add(a, b = 1)\nend\n", &["Function add | def add(a, b = 1)"]),
        (
            "class Cart < Base\n  def a; end\n  private\n  def own; end\n  public\n  def b; end\nend\n",
            &["Type Cart | class Cart < Base", "Method Cart.a | def a", "Method Cart.b | def b"],
        ),
        // `private` is about methods of objects.
        (
            "class Cart\n  private\n  def self.of(x) = new(x)\nend\n",
            &["Type Cart | class Cart", "Method Cart.of | def self.of(x)"],
        ),
        ("module Shop\n  LIMIT = 3\nend\n", &["Module Shop | module Shop", "Value Shop::LIMIT | LIMIT"]),
        ("limit = 3\n", &[]),
        ("class Cart\n  protected\n  def own; end\nend\n", &["Type Cart | class Cart"]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("lib/a.rb", text), expected, "{text}");
    }
}

#[test]
fn imports_fixtures_and_style() {
    let table = [
        ("require 'json'\nrequire_relative '../lib/cart'\n", "json; ../lib/cart: relative"),
        ("load 'x.rb'\n# require 'y'\n", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("a.rb", text), expected, "{text}");
    }
    let text =
        "describe Cart do\n  let(:cart) { 1 }\n  let!(:line) { 2 }\n  letter(:x)\n  it('a') { }\nend\n";
    assert_eq!(facts("spec/a_spec.rb", text.as_bytes()).unwrap().fixtures, ["cart", "line"]);
    assert_eq!(style_of("spec/a_spec.rb", text), "rspec in describe blocks");
    let minitest = "class CartTest < Minitest::Test\n  def test_a; end\nend\n";
    assert_eq!(style_of("test/a_test.rb", minitest), "minitest in classes");
    assert_eq!(style_of("lib/a.rb", "class Cart\nend\n"), "none");
}

#[test]
fn code_against_its_contract() {
    assert_eq!(promised("class Cart\n  def add(a)\n  end\nend\n", "lib/cart.rb"), "Cart, Cart.add");
    assert_eq!(stub_of(Language::Ruby, "def add(a)\nend\n"), None);
    assert_eq!(cut("lib/a.rb", "def f\n  1\nend\n"), "none", "blocks end in words that can stand anywhere");
    let table = [
        ("def f(a)\nend\n", "def f(a, b = 1)\nend\n", ""),
        ("def f(key:)\nend\n", "def f(key: 1)\nend\n", ""),
        ("def f(a)\nend\n", "def f(*a)\nend\n", ""),
        ("def f(a)\nend\n", "def f(a, &block)\nend\n", ""),
        ("def f(a)\nend\n", "define_method(:f) { |a| a }\n", ""),
        ("def f(a, b = 1)\nend\n", "def f(a)\nend\n", "different f"),
        ("def f(a)\nend\n", "def f(b)\nend\n", "different f"),
        ("def f(a)\nend\n", "def g(a)\nend\n", "missing f"),
        ("class Cart\n  def add(a)\n  end\nend\n", "class Cart\nend\n", "missing Cart.add"),
        // A base class may provide it.
        ("class Cart\n  def add(a)\n  end\nend\n", "class Cart < Base\nend\n", ""),
    ];
    for (contract, code, expected) in table {
        assert_eq!(findings(contract, "lib/cart.rb", code), expected, "{contract} / {code}");
    }
}

#[test]
fn names_in_reports_and_canaries() {
    let table = [
        ("spec/cart_spec.rb::Cart#total adds", "spec/cart_spec.rb::Cart #total adds", true),
        ("spec/cart_spec.rb::Cart.of adds", "spec/cart_spec.rb::Cart .of adds", true),
        ("spec/cart_spec.rb::Cart adds 3", "spec/cart_spec.rb::Cart adds #{n}", true),
        ("CartTest::test_adds_up", "test/cart_test.rb::CartTest::adds up", true),
        ("spec/line_spec.rb::Cart adds", "spec/cart_spec.rb::Cart adds", false),
        ("spec/cart_spec.rb::Cart adds more", "spec/cart_spec.rb::Cart adds", false),
    ];
    for (report, item, expected) in table {
        assert_eq!(same_test(report, item), expected, "{report}");
    }
    let minitest = "class ATest < Minitest::Test\n  def test_a\n  end\nend\n";
    let table = [
        (minitest, Runner::Minitest, "a.rb::ATest::test_a_qx1, a.rb::ATest::test_a_qx2"),
        ("describe 'x' do\n  it 'a' do\n  end\nend\n", Runner::Rspec, "a.rb::x a qx1, a.rb::x a qx2"),
        // A title that is only known at run time cannot be continued.
        ("describe 'x' do\n  it \"a #{n}\" do\n  end\nend\n", Runner::Rspec, "none"),
        ("describe 'x' do\n  it { is_expected.to be }\nend\n", Runner::Rspec, "none"),
        (minitest, Runner::Pytest, "none"),
    ];
    for (text, runner, expected) in table {
        assert_eq!(canary_names("a.rb", text, runner), expected, "{text}");
    }
}

#[test]
fn errors_of_ruby_and_bundler() {
    let own: &[&str] = &["lib/shop/cart.rb"];
    let table: [(&str, &[&str], &str); 12] = [
        ("", own, ""),
        ("cannot load such file -- shop/cart (LoadError)", own, "missing cart"),
        ("cannot load such file -- nokogiri", own, "foreign"),
        ("cannot load such file -- nokogiri", &["Gemfile"], "missing nokogiri"),
        ("NameError: uninitialized constant Shop::Cart (NameError)", own, "missing Shop::Cart"),
        ("NoMethodError: undefined method `total' for nil:NilClass", own, "missing total"),
        ("NoMethodError: undefined method 'total' for an instance of Cart", own, "missing total"),
        ("undefined local variable or method 'cart' for main:Object", own, "missing cart"),
        ("spec/a_spec.rb:3: syntax error, unexpected end-of-input", own, "syntax"),
        ("Could not find gem 'rspec' in locally installed gems.", own, "foreign"),
        ("Bundler::GemNotFound", own, "foreign"),
        ("3 examples, 1 failure", own, ""),
    ];
    for (output, files, expected) in table {
        assert_eq!(errors_in(Language::Ruby, output, files, &[]), expected, "{output}");
    }
}

#[test]
fn requires_and_the_files_they_mean() {
    let tree = |path, text| {
        [("lib/shop/money.rb", ""), ("spec/spec_helper.rb", ""), ("lib/shop/line.rb", ""), (path, text)]
    };
    let table = [
        ("lib/shop/cart.rb", "require 'shop/money'\n", "lib/shop/money.rb"),
        ("lib/shop/cart.rb", "require_relative 'line'\n", "lib/shop/line.rb"),
        ("lib/shop/cart.rb", "require_relative 'line.rb'\n", "lib/shop/line.rb"),
        ("spec/shop/cart_spec.rb", "require 'spec_helper'\n", "spec/spec_helper.rb"),
        ("spec/shop/cart_spec.rb", "require_relative '../../lib/shop/money'\n", "lib/shop/money.rb"),
        ("lib/shop/cart.rb", "require 'json'\nrequire_relative '../../../x'\n", ""),
    ];
    for (path, text, expected) in table {
        assert_eq!(imported(&tree(path, text), path), expected, "{path}: {text}");
    }
}

//! The public symbols of each language.

use super::*;

fn shown(path: &str, text: &str) -> String {
    exports(path, text.as_bytes())
        .iter()
        .map(|export| format!("{} {:?} {} | {}\n", export.line, export.kind, export.name, export.signature))
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn rust_exports() {
    let text = "//! doc\nuse std::fmt;\npub use inner::Thing;\n/// adds\npub fn add(a: i32,\n    b: i32) -> i32 { a + b }\nfn private() {}\npub struct P { pub x: u8 }\nimpl P {\n    pub fn new(x: u8) -> Self { Self { x } }\n    fn hidden(&self) {}\n}\nimpl fmt::Display for P { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) } }\npub trait T { fn m(&self) -> u8; }\npub enum E { A, B(u8) }\npub const N: usize = 3;\npub type Alias = Vec<u8>;\npub mod deep { pub fn f() {} }\n#[macro_export]\nmacro_rules! m { () => {} }\npub(crate) async fn g<T: Clone>(t: T) where T: Send {}\n";
    insta::assert_snapshot!(shown("src/lib.rs", text), @r"
        3 Value Thing | pub use inner::Thing
        5 Function add | pub fn add(a: i32, b: i32) -> i32
        8 Type P | pub struct P { pub x: u8 }
        10 Method P::new | pub fn new(x: u8) -> Self
        13 Method P::fmt | fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result
        14 Interface T | pub trait T
        14 Method T::m | fn m(&self) -> u8
        15 Type E | pub enum E { A, B(u8) }
        16 Value N | pub const N: usize
        17 Type Alias | pub type Alias = Vec<u8>
        18 Module deep | pub mod deep
        18 Function deep::f | pub fn f()
        20 Macro m | macro_rules! m
        21 Function g | pub(crate) async fn g<T: Clone>(t: T) where T: Send
        ");
}

#[test]
fn python_exports() {
    let text = "import os\nMAX: int = 3\nname = 'x'\n_hidden = 1\ndef add(a: int, b: int = 0) -> int:\n    return a + b\nasync def wait(): ...\ndef _private(): ...\n@dataclass\nclass P(Base):\n    x: int\n    def __init__(self, x): ...\n    def m(self) -> str: ...\n    def _h(self): ...\n";
    insta::assert_snapshot!(shown("a.py", text), @r"
        2 Value MAX | MAX: int
        3 Value name | name
        5 Function add | def add(a: int, b: int = 0) -> int
        7 Function wait | async def wait()
        10 Type P | class P(Base)
        12 Method P.__init__ | def __init__(self, x)
        13 Method P.m | def m(self) -> str
        ");
}

#[test]
fn typescript_exports() {
    let text = "export function add(a: number, b = 1): number { return a + b }\nexport const mul = (a: number): number => a;\nexport const svc: Service = { go(x: string): void {}, stop: async () => {} };\nexport const LIMIT: number = 3;\nexport interface Service { go(x: string): void; name: string }\nexport type Id = string | number;\nexport enum Color { Red }\nexport class P extends Q { constructor(x: number) { super() } m(): void {} private h() {} static of() {} }\nexport default class {}\nfunction local() {}\nexport { local, local as other };\nexport { far } from './far';\nexport abstract class A { abstract z(): void }\nexport declare function d(x: string): void;\n";
    insta::assert_snapshot!(shown("a.ts", text), @r"
        1 Function add | export function add(a: number, b = 1): number
        2 Function mul | export const mul = (a: number): number
        3 Value svc | export const svc: Service
        3 Method svc.go | go(x: string): void
        3 Method svc.stop | stop: async ()
        4 Value LIMIT | export const LIMIT: number
        5 Interface Service | export interface Service { go(x: string): void; name: string }
        5 Method Service.go | go(x: string): void
        6 Type Id | export type Id = string | number
        7 Type Color | export enum Color { Red }
        8 Type P | export class P extends Q
        8 Method P.constructor | constructor(x: number)
        8 Method P.m | m(): void
        8 Method P.of | static of()
        9 Type default | export default class
        10 Function local | function local()
        10 Function other | function local()
        12 Value far | export { far } from './far'
        13 Type A | export abstract class A
        13 Method A.z | abstract z(): void
        14 Function d | export declare function d(x: string): void
        ");
}

#[test]
fn commonjs_exports() {
    let text = "const add = (a, b) => a + b;\nfunction sub(a, b) {}\nmodule.exports = { add, minus: sub, run() {}, n: 3 };\nexports.late = function (x) {};\nmodule.exports.last = 1;\n";
    insta::assert_snapshot!(shown("a.cjs", text), @r"
        1 Function add | const add = (a, b)
        2 Function minus | function sub(a, b)
        3 Function run | run()
        3 Value n | n: 3
        4 Function late | exports.late = function (x)
        5 Value last | module.exports.last = 1
        ");
}

#[test]
fn go_exports() {
    let text = "package a\ntype P struct { X int }\ntype r interface { M() }\ntype R interface { M() }\nfunc Add(a, b int) int { return a }\nfunc add() {}\nfunc (p *P) M(x string) error { return nil }\nfunc (p P[T]) N() {}\nconst Max, min = 1, 2\nvar (\n  Name string\n)\n";
    insta::assert_snapshot!(shown("a.go", text), @r"
        2 Type P | type P struct { X int }
        4 Interface R | type R interface { M() }
        5 Function Add | func Add(a, b int) int
        7 Method P.M | func (p *P) M(x string) error
        8 Method P.N | func (p P[T]) N()
        9 Value Max | Max, min = 1, 2
        11 Value Name | Name string
        ");
}

#[test]
fn java_exports() {
    let text = "package a.b;\nimport java.util.List;\n@Service\npublic class Cart extends Base implements Store, Other {\n  private int n;\n  public Cart(int n) { this.n = n; }\n  @Override\n  public int total(List<Integer> items) { return 0; }\n  private void hidden() {}\n  public static class Line { public int price() { return 1; } }\n}\ninterface Store { void save(String id); }\npublic enum Kind { A, B; public int n() { return 1; } }\npublic record P(int x) {}\n";
    insta::assert_snapshot!(shown("Cart.java", text), @"
        3 Type Cart | public class Cart extends Base implements Store, Other
        6 Method Cart.Cart | public Cart(int n)
        7 Method Cart.total | public int total(List<Integer> items)
        10 Type Cart.Line | public static class Line
        10 Method Cart.Line.price | public int price()
        12 Interface Store | interface Store
        12 Method Store.save | void save(String id)
        13 Type Kind | public enum Kind
        13 Method Kind.n | public int n()
        14 Type P | public record P(int x)
        ");
}

#[test]
fn c_exports() {
    let text = "#ifndef A_H\n#define A_H\n#include \"b.h\"\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstruct point { int x; int y; };\ntypedef struct { int n; } box;\nint add(int a, int b);\nstatic int hidden(void) { return 1; }\nconst char *name(struct point *p);\nenum color { RED, BLUE };\n#endif\n";
    insta::assert_snapshot!(shown("a.c", text), @"
        4 Macro MAX | #define MAX(a, b)
        5 Type point | struct point { int x; int y; }
        6 Type box | typedef struct { int n; } box
        7 Function add | int add(int a, int b)
        9 Function name | const char *name(struct point *p)
        10 Type color | enum color { RED, BLUE }
        ");
    let text = "namespace shop {\ntemplate <typename T> T twice(T x) { return x; }\nclass Cart : public Base {\n public:\n  explicit Cart(int n) : n_(n) {}\n  int total() const;\n  virtual ~Cart();\n private:\n  int n_;\n  void hidden();\n};\nint Cart::total() const { return n_; }\nusing Id = std::string;\n}\nTEST(Suite, Name) { EXPECT_EQ(1, 1); }\n";
    insta::assert_snapshot!(shown("a.hpp", text), @"
        2 Function shop::twice | T twice(T x)
        3 Type shop::Cart | class Cart : public Base
        5 Method shop::Cart::Cart | explicit Cart(int n)
        6 Method shop::Cart::total | int total() const
        7 Method shop::Cart::~Cart | virtual ~Cart()
        13 Type shop::Id | using Id = std::string
        ");
}

#[test]
fn ruby_exports() {
    let text = "require 'json'\nmodule Shop\n  LIMIT = 3\n  class Cart < Base\n    def initialize(items: [])\n      @items = items\n    end\n    def self.of(*items) = new(items: items)\n    def total\n      1\n    end\n    private\n    def hidden(x)\n    end\n  end\nend\ndef top(a, b = 1)\nend\n";
    insta::assert_snapshot!(shown("cart.rb", text), @"
        2 Module Shop | module Shop
        3 Value Shop::LIMIT | LIMIT
        4 Type Shop::Cart | class Cart < Base
        5 Method Shop::Cart.initialize | def initialize(items: [])
        8 Method Shop::Cart.of | def self.of(*items)
        9 Method Shop::Cart.total | def total
        17 Function top | def top(a, b = 1)
        ");
}

#[test]
fn csharp_exports() {
    let text = "using System;\nnamespace Shop.Core;\n[Serializable]\npublic class Cart : Base, IStore\n{\n    private int n;\n    public Cart(int n) { }\n    [Obsolete]\n    public async Task<int> Total(List<int> items) => 0;\n    public string Name { get; set; }\n    void Hidden() { }\n}\npublic interface IStore { void Save(string id); }\npublic record P(int X);\npublic enum Kind { A, B }\n";
    insta::assert_snapshot!(shown("Cart.cs", text), @"
        3 Type Cart | public class Cart : Base, IStore
        7 Method Cart.Cart | public Cart(int n)
        8 Method Cart.Total | public async Task<int> Total(List<int> items)
        10 Method Cart.Name | public string Name { get; set; }
        13 Interface IStore | public interface IStore
        13 Method IStore.Save | void Save(string id)
        14 Type P | public record P(int X)
        15 Type Kind | public enum Kind
        ");
}

#[test]
fn php_exports() {
    let text = "<?php\nnamespace Shop\\Core;\nuse Shop\\Db\\{Conn, Pool};\nfinal class Cart extends Base implements Store\n{\n    public function __construct(private int $n) {}\n    public function total(array $items, ?string $c = null): int { return 0; }\n    private function hidden(): void {}\n}\ninterface Store { public function save(string $id): void; }\nfunction helper(int $x): int { return $x; }\n";
    insta::assert_snapshot!(shown("Cart.php", text), @"
        4 Type Cart | final class Cart extends Base implements Store
        6 Method Cart.__construct | public function __construct(private int $n)
        7 Method Cart.total | public function total(array $items, ?string $c = null): int
        10 Interface Store | interface Store
        10 Method Store.save | public function save(string $id): void
        11 Function helper | function helper(int $x): int
        ");
}

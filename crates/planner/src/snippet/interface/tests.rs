//! Interfaces of code shown in a design.

use super::*;

#[test]
fn a_design_shows_an_interface() {
    let rust = "// src/a.rs\n\nuse x::Y;\n\n#[derive(Debug)]\npub enum Act {\n    Swim, // {\n    Sail,\n}\n\nimpl Act {\n    pub fn all() -> &'static [Act] {\n        &[Act::Swim]\n    }\n    fn hidden(&self) {}\n}\n\nimpl Display for Act { fn fmt(&self) {} }\n\npub fn pick(a: Act) -> u8 {\n    1\n}\n";
    insta::assert_snapshot!(interface_of("src/a.rs", rust).unwrap(), @"
    // src/a.rs
    #[derive(Debug)]
    pub enum Act {
        Swim, // {
        Sail,
    }
    impl Act {
        pub fn all() -> &'static [Act];
    }
    pub fn pick(a: Act) -> u8;
    ");
    let python = "# shop/cart.py\n@dataclass\nclass Line(Base):\n    \"\"\"A line: of a cart.\"\"\"\n\n    price: int  # cents\n    name: str = \"\"\n\n    def total(self) -> int:\n        return self.price\n\n\ndef add(a: int, b: int = 0) -> int:\n    return a + b\n\nLIMIT = 3\n";
    insta::assert_snapshot!(interface_of("shop/cart.py", python).unwrap(), @r#"
    # shop/cart.py
    @dataclass
    class Line(Base):
        price: int  # cents
        name: str = ""
        def total(self) -> int: ...
    def add(a: int, b: int = 0) -> int: ...
    "#);
    let typescript = "export interface Item {\n  id: string;\n  price: number;\n}\n\nexport class Cart extends Base {\n  add(item: Item): void {\n    this.x.push(item);\n  }\n}\n\nexport const total = async (items: Item[]): Promise<number> => {\n  return 0;\n};\n\nexport async function load(id: string): Promise<Cart> {\n  return new Cart();\n}\n";
    insta::assert_snapshot!(interface_of("src/cart.ts", typescript).unwrap(), @"
    // src/cart.ts
    export interface Item {
      id: string;
      price: number;
    }
    export class Cart extends Base {
        add(item: Item): void;
    }
    export function total(items: Item[]): Promise<number>;
    export function load(id: string): Promise<Cart>;
    ");
    let go = "package cart\n\ntype Cart struct {\n\tLines []Line\n\tName  string\n}\n\nfunc (c *Cart) Total() int { return 0 }\n\nfunc New(name string) *Cart { return nil }\n";
    insta::assert_snapshot!(interface_of("cart/cart.go", go).unwrap(), @"
    // cart/cart.go
    type Cart struct {
    	Lines []Line
    	Name  string
    }
    func (c *Cart) Total() int
    func New(name string) *Cart
    ");
    let java = "package shop;\n\npublic class Cart {\n    private int n;\n    public Cart(int n) { this.n = n; }\n    public int total() { return n; }\n}\n";
    insta::assert_snapshot!(interface_of("src/main/java/shop/Cart.java", java).unwrap(), @"
    // src/main/java/shop/Cart.java
    public class Cart {
        public Cart(int n) {}
        public int total();
    }
    ");
    let php = "namespace Shop;\n\nfinal class Cart\n{\n    public function total(array $lines): int { return 0; }\n}\n";
    insta::assert_snapshot!(interface_of("src/Cart.php", php).unwrap(), @"
    // src/Cart.php
    final class Cart {
        public function total(array $lines): int;
    }
    ");
}

#[test]
fn what_is_not_sure_is_not_given() {
    let table = [
        ("src/a.rs", "let x = 1;\nmatch x { … }"),
        ("src/a.rs", "fn private() {}"),
        ("a.py", "config = load()\nprint(config)"),
        ("a.py", "def broken(:\n"),
        ("README.md", "def f(): ..."),
    ];
    for (path, code) in table {
        assert_eq!(interface_of(path, code), None, "{code}");
    }
}

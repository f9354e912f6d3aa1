mod config;
fn main() {
    let _ = config::Config::load("");
    let _ = config::reference();
    let _ = config::commented();
}

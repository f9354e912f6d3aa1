//! Compares [`windlass_planner::tokens::estimate`] with `o200k_base`, on pieces of 4,000 characters of the files named.
//!
//! `cargo run --release -p windlass-planner --features token-peer --example token_error -- FILE…`
#![expect(clippy::print_stdout, reason = "it prints its result")]
#![expect(clippy::disallowed_methods, reason = "the purity wall is for the library; this is a program")]

fn main() {
    let exact = bpe_openai::o200k_base();
    let mut ratios: Vec<f64> = Vec::new();
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(4000).filter(|piece| piece.len() >= 600) {
            let piece: String = piece.iter().collect();
            #[expect(clippy::cast_precision_loss, reason = "counts are small")]
            ratios.push(windlass_planner::tokens::estimate(&piece) as f64 / exact.count(&piece) as f64);
        }
    }
    ratios.sort_by(f64::total_cmp);
    println!("{} pieces; estimate / exact:", ratios.len());
    for (name, percent) in [("lowest", 0), ("5 %", 5), ("median", 50), ("95 %", 95), ("highest", 100)] {
        if let Some(ratio) = ratios.get((ratios.len().saturating_sub(1)) * percent / 100) {
            println!("  {name:8} {ratio:.3}");
        }
    }
}

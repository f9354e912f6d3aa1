//! The page of `windlass ui --web` in a real browser: headless Chromium, driven by ChromeDriver, against the real program.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a story that cannot be told must fail, and say where"
)]

mod browser;
mod figures;
mod hostile_texts;
mod journal;
mod large;
mod live;
mod pages;
mod pictures;
mod served;
mod steering;

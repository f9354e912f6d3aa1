//! `windlass ui` against the real program: the page in headless Chromium, driven by ChromeDriver, and the interface in a
//! terminal, driven by tmux.

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
mod terminal;
mod terminal_figures;
mod tmux;

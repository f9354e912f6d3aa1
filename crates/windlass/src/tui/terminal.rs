//! The terminal while the interface is open: another screen, raw keys, and everything as it was afterwards.

use std::io::{self, Stdout, Write as _};

use ratatui::Frame;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::draw::to_ascii;
use crate::cli::CliError;

/// The screen of the interface. Dropped, it gives the terminal back.
pub(super) struct Screenful {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    mouse: bool,
    ascii_only: bool,
}

impl Screenful {
    pub(super) fn enter(mouse: bool, ascii_only: bool) -> Result<Self, CliError> {
        let failed = |e: io::Error| CliError::environment("cannot take the terminal").because_of(Some(&e));
        enable_raw_mode().map_err(failed)?;
        let mut out = io::stdout();
        execute!(out, EnterAlternateScreen, EnableBracketedPaste).map_err(failed)?;
        if mouse {
            execute!(out, EnableMouseCapture).map_err(failed)?;
        }
        let terminal = Terminal::new(CrosstermBackend::new(out)).map_err(failed)?;
        Ok(Self { terminal, mouse, ascii_only })
    }

    /// Draws one picture; only cells that changed are written.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), CliError> {
        let ascii_only = self.ascii_only;
        let drawn = self.terminal.draw(|frame| {
            draw(frame);
            if ascii_only {
                to_ascii(frame.buffer_mut());
            }
        });
        drawn.map_err(|e| CliError::environment("cannot draw").because_of(Some(&e)))?;
        Ok(())
    }
}

impl Drop for Screenful {
    fn drop(&mut self) {
        let mut out = io::stdout();
        if self.mouse {
            let _ = execute!(out, DisableMouseCapture);
        }
        let _ = execute!(out, DisableBracketedPaste, LeaveAlternateScreen);
        let _ = disable_raw_mode();
        let _ = self.terminal.show_cursor();
        let _ = out.flush();
    }
}

//! `windlass ui` in the terminal: what waits for a person, the tree of tasks, and what one of them did.
//!
//! [`app`] is the state and knows neither files nor terminals; [`source`] reads the journal and the outputs; [`draw`] turns
//! the state into cells. What a person asks for is left as a wish, as the commands do: the interface changes no state.

mod app;
mod draw;
mod effect;
mod input;
mod pane;
mod prompt;
mod source;
mod terminal;
mod tree;

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::cli::{CliError, Exit, PlanState};
use crate::world::World;
use app::App;
use effect::Effect;
use source::Source;
use terminal::Screenful;

/// How long to wait for a key before looking at the journal again.
const WAIT: Duration = Duration::from_millis(25);
/// Between two drawings, however much happens.
const CALM: Duration = Duration::from_millis(100);
/// Time passes on the screen this often.
const SECOND: Duration = Duration::from_secs(1);

/// Opens the interface and stays until the user leaves it.
pub(crate) fn open(world: &World, state: &PlanState, mouse: bool) -> Result<Exit, CliError> {
    let mut source = Source::new(world, state);
    let mut app = App::new(state.name.as_str(), world.out.colour);
    source.refresh(&mut app, world.now());
    let mut screen = Screenful::enter(mouse, world.ascii_only())?;
    let mut drawn: Option<Instant> = None;
    let mut pressed = false;
    loop {
        let since = drawn.map(|at| at.elapsed());
        let calm = since.is_none_or(|since| since >= CALM);
        // What may not be drawn yet is not read yet either.
        app.dirty |= calm && source.refresh(&mut app, world.now());
        let stale = since.is_none_or(|since| since >= SECOND);
        if stale || pressed || (app.dirty && calm) {
            source.load(&mut app, world.now());
            screen.draw(|frame| draw::draw(frame, &mut app))?;
            // Drawing tells how wide the text may be.
            if app.pane.wants_other_width() {
                source.load(&mut app, world.now());
                screen.draw(|frame| draw::draw(frame, &mut app))?;
            }
            app.dirty = false;
            drawn = Some(Instant::now());
        }
        let effects = keys(&mut app)?;
        pressed = effects.is_some();
        for effect in effects.iter().flatten() {
            if *effect == Effect::Leave {
                return Ok(Exit::Fine);
            }
            source.carry_out(&mut app, effect);
        }
    }
}

/// What the waiting keys ask for; `None` if there were none.
fn keys(app: &mut App) -> Result<Option<Vec<Effect>>, CliError> {
    let failed = |e: std::io::Error| CliError::environment("cannot read the terminal").because_of(Some(&e));
    let mut wait = WAIT;
    let mut effects: Option<Vec<Effect>> = None;
    while event::poll(wait).map_err(failed)? {
        wait = Duration::ZERO;
        let heard = effects.get_or_insert_default();
        match event::read().map_err(failed)? {
            Event::Key(key) if key.kind != KeyEventKind::Release => heard.extend(app.key(key)),
            Event::Mouse(mouse) => app.mouse(mouse),
            Event::Paste(text) => app.paste(&text),
            Event::Resize(..) | Event::FocusGained | Event::FocusLost | Event::Key(_) => {}
        }
    }
    Ok(effects)
}

#[cfg(test)]
mod tests;

//! Documents about the run as a whole, and the one thing a page may do: leave a wish.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::Serialize;
use serde_json::json;
use windlass_core::state::TaskState;
use windlass_core::view::board::{self, RowOrder, RowQuery, Touched};
use windlass_core::view::report::coverage;
use windlass_core::wish::Wish;

use super::page_state::PageState;
use super::query::{NoAnswer, PageQuery};
use crate::cli::shared::{CheckedPlan, ProfileArgs, leave};
use crate::input::locate;
use crate::render;

/// A document longer than this is no specification.
const SPEC_BYTES: u64 = 8 << 20;

/// A document as text.
pub(super) fn text_of(doc: &impl Serialize) -> Result<String, NoAnswer> {
    Ok(serde_json::to_string(doc)?)
}

/// What a page gets first.
pub(super) fn overview(page: &PageState, _: &PageQuery) -> Result<String, NoAnswer> {
    let known = page.known();
    text_of(&board::overview(&known.view, known.around(page), &known.doings))
}

/// Tasks as rows.
pub(super) fn rows(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let word = |word: &str| serde_json::Value::String(word.to_owned());
    let states: Result<Vec<TaskState>, _> =
        query.list("state").map(|state| serde_json::from_value(word(state))).collect();
    let order: RowOrder = match query.text("order") {
        "" => RowOrder::default(),
        order => {
            serde_json::from_value(word(order)).map_err(|_| NoAnswer::unclear("there is no such order"))?
        }
    };
    let query = RowQuery {
        states: states.map_err(|_| NoAnswer::unclear("there is no such state"))?,
        find: query.text("find").to_owned(),
        phase: query.number("phase"),
        order,
        reversed: query.text("reversed") == "1",
        from: query.number("from").unwrap_or(0),
        count: query.number("count").unwrap_or(100),
    };
    let known = page.known();
    text_of(&board::rows(&known.view, &query, &known.doings))
}

/// The graph with places.
pub(super) fn map(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let open: BTreeSet<usize> = query.list("open").filter_map(|at| at.parse().ok()).collect();
    text_of(&board::map(&page.known().view, query.has("open").then_some(&open)))
}

/// Attempts over time.
pub(super) fn timeline(page: &PageState, _: &PageQuery) -> Result<String, NoAnswer> {
    let known = page.known();
    let over = known.view.run.as_ref().and_then(|run| run.ended.as_ref());
    let now = over.map_or_else(|| page.world.now(), |ended| ended.at);
    text_of(&board::timeline(&known.view, now))
}

/// Criteria with the tests that stand for them and the commits that carry them.
pub(super) fn criteria(page: &PageState, _: &PageQuery) -> Result<String, NoAnswer> {
    let plan = page.plan();
    let known = page.known();
    let rows = plan.map(|plan| coverage(&plan, &known.view)).unwrap_or_default();
    text_of(&json!({ "schema": "windlass.criteria/1", "seq": known.view.seq, "criteria": rows }))
}

/// Cost over time.
pub(super) fn cost(page: &PageState, _: &PageQuery) -> Result<String, NoAnswer> {
    let known = page.known();
    text_of(&known.spending.doc(known.view.at))
}

/// What `windlass check` finds in the plan as it is on disk.
pub(super) fn findings(page: &PageState, _: &PageQuery) -> Result<String, NoAnswer> {
    let checked = CheckedPlan::load(&page.world, &page.selection(), &ProfileArgs::default())?;
    let mut out = Vec::new();
    render::json(&checked.report(), &mut out)
        .map_err(|e| NoAnswer::unclear(format!("the findings cannot be written: {e}")))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Lines of the documents beside the tasks that serve them.
pub(super) fn review(page: &PageState, _: &PageQuery) -> Result<String, NoAnswer> {
    let checked = CheckedPlan::load(&page.world, &page.selection(), &ProfileArgs::default())?;
    let plan = &checked.read.loaded.plan;
    let top = locate(&page.world.cwd).and_then(|located| located.top);
    let top = top.unwrap_or_else(|| page.world.cwd.clone());
    let documents: Vec<(String, Option<String>)> =
        plan.specs.iter().map(|path| (path.clone(), spec_text(&top, path))).collect();
    text_of(&board::review(plan, &page.known().view, &documents))
}

/// A document of the plan: a file of the repository, and nothing outside it.
fn spec_text(top: &Path, path: &str) -> Option<String> {
    let (top, full) = (top.canonicalize().ok()?, top.join(path).canonicalize().ok()?);
    if !full.starts_with(&top) || !full.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(full).ok()?.take(SPEC_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Leaves a wish, as the command line does, and says whom it reaches.
pub(super) fn wish(page: &PageState, wish: &Wish) -> Result<String, NoAnswer> {
    let said = leave(&page.world, &page.state, wish)?;
    // It stands in the head of every page at once.
    if page.learn().look_around(&page.state) {
        let seq = page.known().view.seq;
        page.publish(seq, &Touched::default(), &mut None);
    }
    text_of(&json!({ "schema": "windlass.wish/1", "said": said }))
}

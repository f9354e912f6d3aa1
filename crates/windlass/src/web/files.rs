//! The files of the page. They are part of the program: nothing is read from disk or from a network.

/// One file.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageFile {
    /// Its type.
    pub(super) kind: &'static str,
    /// Its text.
    pub(super) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! files {
    ($($name:ident $kind:ident $path:literal;)*) => {
        $(pub(super) const $name: PageFile = PageFile { kind: $kind, text: include_str!(concat!("page/", $path)) };)*
    };
}

files! {
    INDEX HTML "index.html";
    ICON SVG "icon.svg";
    STYLE CSS "style.css";
    APP JS "app.js";
    DOM JS "dom.js";
    STORE JS "store.js";
    STREAM JS "stream.js";
    STREAM_WORKER JS "stream-worker.js";
    WORDS JS "words.js";
    STEER JS "steer.js";
    PAGE_HOME JS "page-home.js";
    PAGE_GRAPH JS "page-graph.js";
    PAGE_TABLE JS "page-table.js";
    PAGE_TIMELINE JS "page-timeline.js";
    PAGE_TASK JS "page-task.js";
    PAGE_DIFF JS "page-diff.js";
    PAGE_LOG JS "page-log.js";
    PAGE_CRITERIA JS "page-criteria.js";
    PAGE_COST JS "page-cost.js";
    PAGE_FINDINGS JS "page-findings.js";
    PAGE_REVIEW JS "page-review.js";
}

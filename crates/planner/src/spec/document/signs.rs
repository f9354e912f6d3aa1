//! Signs in front of headings: a tick says that something is done only where signs say how things stand.

use super::SectionTree;
use crate::spec::vocabulary::HeadingMeaning;

/// Signs that say how something stands.
const STATES: &str = "✅☑✔✓❌✖✗⬜🔲☐🚧⏳🔄🟡🔴🟢🟠⚪🔵⚠🛑🏁";

/// Signs that say that something is done.
const DONE: &str = "✅☑✔";

impl SectionTree {
    /// Reads headings without their tick where other headings begin with pictures of other kinds: there it is one of them.
    pub(super) fn read_ticks_as_pictures(&mut self) {
        let sign =
            |title: &str| title.trim().chars().next().filter(|c| !c.is_ascii() && !c.is_alphanumeric());
        let is_picture = |c: &char| !STATES.contains(*c);
        let signs = self.sections.iter().filter_map(|section| sign(&section.title.text));
        if signs.filter(is_picture).count() < 2 {
            return;
        }
        for section in &mut self.sections {
            let title = section.title.text.trim();
            if title.starts_with(|c| DONE.contains(c)) {
                let name = title.trim_start_matches(|c: char| !c.is_alphanumeric());
                section.meaning = HeadingMeaning::from_title(name);
            }
        }
    }
}

//! Which part of a text belongs to which story: a heading owns all that is below it, a sentence what follows it.

use std::collections::HashMap;
use std::ops::Range;

use crate::spec::reading::DocumentReading;

/// A story and the part of the text that is about it.
#[derive(Clone)]
pub(super) struct StoryExtent {
    pub(super) story: String,
    pub(super) extent: Range<usize>,
}

/// The parts of the text that stories own: a heading all that is below it, a sentence what follows it up to the next
/// story or heading.
pub(super) fn extents(reading: &DocumentReading<'_>) -> Vec<StoryExtent> {
    let tree = reading.tree;
    let own: Vec<(&str, usize)> = reading
        .spec
        .stories
        .iter()
        .filter(|s| s.span.file == reading.file)
        .map(|s| (s.id.as_str(), s.span.start as usize))
        .collect();
    let headings: HashMap<usize, usize> = (0..tree.sections.len())
        .rev()
        .filter(|at| tree.sections[*at].level > 0)
        .map(|at| (tree.sections[at].title.at.start, at))
        .collect();
    let mut starts: Vec<usize> = own.iter().map(|(_, start)| *start).collect();
    starts.sort_unstable();
    let mut found: Vec<StoryExtent> = Vec::new();
    for (story, start) in &own {
        let end = headings.get(start).map_or_else(
            || {
                // The block that the story begins in: a row begins inside its table.
                let block = tree.blocks.get(tree.blocks.partition_point(|b| b.at.end <= *start));
                let next_section =
                    block.and_then(|b| tree.sections.get(b.section + 1)).map(|s| s.title.at.start);
                let next_story = starts.get(starts.partition_point(|other| other <= start)).copied();
                next_section.unwrap_or(usize::MAX).min(next_story.unwrap_or(usize::MAX))
            },
            |heading| tree.section_end(*heading),
        );
        found.push(StoryExtent { story: (*story).to_owned(), extent: *start..end });
    }
    found.sort_by_key(|e| e.extent.start);
    found
}

/// The story around each place of a text. Places are asked for in the order of the text.
pub(super) struct StoriesAround {
    /// What is still ahead, the next one last.
    ahead: Vec<StoryExtent>,
    /// What has begun, the innermost last.
    open: Vec<StoryExtent>,
}

impl StoriesAround {
    pub(super) fn new(mut extents: Vec<StoryExtent>) -> StoriesAround {
        extents.reverse();
        StoriesAround { ahead: extents, open: Vec::new() }
    }

    pub(super) fn story(&mut self, at: usize) -> Option<String> {
        while self.ahead.last().is_some_and(|next| next.extent.start <= at) {
            self.open.extend(self.ahead.pop());
        }
        while self.open.last().is_some_and(|last| last.extent.end <= at) {
            self.open.pop();
        }
        self.open.last().map(|last| last.story.clone())
    }
}

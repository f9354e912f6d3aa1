//! Class diagrams: the classes with their members, and who inherits, holds or uses whom.

use super::lines::{DrawnLine, DrawnUse, bare_name, drawn_line};
use crate::spec::model::{DrawnClass, UseStrength};

/// The classes of a diagram and the lines between them.
pub(super) fn read(text: &str) -> (Vec<DrawnClass>, Vec<DrawnUse>) {
    let mut classes: Vec<DrawnClass> = Vec::new();
    let mut uses = Vec::new();
    let mut open: Option<usize> = None;
    for line in text.lines().map(str::trim) {
        if let Some(at) = open {
            if line.starts_with('}') {
                open = None;
            } else if !line.is_empty() && !line.starts_with("<<") {
                classes[at].members.push(line.to_owned());
            }
        } else if let Some(name) = declared_class(line) {
            let at = class_index(&mut classes, &name);
            open = (line.ends_with('{') && !line.ends_with("{}")).then_some(at);
        } else if let Some(drawn) = drawn_line(line) {
            uses.extend(relation(&drawn));
        } else if let Some((name, member)) = line.split_once(" : ") {
            // Mermaid's `Animal : +int age`.
            let at = class_index(&mut classes, &bare_name(name));
            classes[at].members.push(member.to_owned());
        }
    }
    classes.retain(|class| !class.name.is_empty() && !class.name.contains(' '));
    (classes, uses)
}

fn class_index(classes: &mut Vec<DrawnClass>, name: &str) -> usize {
    classes.iter().position(|class| class.name == name).unwrap_or_else(|| {
        classes.push(DrawnClass { name: name.to_owned(), members: Vec::new() });
        classes.len() - 1
    })
}

/// The class that a line declares: `class Cart {`, `abstract class Shape`, `interface Store`.
fn declared_class(line: &str) -> Option<String> {
    let words = ["abstract class ", "abstract ", "class ", "interface ", "enum ", "struct "];
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    let name = rest.split([' ', '{', ':']).next().unwrap_or_default();
    (drawn_line(line).is_none() && !name.is_empty()).then(|| bare_name(name))
}

/// The dependency that an arrow states. Its label counts more than how it is drawn.
fn relation(line: &DrawnLine<'_>) -> Option<DrawnUse> {
    let (left, right) = (bare_name(line.left), bare_name(line.right));
    if left.contains(' ') || right.contains(' ') {
        return None;
    }
    let (points_left, points_right) =
        (line.arrow.starts_with('<'), line.arrow.ends_with('>') || line.arrow.ends_with("|>"));
    let (holds_right, holds_left) = (line.arrow.starts_with(['*', 'o']), line.arrow.ends_with(['*', 'o']));
    let label = line.label.to_lowercase();
    let passive = label.split_whitespace().any(|word| word == "by");
    // The side that builds on the other one.
    let from_left = match (points_left, points_right) {
        (true, false) => false,
        (false, true) => true,
        _ => holds_right || !holds_left,
    };
    let inherits = line.arrow.contains("|>") || line.arrow.contains("<|");
    let solid = !line.arrow.contains('.');
    let says_so =
        ["implement", "inherit", "extend", "realiz", "is a"].iter().any(|word| label.contains(word));
    let strength = match (inherits, solid || label.is_empty() || says_so) {
        (true, true) => UseStrength::Inherited,
        _ => UseStrength::Drawn,
    };
    // `A … B : used by`: the right one uses the left one, whatever the arrow.
    let (user, used) = if from_left && !passive { (left, right) } else { (right, left) };
    Some(DrawnUse { user, used, strength })
}

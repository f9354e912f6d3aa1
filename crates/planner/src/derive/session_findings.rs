//! The findings of a CCW session: critical files, constraints, patterns, integration points, coverage gaps, conflicts.
//!
//! Reads the JSON that CCW's tools write; every part is optional. Conflict resolutions count from medium risk on.

use serde_json::{Value, json};
use windlass_core::path_text::dir_of;

use windlass_core::plan::{Criterion, Plan, Task};

/// The findings of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionFindings {
    /// Files that matter to the change.
    pub critical_files: Vec<String>,
    /// Constraints on the change: acceptance criteria of every task.
    pub constraints: Vec<String>,
    /// Patterns in use.
    pub patterns: Vec<String>,
    /// Integration points: a file and what to do there.
    pub integration_points: Vec<(String, String)>,
    /// Missing tests: a file and the missing case.
    pub coverage_gaps: Vec<(String, String)>,
    /// Conflicts, with what was decided about them.
    pub conflicts: Vec<SessionConflict>,
    /// What a person said besides: it holds for every task.
    pub guidelines: Vec<String>,
}

/// A conflict that a session found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionConflict {
    /// What it is about.
    pub about: String,
    /// The resolution that was chosen.
    pub resolution: Option<String>,
    /// What was suggested where nothing was chosen.
    pub suggested: Option<String>,
    /// The files it names.
    pub files: Vec<String>,
    /// The tasks it names.
    pub tasks: Vec<String>,
}

impl SessionFindings {
    /// Reads a context package, a test context and a conflict resolution; a missing one is `Null`.
    pub fn read(package: &Value, tests: &Value, conflicts: &Value) -> SessionFindings {
        let found = &package["exploration_results"]["aggregated_insights"];
        let mut constraints = texts(&found["constraints"]);
        let indicators = [
            &found["conflict_indicators"],
            &package["exploration_results"]["conflict_indicators"],
            &package["conflict_detection"]["conflict_indicators"],
        ];
        let mut clashes: Vec<SessionConflict> = indicators.into_iter().flat_map(clashes).collect();
        if Self::is_risky(package) {
            constraints.extend(texts(&conflicts["planning_constraints"]));
            for key in ["resolved_conflicts", "custom_conflicts", "conflicts"] {
                clashes.extend(self::clashes(&conflicts[key]));
            }
        }
        SessionFindings {
            critical_files: texts(&found["critical_files"]),
            constraints,
            patterns: texts(&found["all_patterns"]),
            integration_points: pairs(&found["all_integration_points"]),
            coverage_gaps: gaps(first(tests, &["coverage_gaps", "missing_tests"])),
            conflicts: clashes,
            guidelines: Vec::new(),
        }
    }

    /// Whether the risk of conflicts is high enough for their resolution to be loaded.
    pub fn is_risky(package: &Value) -> bool {
        let risk = package["conflict_detection"]["risk_level"].as_str().or(package["conflict_risk"].as_str());
        matches!(risk.map(str::to_lowercase).as_deref(), Some("medium" | "high" | "critical"))
    }

    /// The names of the test cases that are missing for the files of a task.
    pub(super) fn missing_cases(&self, task: &Task) -> Vec<String> {
        let gaps = self.coverage_gaps.iter().filter(|(path, _)| task.owned().any(|o| same(o, path)));
        gaps.map(|(_, said)| super::words::plain(said, 7)).filter(|name| !name.is_empty()).collect()
    }

    /// Adds to each leaf task the findings about it.
    pub(super) fn apply(&self, plan: &mut Plan) {
        let parents: Vec<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
        let leaves: Vec<usize> =
            (0..plan.tasks.len()).filter(|at| !parents.contains(&plan.tasks[*at].id)).collect();
        for at in &leaves {
            self.look(&mut plan.tasks[*at]);
        }
        self.integrate(plan, &leaves);
        self.settle(plan, &leaves);
        self.constrain(plan, &leaves);
    }

    /// Constraints are acceptance criteria of every task; no test case is made of them.
    fn constrain(&self, plan: &mut Plan, leaves: &[usize]) {
        for (at, text) in (1..).zip(&self.constraints) {
            let criterion =
                Criterion { id: format!("CON-{at:03}"), text: text.clone(), ..Criterion::default() };
            for leaf in leaves {
                let task = &mut plan.tasks[*leaf];
                task.traces_to.criteria.push(criterion.id.clone());
                task.criteria.push(criterion.clone());
            }
            plan.criteria.push(criterion);
        }
    }

    /// The critical files, patterns and guidelines.
    fn look(&self, task: &mut Task) {
        let owned: Vec<String> = task.owned().map(str::to_owned).collect();
        let folder = |p: &str| dir_of(p).to_owned();
        for path in &self.critical_files {
            let near =
                owned.iter().any(|o| same(o, path) || (!folder(o).is_empty() && folder(o) == folder(path)));
            if near && !task.focus_paths.contains(path) {
                task.focus_paths.push(path.clone());
            }
        }
        if !owned.is_empty() && !self.patterns.is_empty() {
            let named = self.patterns.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
            note(task, &format!("Patterns in use: {named}"));
        }
        for guideline in &self.guidelines {
            note(task, &format!("Guideline: {guideline}"));
        }
    }

    /// Each integration point goes to the tasks that own its file, else to those that speak of it, else to all: the
    /// place is in the steps before the work, the sentence in the notes.
    fn integrate(&self, plan: &mut Plan, leaves: &[usize]) {
        for (path, said) in &self.integration_points {
            let owns = |at: &&usize| plan.tasks[**at].owned().any(|own| same(own, path));
            let mut meant: Vec<usize> = leaves.iter().filter(owns).copied().collect();
            if meant.is_empty() {
                meant = speaking_of(plan, leaves, said, 1);
            }
            let meant = if meant.is_empty() { leaves.to_vec() } else { meant };
            for at in meant {
                let step = json!({ "step": "integration_points", "action": said, "paths": [path] });
                let task = &mut plan.tasks[at];
                task.pre_analysis.push(step);
                if !task.focus_paths.iter().any(|known| same(known, path)) {
                    task.focus_paths.push(path.clone());
                }
                note(task, &format!("Integration point `{path}`: {said}"));
            }
        }
    }

    /// A conflict orders the tasks that it names, in the order of the plan, and its resolution is in their notes. One
    /// that names none is a note of the tasks that speak of it, else of all.
    fn settle(&self, plan: &mut Plan, leaves: &[usize]) {
        for conflict in &self.conflicts {
            let named = |at: &&usize| {
                let task = &plan.tasks[**at];
                let by_file = conflict.files.iter().any(|file| task.owned().any(|own| same(own, file)));
                by_file || conflict.tasks.contains(&task.id)
            };
            let mut meant: Vec<usize> = leaves.iter().filter(named).copied().collect();
            if meant.is_empty() {
                meant = speaking_of(plan, leaves, &conflict.about, 2);
            }
            for pair in meant.windows(2) {
                let (before, after) = (plan.tasks[pair[0]].id.clone(), plan.tasks[pair[1]].id.clone());
                if !reaches(plan, &after, &before) && !reaches(plan, &before, &after) {
                    plan.tasks[pair[1]].depends_on.push(before);
                }
            }
            let words = match (&conflict.resolution, &conflict.suggested) {
                (Some(chosen), _) => format!("Conflict: {}; resolved: {chosen}", conflict.about),
                (None, Some(said)) => format!("Conflict: {}; not decided, suggested: {said}", conflict.about),
                (None, None) => format!("Conflict: {}", conflict.about),
            };
            for at in if meant.is_empty() { leaves.to_vec() } else { meant } {
                note(&mut plan.tasks[at], &words);
            }
        }
    }
}

fn note(task: &mut Task, words: &str) {
    let sep = if task.notes.is_empty() { "" } else { "\n" };
    task.notes.push_str(&format!("{sep}{words}"));
}

/// The tasks whose title, criteria and files share at least so many words with a text.
fn speaking_of(plan: &Plan, leaves: &[usize], text: &str, least: usize) -> Vec<usize> {
    let wanted = super::words::words(text);
    let speaks = |at: &&usize| {
        let task = &plan.tasks[**at];
        let mut own = super::words::words(&task.title);
        own.extend(task.criteria.iter().flat_map(|c| super::words::words(&c.text)));
        own.extend(task.owned().flat_map(super::words::words));
        wanted.iter().filter(|word| own.contains(word)).count() >= least
    };
    leaves.iter().filter(speaks).copied().collect()
}

/// Whether a task depends on another, directly or through others.
fn reaches(plan: &Plan, from: &str, wanted: &str) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        let Some(task) = plan.tasks.iter().find(|t| t.id == id).filter(|_| !seen.contains(&id)) else {
            continue;
        };
        seen.push(id);
        if task.depends_on.iter().any(|d| d == wanted) {
            return true;
        }
        open.extend(task.depends_on.iter().map(String::as_str));
    }
    false
}

/// Whether two paths name one file, where the second may be absolute.
pub(super) fn same(own: &str, other: &str) -> bool {
    own == other || other.strip_suffix(own).is_some_and(|head| head.ends_with('/'))
}

fn first<'v>(value: &'v Value, keys: &[&str]) -> &'v Value {
    let found = keys.iter().map(|k| &value[*k]).find(|v| !v.is_null());
    found.unwrap_or_else(|| &value["coverage_analysis"]["gaps"])
}

/// The conflicts of a list.
fn clashes(list: &Value) -> Vec<SessionConflict> {
    list.as_array().into_iter().flatten().filter_map(clash).collect()
}

fn clash(v: &Value) -> Option<SessionConflict> {
    const ABOUT: [&str; 8] =
        ["brief", "description", "conflict", "indicator", "summary", "text", "conflict_id", "id"];
    const CHOSEN: [&str; 9] = [
        "resolution",
        "chosen_resolution",
        "selected_strategy",
        "strategy_name",
        "strategy",
        "decision",
        "custom_handling",
        "strategy_approach",
        "approach",
    ];
    let resolution: Vec<String> = CHOSEN.iter().filter_map(|key| chosen(&v[*key])).collect();
    let told: Vec<String> = texts(&v["clarifications"]).into_iter().chain(texts(&v["suggestions"])).collect();
    // What was said besides a choice is part of it; on its own it is a suggestion.
    let (resolution, told) =
        if resolution.is_empty() { (resolution, told) } else { ([resolution, told].concat(), Vec::new()) };
    let joined = |list: Vec<String>| (!list.is_empty()).then(|| list.join("; "));
    let (resolution, suggested) = (joined(resolution), joined(told));
    let about = v.as_str().or_else(|| ABOUT.iter().find_map(|k| v[*k].as_str())).map(str::to_owned);
    let about = about.or_else(|| resolution.clone().or_else(|| suggested.clone()))?;
    let listed = |keys: &[&str]| -> Vec<String> {
        let values = keys.iter().map(|k| &v[*k]);
        let one = |v: &Value| match v {
            Value::String(one) => vec![one.clone()],
            other => texts(other),
        };
        values.flat_map(one).collect()
    };
    let files = listed(&["affected_files", "affects", "files", "file", "location", "path"]);
    let files = files.iter().map(|f| f.split(':').next().unwrap_or(f).to_owned()).collect();
    let tasks = listed(&["affected_tasks", "tasks", "task_ids", "task"]);
    Some(SessionConflict { about, resolution, suggested, files, tasks })
}

/// A resolution: a text, or an object with a name and an approach.
fn chosen(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let parts: Vec<&str> =
        ["name", "approach", "description"].iter().filter_map(|k| value[*k].as_str()).collect();
    (!parts.is_empty()).then(|| parts.join(": "))
}

/// The texts of a list of strings or objects with a text field.
fn texts(list: &Value) -> Vec<String> {
    let text = |v: &Value| {
        let keys = ["path", "file", "description", "constraint", "pattern", "name", "text"];
        v.as_str().or_else(|| keys.iter().find_map(|k| v[*k].as_str())).map(str::to_owned)
    };
    list.as_array().into_iter().flatten().filter_map(text).collect()
}

/// The gaps of a test context: a file and a case that its tests lack. One entry may list several cases.
fn gaps(list: &Value) -> Vec<(String, String)> {
    const CASES: [&str; 7] =
        ["missing", "missing_cases", "missing_tests", "cases", "untested", "functions", "gaps"];
    let several = |v: &Value| -> Vec<(String, String)> {
        let listed: Vec<String> = CASES.iter().flat_map(|key| texts(&v[*key])).collect();
        let Some((path, said)) = pairs(&Value::Array(vec![v.clone()])).pop() else { return Vec::new() };
        match listed.is_empty() {
            true if said == format!("look at {path}") => vec![(path.clone(), format!("cover {path}"))],
            true => vec![(path, said)],
            false => listed.into_iter().map(|case| (path.clone(), case)).collect(),
        }
    };
    list.as_array().into_iter().flatten().flat_map(several).collect()
}

/// The items of a list as pairs of a file and its description.
fn pairs(list: &Value) -> Vec<(String, String)> {
    let pair = |v: &Value| {
        let path = v
            .as_str()
            .or_else(|| ["location", "file", "path", "source_file"].iter().find_map(|k| v[*k].as_str()))?;
        let path = path.split(':').next().unwrap_or(path).to_owned();
        let said = ["description", "point", "reason", "missing"].iter().find_map(|k| v[*k].as_str());
        Some((path.clone(), said.map_or_else(|| format!("look at {path}"), str::to_owned)))
    };
    list.as_array().into_iter().flatten().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_read_as_its_tools_write_it() {
        let package = json!({
            "conflict_detection": { "risk_level": "low" },
            "exploration_results": { "aggregated_insights": {
                "critical_files": [{ "path": "src/a.ts" }, "src/b.ts"],
                "constraints": ["no new dependency"],
                "all_integration_points": [{ "location": "src/a.ts:12", "description": "register the route" }],
            } },
        });
        let conflicts = json!({ "planning_constraints": ["keep the old name"] });
        let risky = json!({ "conflict_detection": { "risk_level": "high" } });
        let clash = json!({
            "planning_constraints": ["keep the old name"],
            "conflicts": [{ "id": "CON-001", "brief": "two routers", "affected_files": ["src/a.ts", "src/c.ts"] }],
        });
        let found = SessionFindings::read(&risky, &Value::Null, &clash);
        assert_eq!(found.constraints, ["keep the old name"]);
        assert_eq!(found.conflicts[0].about, "two routers");
        assert_eq!(found.conflicts[0].files, ["src/a.ts", "src/c.ts"]);
        let tests = json!({ "coverage_gaps": [{ "file": "src/a.ts", "missing": "empty input" }] });
        let context = SessionFindings::read(&package, &tests, &conflicts);
        assert_eq!(context.critical_files, ["src/a.ts", "src/b.ts"]);
        assert_eq!(context.constraints, ["no new dependency"], "low risk: the resolution is not loaded");
        assert_eq!(context.integration_points, [("src/a.ts".to_owned(), "register the route".to_owned())]);
        let mut task = Task::default();
        task.files.modify.push("src/a.ts".to_owned());
        let mut plan = Plan { tasks: vec![task], ..Plan::default() };
        assert_eq!(context.missing_cases(&plan.tasks[0]), ["empty_input"]);
        let listed = json!({ "coverage_analysis": { "gaps": [
            { "file": "src/a.ts", "missing": ["empty input", "a full cart"] }, { "path": "src/b.ts" } ] } });
        let listed = SessionFindings::read(&package, &listed, &conflicts);
        assert_eq!(listed.missing_cases(&plan.tasks[0]), ["empty_input", "a_full_cart"]);
        assert_eq!(listed.coverage_gaps[2], ("src/b.ts".to_owned(), "cover src/b.ts".to_owned()));
        context.apply(&mut plan);
        assert_eq!(plan.tasks[0].focus_paths, ["src/a.ts", "src/b.ts"]);
        assert_eq!(plan.tasks[0].pre_analysis.len(), 1);
    }

    /// The words that CCW's own tools use for a decision; the tasks a conflict names are ordered.
    #[test]
    fn a_conflict_orders_its_tasks_and_says_what_was_chosen() {
        let package = json!({ "conflict_detection": { "risk_level": "medium" } });
        let conflicts = json!({
            "resolved_conflicts": [
                { "conflict_id": "CON-1", "brief": "list or all", "affected_files": ["a.py", "b.py"],
                  "strategy_name": "keep list", "strategy_approach": "alias the other" },
            ],
            "custom_conflicts": [{ "id": "CON-2", "brief": "two clocks", "suggestions": ["ask the author"] }],
        });
        let found = SessionFindings::read(&package, &Value::Null, &conflicts);
        let task = |id: &str, path: &str| {
            let mut task = Task { id: id.into(), ..Task::default() };
            task.files.modify.push(path.into());
            task
        };
        let tasks = vec![task("1", "a.py"), task("2", "c.py"), task("3", "b.py")];
        let mut plan = Plan { tasks, ..Plan::default() };
        found.apply(&mut plan);
        assert_eq!(plan.tasks[2].depends_on, ["1"]);
        assert_eq!(plan.tasks[1].depends_on, [""; 0]);
        let first = "Conflict: list or all; resolved: keep list; alias the other";
        let second = "Conflict: two clocks; not decided, suggested: ask the author";
        assert_eq!(plan.tasks[0].notes, format!("{first}\n{second}"));
        assert_eq!(plan.tasks[1].notes, second);
    }
}

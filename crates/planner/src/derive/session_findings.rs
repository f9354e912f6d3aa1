//! The findings of a CCW session: critical files, constraints, patterns, integration points, coverage gaps, conflicts.
//!
//! Reads the JSON that CCW's tools write; every part is optional. Conflict resolutions count from medium risk on.

use serde_json::{Value, json};

use crate::spec::{CriterionForm, Spec, SpecCriterion};
use windlass_core::plan::{Plan, Task};

/// The findings of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionFindings {
    /// Files that matter to the change.
    pub critical_files: Vec<String>,
    /// Constraints on the change.
    pub constraints: Vec<String>,
    /// Patterns in use.
    pub patterns: Vec<String>,
    /// Integration points: a file and what to do there.
    pub integration_points: Vec<(String, String)>,
    /// Missing tests: a file and the missing case.
    pub coverage_gaps: Vec<(String, String)>,
    /// Conflicts: a description and the affected files.
    pub conflicts: Vec<(String, Vec<String>)>,
}

impl SessionFindings {
    /// Reads a context package, a test context and a conflict resolution; a missing one is `Null`.
    pub fn read(package: &Value, tests: &Value, conflicts: &Value) -> SessionFindings {
        let found = &package["exploration_results"]["aggregated_insights"];
        let risk = package["conflict_detection"]["risk_level"].as_str().or(package["conflict_risk"].as_str());
        let risky = matches!(risk.map(str::to_lowercase).as_deref(), Some("medium" | "high" | "critical"));
        let mut constraints = texts(&found["constraints"]);
        let mut clashes = clashes(&found["conflict_indicators"]);
        if risky {
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
            coverage_gaps: pairs(first(tests, &["coverage_gaps", "missing_tests"])),
            conflicts: clashes,
        }
    }

    /// Adds the constraints to the criteria of a specification.
    pub fn constrain(&self, spec: &mut Spec) {
        let Some(span) = spec.criteria.first().map(|c| c.span).or_else(|| spec.files.first().map(|f| f.span))
        else {
            return;
        };
        for (at, text) in (1..).zip(&self.constraints) {
            spec.criteria.push(SpecCriterion {
                id: format!("CON-{at:03}"),
                text: text.clone(),
                detail: String::new(),
                story: None,
                task: None,
                form: CriterionForm::Item,
                given_id: true,
                span,
            });
        }
    }

    /// Adds to each task the findings about its files.
    pub(super) fn apply(&self, plan: &mut Plan) {
        for task in &mut plan.tasks {
            self.look(task);
            let gaps = self.coverage_gaps.iter().filter(|(path, _)| task.owned().any(|o| same(o, path)));
            let gaps: Vec<String> =
                gaps.map(|(_, said)| super::words::plain(said, 7)).filter(|n| !n.is_empty()).collect();
            for cycle in &mut task.tdd_cycles {
                let new: Vec<String> =
                    gaps.iter().filter(|g| !cycle.test_cases.contains(g)).cloned().collect();
                cycle.test_cases.extend(new);
                cycle.test_count = u32::try_from(cycle.test_cases.len()).ok();
            }
        }
    }

    fn look(&self, task: &mut Task) {
        let owned: Vec<String> = task.owned().map(str::to_owned).collect();
        let folder = |p: &str| p.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned();
        for path in &self.critical_files {
            let near =
                owned.iter().any(|o| same(o, path) || (!folder(o).is_empty() && folder(o) == folder(path)));
            if near && !task.focus_paths.contains(path) {
                task.focus_paths.push(path.clone());
            }
        }
        for (path, said) in self.integration_points.iter().filter(|(p, _)| owned.iter().any(|o| same(o, p))) {
            let step = json!({ "step": "integration_points", "action": said, "paths": [path] });
            task.pre_analysis.push(step);
        }
        for (said, files) in &self.conflicts {
            if files.iter().any(|file| owned.iter().any(|o| same(o, file))) {
                let sep = if task.notes.is_empty() { "" } else { "\n" };
                task.notes.push_str(&format!("{sep}Conflict: {said}"));
            }
        }
        if !owned.is_empty() && !self.patterns.is_empty() {
            let named = self.patterns.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
            let sep = if task.notes.is_empty() { "" } else { "\n" };
            task.notes.push_str(&format!("{sep}Patterns in use: {named}"));
        }
    }
}

/// Whether two paths name one file, where the second may be absolute.
pub(super) fn same(own: &str, other: &str) -> bool {
    own == other || other.strip_suffix(own).is_some_and(|head| head.ends_with('/'))
}

fn first<'v>(value: &'v Value, keys: &[&str]) -> &'v Value {
    let found = keys.iter().map(|k| &value[*k]).find(|v| !v.is_null());
    found.unwrap_or_else(|| &value["coverage_analysis"]["gaps"])
}

/// The conflicts of a list that name files; a conflict without files implies no order.
fn clashes(list: &Value) -> Vec<(String, Vec<String>)> {
    let clash = |v: &Value| {
        let words = ["brief", "description", "conflict", "indicator", "resolution", "summary", "text"];
        let said = v.as_str().or_else(|| words.iter().find_map(|k| v[*k].as_str()))?;
        let named = ["affected_files", "files", "file", "location", "path"].iter().map(|k| &v[*k]);
        let files = named.flat_map(|v| match v {
            Value::String(one) => vec![one.clone()],
            other => texts(other),
        });
        let files: Vec<String> = files.map(|f| f.split(':').next().unwrap_or(&f).to_owned()).collect();
        (!files.is_empty()).then(|| (said.to_owned(), files))
    };
    list.as_array().into_iter().flatten().filter_map(clash).collect()
}

/// The texts of a list of strings or objects with a text field.
fn texts(list: &Value) -> Vec<String> {
    let text = |v: &Value| {
        let keys = ["path", "file", "description", "constraint", "pattern", "name", "text"];
        v.as_str().or_else(|| keys.iter().find_map(|k| v[*k].as_str())).map(str::to_owned)
    };
    list.as_array().into_iter().flatten().filter_map(text).collect()
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
        assert_eq!(
            found.conflicts,
            [("two routers".to_owned(), vec!["src/a.ts".to_owned(), "src/c.ts".to_owned()])]
        );
        let tests = json!({ "coverage_gaps": [{ "file": "src/a.ts", "missing": "empty input" }] });
        let context = SessionFindings::read(&package, &tests, &conflicts);
        assert_eq!(context.critical_files, ["src/a.ts", "src/b.ts"]);
        assert_eq!(context.constraints, ["no new dependency"], "low risk: the resolution is not loaded");
        assert_eq!(context.integration_points, [("src/a.ts".to_owned(), "register the route".to_owned())]);
        let mut task = Task::default();
        task.files.modify.push("src/a.ts".to_owned());
        task.tdd_cycles.push(windlass_core::plan::TddCycle {
            test_cases: vec!["works".to_owned()],
            ..Default::default()
        });
        let mut plan = Plan { tasks: vec![task], ..Plan::default() };
        context.apply(&mut plan);
        assert_eq!(plan.tasks[0].tdd_cycles[0].test_cases, ["works", "empty_input"]);
        assert_eq!(plan.tasks[0].focus_paths, ["src/a.ts", "src/b.ts"]);
        assert_eq!(plan.tasks[0].pre_analysis.len(), 1);
    }
}

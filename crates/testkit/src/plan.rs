//! The text of a small plan in the native form.

use std::fmt::Write as _;

/// A task as its author writes it.
#[derive(Debug, Clone)]
pub struct PlanTask {
    id: String,
    depends_on: Vec<String>,
    front: String,
    sections: String,
}

impl PlanTask {
    /// A task without anything but its name.
    pub fn new(id: &str, title: &str) -> Self {
        let front = format!("id: \"{id}\"\ntitle: {title}\n");
        Self { id: id.into(), depends_on: Vec::new(), front, sections: String::new() }
    }

    /// A task that is to write `ID.sh`, which prints `ID`; its test says so in TAP.
    pub fn shell(id: &str) -> Self {
        let test = format!(
            "# tests/{id}_test.sh\necho 1..1\nif [ \"$(sh {id}.sh 2>&1)\" = {id} ]; then echo 'ok 1 - says {id}'; else \
             echo 'not ok 1 - says {id}'; exit 1; fi"
        );
        Self::new(id, &format!("Say {id}"))
            .front(&format!("test_file: tests/{id}_test.sh"))
            .section("Test Specification", "sh", &test)
            .section("Output Files", "", &format!("WRITE: {id}.sh\nWRITE: tests/{id}_test.sh"))
            .verified_by(&format!("sh tests/{id}_test.sh"))
    }

    /// What it needs.
    pub fn after(mut self, ids: &[&str]) -> Self {
        self.depends_on.extend(ids.iter().map(|id| (*id).to_owned()));
        self
    }

    /// Another line of front matter.
    pub fn front(mut self, line: &str) -> Self {
        let _ = writeln!(self.front, "{line}");
        self
    }

    /// A section that holds one fenced block.
    pub fn section(mut self, heading: &str, language: &str, code: &str) -> Self {
        let _ = write!(self.sections, "## {heading}\n\n```{language}\n{code}\n```\n\n");
        self
    }

    /// A section with this text.
    pub fn raw(mut self, heading: &str, text: &str) -> Self {
        let _ = write!(self.sections, "## {heading}\n\n{text}\n\n");
        self
    }

    /// The script that verifies it.
    pub fn verified_by(self, script: &str) -> Self {
        self.section("Verification (Deterministic)", "bash", script)
    }

    /// The name of its file.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.md", self.id)
    }

    /// The text of its file.
    pub(crate) fn text(&self) -> String {
        let needs: Vec<String> = self.depends_on.iter().map(|id| format!("\"{id}\"")).collect();
        let needs = format!("depends_on: [{}]\n", needs.join(", "));
        format!("---\n{}{needs}---\n\n# {}\n\nAs the title says.\n\n{}", self.front, self.id, self.sections)
    }
}

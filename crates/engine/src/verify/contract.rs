//! The contract gate: by the compiler where the repository has one for it, else by syntax; what neither compared is reported.

use std::fs;

use windlass_code::checker::{CheckerFormat, read_findings};
use windlass_code::detect::{self, CheckerTool};
use windlass_code::repo::Tree;
use windlass_code::syntax::{
    ContractFile, ContractFileRequest, ContractFinding, ContractReport, contract_file, contract_project,
    contract_report,
};
use windlass_core::failure::{Failure, Gate};
use windlass_core::plan::{CodeBlock, Task};

use super::gates::Bench;
use super::script::NamedResults;
use super::setup::in_dir;
use super::without_tests;
use crate::config::GateSwitch;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::process::ProcessExit;

/// The name of the check file and of its project file, without their endings.
const CHECK: &str = "windlass-contract-check";

impl Bench<'_> {
    /// Compares exported names and signatures with the task's contract.
    pub(super) async fn contract(&mut self) -> Result<(), EarlyEnd> {
        if self.ctx.config.verify.contract == GateSwitch::Off || self.task.contract.is_empty() {
            return Ok(());
        }
        let owned = self.ctx.info(&self.input.channel.task).owned.clone();
        let files = code_of(&owned, &self.tree);
        let (mut findings, mut left) = (Vec::new(), Vec::new());
        for block in &self.task.contract {
            let mut report = contract_report(&block.code, block.language.as_deref(), &files);
            if let Some(seen) = self.compiled(block, &files).await? {
                seen.settle(&mut report);
                findings.extend(seen.differences);
            }
            findings.extend(report.findings.iter().map(ToString::to_string));
            left.extend(report.not_compared);
        }
        if let Some(first) = findings.first() {
            let failure = Failure::TestsFailed {
                gate: Gate::Contract,
                failed: Vec::new(),
                summary: first.clone(),
                excerpt: findings.join("\n"),
            };
            return Err(EarlyEnd::failed(failure));
        }
        let words = if left.is_empty() {
            "as promised".to_owned()
        } else {
            format!("as promised; not compared: {}", left.join(", "))
        };
        if !left.is_empty() {
            self.input.channel.finding(format!("contract: not compared: {}", left.join(", ")));
        }
        self.seen.gates.push(without_tests::note(Gate::Contract, &words));
        Ok(())
    }

    /// What the compiler says of a block; `None` where it was not asked, or did not work.
    async fn compiled(
        &self,
        block: &CodeBlock,
        files: &[(String, Vec<u8>)],
    ) -> Result<Option<CompilerVerdict>, EarlyEnd> {
        let path = block.path.as_deref().or(match files {
            [(only, _)] => Some(only.as_str()),
            _ => None,
        });
        let source = files.iter().find(|(own, _)| Some(own.as_str()) == path);
        let Some((path, bytes)) = source else { return Ok(None) };
        let known: Vec<String> = self.task.interfaces.iter().map(|i| i.code.clone()).collect();
        let request = ContractFileRequest {
            path,
            source: &String::from_utf8_lossy(bytes),
            contract: &block.code,
            hint: block.language.as_deref(),
            known: &known,
        };
        let Some(check) = contract_file(&request) else { return Ok(None) };
        let plan = detect::type_check(&self.tree, std::slice::from_ref(path));
        let Some(plan) = plan.into_iter().find(|plan| plan.tool == CheckerTool::Tsc) else { return Ok(None) };
        let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(dir, name)| (dir, name));
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let own = format!("{CHECK}.{ending}");
        let own = if folder.is_empty() { own } else { format!("{folder}/{own}") };
        let within = own.strip_prefix(&format!("{}/", plan.dir)).unwrap_or(&own).to_owned();
        let project = format!("{CHECK}.json");
        let project = if plan.dir.is_empty() { project } else { format!("{}/{project}", plan.dir) };
        let laid = [(own.as_str(), check.text.clone()), (project.as_str(), contract_project(&within))];
        for (name, text) in &laid {
            let path = self.export.dir().join(name);
            let failed = |source| EngineError::Io { what: "write", path, source };
            self.export.put(name, text.as_bytes(), None).map_err(failed)?;
        }
        let command = format!("npx --no-install tsc --noEmit --pretty false -p {CHECK}.json");
        let run = self.script(&in_dir(&plan.dir, &command), NamedResults::No).await;
        for (name, _) in &laid {
            let _ = fs::remove_file(self.export.dir().join(name));
        }
        let run = run?;
        let seen_root = self.seen_root();
        let found = match run.exit {
            ProcessExit::Code(0) => Vec::new(),
            ProcessExit::Code(126 | 127)
            | ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_)
            | ProcessExit::Cancelled => return Ok(None),
            ProcessExit::Code(_) => {
                match read_findings(CheckerFormat::Tsc, &run.raw, &seen_root.to_string_lossy(), &plan.dir) {
                    Some(found) => found,
                    None => return Ok(None),
                }
            }
        };
        // An error of the project itself says nothing about the contract.
        if found.iter().any(|f| !f.path.ends_with(&own) && f.line == 0) {
            return Ok(None);
        }
        let lines = found.iter().filter(|f| f.path.ends_with(&own) && f.line >= check.first_line);
        Ok(Some(CompilerVerdict::of(&check, path, lines.map(|f| (f.line, f.message.clone())))))
    }
}

/// What the compiler says about the names of a contract.
#[derive(Debug, Default)]
struct CompilerVerdict {
    /// Names it compared, and found right.
    right: Vec<String>,
    /// Names it compared, and found wrong.
    wrong: Vec<String>,
    differences: Vec<String>,
}

impl CompilerVerdict {
    fn of(check: &ContractFile, path: &str, errors: impl Iterator<Item = (usize, String)>) -> Self {
        let mut seen = Self::default();
        let mut unclear: Vec<&str> = Vec::new();
        for (line, message) in errors {
            let Some(name) = check.name_at(line) else { continue };
            if line == name.compared && !message.starts_with("Cannot find name") {
                seen.wrong.push(name.name.clone());
                // The check of a type asks whether two types are one; `true` and `false` are its own words.
                let asked = message.starts_with("Type 'true' is not assignable to type 'false'");
                let message = if asked { "it is another type".to_owned() } else { message };
                seen.differences
                    .push(format!("`{}` in {path} is not what its contract says: {message}", name.name));
            } else {
                // A type that the compiler does not know compares with anything.
                unclear.push(&name.name);
            }
        }
        let known = |name: &&str| !unclear.contains(name) && !seen.wrong.iter().any(|own| own == name);
        seen.right =
            check.names.iter().map(|name| name.name.as_str()).filter(known).map(str::to_owned).collect();
        seen
    }

    /// The compiler knows better than a comparison of texts.
    fn settle(&self, report: &mut ContractReport) {
        let owner = |name: &str| name.split('.').next().unwrap_or(name).to_owned();
        let settled = |name: &str| {
            let own = owner(name);
            self.right.contains(&own) || self.wrong.contains(&own)
        };
        report.not_compared.retain(|name| !settled(name));
        report.findings.retain(|finding| match finding {
            // What the code has and does not export is in the compiler's scope all the same.
            ContractFinding::Missing { name } => !name.contains('.') || !settled(name),
            ContractFinding::Different { name, .. } => !settled(name),
        });
    }
}

/// The code of a task, without its tests.
fn code_of(owned: &[String], tree: &GitTree) -> Vec<(String, Vec<u8>)> {
    let code = owned.iter().filter(|p| !detect::is_test_path(p));
    code.filter_map(|p| Some((p.clone(), tree.read(p)?))).collect()
}

/// What the code of a task lacks of its contract, by syntax.
pub(crate) fn contract_findings(task: &Task, owned: &[String], tree: &GitTree) -> Vec<String> {
    let files = code_of(owned, tree);
    let of = |block: &CodeBlock| contract_report(&block.code, block.language.as_deref(), &files).findings;
    task.contract.iter().flat_map(of).map(|f| f.to_string()).collect()
}

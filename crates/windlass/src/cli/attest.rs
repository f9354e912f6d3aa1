//! `windlass attest`: the evidence of a plan as in-toto statements, signed where a key is named.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use windlass_engine::audit::audit;
use windlass_engine::git::Repo;

use super::audit::only_plan;
use super::{CliError, Exit};
use crate::attest::{self, PASSWORD, SigningKey, sealed};
use crate::input::{Configuration, plan_name};
use crate::render::counted;
use crate::world::World;

/// Write the evidence as in-toto statements, signed or not
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AttestArgs {
    /// The plan's name.
    #[arg(value_name = "PLAN")]
    plan: Option<String>,

    /// The branch, where it is not the plan's own.
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,

    /// The folder to write to, a file per statement; without it, lines of JSON on standard output.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    #[command(flatten)]
    signing: SigningArgs,
}

/// How statements are signed.
#[derive(Debug, Args)]
pub(crate) struct SigningArgs {
    /// Sign the statements with this key: a private ssh key, a public one whose private part your ssh agent holds, or the private
    /// key of a pair that `cosign generate-key-pair` made.
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,

    /// The variable with the password of a key of cosign.
    #[arg(long, value_name = "VARIABLE", default_value = PASSWORD, requires = "sign")]
    password_env: String,
}

impl SigningArgs {
    /// The key, if one was named.
    pub(crate) fn key(&self, world: &World) -> Result<Option<SigningKey>, CliError> {
        self.sign.as_ref().map(|file| SigningKey::find(world, file, &self.password_env)).transpose()
    }
}

const EXAMPLES: &str = "\
Examples:
  windlass attest shop -o statements --sign ~/.ssh/id_ed25519
  windlass audit shop --attestations statements --signers allowed_signers
  windlass attest shop -o statements --sign cosign.key
  windlass audit shop --attestations statements --signers cosign.pub";

/// Writes the statements of every record that holds.
pub(crate) fn cmd_attest(world: &World, args: &AttestArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let apart = World::temporary_dir("attest")?;
    let repo = Repo::discover(world.git_env(), &world.cwd)?.with_own_dir(apart.path())?;
    let name = match &args.plan {
        Some(text) => plan_name(text),
        None => only_plan(&repo)?,
    };
    let prefix = &configuration.config.branch_prefix;
    let branch = args.branch.clone().unwrap_or_else(|| format!("{prefix}{name}"));
    let key = args.signing.key(world)?;
    let audit = audit(&repo, &name, &branch)?;
    if !audit.holds() || audit.records.is_empty() {
        return Err(CliError::blocked(format!(
            "the evidence of `{branch}` does not hold, so nothing is stated"
        ))
        .hint(format!("`windlass audit {name}` says what is wrong")));
    }
    let mut written = 0;
    if let Some(dir) = &args.output {
        let dir = world.cwd.join(dir);
        fs::create_dir_all(&dir).map_err(|e| CliError::file("cannot make", &dir, &e))?;
    }
    for own in attest::statements(world, &repo, &audit)? {
        let value = match &key {
            Some(key) => sealed(&own.statement, key)?,
            None => own.statement,
        };
        written += 1;
        match &args.output {
            None => world.print(&format!("{value}\n"))?,
            Some(dir) => {
                let path = world.cwd.join(dir).join(&own.name);
                fs::write(&path, attest::text(&value))
                    .map_err(|e| CliError::file("cannot write", &path, &e))?;
            }
        }
    }
    if let Some(dir) = &args.output {
        let how = if key.is_some() { "signed" } else { "not signed" };
        world.tell(&format!("wrote {} to {}, {how}\n", counted(written, "statement"), dir.display()));
    }
    Ok(Exit::Fine)
}

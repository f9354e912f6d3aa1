//! A small world with things to steal and to break, and a sandbox in the middle of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use windlass_engine::process::{CancellationSignal, Capture, Finished, Invocation, Token};
use windlass_engine::sandbox::{
    Fence, FenceRole, Needs, Network, Sandbox, SandboxChoice, SandboxConfig, SandboxRung, Unsandboxed,
    can_have,
};

/// What no process inside may learn.
pub(crate) const SECRET: &str = "windlass-secret-7f3a91";

/// A world in a temporary directory.
pub(crate) struct Cell {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) rung: SandboxRung,
}

impl Cell {
    pub(crate) fn new(rung: SandboxRung) -> Self {
        // Not in /tmp: that is another directory inside anyway.
        let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let dir = tempfile::Builder::new().prefix("escape-").tempdir_in(place).unwrap();
        let cell = Self { dir, rung };
        for sub in [
            "home/.ssh",
            "home/.aws",
            "repo/.git/windlass",
            "cache/slots/1/tree",
            "cache/slots/2/tree",
            "cache/scratch/1",
        ] {
            fs::create_dir_all(cell.path(sub)).unwrap();
        }
        for file in [
            "home/.ssh/id_ed25519",
            "home/.aws/credentials",
            "home/.netrc",
            "repo/code.py",
            "repo/.git/windlass/journal.db",
            "cache/slots/2/tree/other.py",
        ] {
            fs::write(cell.path(file), SECRET).unwrap();
        }
        cell
    }

    pub(crate) fn path(&self, sub: &str) -> PathBuf {
        self.dir.path().join(sub)
    }

    pub(crate) fn config(&self) -> SandboxConfig {
        let bwrap = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"].map(PathBuf::from);
        SandboxConfig {
            unsandboxed: Unsandboxed::Refused,
            helper: Some(env!("CARGO_BIN_EXE_windlass").into()),
            bubblewrap: bwrap.into_iter().find(|path| path.exists()),
            home: Some(self.path("home")),
            hidden: vec![self.path("repo"), self.path("cache")],
            agents_network: Network::Open,
            ..SandboxConfig::default()
        }
    }

    /// Fails the test where the rung cannot be had: `scripts/test` installs what it needs.
    pub(crate) fn fence(&self) -> Fence {
        self.fence_for(FenceRole::Agent, self.config())
    }

    /// The same for another role.
    pub(crate) fn fence_for(&self, role: FenceRole, config: SandboxConfig) -> Fence {
        if let Err(why) = can_have(self.rung, &config, &self.path("cache/probe")) {
            panic!("the rung {:?} is not available here: {why}", self.rung);
        }
        let sandbox = Sandbox::new(SandboxChoice { rung: self.rung, missed: Vec::new() }, config);
        sandbox.fence(role, &self.path("cache/slots/1/tree"), &self.path("cache/scratch/1"))
    }

    pub(crate) fn invocation(&self, script: &str) -> Invocation {
        let path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
        Invocation {
            program: "bash".into(),
            args: vec!["-c".into(), script.into()],
            cwd: self.path("cache/slots/1/tree"),
            env: vec![
                ("PATH".into(), path.into()),
                ("HOME".into(), self.path("home").into()),
                ("TOP".into(), self.dir.path().into()),
            ],
            stdin: Vec::new(),
            timeout: Duration::from_mins(1),
            idle_timeout: None,
            capture: Capture { dir: self.path("out"), max_bytes: 1 << 20, tail_bytes: 1 << 16 },
        }
    }

    pub(crate) fn token(&self) -> Token {
        Token::new(&format!("escape.{}", self.dir.path().file_name().unwrap().to_string_lossy()))
    }

    /// Runs a script inside to its end.
    pub(crate) fn run(&self, script: &str) -> Finished {
        self.run_invocation(self.invocation(script))
    }

    /// Runs a command inside to its end.
    pub(crate) fn run_invocation(&self, inv: Invocation) -> Finished {
        self.run_in(&self.fence(), inv)
    }

    /// Runs a command in a fence of its own to its end.
    pub(crate) fn run_in(&self, fence: &Fence, inv: Invocation) -> Finished {
        self.run_with(fence, inv, &Needs::default())
    }

    /// The same for a command that needs something.
    pub(crate) fn run_with(&self, fence: &Fence, inv: Invocation, needs: &Needs) -> Finished {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let token = self.token();
        runtime.block_on(fence.run(inv, needs, &token, CancellationSignal::new(), |_| {}))
    }

    /// What a script inside prints, trimmed.
    pub(crate) fn says(&self, script: &str) -> String {
        let finished = self.run(script);
        format!(
            "{}{}",
            fs::read_to_string(finished.output.merged.as_ref().unwrap()).unwrap_or_default(),
            exit(&finished)
        )
        .trim()
        .to_owned()
    }
}

fn exit(finished: &Finished) -> String {
    match &finished.exit {
        windlass_engine::process::ProcessExit::Code(0) => String::new(),
        other => format!("{other:?}"),
    }
}

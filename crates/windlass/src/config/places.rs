//! `[places]`: machines besides this one.

use windlass_core::policy::PlaceRules;

use super::section::section;

section! {
    /// A machine besides this one that carries attempts out, and verifications if it is trusted with them. Windlass is
    /// installed there.
    pub struct PlaceKeys {
        /// The usual command for `"ssh:HOST"`, `"slurm"` (any node), `"podman:IMAGE"`, `"docker:IMAGE"` or `"kubernetes:IMAGE"`.
        @host via: Option<String> = None,
        /// The command that leads there; its standard input and output are those of a `windlass attend`:
        /// `["ssh", "big", "windlass", "attend"]`. `{connection}` in a word becomes a name of its own for each connection.
        @host launch: Vec<String> = Vec::new(),
        /// The broker that workers fetch their attempts from, `"tls://HOST:4222"`: machines on which `windlass attend --nats URL` runs.
        @host nats: Option<String> = None,
        /// The queue at the broker. Workers with the same one belong to this place.
        @host queue: String = "windlass".into(),
        /// A file with what the broker lets this machine in by: a token, an nkey seed or credentials. Only you can read it.
        @host key: Option<String> = None,
        /// A file with the certificate of the broker's authority, if the system does not know it.
        @host ca: Option<String> = None,
        /// How many attempts and verifications run there at once.
        slots: u32 = 1,
        /// What it has, by names that tasks may need: `["gpu"]`.
        labels: Vec<String> = Vec::new(),
        /// Whether it is trusted with verifications: what it says about a change becomes evidence.
        @host verify: bool = false,
        /// The weakest sandbox that is accepted there: `"bubblewrap"`, `"namespaces"` or `"landlock"`. A place with a weaker one
        /// is not used.
        @host sandbox: Option<String> = None,
        /// Environment variables with log-ins that agents there get, by name, where the place has no log-in of its own. They
        /// travel inside the connection only.
        @host logins: Vec<String> = Vec::new(),
    }
}

impl PlaceKeys {
    /// As the scheduler knows it.
    pub(crate) fn rules(&self) -> PlaceRules {
        PlaceRules { slots: self.slots, labels: self.labels.clone(), verify: self.verify }
    }
}

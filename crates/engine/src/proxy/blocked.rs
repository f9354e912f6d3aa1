//! Hosts that were asked for and not reached.

/// How many hosts are remembered.
const NAMED: usize = 32;

/// Why a host was not reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostFailure {
    /// No rule allows it.
    NotAllowed,
    /// It is allowed, and the connection failed.
    Unreachable(String),
}

/// A host that was not reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedHost {
    /// Its name or address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The reason.
    pub why: HostFailure,
    /// How often it was asked for.
    pub times: u32,
}

impl BlockedHost {
    /// `pypi.org:443`, with the number of times.
    pub fn shown(&self) -> String {
        let times = if self.times > 1 { format!(" ({} times)", self.times) } else { String::new() };
        format!("`{}:{}`{times}", self.host, self.port)
    }
}

/// The hosts of one turn, in the order of their first time.
#[derive(Debug, Default)]
pub(super) struct BlockedHosts(Vec<BlockedHost>);

impl BlockedHosts {
    pub(super) fn add(&mut self, host: &str, port: u16, why: HostFailure) {
        let same = |known: &&mut BlockedHost| known.host == host && known.port == port && known.why == why;
        if let Some(known) = self.0.iter_mut().find(same) {
            known.times = known.times.saturating_add(1);
        } else if self.0.len() < NAMED {
            // The name comes from inside: it is shown to a person.
            let host = host.chars().filter(|c| !c.is_control()).take(253).collect();
            self.0.push(BlockedHost { host, port, why, times: 1 });
        }
    }

    pub(super) fn list(&self) -> Vec<BlockedHost> {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_counted_and_bounded() {
        let mut blocked = BlockedHosts::default();
        for _ in 0..3 {
            blocked.add("pypi.org", 443, HostFailure::NotAllowed);
        }
        blocked.add("pypi.org", 80, HostFailure::NotAllowed);
        let shown: Vec<String> = blocked.list().iter().map(BlockedHost::shown).collect();
        assert_eq!(shown, ["`pypi.org:443` (3 times)", "`pypi.org:80`"]);
        for n in 0..1000 {
            blocked.add(&format!("h{n}\n\u{1b}[1m"), 443, HostFailure::NotAllowed);
        }
        assert_eq!(blocked.list().len(), NAMED);
        assert_eq!(blocked.list()[2].host, "h0[1m");
    }
}

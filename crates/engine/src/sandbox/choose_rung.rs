//! Chooses the rung from what is available; `probe.rs` tests that.

use super::rung::{SandboxRung, SandboxWish};

/// Tests one rung; `Err` says why it is unavailable.
pub type RungProbe<'a> = &'a mut dyn FnMut(SandboxRung) -> Result<(), String>;

/// The chosen rung and why no stronger one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SandboxChoice {
    /// The rung.
    pub rung: SandboxRung,
    /// Stronger rungs with the reason why each is unavailable.
    pub missed: Vec<(SandboxRung, String)>,
}

impl SandboxChoice {
    /// Why no stronger rung is available, in one line; `None` on the strongest.
    pub fn why_not_stronger(&self) -> Option<String> {
        let missed: Vec<String> =
            self.missed.iter().map(|(rung, why)| format!("{}: {why}", rung.as_str())).collect();
        (!missed.is_empty()).then(|| missed.join("; "))
    }
}

/// A requested rung is unavailable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the sandbox `{}` is not available here: {why}", .rung.as_str())]
pub struct SandboxUnavailable {
    /// The requested rung.
    pub rung: SandboxRung,
    /// The reason.
    pub why: String,
}

/// Chooses the strongest available rung, or the requested one.
pub fn choose(wish: SandboxWish, look: RungProbe<'_>) -> Result<SandboxChoice, SandboxUnavailable> {
    if let SandboxWish::Only(rung) = wish {
        return match look(rung) {
            Ok(()) => Ok(SandboxChoice { rung, missed: Vec::new() }),
            Err(why) => Err(SandboxUnavailable { rung, why }),
        };
    }
    let mut missed = Vec::new();
    for rung in [SandboxRung::Bubblewrap, SandboxRung::Namespaces, SandboxRung::Landlock] {
        match look(rung) {
            Ok(()) => return Ok(SandboxChoice { rung, missed }),
            Err(why) => missed.push((rung, why)),
        }
    }
    Ok(SandboxChoice { rung: SandboxRung::Off, missed })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine on which only these rungs can be had.
    fn only(offered: &[SandboxRung]) -> impl FnMut(SandboxRung) -> Result<(), String> {
        move |rung| {
            if offered.contains(&rung) || rung == SandboxRung::Off {
                Ok(())
            } else {
                Err("taken away".into())
            }
        }
    }

    #[test]
    fn the_strongest_wins_and_each_loss_is_said() {
        let all = [SandboxRung::Bubblewrap, SandboxRung::Namespaces, SandboxRung::Landlock];
        let said: Vec<String> = (0..4)
            .map(|n| {
                let choice = choose(SandboxWish::Strongest, &mut only(&all[n..])).unwrap();
                format!("{} ({})", choice.rung.as_str(), choice.why_not_stronger().unwrap_or_default())
            })
            .collect();
        insta::assert_snapshot!(said.join("\n"), @r"
        bubblewrap ()
        namespaces (bubblewrap: taken away)
        landlock (bubblewrap: taken away; namespaces: taken away)
        off (bubblewrap: taken away; namespaces: taken away; landlock: taken away)
        ");
    }

    #[test]
    fn a_rung_asked_for_by_name_is_had_or_refused() {
        let had = |rung| choose(SandboxWish::Only(rung), &mut only(&[SandboxRung::Landlock])).map(|c| c.rung);
        assert_eq!(had(SandboxRung::Landlock), Ok(SandboxRung::Landlock));
        assert_eq!(had(SandboxRung::Off), Ok(SandboxRung::Off));
        insta::assert_snapshot!(had(SandboxRung::Bubblewrap).unwrap_err(), @"the sandbox `bubblewrap` is not available here: taken away");
        assert_eq!(SandboxWish::parse("auto"), Some(SandboxWish::Strongest));
        assert_eq!(SandboxWish::parse("namespaces"), Some(SandboxWish::Only(SandboxRung::Namespaces)));
        assert_eq!(SandboxWish::parse("chroot"), None);
    }
}

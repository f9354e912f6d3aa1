//! Which rung is used, from what the machine offers. Looking is `probe.rs`; this only decides.

use super::rung::{SandboxRung, SandboxWish};

/// Whether a rung can be had, and why not.
pub type RungProbe<'a> = &'a mut dyn FnMut(SandboxRung) -> Result<(), String>;

/// The rung that is used, and why no stronger one is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SandboxChoice {
    /// The rung.
    pub rung: SandboxRung,
    /// Stronger rungs with what stands in their way, strongest first.
    pub missed: Vec<(SandboxRung, String)>,
}

impl SandboxChoice {
    /// What stands in the way of a stronger rung, in one line; `None` on the strongest.
    pub fn why_not_stronger(&self) -> Option<String> {
        let missed: Vec<String> =
            self.missed.iter().map(|(rung, why)| format!("{}: {why}", rung.as_str())).collect();
        (!missed.is_empty()).then(|| missed.join("; "))
    }
}

/// A rung was asked for by name and is not to be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the sandbox `{}` cannot be had here: {why}", .rung.as_str())]
pub struct SandboxUnavailable {
    /// Which.
    pub rung: SandboxRung,
    /// Why.
    pub why: String,
}

/// Decides which rung is used: the strongest that can be had, or the one that was asked for.
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
        insta::assert_snapshot!(had(SandboxRung::Bubblewrap).unwrap_err(), @"the sandbox `bubblewrap` cannot be had here: taken away");
        assert_eq!(SandboxWish::parse("auto"), Some(SandboxWish::Strongest));
        assert_eq!(SandboxWish::parse("namespaces"), Some(SandboxWish::Only(SandboxRung::Namespaces)));
        assert_eq!(SandboxWish::parse("chroot"), None);
    }
}

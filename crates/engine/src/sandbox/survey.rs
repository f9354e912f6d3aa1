//! Which rung is used, from what the machine offers. Looking is `probe.rs`; this only decides.

use super::rung::{Rung, Wish};

/// Whether a rung can be had, and why not.
pub type Look<'a> = &'a mut dyn FnMut(Rung) -> Result<(), String>;

/// The rung that is used, and why no stronger one is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The rung.
    pub rung: Rung,
    /// Stronger rungs with what stands in their way, strongest first.
    pub missed: Vec<(Rung, String)>,
}

impl Choice {
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
pub struct Unavailable {
    /// Which.
    pub rung: Rung,
    /// Why.
    pub why: String,
}

/// Decides which rung is used: the strongest that can be had, or the one that was asked for.
pub fn choose(wish: Wish, look: Look<'_>) -> Result<Choice, Unavailable> {
    if let Wish::Only(rung) = wish {
        return match look(rung) {
            Ok(()) => Ok(Choice { rung, missed: Vec::new() }),
            Err(why) => Err(Unavailable { rung, why }),
        };
    }
    let mut missed = Vec::new();
    for rung in [Rung::Bubblewrap, Rung::Namespaces, Rung::Landlock] {
        match look(rung) {
            Ok(()) => return Ok(Choice { rung, missed }),
            Err(why) => missed.push((rung, why)),
        }
    }
    Ok(Choice { rung: Rung::Off, missed })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine on which only these rungs can be had.
    fn only(offered: &[Rung]) -> impl FnMut(Rung) -> Result<(), String> {
        move |rung| {
            if offered.contains(&rung) || rung == Rung::Off { Ok(()) } else { Err("taken away".into()) }
        }
    }

    #[test]
    fn the_strongest_wins_and_each_loss_is_said() {
        let all = [Rung::Bubblewrap, Rung::Namespaces, Rung::Landlock];
        let said: Vec<String> = (0..4)
            .map(|n| {
                let choice = choose(Wish::Strongest, &mut only(&all[n..])).unwrap();
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
        let had = |rung| choose(Wish::Only(rung), &mut only(&[Rung::Landlock])).map(|c| c.rung);
        assert_eq!(had(Rung::Landlock), Ok(Rung::Landlock));
        assert_eq!(had(Rung::Off), Ok(Rung::Off));
        insta::assert_snapshot!(had(Rung::Bubblewrap).unwrap_err(), @"the sandbox `bubblewrap` cannot be had here: taken away");
        assert_eq!(Wish::parse("auto"), Some(Wish::Strongest));
        assert_eq!(Wish::parse("namespaces"), Some(Wish::Only(Rung::Namespaces)));
        assert_eq!(Wish::parse("chroot"), None);
    }
}

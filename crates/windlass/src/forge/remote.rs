//! The repository of a forge behind a git remote.

use crate::cli::CliError;
use crate::world::World;

/// Where a remote leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteRepo {
    /// The host.
    pub(crate) host: String,
    /// `owner/name`; groups too.
    pub(crate) path: String,
}

impl RemoteRepo {
    /// Where this remote of the repository leads; `None` if there is no such remote or it leads to no host.
    pub(crate) fn of(world: &World, name: &str) -> Result<Option<Self>, CliError> {
        let repo = windlass_engine::git::Repo::discover(world.git_env(), &world.cwd)?;
        Ok(repo.remote_url(name)?.as_deref().and_then(Self::parse))
    }

    /// Reads an address: `https://host/a/b.git`, `ssh://git@host:22/a/b`, `git@host:a/b.git`.
    fn parse(url: &str) -> Option<Self> {
        let (scheme, (place, path)) = match url.split_once("://") {
            Some(("file", _)) => return None,
            Some((scheme, rest)) => (scheme, rest.split_once('/')?),
            None => ("ssh", url.split_once(':').filter(|(host, _)| !host.contains('/'))?),
        };
        let place = place.rsplit('@').next()?;
        // The port of ssh says nothing about the interface; that of https is the same one.
        let host = if scheme == "https" {
            place.strip_suffix(":443").unwrap_or(place)
        } else {
            place.split(':').next()?
        };
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let whole = !host.is_empty() && path.contains('/');
        whole.then(|| Self { host: host.to_owned(), path: path.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_lead_to_a_host_or_nowhere() {
        let table = [
            ("https://github.com/shop/till.git", Some(("github.com", "shop/till"))),
            ("https://token@github.com/shop/till", Some(("github.com", "shop/till"))),
            ("git@github.com:shop/till.git", Some(("github.com", "shop/till"))),
            ("ssh://git@gitlab.example.org:2222/a/b/c.git", Some(("gitlab.example.org", "a/b/c"))),
            ("https://gitlab.example.org:8443/a/b.git", Some(("gitlab.example.org:8443", "a/b"))),
            ("https://me@gitlab.example.org:443/a/b.git", Some(("gitlab.example.org", "a/b"))),
            ("/srv/git/till.git", None),
            ("file:///srv/git/till.git", None),
            ("../till", None),
        ];
        for (url, expected) in table {
            let read = RemoteRepo::parse(url);
            let read = read.as_ref().map(|r| (r.host.as_str(), r.path.as_str()));
            assert_eq!(read, expected, "{url}");
        }
    }
}

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
        let (place, path) = match url.split_once("://") {
            Some(("file", _)) => return None,
            Some((_, rest)) => rest.split_once('/')?,
            None => url.split_once(':').filter(|(host, _)| !host.contains('/'))?,
        };
        let host = place.rsplit('@').next()?.split(':').next()?;
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

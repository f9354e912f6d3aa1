//! Secrets of 256 bits: made, kept, compared.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use windlass_engine::fill_random;

use crate::cli::CliError;

/// A secret of 256 bits, in hexadecimal.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// A new one.
    pub(super) fn new() -> Result<Self, CliError> {
        let mut bytes = [0_u8; 32];
        fill_random(&mut bytes)
            .map_err(|e| CliError::environment("cannot read `/dev/urandom`").because_of(Some(&e)))?;
        Ok(Self(bytes.iter().map(|b| format!("{b:02x}")).collect()))
    }

    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let whole = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        whole.then(|| Self(text.to_owned()))
    }

    /// The text of it.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is this secret; takes as long for a close one as for a wrong one.
    pub(super) fn is(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        let differs = own.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b));
        own.len() == other.len() && std::hint::black_box(differs) == 0
    }
}

/// The secret of the browsers that were let in: kept, so that pages go on when the server is started again.
pub(super) fn kept(path: &Path) -> Result<Secret, CliError> {
    // No other user may read it.
    let private = fs::metadata(path).is_ok_and(|meta| meta.permissions().mode().trailing_zeros() >= 6);
    let known = fs::read_to_string(path).ok().filter(|_| private).and_then(|text| Secret::read(&text));
    if let Some(secret) = known {
        return Ok(secret);
    }
    let secret = Secret::new()?;
    let written = || {
        if let Some(dir) = path.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        }
        let _ = fs::remove_file(path);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(secret.text().as_bytes())
    };
    written().map_err(|e| {
        CliError::environment(format!("cannot write `{}`", path.display())).because_of(Some(&e))
    })?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_itself_and_nothing_near_it() {
        let secret = Secret::new().unwrap();
        let text = secret.text().to_owned();
        assert!(secret.is(&text) && text.len() == 64);
        let last = if text.ends_with('0') { '1' } else { '0' };
        for other in ["", &text[1..], &format!("{text}0"), &format!("{}{last}", &text[..63])] {
            assert!(!secret.is(other), "{other}");
        }
        assert_ne!(Secret::new().unwrap(), secret);
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }

    #[test]
    fn a_kept_secret_is_private_and_the_same_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("windlass/web-session");
        let secret = kept(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(kept(&path).unwrap(), secret);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_ne!(kept(&path).unwrap(), secret, "what others could read is not used any more");
        fs::write(&path, "short").unwrap();
        assert_eq!(kept(&path).unwrap().text().len(), 64);
    }
}

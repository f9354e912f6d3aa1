//! Key pairs of sigstore's `cosign`: the encrypted private key signs, the public key checks.
//!
//! These are the keys of `cosign generate-key-pair`: ECDSA on P-256. Signing without a key needs sigstore's servers, which
//! nothing here talks to.

use std::path::Path;

use ring::digest;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};
use serde_json::Value;

use super::secretbox::{self, ScryptCost};
use crate::base64::from_base64;
use crate::cli::CliError;
use crate::world::World;

/// The variable that `cosign` takes the password from.
pub(crate) const PASSWORD: &str = "COSIGN_PASSWORD";
/// What a private key is called in its file, now and in older versions.
const PRIVATE: [&str; 2] = ["ENCRYPTED SIGSTORE PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE KEY"];
/// What a public key is called in its file.
const PUBLIC: &str = "PUBLIC KEY";
/// What stands before the point of a public key on P-256 in its DER form.
const POINT_FOLLOWS: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// A private key that was opened.
#[derive(Debug)]
pub(crate) struct CosignKey {
    pair: EcdsaKeyPair,
    /// The hash of the public key.
    pub(super) id: String,
}

impl CosignKey {
    /// Whether a file holds such a key.
    pub(super) fn is_in(text: &str) -> bool {
        PRIVATE.iter().any(|label| text.contains(&format!("-----BEGIN {label}-----")))
    }

    /// Opens the key with the password in this variable.
    pub(super) fn open(world: &World, file: &Path, text: &str, variable: &str) -> Result<Self, CliError> {
        let shown = file.display();
        let Some((_, password)) = world.env_of([variable]).into_iter().next() else {
            return Err(CliError::environment(format!("the password of `{shown}` is not known"))
                .hint(format!("put it into `{variable}`, or name another variable with `--password-env`")));
        };
        let broken = || CliError::usage(format!("`{shown}` is not a key that `cosign` wrote"));
        let closed =
            PRIVATE.iter().find_map(|label| pem(text, label).into_iter().next()).ok_or_else(broken)?;
        let closed = ClosedKey::read(&closed).ok_or_else(broken)?;
        let key =
            secretbox::scrypt(password.as_encoded_bytes(), &closed.salt, closed.cost).ok_or_else(broken)?;
        let opened = secretbox::open(&key, &closed.nonce, &closed.text).ok_or_else(|| {
            CliError::environment(format!("the password in `{variable}` does not open `{shown}`"))
        })?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &opened, &SystemRandom::new());
        let pair = pair.map_err(|_| {
            CliError::usage(format!("`{shown}` does not hold an ECDSA key on P-256"))
                .hint("`cosign generate-key-pair` makes one")
        })?;
        let id = key_id(pair.public_key().as_ref());
        Ok(Self { pair, id })
    }

    /// Signs a text.
    pub(super) fn sign(&self, text: &[u8]) -> Result<Vec<u8>, CliError> {
        let signed = self.pair.sign(&SystemRandom::new(), text);
        let signed = signed.map_err(|_| CliError::environment("cannot sign: there are no random numbers"))?;
        Ok(signed.as_ref().to_vec())
    }
}

/// A private key as it lies in its file.
struct ClosedKey {
    cost: ScryptCost,
    salt: Vec<u8>,
    nonce: [u8; 24],
    text: Vec<u8>,
}

impl ClosedKey {
    fn read(text: &[u8]) -> Option<Self> {
        let told: Value = serde_json::from_slice(text).ok()?;
        let (kdf, cipher) = (&told["kdf"], &told["cipher"]);
        if kdf["name"] != "scrypt" || cipher["name"] != "nacl/secretbox" {
            return None;
        }
        let number = |key: &str| usize::try_from(kdf["params"][key].as_u64()?).ok();
        let bytes = |value: &Value| from_base64(value.as_str()?);
        Some(Self {
            cost: ScryptCost { entries: number("N")?, block: number("r")?, lanes: number("p")? },
            salt: bytes(&kdf["salt"])?,
            nonce: bytes(&cipher["nonce"])?.try_into().ok()?,
            text: bytes(&told["ciphertext"])?,
        })
    }
}

/// The name of the public key in a file that holds this signature, if one of them made it.
pub(super) fn signer(keys: &str, text: &[u8], signature: &[u8]) -> Option<String> {
    pem(keys, PUBLIC).iter().filter_map(|der| der.strip_prefix(&POINT_FOLLOWS)).find_map(|point| {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point);
        key.verify(text, signature).ok().map(|()| key_id(point))
    })
}

/// Whether a file holds public keys.
pub(super) fn has_public_keys(text: &str) -> bool {
    !pem(text, PUBLIC).is_empty()
}

/// A public key's name: the SHA-256 of its DER form, as `sha256sum` shows it.
fn key_id(point: &[u8]) -> String {
    let der = [&POINT_FOLLOWS, point].concat();
    let hash = digest::digest(&digest::SHA256, &der);
    hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The contents of every block with this label.
fn pem(text: &str, label: &str) -> Vec<Vec<u8>> {
    let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
    let blocks = text.split(begin.as_str()).skip(1);
    blocks.filter_map(|rest| from_base64(rest.split_once(end.as_str())?.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base64::to_base64;

    #[test]
    fn only_the_key_that_signed_is_named_and_only_for_the_same_text() {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, made.as_ref(), &random).unwrap();
        let key = CosignKey { id: key_id(pair.public_key().as_ref()), pair };
        let der = [&POINT_FOLLOWS, key.pair.public_key().as_ref()].concat();
        let block = |der: &[u8]| {
            format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", to_base64(der))
        };
        let mut other = der.clone();
        *other.last_mut().unwrap() ^= 1;
        let signed = key.sign(b"text").unwrap();
        let keys = format!("# two keys\n{}{}", block(&other), block(&der));
        assert_eq!(signer(&keys, b"text", &signed), Some(key.id.clone()));
        assert_eq!(signer(&keys, b"another text", &signed), None);
        assert_eq!(signer(&block(&other), b"text", &signed), None);
        assert_eq!(signer(&block(&der[..40]), b"text", &signed), None);
        assert_eq!(signer("ann ssh-ed25519 AAAA", b"text", &signed), None);
        assert!(has_public_keys(&keys) && !has_public_keys("ann ssh-ed25519 AAAA"));
    }

    #[test]
    fn key_files_that_are_not_whole_are_refused() {
        let whole = r#"{"kdf":{"name":"scrypt","params":{"N":16,"r":8,"p":1},"salt":"AAAA"},"cipher":{"name":"nacl/secretbox","nonce":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},"ciphertext":"AAAA"}"#;
        assert!(ClosedKey::read(whole.as_bytes()).is_some());
        for (from, to) in [
            ("scrypt", "argon2"),
            ("nacl/secretbox", "aes"),
            ("\"N\":16", "\"N\":-1"),
            ("\"N\":16,", ""),
            ("\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"", "\"AAAA\""),
            ("\"ciphertext\":\"AAAA\"", "\"ciphertext\":\"!\""),
            ("{\"kdf\"", "\"kdf\""),
        ] {
            assert!(ClosedKey::read(whole.replacen(from, to, 1).as_bytes()).is_none(), "{to}");
        }
    }
}

//! DSSE envelopes: signed by `ssh-keygen` with an ssh key, which is never read here, or with a key of sigstore's `cosign`.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::sigstore::{self, CosignKey};
use crate::base64::{from_base64, to_base64};
use crate::cli::CliError;
use crate::world::World;

const PAYLOAD: &str = "application/vnd.in-toto+json";
/// What the signature is for, so that it can be used for nothing else.
const NAMESPACE: &str = "windlass-attestation";
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

/// What the signatures of ssh keys begin with, decoded.
const SSH_MARK: &[u8] = b"SSHSIG";

/// A key to sign with.
#[derive(Debug)]
pub(crate) enum SigningKey {
    /// A private ssh key, or a public one whose private part an agent holds.
    Ssh { program: PathBuf, file: PathBuf, id: String },
    /// A key pair of `cosign`.
    Sigstore(CosignKey),
}

/// Whether a signature holds, and whose it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SignerCheck {
    /// It does; by whom.
    Good(String),
    /// It cannot be told, because the key that would tell was not given; whose it claims to be.
    Unchecked(String),
    /// It does not; why.
    Bad(String),
}

impl SigningKey {
    /// Looks the key up. `password` names the variable with the password of a sigstore key.
    pub(crate) fn find(world: &World, file: &Path, password: &str) -> Result<Self, CliError> {
        let file = world.cwd.join(file);
        if let Ok(text) = std::fs::read_to_string(&file)
            && CosignKey::is_in(&text)
        {
            return CosignKey::open(world, &file, &text, password).map(Self::Sigstore);
        }
        let program = ssh_keygen(world)?;
        let shown = run(&program, &["-l", "-f", &file.to_string_lossy()], b"")?;
        let said = String::from_utf8_lossy(&shown.stdout).into_owned();
        // `256 SHA256:… comment (ED25519)`
        let id = said.split_whitespace().nth(1).filter(|id| id.contains(':') && shown.status.success());
        let id = id.ok_or_else(|| {
            CliError::usage(format!("`{}` is neither an ssh key nor a key of `cosign`", file.display()))
                .hint("name a private key, or the public one of a key that your ssh agent holds")
        })?;
        Ok(Self::Ssh { id: id.to_owned(), program, file })
    }
}

/// A statement in an envelope, signed.
pub(crate) fn sealed(statement: &Value, key: &SigningKey) -> Result<Value, CliError> {
    let payload = statement.to_string();
    let text = signed_text(payload.as_bytes());
    let (id, signature) = match key {
        SigningKey::Ssh { program, file, id } => (id, by_ssh(program, file, &text)?),
        SigningKey::Sigstore(key) => (&key.id, to_base64(&key.sign(&text)?)),
    };
    Ok(json!({
        "payloadType": PAYLOAD,
        "payload": to_base64(payload.as_bytes()),
        "signatures": [{ "keyid": id, "sig": signature }],
    }))
}

/// The signature of an ssh key: its armour without the first and last line.
fn by_ssh(program: &Path, file: &Path, text: &[u8]) -> Result<String, CliError> {
    let out = run(program, &["-q", "-Y", "sign", "-f", &file.to_string_lossy(), "-n", NAMESPACE], text)?;
    let armoured = String::from_utf8_lossy(&out.stdout).into_owned();
    let inner = armoured.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END));
    let Some((inner, _)) = inner.filter(|_| out.status.success()) else {
        let said = String::from_utf8_lossy(&out.stderr);
        return Err(CliError::environment(format!("cannot sign: {}", said.trim())));
    };
    Ok(inner.split_whitespace().collect())
}

/// Whether this is an envelope, and no plain statement.
pub(super) fn is_envelope(value: &Value) -> bool {
    value.get("payloadType").is_some()
}

/// The statement in an envelope, signed or not.
pub(super) fn opened(envelope: &Value) -> Option<Value> {
    serde_json::from_slice(&payload_of(envelope)?).ok()
}

fn payload_of(envelope: &Value) -> Option<Vec<u8>> {
    from_base64(envelope["payload"].as_str().filter(|_| envelope["payloadType"] == PAYLOAD)?)
}

impl SignerCheck {
    /// Checks the signatures of an envelope; `signers` is a file of allowed signers, as ssh and git use it, or of public keys
    /// as `cosign` writes them. One that holds is enough. A plain statement
    /// needs none where no signers are named.
    pub(crate) fn of(
        world: &World,
        envelope: &Value,
        signers: Option<&Path>,
    ) -> Result<Option<Self>, CliError> {
        let unsigned = || Self::Bad("it is not signed".into());
        if !is_envelope(envelope) {
            return Ok(signers.map(|_| unsigned()));
        }
        let Some(payload) = payload_of(envelope) else {
            return Ok(Some(Self::Bad("its payload cannot be read".into())));
        };
        let text = signed_text(&payload);
        let mut found = unsigned();
        for signature in envelope["signatures"].as_array().into_iter().flatten() {
            let Some(sig) = signature["sig"].as_str() else { continue };
            let Some(bytes) = from_base64(sig) else {
                found = Self::Bad("its signature is not Base64".into());
                continue;
            };
            found = if bytes.starts_with(SSH_MARK) {
                of_ssh(world, sig, &text, signers)?
            } else {
                let id = signature["keyid"].as_str().unwrap_or_default();
                of_sigstore(id, &bytes, &text, signers)?
            };
            if matches!(found, Self::Good(_)) {
                break;
            }
        }
        Ok(Some(found))
    }
}

/// Checks a signature that is not of ssh against public keys.
fn of_sigstore(
    id: &str,
    signature: &[u8],
    text: &[u8],
    signers: Option<&Path>,
) -> Result<SignerCheck, CliError> {
    let Some(file) = signers else {
        let id: String = id.chars().filter(char::is_ascii_graphic).take(64).collect();
        return Ok(SignerCheck::Unchecked(format!("sigstore key {id}")));
    };
    let keys = std::fs::read_to_string(file).map_err(|e| CliError::file("cannot read", file, &e))?;
    Ok(match sigstore::signer(&keys, text, signature) {
        Some(id) => SignerCheck::Good(format!("sigstore key {id}")),
        None if sigstore::has_public_keys(&keys) => {
            SignerCheck::Bad("no key in the file of signers has signed it".into())
        }
        None => SignerCheck::Bad("the file of signers has no public key of sigstore".into()),
    })
}

/// Checks a signature of an ssh key, which `ssh-keygen` reads from a file.
fn of_ssh(world: &World, sig: &str, text: &[u8], signers: Option<&Path>) -> Result<SignerCheck, CliError> {
    let program = ssh_keygen(world)?;
    let dir = World::temporary_dir("signature")?;
    let at = dir.path().join("signature");
    let lines: Vec<&str> = sig.as_bytes().chunks(70).filter_map(|c| std::str::from_utf8(c).ok()).collect();
    let armoured = format!("{BEGIN}\n{}\n{END}\n", lines.join("\n"));
    std::fs::write(&at, armoured).map_err(|e| CliError::file("cannot write", &at, &e))?;
    checked(&program, &at, text, signers)
}

fn checked(program: &Path, at: &Path, text: &[u8], signers: Option<&Path>) -> Result<SignerCheck, CliError> {
    let (at, last) = (at.to_string_lossy(), |bytes: &[u8]| {
        let said = String::from_utf8_lossy(bytes).into_owned();
        said.lines().next_back().unwrap_or_default().trim().to_owned()
    });
    let Some(signers) = signers else {
        let out = run(program, &["-Y", "check-novalidate", "-n", NAMESPACE, "-s", &at], text)?;
        // `Good "…" signature with ED25519 key SHA256:…`
        let said = last(&out.stdout);
        let key = said.split_whitespace().next_back().unwrap_or_default().to_owned();
        return Ok(if out.status.success() {
            SignerCheck::Good(format!("key {key}, which no file of allowed signers names"))
        } else {
            SignerCheck::Bad("its signature does not fit its text".into())
        });
    };
    let signers = signers.to_string_lossy();
    let found = run(program, &["-Y", "find-principals", "-f", &signers, "-s", &at], b"")?;
    let who = String::from_utf8_lossy(&found.stdout).lines().next().unwrap_or_default().to_owned();
    if !found.status.success() || who.is_empty() {
        return Ok(SignerCheck::Bad("it is signed by none of the allowed signers".into()));
    }
    let arguments = ["-Y", "verify", "-f", &signers, "-I", &who, "-n", NAMESPACE, "-s", &at];
    let out = run(program, &arguments, text)?;
    Ok(if out.status.success() {
        SignerCheck::Good(who)
    } else {
        SignerCheck::Bad(format!("the signature of {who} does not hold: {}", last(&out.stdout)))
    })
}

/// What is signed: the payload with its type, as DSSE puts them together.
fn signed_text(payload: &[u8]) -> Vec<u8> {
    let mut text = format!("DSSEv1 {} {PAYLOAD} {} ", PAYLOAD.len(), payload.len()).into_bytes();
    text.extend_from_slice(payload);
    text
}

fn ssh_keygen(world: &World) -> Result<PathBuf, CliError> {
    world.program(OsStr::new("ssh-keygen")).ok_or_else(|| {
        CliError::environment("`ssh-keygen` is not installed, so nothing can be signed or checked")
            .hint("on Debian it is in the package openssh-client")
    })
}

fn run(program: &Path, arguments: &[&str], input: &[u8]) -> Result<Output, CliError> {
    let failed = |e: &std::io::Error| CliError::environment("cannot run `ssh-keygen`").because_of(Some(e));
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| failed(&e))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read has ended, and says why.
        let _ = stdin.write_all(input);
    }
    child.wait_with_output().map_err(|e| failed(&e))
}

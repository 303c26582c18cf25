//! A file that only a passphrase opens: Argon2id makes the key, XChaCha20-Poly1305 seals.

use std::path::Path;

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::rand_core::RngCore;
use chacha20poly1305::aead::{Aead, AeadCore, KeyInit, OsRng, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use serde::{Deserialize, Serialize};

/// The version of the file, sealed with it.
const FORMAT: u32 = 1;
/// KiB, passes and lanes of Argon2id: what OWASP recommends where nothing else is known, and more than half a second is
/// not waited for.
const COST: [u32; 3] = [19_456, 2, 1];
/// The most that a file may ask for.
const MOST_COST: [u32; 3] = [1 << 20, 16, 8];
/// Bytes of a salt.
const SALT: usize = 32;
/// Files that are longer are none.
const LONGEST: u64 = 1 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Sealed {
    format: u32,
    cost: [u32; 3],
    salt: String,
    nonce: String,
    content: String,
}

/// What the file holds; `None`: there is none.
pub(super) fn read(path: &Path, passphrase: Option<&Secret>) -> Result<Option<Vec<u8>>, Problem> {
    let damaged = || Problem::new("account.token-damaged");
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if metadata.len() > LONGEST => return Err(damaged()),
        _ => {}
    }
    let text = std::fs::read(path).map_err(|error| damaged().because(&error))?;
    let passphrase = passphrase.ok_or_else(|| Problem::new("account.passphrase-needed"))?;
    let sealed: Sealed = serde_json::from_slice(&text).map_err(|_| damaged())?;
    if sealed.format != FORMAT || sealed.cost.iter().zip(MOST_COST).any(|(cost, most)| *cost > most) {
        return Err(damaged());
    }
    let bytes = |text: &str| STANDARD.decode(text).map_err(|_| damaged());
    let (salt, nonce, content) = (bytes(&sealed.salt)?, bytes(&sealed.nonce)?, bytes(&sealed.content)?);
    let nonce: [u8; 24] = nonce.try_into().map_err(|_| damaged())?;
    let payload = Payload { msg: &content, aad: &about(sealed.cost) };
    let opened = cipher(passphrase, &salt, sealed.cost)?.decrypt(XNonce::from_slice(&nonce), payload);
    opened.map(Some).map_err(|_| Problem::new("account.passphrase-wrong"))
}

/// Replaces the file in one step.
pub(super) fn write(path: &Path, passphrase: Option<&Secret>, secret: &[u8]) -> Result<(), Problem> {
    let passphrase = passphrase.ok_or_else(|| Problem::new("account.passphrase-needed"))?;
    let mut salt = [0; SALT];
    OsRng.fill_bytes(&mut salt);
    let nonce = XChaCha20Poly1305::generate_nonce(&mut OsRng);
    let payload = Payload { msg: secret, aad: &about(COST) };
    let content = cipher(passphrase, &salt, COST)?.encrypt(&nonce, payload);
    let content = content.map_err(|_| Problem::new("account.token-damaged"))?;
    let text = |bytes: &[u8]| STANDARD.encode(bytes);
    let sealed = Sealed { format: FORMAT, cost: COST, salt: text(&salt), nonce: text(&nonce), content: text(&content) };
    let sealed = serde_json::to_vec(&sealed).map_err(|error| Problem::new("account.token-damaged").because(&error))?;
    crate::write::atomically(path, &sealed)
}

/// What is sealed beside the content: a file with other costs is another one.
fn about(cost: [u32; 3]) -> Vec<u8> {
    format!("yolo-preflight {FORMAT} {cost:?}").into_bytes()
}

fn cipher(passphrase: &Secret, salt: &[u8], [memory, passes, lanes]: [u32; 3]) -> Result<XChaCha20Poly1305, Problem> {
    let failed = |error: argon2::Error| Problem::new("account.token-damaged").because_text(error.to_string());
    let params = Params::new(memory, passes, lanes, Some(32)).map_err(failed)?;
    let mut key = [0; 32];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_into(passphrase.expose().as_bytes(), salt, &mut key).map_err(failed)?;
    Ok(XChaCha20Poly1305::new(&key.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_passphrase_opens_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("works.token");
        let passphrase = Secret::new("correct horse");
        assert_eq!(read(&path, Some(&passphrase)).unwrap(), None);
        write(&path, Some(&passphrase), b"a token").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("token") && !text.contains("horse"), "{text}");
        assert_eq!(read(&path, Some(&passphrase)).unwrap().as_deref(), Some(&b"a token"[..]));
        let code = |passphrase: Option<&Secret>| read(&path, passphrase).unwrap_err().code;
        assert_eq!(code(Some(&Secret::new("wrong"))), "account.passphrase-wrong");
        assert_eq!(code(None), "account.passphrase-needed");
        for damage in [
            text.replace("\"format\":1", "\"format\":2"),
            text.replace("19456", "99999999"),
            "{}".to_owned(),
            text.replace("19456", "19457"),
        ] {
            std::fs::write(&path, damage).unwrap();
            assert!(["account.token-damaged", "account.passphrase-wrong"].contains(&code(Some(&passphrase)).as_str()));
        }
    }
}

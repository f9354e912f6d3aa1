// Statements of the demo, signed with a key pair as cosign writes it, checked by sigstore's library. See scripts/sigstore.
const { execFileSync } = require("node:child_process");
const crypto = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const nacl = require("tweetnacl");
const { bundleFromJSON } = require("@sigstore/bundle");
const { Verifier, toSignedEntity, toTrustMaterial } = require("@sigstore/verify");

const PASSWORD = "correct horse";

function block(label, bytes) {
  return `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n").trim()}\n-----END ${label}-----\n`;
}

/** Writes `cosign.key` and `cosign.pub` and returns the public key. */
function keyPair(dir) {
  const { privateKey, publicKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  const params = { N: 65536, r: 8, p: 1 };
  const salt = crypto.randomBytes(32);
  const nonce = crypto.randomBytes(24);
  const key = crypto.scryptSync(PASSWORD, salt, 32, { ...params, maxmem: 1 << 28 });
  const closed = nacl.secretbox(privateKey.export({ type: "pkcs8", format: "der" }), nonce, key);
  const file = {
    kdf: { name: "scrypt", params, salt: salt.toString("base64") },
    cipher: { name: "nacl/secretbox", nonce: nonce.toString("base64") },
    ciphertext: Buffer.from(closed).toString("base64"),
  };
  fs.writeFileSync(path.join(dir, "cosign.key"), block("ENCRYPTED SIGSTORE PRIVATE KEY", Buffer.from(JSON.stringify(file))));
  fs.writeFileSync(path.join(dir, "cosign.pub"), publicKey.export({ type: "spki", format: "pem" }));
  return publicKey;
}

/** The public key that sigstore's library says signed an envelope; throws if it did not. */
function verified(envelope, publicKey) {
  const bundle = bundleFromJSON({
    mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
    verificationMaterial: { publicKey: { hint: envelope.signatures[0].keyid }, tlogEntries: [] },
    dsseEnvelope: envelope,
  });
  const nothing = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
  const trusted = toTrustMaterial(nothing, () => ({ publicKey, validFor: () => true }));
  const none = { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 };
  return new Verifier(trusted, none).verify(toSignedEntity(bundle)).key;
}

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "windlass-sigstore-"));
const env = { PATH: process.env.PATH, HOME: dir, COSIGN_PASSWORD: PASSWORD };
const windlass = (...args) => execFileSync(process.argv[2], args, { cwd: path.join(dir, "till"), env, encoding: "utf8" });
execFileSync(process.argv[2], ["demo", "--dir", path.join(dir, "till")], { env, stdio: "ignore" });
const publicKey = keyPair(dir);
windlass("attest", "-o", "../statements", "--sign", "../cosign.key");
const files = fs.readdirSync(path.join(dir, "statements"));
for (const name of files) {
  const envelope = JSON.parse(fs.readFileSync(path.join(dir, "statements", name), "utf8"));
  verified(envelope, publicKey);
  const payload = JSON.parse(Buffer.from(envelope.payload, "base64"));
  payload.predicateType += "x";
  const forged = { ...envelope, payload: Buffer.from(JSON.stringify(payload)).toString("base64") };
  let refused = false;
  try {
    verified(forged, publicKey);
  } catch {
    refused = true;
  }
  if (!refused) throw new Error(`${name}: a changed statement passes`);
}
const audit = windlass("audit", "--attestations", "../statements", "--signers", "../cosign.pub");
if (!/signed by sigstore key [0-9a-f]{64}/.test(audit)) throw new Error(audit);
fs.rmSync(dir, { recursive: true });
console.log(`${files.length} statements: sigstore's library and \`windlass audit\` accept each, and none that was changed`);

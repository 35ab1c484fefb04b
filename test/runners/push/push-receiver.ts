// Test browser: its keys, and the decryption of a push message (RFC 8188 and RFC 8291).
import { createDecipheriv, createECDH, hkdfSync } from "node:crypto";

const ecdh = createECDH("prime256v1");
ecdh.generateKeys();
const auth = Buffer.from("0123456789abcdef");

export const browserKeys = { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") };

export function decrypted(body: ArrayBuffer): string {
  const bytes = Buffer.from(body);
  const salt = bytes.subarray(0, 16);
  const idLength = bytes.readUInt8(20);
  const theirs = bytes.subarray(21, 21 + idLength);
  const record = bytes.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), theirs]);
  const material = Buffer.from(hkdfSync("sha256", ecdh.computeSecret(theirs), auth, info, 32));
  const key = Buffer.from(hkdfSync("sha256", material, salt, "Content-Encoding: aes128gcm\0", 16));
  const nonce = Buffer.from(hkdfSync("sha256", material, salt, "Content-Encoding: nonce\0", 12));
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

// Push encryption: encrypts a message for one browser (RFC 8291 and RFC 8188's aes128gcm) with WebCrypto.
import { base64url, concat, utf8 } from "../core/bytes.ts";

const KEY_LENGTH = 65;
const SECRET_LENGTH = 16;
const RECORD_SIZE = 4096;
const P256 = { name: "ECDH", namedCurve: "P-256" } as const;

export type Receiver = { readonly p256dh: Uint8Array<ArrayBuffer>; readonly auth: Uint8Array<ArrayBuffer> };
/** The random values that must be new for every message. Only tests set them, to repeat the example of the RFC. */
export type FreshValues = { readonly salt: Uint8Array<ArrayBuffer>; readonly keys: CryptoKeyPair };

/**
 * The maximum plaintext: push services must accept 4096 bytes (RFC 8030, section 7.2), of which header, key and record
 * use 103.
 */
export const PLAINTEXT_BYTES_MAX = RECORD_SIZE - 16 - 4 - 1 - KEY_LENGTH - 17;

/** Encrypts the message. Returns null if the receiver's keys are invalid. */
export async function encryptMessage(
  message: Uint8Array<ArrayBuffer>,
  receiver: Receiver,
  fresh?: FreshValues,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (receiver.p256dh.byteLength !== KEY_LENGTH || receiver.auth.byteLength !== SECRET_LENGTH) return null;
  const receiverKey = await importPublicKey(receiver.p256dh);
  if (receiverKey === null) return null;
  const { salt, keys } = fresh ?? (await generateFreshValues());
  const senderKey = new Uint8Array((await crypto.subtle.exportKey("raw", keys.publicKey)) as ArrayBuffer); // "raw" returns bytes
  const shared = new Uint8Array(await crypto.subtle.deriveBits(ecdhWith(receiverKey), keys.privateKey, 256));
  const info = concat(utf8("WebPush: info\0"), receiver.p256dh, senderKey);
  const material = await deriveKey(shared, receiver.auth, info, 32);
  const contentKey = await deriveKey(material, salt, utf8("Content-Encoding: aes128gcm\0"), 16);
  const nonce = await deriveKey(material, salt, utf8("Content-Encoding: nonce\0"), 12);
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["encrypt"]);
  // The byte 2 marks the last record, which is the only one here.
  const record = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, concat(message, Uint8Array.of(2)));
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, RECORD_SIZE);
  return concat(salt, size, Uint8Array.of(senderKey.byteLength), senderKey, new Uint8Array(record));
}

async function importPublicKey(point: Uint8Array): Promise<CryptoKey | null> {
  const [x, y] = [point.slice(1, 33), point.slice(33)].map(base64url);
  try {
    // The key is imported as JWK, because in this form both runtimes check that the point is on the curve.
    return await crypto.subtle.importKey("jwk", { kty: "EC", crv: "P-256", x, y } as JsonWebKey, P256, false, []);
  } catch {
    return null;
  }
}

async function generateFreshValues(): Promise<FreshValues> {
  // generateKey returns a pair for ECDH.
  const keys = (await crypto.subtle.generateKey(P256, true, ["deriveBits"])) as CryptoKeyPair;
  return { salt: crypto.getRandomValues(new Uint8Array(16)), keys };
}

/**
 * workerd's types name the parameter `$public`, although the standard names it `public`. workerd's code accepts both
 * names.
 */
function ecdhWith(receiverKey: CryptoKey): SubtleCryptoDeriveKeyAlgorithm {
  return { name: "ECDH", public: receiverKey } as unknown as SubtleCryptoDeriveKeyAlgorithm;
}

async function deriveKey(
  material: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", material, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, length * 8));
}

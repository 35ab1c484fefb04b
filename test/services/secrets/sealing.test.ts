// The keyring, and the encryption of texts for their owners.
import { describe, expect, it, test } from "vitest";
import type { Result } from "#schema/refusal.ts";
import { openKeyring, seal, unseal } from "#services/secrets/sealing.ts";
import { naming } from "#test/support/matchers/naming.ts";

const key = (letter: string): string => btoa(letter.repeat(32));
const OLD = `k1:${key("k")}`;

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

describe("the keyring", () => {
  test.each<[string | null, string, (string | number)[]]>([
    [null, "missing", []],
    ["  ", "missing", []],
    ["k1", "wrong", [1, 32]],
    [`${OLD},`, "wrong", [2, 32]],
    [`k 1:${key("k")}`, "wrong", [1, 32]],
    [`k1:${btoa("short")}`, "wrong", [1, 32]],
    [`k1:${btoa("k".repeat(31))}`, "wrong", [1, 32]],
    [`${OLD},k1:${key("n")}`, "wrong", ['"k1"']],
  ])("%j is refused, and the answer says how to set it", async (written, what, values) => {
    const refused = await openKeyring(written);
    expect(refused).toMatchObject({ refusal: { code: "not_configured", message: naming(...values) } });
    const message = refused.ok ? "" : refused.refusal.message;
    expect(message.includes("SECRETS_KEYS")).toBe(what === "wrong");
    const text = JSON.stringify(refused);
    expect(text).toContain("openssl rand -base64 32");
    for (const [, written64] of (written ?? "").matchAll(/:(\S{20,}?)(,|$)/g)) expect(text).not.toContain(written64);
  });

  it("accepts both alphabets of base64, blanks around entries, and keys without padding", async () => {
    const raw = btoa("\u00fb\u00ff".repeat(16));
    const urlSafe = raw.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const [ring, same] = [
      valueOf(await openKeyring(` a:${raw} , b:${key("b")}`)),
      valueOf(await openKeyring(`a:${urlSafe}`)),
    ];
    expect([...ring.keys.keys()]).toEqual(["a", "b"]);
    const sealed = await seal(ring, ["x"], "text", new Uint8Array(12));
    expect(await unseal(same, ["x"], sealed)).toEqual({ ok: true, text: "text" });
  });
});

describe("an encrypted text", () => {
  it.each(["plain", "ünïcode €", "\uFEFF bom", "line\nline", ""])("decrypts to the same text: %j", async (text) => {
    const ring = valueOf(await openKeyring(OLD));
    const sealed = await seal(ring, ["t", "n"], text, crypto.getRandomValues(new Uint8Array(12)));
    expect(await unseal(ring, ["t", "n"], sealed)).toEqual({ ok: true, text });
  });

  it("decrypts only for its owner, and only unchanged", async () => {
    const ring = valueOf(await openKeyring(OLD));
    const sealed = await seal(ring, ["acme", "token"], "s3cr3t", new Uint8Array(12));
    const damaged = { ok: false, reason: "damaged" };
    for (const about of [["acme", "other"], ["evil", "token"], ["acmetoken"], ["token", "acme"]])
      expect(await unseal(ring, about, sealed)).toEqual(damaged);
    const flipped = sealed.ciphertext.startsWith("A") ? "B" : "A";
    const touched = { ...sealed, ciphertext: flipped + sealed.ciphertext.slice(1) };
    expect(await unseal(ring, ["acme", "token"], touched)).toEqual(damaged);
    const wrong = valueOf(await openKeyring(`k1:${key("z")}`));
    expect(await unseal(wrong, ["acme", "token"], sealed)).toEqual(damaged);
    expect(await unseal(ring, ["acme", "token"], { ...sealed, keyId: "k9" })).toMatchObject({ reason: "key_missing" });
  });
});

// Tokens of unsubscribe links: what opens, and what does not.
import { describe, expect, test } from "vitest";
import { openClaim, sealClaim } from "#services/hooks/unsubscribe-token.ts";
import { unsubscribeSecretsOf } from "#services/signing/signing-secret.ts";
import { UNSUBSCRIBE_TOKEN_CHARS_MAX } from "#schema/limits/outgoing/unsubscribe-requests.ts";

const claim = { tenant: "acme", channel: "email", address: "ada@example.com", execution: "exe_1", run: "1.0" } as const;
const secrets = await unsubscribeSecretsOf("the key");
const [secret = ""] = secrets;
const token = await sealClaim(secret, claim);
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("a token", () => {
  test("opens to its claim, and reveals nothing of it", async () => {
    expect(await openClaim(secrets, token)).toEqual(claim);
    const bytes = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
    for (const text of Object.values(claim)) expect(bytes).not.toContain(text);
  });

  test("is the same for the same claim, and shares its vector with no other", async () => {
    expect(await sealClaim(secret, claim)).toBe(token);
    const others = await Promise.all(
      [{ tenant: "other" }, { address: "bob@example.com" }, { execution: "exe_2" }, { run: "2.0" }].map((each) =>
        sealClaim(secret, { ...claim, ...each }),
      ),
    );
    expect(new Set([token, ...others].map((each) => each.slice(0, 16))).size).toBe(5);
  });

  test("does not open if any of its bits was changed", async () => {
    const changed = [...token].flatMap((char, at) =>
      [1, 2, 4, 8, 16, 32].map((bit) => {
        const other = ALPHABET[ALPHABET.indexOf(char) ^ bit] ?? "";
        return token.slice(0, at) + other + token.slice(at + 1);
      }),
    );
    const opened = await Promise.all(changed.map((each) => openClaim(secrets, each)));
    expect(opened.filter((each) => each !== null)).toEqual([]);
  });

  test("does not open if it is truncated, lengthened or no token", async () => {
    const cut = Array.from({ length: token.length }, (_, length) => token.slice(0, length));
    const others = [
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      `${token}${token}`,
      "placeholder",
      "A".repeat(UNSUBSCRIBE_TOKEN_CHARS_MAX),
    ];
    for (const each of [...cut, ...others]) expect(await openClaim(secrets, each)).toBeNull();
  });

  test("opens while its key is one of several, and not afterwards", async () => {
    const rotated = await unsubscribeSecretsOf("the new key, the key");
    expect(await openClaim(rotated, token)).toEqual(claim);
    const newer = await sealClaim(rotated[0] ?? "", claim);
    expect(newer).not.toBe(token);
    expect(await openClaim(rotated, newer)).toEqual(claim);
    expect(await openClaim(await unsubscribeSecretsOf("the new key"), token)).toBeNull();
    expect(await openClaim([], token)).toBeNull();
  });

  test("of the longest claim is within the limit", async () => {
    const longest = {
      ...claim,
      tenant: "t".repeat(63),
      address: "a".repeat(254),
      execution: `exe_${"e".repeat(96)}`,
      run: "999999999.999999",
    };
    const made = await sealClaim(secret, longest);
    expect(made.length).toBeLessThanOrEqual(UNSUBSCRIBE_TOKEN_CHARS_MAX);
    expect(await openClaim(secrets, made)).toEqual(longest);
  });
});

// Signing secrets come of the Worker's keys: the same every time, one for each key, none for another tenant.
import { expect, it } from "vitest";
import { signingSecretsOf } from "#services/secrets/signing-secret.ts";

it("one key gives one secret, the same each time, and another for another tenant", async () => {
  const [secret, ...more] = await signingSecretsOf("key-one", "acme");
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(more).toEqual([]);
  expect(await signingSecretsOf("key-one", "acme")).toEqual([secret]);
  expect(await signingSecretsOf("key-one", "other")).not.toEqual([secret]);
});

it("while a key is being replaced both secrets sign, the new one first", async () => {
  const [old] = await signingSecretsOf("old", "acme");
  const [fresh] = await signingSecretsOf("new", "acme");
  expect(await signingSecretsOf("new, old", "acme")).toEqual([fresh, old]);
});

it("without a key nothing is signed", async () => {
  expect(await signingSecretsOf(undefined, "acme")).toEqual([]);
  expect(await signingSecretsOf("", "acme")).toEqual([]);
});

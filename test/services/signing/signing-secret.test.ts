// Signing secrets are derived from the Worker's keys: always the same, one for each key, tenant and receiver.
import { expect, it } from "vitest";
import { signingSecretsOf } from "#services/signing/signing-secret.ts";

it("one key gives one secret, always the same, and another secret for another tenant", async () => {
  const [secret, ...more] = await signingSecretsOf("key-one", "acme", null);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(more).toEqual([]);
  expect(await signingSecretsOf("key-one", "acme", null)).toEqual([secret]);
  expect(await signingSecretsOf("key-one", "other", null)).not.toEqual([secret]);
});

it("the derivation never changes, because receivers store the secrets", async () => {
  const receiver = { endpoint: "https://crm.example.com/hooks", generation: 1_700_000_000_000 };
  expect(await signingSecretsOf("key-one", "acme", null)).toEqual([
    "whsec_rfIviFRIL+nrtLnnvxgsE9rheMpuLg+fsa1ZTJA2E5c=",
  ]);
  expect(await signingSecretsOf("key-one", "acme", receiver)).toEqual([
    "whsec_kM3q0VKqsywIvm6Q8lv1+th4mtBD8V/5cYzpFuDGVgI=",
  ]);
});

it("no two receivers, tenants or key versions share a secret", async () => {
  const crm = { endpoint: "https://crm.example.com/hooks", generation: 7 };
  const secrets = await Promise.all([
    signingSecretsOf("key", "acme", null),
    signingSecretsOf("key", "acme", crm),
    signingSecretsOf("key", "other", crm),
    signingSecretsOf("key", "acme", { ...crm, generation: 8 }),
    signingSecretsOf("key", "acme", { ...crm, endpoint: "https://crm.example.com/hooks/" }),
    signingSecretsOf("key", "acme", { ...crm, endpoint: "crm" }),
    signingSecretsOf("another", "acme", crm),
  ]);
  expect(new Set(secrets.flat()).size).toBe(secrets.length);
});

it("while a key is being replaced both secrets sign, the new one first", async () => {
  const [old] = await signingSecretsOf("old", "acme", null);
  const [fresh] = await signingSecretsOf("new", "acme", null);
  expect(await signingSecretsOf("new, old", "acme", null)).toEqual([fresh, old]);
});

it("without a key nothing is signed", async () => {
  expect(await signingSecretsOf(undefined, "acme", null)).toEqual([]);
  expect(await signingSecretsOf("", "acme", null)).toEqual([]);
});

// Tokens of a config whose object does not answer: which may be requested again by the isolate itself.
import { expect, it } from "vitest";
import type { Gate } from "#schema/gate.ts";
import type { OwnGrant } from "#schema/provider/own-token.ts";
import { openConfigTokens } from "#services/connections/own-tokens.ts";
import type { TokenDeps } from "#services/connections/token-cache.ts";

const away = { ownToken: () => Promise.reject(new Error("the object is away")) } as unknown as Gate; // nothing else is asked
const keys = `k1:${btoa("k".repeat(32))}`;

function tokens(secretsKeys: string | null) {
  const deps: TokenDeps = {
    now: () => 1_000_000,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    gate: () => away,
    secretsKeys,
    log: () => undefined,
  };
  return openConfigTokens(deps, "ten_1", { secrets: [], bounds: [] });
}

const request = { url: "https://id.example.com/token", form: {}, secrets: [] };
const grant: OwnGrant = { owner: ["o"], secrets: ["s"], request: async () => ({ ok: true, request }) };
const rotating: OwnGrant = { ...grant, chain: ["https://id.example.com/token", "client", "the-first-refresh-token"] };

it("the isolate requests a token itself if the grant may be repeated", async () => {
  expect(await tokens(keys)(grant, null)).toBe(null);
});

// To a server that rotates, a refresh token that comes a second time is stolen: it takes back all that came of it.
it("a refresh token that may have been rotated is not used again: the run is retried", async () => {
  expect(await tokens(keys)(rotating, null)).toMatchObject({
    ok: false,
    failure: { error: { type: "service_unavailable", code: "token_lost", retryable: true, effect: "none" } },
  });
});

it("without encryption no token was rotated, so each isolate starts with the first one", async () => {
  expect(await tokens(null)(rotating, null)).toBe(null);
});

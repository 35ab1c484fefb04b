// Where a start goes while nobody can look up how large its tenant's pool is.
import { expect, it } from "vitest";
import { placeInPool } from "#services/pools/place-in-pool.ts";

const lines: object[] = [];
const deps = {
  now: () => 1_000,
  randomBytes: (length: number) => new Uint8Array(length).fill(255),
  db: null as never, // nobody gets an answer from it
  background: () => {},
  log: (line: object) => void lines.push(line),
};

it("without a key any cell will do: the one that every pool begins with", async () => {
  const placed = await placeInPool(deps, "unheard-of", null);
  expect(placed).toMatchObject({ ok: true, value: { execution: expect.stringMatching(/_p101$/), pool: null } });
});

it("what has a key waits: it may have begun something, and nobody knows where", async () => {
  const placed = await placeInPool(deps, "unheard-of", async () => "exe_never");
  expect(placed).toMatchObject({ ok: false, refusal: { code: "unavailable", retryAfterS: 1 } });
  expect(lines).toMatchObject([{ event: "tenant_terms_unknown" }, { event: "tenant_terms_unknown" }]);
});

// What D1's absence does to a run: it waits, and has lost nothing.
import { expect, it } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import { catalogTrouble, heldForCatalog } from "#services/catalog-trouble.ts";

const missed = (error: Extract<Outcome, { ok: false }>["error"]): Outcome => ({
  ok: false,
  error,
  startedAt: 1,
  endedAt: 2,
});

it("a run that nobody could look something up for is held, and comes back", () => {
  const error = catalogTrouble("secrets cannot be looked up just now");
  expect(heldForCatalog(missed(error), 1_000)).toEqual({
    ...missed(error),
    held: { reason: "unavailable", until: 16_000, connection: null },
  });
});

it("what a provider answered, and what went well, stays as it is", () => {
  const refused = missed({ type: "service_unavailable", message: "503", retryable: true, code: "http_503" });
  const done: Outcome = { ok: true, result: null, events: [], startedAt: 1, endedAt: 2 };
  expect(heldForCatalog(refused, 0)).toBe(refused);
  expect(heldForCatalog(done, 0)).toBe(done);
});

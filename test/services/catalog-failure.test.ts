// Catalog failures during an attempt: a run is held while D1 is down, and fails for a bug of the engine.
import { expect, it } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import { isCatalogFailure, isEngineBug, isRowFault } from "#services/catalog-failure.ts";
import { catalogOutage, heldForCatalog } from "#services/catalog-outage.ts";

const SAYS = "secrets cannot be looked up just now";

const missed = (error: Extract<Outcome, { ok: false }>["error"]): Outcome => ({
  ok: false,
  error,
  startedAt: 1,
  endedAt: 2,
});

it.each([new Error("D1_ERROR: Network connection lost."), new Error("no answer within 5000 ms"), "thrown as text"])(
  "a run whose lookup failed is held: %s",
  (cause) => {
    const error = catalogOutage(cause, SAYS);
    expect(heldForCatalog(missed(error), 1_000)).toEqual({
      ...missed(error),
      held: { reason: "unavailable", until: 16_000, connection: null },
    });
  },
);

it.each([
  new TypeError("cannot read properties of undefined"),
  new SyntaxError('Unexpected token, "sk_live_1" is not valid JSON'),
  new Error("D1_ERROR: UNIQUE constraint failed: tasks.id: SQLITE_CONSTRAINT"),
  new Error("Failed query", { cause: new Error("D1_ERROR: no such column: incarnation: SQLITE_ERROR") }),
])("a bug of the engine fails the attempt without its details: %s", (cause) => {
  const error = catalogOutage(cause, SAYS);
  expect(error).toMatchObject({ type: "unknown_error", code: "engine_mistake", retryable: true });
  expect(error.message).toContain(SAYS);
  expect(error.message).not.toContain("sk_live_1");
  expect(heldForCatalog(missed(error), 1_000)).toEqual(missed(error));
});

it("a run whose files have no room in the isolate is held", () => {
  const busy = missed({ type: "service_unavailable", message: "full", retryable: true, code: "files_busy" });
  expect(heldForCatalog(busy, 1_000)).toMatchObject({
    held: { reason: "unavailable", until: 16_000, connection: null },
  });
});

it("a provider's answer and a success are unchanged", () => {
  const refused = missed({ type: "service_unavailable", message: "503", retryable: true, code: "http_503" });
  const done: Outcome = { ok: true, result: null, events: [], startedAt: 1, endedAt: 2 };
  expect(heldForCatalog(refused, 0)).toBe(refused);
  expect(heldForCatalog(done, 0)).toBe(done);
});

it.each<[string, boolean, boolean, boolean]>([
  ["D1_ERROR: Network connection lost.", true, false, false],
  ["D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.", true, false, false],
  ["D1_ERROR: no such table: runs: SQLITE_ERROR", false, true, false],
  [
    "D1_ERROR: cannot store REAL value in INTEGER column runs.incarnation: SQLITE_CONSTRAINT_DATATYPE",
    false,
    true,
    true,
  ],
  ["D1_ERROR: string or blob too big: SQLITE_TOOBIG", false, true, true],
  ["something else", false, false, false],
])("%s: catalog failure %s, bug of the engine %s, fault of one row %s", (message, silence, ours, row) => {
  for (const error of [new Error(message), new Error("Failed query", { cause: new Error(message) })]) {
    expect([isCatalogFailure(error), isEngineBug(error), isRowFault(error)]).toEqual([silence, ours, row]);
  }
});

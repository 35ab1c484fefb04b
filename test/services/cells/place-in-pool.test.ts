// Placement in a pool whose size cannot be looked up.
import { expect, it } from "vitest";
import { placeInPool } from "#services/cells/ids-and-cells.ts";

const lines: object[] = [];
const deps = {
  now: () => 1_000,
  randomBytes: (length: number) => new Uint8Array(length).fill(255),
  db: null as never, // every query throws
  background: () => {},
  log: (line: object) => void lines.push(line),
};

it("places a start without a key in the first cell of every pool", async () => {
  const placed = await placeInPool(deps, "unheard-of", null);
  expect(placed).toMatchObject({ ok: true, value: { execution: expect.stringMatching(/_p101$/), pool: null } });
});

it("refuses a start with a key, because another cell may have used the key", async () => {
  const placed = await placeInPool(deps, "unheard-of", async () => "exe_never");
  expect(placed).toMatchObject({ ok: false, refusal: { code: "unavailable", retryAfterS: 1 } });
  expect(lines).toMatchObject([{ event: "tenant_terms_unknown" }, { event: "tenant_terms_unknown" }]);
});

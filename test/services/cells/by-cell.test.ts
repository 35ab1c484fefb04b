import { expect, it } from "vitest";
import { byCell, callCells } from "#services/cells/call-cell.ts";

it("a cell that throws gets its caller's answer, and every other cell is called", async () => {
  const calls = byCell(Array.from({ length: 40 }, (_, n) => ({ tenant: "acme", id: `exe_${n}` })));
  const answers = await callCells(
    calls,
    async ({ ids }) => {
      if (ids[0] === "exe_3") throw new Error("no way in");
      return ids[0];
    },
    ({ cell }, fault) => `${cell}: ${String(fault)}`,
  );
  expect(answers).toEqual(calls.map(({ ids: [id] }) => (id === "exe_3" ? "acme/exe_3: Error: no way in" : id)));
});

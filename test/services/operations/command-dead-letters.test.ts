import { expect, it } from "vitest";
import type { Cell } from "#schema/engine/cell.ts";
import { deadLetterId } from "#schema/ids.ts";
import type { OperationRequest } from "#schema/operation.ts";
import { commandDeadLetters } from "#services/operations/command-dead-letters.ts";
import { naming } from "#test/support/matchers/naming.ts";

const terms: OperationRequest = {
  id: "op_1",
  tenant: "acme",
  verb: "archive",
  filter: {},
  perSecond: 20,
  reason: null,
  fingerprint: "f",
  actor: { kind: "key", id: "key_1" },
  createdAt: 0,
  matched: 6,
};
type Line = { readonly [key: string]: unknown };
const idOf = (execution: string): string => deadLetterId(execution, "1.0");

/** What the cells answer, by execution; "throws" takes the whole call with it. */
function cellsThat(answers: { readonly [execution: string]: string }) {
  const lines: Line[] = [];
  const control: Cell["control"] = async (items) =>
    items.map(({ execution }) => {
      const answer = answers[execution] ?? "ok";
      if (answer === "throws") throw new Error("no way in");
      if (answer === "ok")
        return { ok: true, value: { state: { runs: [] }, seq: 1, repeated: false, moves: [] } } as never;
      const details = answer === "run_not_startable" ? { handled: { event: "action.a.failed" } } : undefined;
      return { ok: false, refusal: { code: answer, message: answer, details } } as never;
    });
  const noDb = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error("D1_ERROR: away");
      },
    },
  );
  const log = (line: Line): void => void lines.push(line);
  return { lines, deps: { cell: () => ({ control }) as never, db: noDb as never, log } };
}

it("a dead letter that fails does not stop the others in its cell", async () => {
  const { deps } = cellsThat({ exe_2_p1: "internal_error" });
  const ids = ["exe_1_p1", "exe_2_p1", "exe_3_p1"].map(idOf);
  expect(await commandDeadLetters(deps, terms, ids)).toEqual([
    { id: ids[0], kind: "released" },
    { id: ids[1], kind: "unreached", error: "internal_error", isBroken: true },
    { id: ids[2], kind: "released" },
  ]);
});

it("a cell that throws does not stop the other cells, and is logged", async () => {
  const { deps, lines } = cellsThat({ exe_2: "throws" });
  const ids = ["exe_1", "exe_2", "exe_3"].map(idOf);
  expect(await commandDeadLetters(deps, terms, ids)).toEqual([
    { id: ids[0], kind: "released" },
    { id: ids[1], kind: "unreached", error: "Error: no way in" },
    { id: ids[2], kind: "released" },
  ]);
  expect(lines).toMatchObject([{ event: "cell_not_reached", operation: "op_1", cell: "acme/exe_2" }]);
});

it("a dead letter that its machine has handled since the listing is skipped", async () => {
  const { deps } = cellsThat({ exe_2_p1: "run_not_startable" });
  const ids = ["exe_1_p1", "exe_2_p1"].map(idOf);
  expect(await commandDeadLetters(deps, { ...terms, verb: "retry" }, ids)).toEqual([
    { id: ids[0], kind: "released" },
    { id: ids[1], kind: "skipped", reason: "handled" },
  ]);
});

it("a missing dead letter that cannot be removed from the catalog is retried alone", async () => {
  const { deps, lines } = cellsThat({ exe_2_p1: "not_found" });
  const ids = ["exe_1_p1", "exe_2_p1"].map(idOf);
  expect(await commandDeadLetters(deps, terms, ids)).toMatchObject([
    { id: ids[0], kind: "released" },
    { id: ids[1], kind: "unreached" },
  ]);
  expect(lines).toMatchObject([{ event: "item_failed", operation: "op_1", deadLetter: ids[1] }]);
});

it("a verb of a newer version throws, and calls no cell", async () => {
  const { deps } = cellsThat({});
  const newer = { ...terms, verb: "postpone" } as unknown as OperationRequest; // as a newer version has stored it
  expect(await commandDeadLetters(deps, newer, [idOf("exe_1")])).toMatchObject([
    { kind: "unreached", error: naming("op_1", "postpone") },
  ]);
});

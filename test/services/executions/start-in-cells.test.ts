// Starts without their definition: which starts leave it out, and what happens if the cell does not store it.
import { expect, test } from "vitest";
import type { Cell, StartItem } from "#schema/engine/cell.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { startWithStoredDefinitions } from "#services/executions/start-in-cells.ts";
import { actor, begin, openTestCell } from "#test/durable-objects/execution/cell.ts";
import { machine } from "#test/support/drive.ts";

const definition = machine({ states: { a: { on: { go: "b" } }, b: { type: "final" } } });

/** A pool cell that records whether each start contains its definition. */
function openCounted({ placement = "pooled" as StartCommand["placement"] } = {}) {
  const cell = openTestCell();
  const name = `acme/pool/${crypto.randomUUID()}`;
  const { command, definition: body } = begin("exe_0_p1", definition);
  const came: string[] = [];
  const start: Cell["start"] = async (items) => {
    came.push(items.map(({ definition: text }) => (text === undefined ? "-" : "whole")).join());
    return cell.calls().start(items);
  };
  const item = (execution: string, version = 1): StartItem => {
    const ref = { ...(command as StartCommand).definition, version };
    const started = { ...(command as StartCommand), execution, inputId: execution, definition: ref, placement };
    return { command: started, definition: body ?? null };
  };
  return {
    cell,
    came,
    name,
    item,
    started: (...items: StartItem[]) => startWithStoredDefinitions({ start }, name, items),
  };
}

test("the first start of a cell contains the definition, later starts do not", async () => {
  const { cell, came, item, started } = openCounted();
  for (const execution of ["exe_1_p1", "exe_2_p1", "exe_3_p1"]) {
    expect(await started(item(execution))).toMatchObject([{ ok: true, value: { state: { id: execution } } }]);
  }
  await started(item("exe_4_p1"), item("exe_5_p1", 2));
  await started(item("exe_6_p1"), item("exe_7_p1", 2));
  expect(came).toEqual(["whole", "-", "-", "-,whole", "-,-"]);
  expect(cell.read("exe_7_p1")?.status).toBe("waiting");
});

test("a cell whose storage was deleted requests the definition with one more call, and stores it again", async () => {
  const { cell, came, item, started } = openCounted();
  await started(item("exe_1_p1"));
  cell.empty();
  expect(await started(item("exe_2_p1"))).toMatchObject([{ ok: true, value: { keepsDefinition: true } }]);
  expect(came).toEqual(["whole", "-", "whole"]);
  await started(item("exe_3_p1"));
  expect(came.at(-1)).toBe("-");
  cell.restart();
  const event = { id: "evt_1", type: "go", source: "api", payload: null, correlationId: null };
  const command = { kind: "event", inputId: "evt_1", fingerprint: "", actor, event } as const;
  await cell.calls().control([{ execution: "exe_3_p1", command, dryRun: false }]);
  expect(cell.read("exe_3_p1")?.status).toBe("completed");
});

test("only the starts whose definition is requested are sent again, and the answers keep their order", async () => {
  const { cell, came, item, started } = openCounted();
  await started(item("exe_1_p1"), item("exe_2_p1", 2));
  cell.empty();
  await started(item("exe_3_p1"));
  const answers = await started(item("exe_4_p1", 2), item("exe_5_p1"), item("exe_6_p1", 2));
  expect(came.slice(-2)).toEqual(["-,-,-", "whole,whole"]);
  expect(answers.map((each) => each.ok && each.value.state.id)).toEqual(["exe_4_p1", "exe_5_p1", "exe_6_p1"]);
});

test("a cell refuses a start without a definition that only another cell stores, and stores nothing", async () => {
  const { item, started } = openCounted();
  await started(item("exe_1_p1"));
  const another = openTestCell();
  const { definition: _kept, ...lean } = item("exe_2_p1");
  const [refused] = await another.calls().start([lean]);
  expect(refused).toMatchObject({ ok: false, refusal: { code: "unavailable", details: { definitionWanted: true } } });
  expect(another.read("exe_2_p1")).toBeNull();
});

test("after a lost answer the next start contains the definition again", async () => {
  const { cell, name, item, started, came } = openCounted();
  const lost = {
    start: async (items: readonly StartItem[]) => (await cell.calls().start(items), Promise.reject("gone")),
  };
  await expect(startWithStoredDefinitions(lost, name, [item("exe_1_p1")])).rejects.toBe("gone");
  expect(await started(item("exe_1_p1"))).toMatchObject([{ ok: true, value: { repeated: true } }]);
  expect(came).toEqual(["whole"]);
});

test("objects that do not report stored definitions, and cells of their own, always get the definition", async () => {
  const own = openCounted({ placement: "own" });
  await own.started(own.item("exe_1"));
  await own.started(own.item("exe_1"));
  expect(own.came).toEqual(["whole", "whole"]);
  const { cell, name, item } = openCounted();
  const came: unknown[] = [];
  const older: Pick<Cell, "start"> = {
    start: async (items) => {
      came.push(...items.map(({ definition: text }) => typeof text));
      const answers = await cell.calls().start(items);
      return answers.map((each) =>
        each.ok ? { ...each, value: { ...each.value, keepsDefinition: undefined } } : each,
      ) as never;
    },
  };
  await startWithStoredDefinitions(older, name, [item("exe_1_p1")]);
  await startWithStoredDefinitions(older, name, [item("exe_2_p1")]);
  expect(came).toEqual(["string", "string"]);
});

test("an isolate caches a limited number of cells, and evicts the oldest", async () => {
  const { item, came, started } = openCounted();
  await started(item("exe_1_p1"));
  const answer = await openCounted().started(item("exe_1_p1"));
  const told = { start: async () => answer };
  for (let at = 0; at < isolateCaches.keptDefinitions.sizeMax; at++)
    await startWithStoredDefinitions(told, `other/${at}`, [item("exe_9_p1")]);
  await started(item("exe_2_p1"));
  expect(came).toEqual(["whole", "whole"]);
});

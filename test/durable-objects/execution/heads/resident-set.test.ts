// Tests a cell with more executions than it keeps in memory. Executions at rest are evicted, found by id, and loaded in
// time, also after a restart.
import { describe, expect, test } from "vitest";
import type { InputItem } from "#objects/execution/apply-input.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import { REST_LOAD_AHEAD_MS, REST_SLOT_MS } from "#schema/limits/large-cells.ts";
import { day, hour, minute, second, T0 } from "#test/support/drive.ts";
import { actor, answers, begin, lone, openTestCell, start } from "../cell.ts";

const IN_MEMORY = 4;
const waits: MachineDefinition = {
  kind: "machine",
  name: "waits",
  initial: "open",
  variables: { until: new Date(T0 + 2 * day).toISOString() },
  delays: { due: { anchor: { var: "execution.variables.until" } } },
  states: { open: { after: { due: "done" }, on: { close: "done" } }, done: { type: "final" } },
};
const item = begin("exe_0", waits);

type Cell = ReturnType<typeof openTestCell>;

/** Opens a cell with executions that wait for two days. The last ones start after an eviction. */
async function crowded(count = 3 * IN_MEMORY) {
  const cell = openTestCell({ headsInMemory: IN_MEMORY });
  const ids = Array.from({ length: count }, (_, n) => `exe_${n}`);
  for (const id of ids) await begun(cell, id);
  return { cell, ids };
}

async function begun(cell: Cell, execution: string): Promise<void> {
  const [answer] = await cell.take({ ...item, execution, command: { ...item.command, execution } as never }); // the item is a start
  if (!answer?.ok) throw new Error("it was not started");
  await Promise.resolve();
}

const patched = (execution: string, until: number): InputItem => {
  const by = { inputId: `patch-${execution}`, fingerprint: "f", actor, reason: null };
  const variables = { until: new Date(until).toISOString() };
  return { execution, direct: false, command: { kind: "patch", variables, ...by } };
};
const closed = (execution: string): InputItem => {
  const by = { inputId: `close-${execution}`, fingerprint: "f", actor };
  const event = { id: by.inputId, type: "close", payload: null, source: "test", correlationId: null };
  return { execution, direct: false, command: { kind: "event", event, ...by } };
};
const statuses = (cell: Cell, ids: readonly string[]) => ids.map((id) => cell.read(id)?.status);

describe("an execution that a large cell has evicted", () => {
  test("is listed as resident, or in the row of its quarter of an hour", async () => {
    const { cell, ids } = await crowded();
    expect(cell.roll().near.length).toBeLessThanOrEqual(IN_MEMORY + 1);
    expect(new Set([...cell.roll().near, ...cell.roll().far]).size).toBe(ids.length);
  });

  test.each(["as it goes", "after a restart"])("is read, and accepts events, %s", async (when) => {
    const { cell, ids } = await crowded();
    if (when === "after a restart") cell.restart();
    expect(statuses(cell, ids)).toEqual(ids.map(() => "waiting"));
    expect(await cell.take(closed("exe_0"))).toMatchObject([{ ok: true }]);
    cell.restart();
    expect(statuses(cell, ["exe_0", "exe_1"])).toEqual(["completed", "waiting"]);
  });

  test("is not started a second time", async () => {
    const { cell } = await crowded();
    expect(answers(await cell.take(item))).toEqual([["exe_0", true]]);
  });

  test.each(["as it goes", "after a restart"])("wakes at its instant, %s", async (when) => {
    const { cell, ids } = await crowded();
    if (when === "after a restart") cell.restart();
    expect(Number(cell.armedAt())).toBeLessThanOrEqual(T0 + 2 * day);
    cell.at(2 * day - minute);
    await cell.wake();
    expect(statuses(cell, ids)).toEqual(ids.map(() => "waiting"));
    expect(cell.armedAt()).toBe(T0 + 2 * day);
    cell.at(2 * day);
    await cell.wake();
    expect(statuses(cell, ids)).toEqual(ids.map(() => "completed"));
  });

  test("wakes at its new instant after a reschedule, and not at the old one", async () => {
    const { cell, ids } = await crowded();
    await cell.take(patched("exe_0", T0 + 4 * day), patched("exe_1", T0 + 3 * hour));
    for (const id of ["a", "b", "c", "d", "e", "f"]) await begun(cell, `exe_${id}`);
    cell.restart();
    for (const at of [3 * hour, 2 * day, 4 * day]) {
      cell.at(at);
      await cell.wake();
      cell.restart();
      const waits = (id: string): boolean => (id === "exe_0" ? at < 4 * day : id !== "exe_1" && at < 2 * day);
      expect(ids.filter((id) => cell.read(id)?.status === "waiting")).toEqual(ids.filter(waits));
    }
  });

  test("is loaded shortly before its wake, and not earlier", async () => {
    const { cell } = await crowded();
    cell.restart();
    const slot = Math.floor((T0 + 2 * day) / REST_SLOT_MS) * REST_SLOT_MS;
    cell.at(slot - T0 - REST_LOAD_AHEAD_MS - second);
    await cell.wake();
    expect(cell.roll().far.length).toBeGreaterThan(0);
    cell.at(slot - T0 - REST_LOAD_AHEAD_MS);
    await cell.wake();
    expect(cell.roll().far).toEqual([]);
  });
});

test("an action with the same dedup key is found among evicted executions", async () => {
  const cell = openTestCell({ headsInMemory: IN_MEMORY });
  const id = (n: number): string => `exe_d${"0".repeat(26)}${String(n).padStart(10, "0")}_p1`;
  await cell.take(start(id(1), "a", lone({ key: "k", windowMs: 10 * day })));
  const ends = { kind: "cancel", inputId: "c", fingerprint: "f", actor, reason: null } as const;
  await cell.take({ execution: id(1), direct: false, command: ends });
  for (let n = 0; n < 3 * IN_MEMORY; n++) await begun(cell, `exe_${n}`);
  expect(cell.roll().near).not.toContain(id(1));
  expect(answers(await cell.take(start(id(2), "b", lone({ key: "k", windowMs: 10 * day }))))).toEqual([[id(1), true]]);
});

test("new executions of one turn share a resident row, also after a restart", async () => {
  const { cell } = await crowded();
  cell.listed.length = 0;
  const ids = ["exe_a", "exe_b", "exe_c"];
  await cell.take(
    ...ids.map((execution) => ({ ...item, execution, command: { ...item.command, execution } as never })),
  );
  expect(cell.listed).toEqual([3]);
  cell.restart();
  expect(cell.roll().near).toEqual(expect.arrayContaining(ids));
});

test("an execution that cannot be stored does not block others of its turn", async () => {
  const { cell } = await crowded();
  cell.cannotWrite("exe_b", true);
  const ids = ["exe_a", "exe_b", "exe_c"];
  const turn = ids.map((execution) => ({ ...item, execution, command: { ...item.command, execution } as never }));
  expect((await cell.take(...turn)).map(({ ok }) => ok)).toEqual([true, false, true]);
  cell.restart();
  expect(statuses(cell, ids)).toEqual(["waiting", undefined, "waiting"]);
});

test("a failed eviction loses nothing, and is tried again", async () => {
  const cell = openTestCell({ headsInMemory: IN_MEMORY });
  cell.rollBreaks(true);
  for (let n = 0; n < 2 * IN_MEMORY; n++) await begun(cell, `exe_${n}`);
  expect(cell.lines).toContainEqual(expect.objectContaining({ event: "executions_not_paged_out" }));
  cell.rollBreaks(false);
  for (let n = 2 * IN_MEMORY; n < 4 * IN_MEMORY; n++) await begun(cell, `exe_${n}`);
  expect(cell.roll().near.length).toBeLessThan(2 * IN_MEMORY);
  cell.at(2 * day);
  cell.rollBreaks(true);
  await cell.wake();
  expect(cell.lines).toContainEqual(expect.objectContaining({ event: "paged_out_not_loaded" }));
  cell.rollBreaks(false);
  cell.at(2 * day + minute);
  await cell.wake();
  for (let n = 0; n < 4 * IN_MEMORY; n++) expect(cell.read(`exe_${n}`)?.status).toBe("completed");
});

test("a large cell whose executions are all deleted is empty", async () => {
  const { cell, ids } = await crowded();
  for (const id of ids) await cell.take(closed(id));
  cell.restart();
  cell.at(60 * day);
  await cell.calls().alarm();
  await cell.calls().alarm();
  expect([ids.filter(cell.isStored), cell.armedAt()]).toEqual([[], null]);
});

test("a full cell refuses new executions, and continues the existing ones", async () => {
  const cell = openTestCell();
  await begun(cell, "exe_0");
  cell.full(true);
  const other = { ...item, execution: "exe_1", command: { ...item.command, execution: "exe_1" } as never }; // the item is a start
  expect(answers(await cell.take(other, item))).toEqual(["cell_full", ["exe_0", true]]);
  expect(cell.isStored("exe_1")).toBe(false);
  expect(await cell.take(closed("exe_0"))).toMatchObject([{ ok: true }]);
  cell.full(false);
  expect(answers(await cell.take(other))).toEqual([["exe_1", false]]);
});

// Places at limits on starts between real cells and real objects in memory: lost calls and processes are repaired.
import { expect, test } from "vitest";
import type { StartItem } from "#schema/engine/cell.ts";
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import type { KeyLimitsPort } from "#schema/key-limits/calls.ts";
import { START_CHECK_AFTER_MS } from "#schema/limits/limits-by-key.ts";
import { accept } from "#schema/refusal.ts";
import { startInCells } from "#services/executions/start-in-cells.ts";
import { updateStartPlace, wakeStarts } from "#services/executions/start-places.ts";
import { startShardOf } from "#services/key-limits/shards.ts";
import { MemoryCells } from "#test/support/cells.ts";
import { ask, minute, T0 } from "#test/support/drive.ts";
import { memoryKeyLimits } from "#test/support/memory/key-limits.ts";

const key = { var: "execution.variables.customer" };
const one: KeyLimit[] = [{ name: "one", key, concurrency: 1 }];

function world(limit: readonly KeyLimit[] = one) {
  let now = T0;
  const cells = new MemoryCells(() => now);
  const objects = memoryKeyLimits(() => now);
  const failing = new Set<keyof KeyLimitsPort>();
  const lines: { readonly event?: string }[] = [];
  const failed = (method: keyof KeyLimitsPort): void => {
    if (failing.has(method)) throw new Error("Network connection lost.");
  };
  const keyLimits = (name: string): KeyLimitsPort => {
    const object = objects(name);
    return {
      acquireLimit: async (...asked) => (failed("acquireLimit"), object.acquireLimit(...asked)),
      releaseLimit: async (asked) => (failed("releaseLimit"), object.releaseLimit(asked)),
      passOnLimit: (asked) => object.passOnLimit(asked),
      readLimit: (digest) => object.readLimit(digest),
      freeLimit: (...asked) => object.freeLimit(...asked),
    };
  };
  const deps = {
    now: () => now,
    cell: (name: string) => cells.cell(name),
    keyLimits,
    log: (line: object) => void lines.push(line),
  };
  const name = `orders-${JSON.stringify(limit)}`;
  const definition = JSON.stringify({
    ...{ kind: "machine", name: "orders", limit, initial: "open" },
    states: { open: { on: { close: "closed" } }, closed: { type: "final" } },
  });
  const stateOf = (execution: string) =>
    cells.states().find(({ id }) => id === execution) ?? expect.unreachable(`${execution} does not exist`);
  return {
    cells,
    deps,
    failing,
    lines,
    stateOf,
    later: (ms: number) => void (now += ms),
    start: async (execution: string) => {
      const start = ask.start({ customer: "ada" }) as StartItem["command"]; // `ask.start` makes a start command
      const command = { ...start, inputId: execution, execution, definition: { id: name, name: "orders", version: 1 } };
      const [reply] = await startInCells(deps, "acme", [accept({ command, definition })], false);
      return reply?.ok ? reply.value : expect.unreachable("the start was refused");
    },
    take: (execution: string, command: Parameters<MemoryCells["take"]>[2]) =>
      cells.take(`acme/${execution}`, execution, command),
    /** As the outbox consumer delivers the message. */
    deliver: async (execution: string) => {
      const state = stateOf(execution);
      const messages = (state.outbox ?? []).filter(({ kind }) => kind === "start_place");
      const items = await updateStartPlace(deps, state, messages);
      await cells.cell(`acme/${execution}`).confirm([{ execution, incarnation: state.createdAt, items }]);
    },
    inUse: async (of = "one") => {
      const { object, key: digest } = await startShardOf("acme", of, "ada");
      const use = await objects(object).readLimit(digest);
      return { live: (use?.inUse ?? []).map(({ run }) => run), waiting: use?.waiting ?? 0 };
    },
  };
}
const isOpen = ({ position }: { readonly position: { readonly states: readonly string[] } }) =>
  position.states.includes("open");

test("the reply has the answer of the limit, and a repeat takes no second place", async () => {
  const w = world();
  expect(isOpen((await w.start("exe_a")).state)).toBe(true);
  for (const repeated of [false, true])
    expect(await w.start("exe_b")).toMatchObject({ repeated, state: { status: "waiting" } });
  expect(await w.inUse()).toEqual({ live: ["exe_a"], waiting: 1 });
});

test("the end of an execution lets the next one begin, and a repeated release changes nothing", async () => {
  const w = world();
  for (const id of ["exe_a", "exe_b", "exe_c"]) await w.start(id);
  w.take("exe_a", ask.event("close"));
  await w.deliver("exe_a");
  expect(["exe_b", "exe_c"].map((id) => isOpen(w.stateOf(id)))).toEqual([true, false]);
  await updateStartPlace(w.deps, w.stateOf("exe_a"), [{ kind: "start_place", key: "1", sentAt: 0, tries: 1 }]);
  expect(await w.inUse()).toEqual({ live: ["exe_b"], waiting: 1 });
});

test("if the limit does not answer, the start is accepted, and the outbox asks later", async () => {
  const w = world();
  w.failing.add("acquireLimit");
  expect((await w.start("exe_a")).state).toMatchObject({ status: "waiting", startPlace: { hold: null } });
  expect(w.lines).toMatchObject([{ event: "start_not_placed" }]);
  await expect(w.deliver("exe_a")).rejects.toThrow("Network");
  w.failing.clear();
  await w.deliver("exe_a");
  expect(isOpen(w.stateOf("exe_a"))).toBe(true);
});

test("if the answer to the cell is lost, the next request gets the same slot", async () => {
  const w = world();
  w.cells.failures = [undefined as never, new Error("Network connection lost.")]; // the second call of a cell is `place`
  await w.start("exe_a");
  expect([isOpen(w.stateOf("exe_a")), (await w.inUse()).live]).toEqual([false, ["exe_a"]]);
  w.later(minute);
  await w.deliver("exe_a");
  expect([isOpen(w.stateOf("exe_a")), (await w.inUse()).live]).toEqual([true, ["exe_a"]]);
});

test("a lost release is found when another execution waits, also if the history was deleted", async () => {
  const w = world();
  await w.start("exe_a");
  w.take("exe_a", ask.event("close"));
  await w.start("exe_b");
  expect(isOpen(w.stateOf("exe_b"))).toBe(false);
  w.later(START_CHECK_AFTER_MS - 1);
  await wakeStarts(w.deps, "acme", ["exe_b"]);
  expect(isOpen(w.stateOf("exe_b"))).toBe(false);
  w.later(1);
  expect(isOpen((await w.start("exe_c")).state)).toBe(false);
  expect(isOpen(w.stateOf("exe_b"))).toBe(true);
  expect(await w.inUse()).toEqual({ live: ["exe_b"], waiting: 1 });
  w.cells.remove("acme/exe_b", "exe_b");
  w.later(START_CHECK_AFTER_MS);
  await wakeStarts(w.deps, "acme", ["exe_c"]);
  expect((await w.inUse()).live).toEqual(["exe_c"]);
});

test("a live execution keeps its slot, however long it lives", async () => {
  const w = world();
  await w.start("exe_a");
  w.take("exe_a", ask.pause());
  w.later(30 * START_CHECK_AFTER_MS);
  expect(isOpen((await w.start("exe_b")).state)).toBe(false);
  expect((await w.inUse()).live).toEqual(["exe_a"]);
});

test("an execution that is canceled while it is admitted releases its slot again", async () => {
  const w = world();
  await w.start("exe_a");
  await w.start("exe_b");
  const waiting = w.stateOf("exe_b");
  w.take("exe_a", ask.event("close"));
  await w.deliver("exe_a");
  w.take("exe_b", ask.cancel());
  await w.deliver("exe_b");
  const items = await updateStartPlace(w.deps, waiting, [{ kind: "start_place", key: "1", sentAt: 0, tries: 1 }]);
  await w.cells.cell("acme/exe_b").confirm([{ execution: "exe_b", incarnation: T0, items }]);
  expect((await w.inUse()).live).toEqual(["exe_b"]);
  await w.deliver("exe_b");
  expect((await w.inUse()).live).toEqual([]);
});

test("a second limit that holds the start frees its slot of the first", async () => {
  const w = world([...one, { name: "paced", key, throttle: { max: 1, per: "PT1H" } }]);
  await w.start("exe_a");
  w.take("exe_a", ask.event("close"));
  await w.deliver("exe_a");
  expect((await w.start("exe_b")).state.startPlace).toMatchObject({
    hold: { limit: "paced", reason: "limit_throttle" },
    places: [{ name: "one", stage: "turn" }, { name: "paced" }],
  });
  expect(await w.inUse()).toEqual({ live: [], waiting: 0 });
});

test("a newer start cancels the execution under way, and names it again if that call is lost", async () => {
  const w = world([{ name: "one", key, singleton: "cancel" }]);
  await w.start("exe_a");
  w.cells.failures = [undefined as never, new Error("Network connection lost.")]; // the second call is the cancellation
  await w.start("exe_b");
  expect([w.stateOf("exe_a").status, w.lines]).toMatchObject(["waiting", [{ event: "start_not_replaced" }]]);
  w.later(minute);
  await wakeStarts(w.deps, "acme", ["exe_b"]);
  expect(w.stateOf("exe_a")).toMatchObject({ status: "canceled", reason: "singleton" });
  await w.deliver("exe_a");
  expect(isOpen(w.stateOf("exe_b"))).toBe(true);
});

test("an execution that cannot be woken is logged, and asks again on its own", async () => {
  const w = world();
  w.cells.failures = [new Error("Network connection lost.")];
  await wakeStarts(w.deps, "acme", ["exe_a"]);
  expect(w.lines).toMatchObject([{ event: "start_not_woken" }]);
});

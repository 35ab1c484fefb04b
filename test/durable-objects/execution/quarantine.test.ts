// Tests that an unreadable, failing or unwritable execution does not stop its cell.
import { describe, expect, it } from "vitest";
import type { InputItem } from "#objects/execution/apply-input.ts";
import { dedupedId, pooledId } from "#schema/ids.ts";
import { QUARANTINE_CHECK_GAPS_MS } from "#schema/limits/executions.ts";
import type { QuarantineRow } from "#schema/engine/projection.ts";
import { actor, answers, begin, lone, openTestCell, start } from "#test/durable-objects/execution/cell.ts";
import { machine, minute, hour, T0 } from "#test/support/drive.ts";

const BAD = "exe_bad_p1";
const NEIGHBOURS = Array.from({ length: 120 }, (_, n) => `exe_n${n}_p1`);
const waits = machine({ states: { wait: { after: { PT10M: "end" }, on: { go: "end" } }, end: { type: "final" } } });

type World = ReturnType<typeof openTestCell>;

async function pool(more: Parameters<typeof openTestCell>[0] = {}, neighbours = NEIGHBOURS): Promise<World> {
  const world = openTestCell(more);
  const item = begin(BAD, waits);
  const others = neighbours.map((execution): InputItem => {
    const { command } = item;
    return {
      ...item,
      execution,
      command: { ...command, execution, inputId: `begin-${execution}` } as InputItem["command"],
    };
  });
  await world.take(item, ...others);
  await world.wake();
  return world;
}

function cancel(execution: string): Parameters<ReturnType<World["calls"]>["control"]>[0][number] {
  const command = { kind: "cancel", inputId: "in-c", fingerprint: "c", actor, reason: "give up" } as const;
  return { execution, command, dryRun: false, known: null };
}

function event(execution: string, id = "e1"): Parameters<ReturnType<World["calls"]>["control"]>[0][number] {
  const message = { id, type: "go", payload: null, source: "test", correlationId: null };
  return { execution, command: { kind: "event", inputId: id, fingerprint: id, actor, event: message }, dryRun: false };
}

function told(world: World): readonly QuarantineRow[] {
  return world.projections.flatMap(({ quarantined = [] }) => quarantined);
}

const newer = (text: string): string => text.replace('"v":1', '"v":99');
const older = (text: string): string => text.replace('"v":99', '"v":1');

const spoilt: readonly (readonly [string, (text: string) => string, string])[] = [
  ["of a version that a rollback left behind", newer, "99"],
  ["that is no JSON any more", (text) => text.slice(0, text.length / 2), "JSON"],
  ["that holds no state", () => '{"tail":[],"pages":0}', "state"],
  [
    "of a running run without a deadline",
    (text) => text.replace('"runs":[]', '"runs":[{"id":"1.0","status":"running","deadlineAt":null}]'),
    "deadline",
  ],
];

describe.each(spoilt)("a head %s", (_, spoil, why) => {
  it("does not block others, and calls for it are refused with advice", async () => {
    const world = await pool();
    world.rewrite(BAD, spoil);
    world.at(11 * minute);
    await world.calls().alarm();
    expect(NEIGHBOURS.map((id) => world.read(id)?.status)).toEqual(NEIGHBOURS.map(() => "completed"));
    expect(world.lines.filter(({ event: name }) => name === "alarm_failed")).toEqual([]);
    const calls = world.calls();
    const unreadable = { ok: false, refusal: { code: "execution_unreadable", message: expect.stringContaining(why) } };
    expect(await calls.read(BAD)).toMatchObject(unreadable);
    expect(await calls.journal({ execution: BAD, after: null, limit: 10 })).toMatchObject(unreadable);
    expect(await calls.control([event(BAD), { ...event(BAD), dryRun: true }])).toMatchObject([unreadable, unreadable]);
    expect(await calls.claimMany([{ execution: BAD, run: "1.0", attempt: 1 }])).toMatchObject([unreadable]);
    expect(await calls.poke([BAD])).toMatchObject([unreadable]);
    const [again] = await world.take(begin(BAD, waits));
    expect(again).toMatchObject(unreadable);
  });

  it("is logged once, projected, and checked after growing gaps", async () => {
    const world = await pool();
    world.rewrite(BAD, spoil);
    const looked: number[] = [];
    world.at(10 * minute);
    for (let alarms = 0; alarms < 8; alarms++) {
      await world.calls().alarm();
      const at = Number(world.armedAt()) - T0;
      looked.push(at);
      world.at(at);
    }
    const gaps = looked.slice(1).map((at, n) => at - (looked[n] ?? 0));
    expect(gaps.filter((gap) => gap < QUARANTINE_CHECK_GAPS_MS[0] - 1)).toEqual([]);
    expect(gaps.at(-1)).toBe(QUARANTINE_CHECK_GAPS_MS.at(-1));
    expect(world.lines.filter(({ event: name }) => name === "execution_quarantined")).toHaveLength(1);
    expect(told(world)[0]).toMatchObject({ tenant: "acme", id: BAD, reason: expect.stringContaining(why) });
  });

  it("can be canceled, and is deleted after its retention", async () => {
    const world = await pool({}, []);
    world.rewrite(BAD, spoil);
    const calls = world.calls();
    expect(await calls.control([{ ...cancel(BAD), dryRun: true }])).toMatchObject([
      { ok: true, value: { state: { status: "canceled" } } },
    ]);
    expect(world.quarantined(BAD)).toBeDefined();
    const [answer] = await calls.control([cancel(BAD)]);
    expect(answer).toMatchObject({ ok: true, value: { state: { id: BAD, tenant: "acme", status: "canceled" } } });
    expect(world.quarantined(BAD)).toBeUndefined();
    expect(await calls.control([cancel(BAD)])).toMatchObject([{ ok: true, value: { repeated: true } }]);
    expect(await calls.read(BAD)).toMatchObject({ ok: true, value: { reason: "give up" } });
    world.restart();
    world.at(30 * 24 * hour);
    await world.calls().alarm();
    expect(world.isStored(BAD)).toBe(false);
  });
});

describe("an unreadable execution", () => {
  it("stays quarantined: a restart neither checks earlier nor logs again", async () => {
    const world = await pool({}, []);
    world.rewrite(BAD, newer);
    world.at(10 * minute);
    await world.calls().alarm();
    const kept = world.quarantined(BAD);
    expect(kept).toMatchObject({ kind: "unreadable", looks: 1, since: T0 + 10 * minute });
    world.restart();
    world.at(10 * minute + 30_000);
    await world.calls().alarm();
    expect(world.quarantined(BAD)).toEqual(kept);
    expect(world.lines.filter(({ event: name }) => name === "execution_quarantined")).toHaveLength(1);
  });

  it("found by a read is projected, and checked again", async () => {
    const world = openTestCell();
    await world.take(begin(BAD, machine({ states: { wait: { on: { go: "end" } }, end: { type: "final" } } })));
    await world.wake();
    world.loseAlarm();
    world.rewrite(BAD, newer);
    await world.calls().read(BAD);
    expect(world.armedAt()).not.toBeNull();
    expect(told(world)).toMatchObject([{ id: BAD }]);
  });

  it("continues automatically when the code can read it", async () => {
    const world = await pool({}, []);
    world.rewrite(BAD, newer);
    world.at(10 * minute);
    await world.calls().alarm();
    world.rewrite(BAD, older);
    world.at(12 * minute);
    await world.calls().alarm();
    expect(world.read(BAD)?.status).toBe("completed");
    expect(world.quarantined(BAD)).toBeUndefined();
    expect(told(world).at(-1)).toMatchObject({ id: BAD, reason: null });
    const journal = await world.calls().journal({ execution: BAD, after: null, limit: 100 });
    expect(journal.ok && journal.value.entries.map(({ kind }) => kind)).toContain("timer_fired");
  });

  it("keeps its journal's pages when it is canceled", async () => {
    const world = await pool({}, []);
    const long = { ...event(BAD, "x".repeat(20_000)), execution: BAD };
    await world.calls().control([{ ...long, command: { ...long.command, kind: "event" } as typeof long.command }]);
    const before = await world.calls().journal({ execution: BAD, after: null, limit: 100 });
    world.rewrite(BAD, newer);
    await world.calls().control([cancel(BAD)]);
    const after = await world.calls().journal({ execution: BAD, after: null, limit: 100 });
    const kinds = [before, after].map((page) => (page.ok ? page.value.entries.map(({ kind }) => kind) : []));
    expect(kinds[1]?.slice(0, kinds[0]?.length)).toEqual(kinds[0]);
    expect(kinds[1]?.at(-1)).toBe("canceled");
  });

  it("with a dedup key prevents a second action in its window", async () => {
    const world = openTestCell();
    const dedup = { key: "k", windowMs: 10 * minute };
    const idAt = (ms: number): string => pooledId(dedupedId(new Uint8Array(16).fill(7), T0 + ms), 1);
    const startAt = async (ms: number) => {
      world.at(ms);
      return answers(await world.take(start(idAt(ms), `at ${ms}`, lone(dedup))));
    };
    await startAt(0);
    world.rewrite(idAt(0), newer);
    expect(await startAt(9 * minute)).toEqual(["execution_unreadable"]);
    expect(await startAt(11 * minute)).toEqual([[idAt(11 * minute), false]]);
  });
});

describe("a commit that fails for one of many", () => {
  it("stores the others, and refuses only that one", async () => {
    const world = await pool();
    world.cannotWrite(BAD);
    const all = await world.calls().control([BAD, ...NEIGHBOURS].map((id) => event(id, `go-${id}`)));
    expect(all.map(({ ok }) => ok)).toEqual([false, ...NEIGHBOURS.map(() => true)]);
    expect(all[0]).toMatchObject({ ok: false, refusal: { code: "internal_error" } });
    expect(NEIGHBOURS.map((id) => world.read(id)?.status)).toEqual(NEIGHBOURS.map(() => "completed"));
    expect(world.read(BAD)?.status).toBe("waiting");
  });

  it("does not block other due executions, and is retried after growing gaps", async () => {
    const world = await pool();
    world.cannotWrite(BAD);
    world.at(10 * minute);
    await world.calls().alarm();
    expect(NEIGHBOURS.map((id) => world.read(id)?.status)).toEqual(NEIGHBOURS.map(() => "completed"));
    expect(world.quarantined(BAD)).toMatchObject({ kind: "unwritable", looks: 1 });
    expect(world.quarantined(BAD)?.lookAt).toBe(T0 + 11 * minute);
    world.at(11 * minute);
    await world.calls().alarm();
    expect(world.quarantined(BAD)?.lookAt).toBe(T0 + 16 * minute);
    expect(told(world).at(-1)).toMatchObject({ id: BAD, reason: expect.stringContaining("refuses this row") });
  });

  it("fails the execution after repeated tries, with the reason", async () => {
    let refuses = true;
    const world = await pool({}, []);
    world.cannotWrite(BAD);
    for (const at of [10, 11, 16, 31]) {
      world.at(at * minute);
      // The last state is small enough to be stored.
      if (at === 31) refuses = false;
      if (!refuses) world.onlyFinal(BAD);
      await world.calls().alarm();
    }
    expect(world.read(BAD)).toMatchObject({
      status: "failed",
      error: { type: "not_storable", message: expect.stringContaining("the store refuses this row") },
    });
    expect(world.quarantined(BAD)).toBeUndefined();
  });

  it("a single failure is cleared by the next commit", async () => {
    const world = await pool({}, []);
    world.cannotWrite(BAD);
    world.at(10 * minute);
    await world.calls().alarm();
    world.cannotWrite(BAD, false);
    world.at(11 * minute);
    await world.calls().alarm();
    expect([world.read(BAD)?.status, world.quarantined(BAD)]).toEqual(["completed", undefined]);
    expect(told(world)).toEqual([]);
  });

  it("a store that refuses everything quarantines no execution", async () => {
    const world = await pool({}, NEIGHBOURS.slice(0, 3));
    world.breaks(true);
    world.at(10 * minute);
    await world.calls().alarm();
    world.breaks(false);
    expect(world.quarantined(BAD)).toBeUndefined();
    world.at(20 * minute);
    await world.calls().alarm();
    expect([BAD, ...NEIGHBOURS.slice(0, 3)].map((id) => world.read(id)?.status)).toEqual(Array(4).fill("completed"));
  });
});

describe("an execution whose every step fails", () => {
  const broken = (world: World): void => {
    // The head then looks as if this code did not support its kind of definition.
    world.rewrite(BAD, (text) => text.replace(/"definition":\{"id":"[^"]+"/, '"definition":{"id":"def_gone"'));
  };

  it("does not block others, is retried after growing gaps, logged once and listed", async () => {
    const world = await pool();
    broken(world);
    for (const at of [10, 11, 16, 31]) {
      world.at(at * minute);
      await world.calls().alarm();
    }
    expect(NEIGHBOURS.map((id) => world.read(id)?.status)).toEqual(NEIGHBOURS.map(() => "completed"));
    expect(world.quarantined(BAD)).toMatchObject({ kind: "broken", looks: 4, lookAt: T0 + 91 * minute });
    expect(world.lines.filter(({ event: name }) => name === "execution_quarantined")).toHaveLength(1);
    expect(told(world)[0]).toMatchObject({ id: BAD, reason: expect.stringContaining("def_gone") });
  });

  it("can be canceled, and keeps its history", async () => {
    const world = await pool({}, []);
    broken(world);
    const [answer] = await world.calls().control([cancel(BAD)]);
    expect(answer).toMatchObject({ ok: true, value: { state: { status: "canceled" } } });
    const journal = await world.calls().journal({ execution: BAD, after: null, limit: 100 });
    expect(journal.ok && journal.value.entries.map(({ kind }) => kind)).toEqual([
      "started",
      "moved",
      "timer_armed",
      "canceled",
    ]);
  });
});

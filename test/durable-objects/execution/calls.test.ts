// Tests the calls of a cell: a poke runs due work, a failed alarm is set again, and an empty cell deletes its storage.
import { expect, it } from "vitest";
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/alarms.ts";
import { DIRECT_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";
import { action, day, hour, machine, minute, second, T0 } from "#test/support/drive.ts";
import { actor, begin, openTestCell } from "./cell.ts";

const ids = ["exe_1_p1", "exe_2_p1"] as const;
const waiting = machine({
  states: { a: { after: { [hour]: "b" } }, b: { after: { [hour]: "c" } }, c: {} },
  initial: "a",
});
const ending = machine({ states: { a: { after: { [hour]: "b" } }, b: { type: "final" } } });

async function cellOf(definition: typeof waiting) {
  const cell = openTestCell();
  await cell.take(...ids.map((id) => begin(id, definition)));
  return cell;
}

it("a poke runs the due work of the whole cell, and repairs its alarm", async () => {
  const cell = await cellOf(waiting);
  cell.loseAlarm();
  cell.at(hour + second);
  const [answer] = await cell.calls().poke([ids[0]]);
  expect(answer).toMatchObject({ ok: true, value: { position: { value: "b" } } });
  expect(ids.map((id) => cell.read(id)?.position.states.join())).toEqual(["b", "b"]);
  expect(cell.armedAt()).toBeLessThanOrEqual(T0 + 2 * hour + second);
});

it("a live execution is cached, and an ended one is read from its row", async () => {
  const cell = await cellOf(waiting);
  const command = { kind: "cancel", inputId: "c", reason: null, fingerprint: "f", actor } as const;
  await cell.take({ execution: ids[1], command, direct: false });
  cell.cannotRead(true);
  expect(cell.read(ids[0])?.status).toBe("waiting");
  expect(() => cell.read(ids[1])).toThrow("could not read");
  cell.cannotRead(false);
  expect(cell.read(ids[1])?.status).toBe("canceled");
});

it("a poke answers for each execution, and not_found for an absent one", async () => {
  const cell = await cellOf(waiting);
  const answers = await cell.calls().poke([ids[1], "exe_9_p1", ids[0]]);
  expect(answers.map((each) => (each.ok ? each.value.id : each.refusal.code))).toEqual([ids[1], "not_found", ids[0]]);
});

it("a command for an earlier incarnation of an id is refused, also as a dry run", async () => {
  const cell = await cellOf(waiting);
  const cancel = { kind: "cancel", reason: null, fingerprint: "f", actor } as const;
  const asked = [T0 - 1, T0].flatMap((incarnation, n) =>
    [true, false].map((dryRun) => ({
      execution: ids[0],
      command: { ...cancel, inputId: `c${n}` },
      dryRun,
      incarnation,
    })),
  );
  const answers = await cell.calls().control(asked);
  expect(answers.map((each) => (each.ok ? each.value.state.status : each.refusal.code))).toEqual([
    ...["not_found", "not_found"],
    ...["canceled", "canceled"],
  ]);
});

it("a failed alarm does not reject, and is set again", async () => {
  const cell = await cellOf(waiting);
  cell.restart();
  cell.at(hour + second);
  cell.loseAlarm();
  cell.cannotRead(true);
  await cell.calls().alarm();
  expect(cell.armedAt()).toBe(T0 + hour + second + ALARM_RETRY_AFTER_MS);
  cell.cannotRead(false);
  cell.at(hour + second + ALARM_RETRY_AFTER_MS);
  await cell.calls().alarm();
  expect(ids.map((id) => cell.read(id)?.position.states.join())).toEqual(["b", "b"]);
});

it("a cell whose last execution is deleted deletes its storage and its alarm", async () => {
  const cell = await cellOf(ending);
  for (let at = hour; at < 60 * day; at += day) {
    cell.at(at);
    await cell.calls().alarm();
  }
  expect(ids.map((id) => cell.isStored(id))).toEqual([false, false]);
  expect(cell.armedAt()).toBeNull();
});

it("reproject returns the executions that could not be projected", async () => {
  const cell = await cellOf(waiting);
  await cell.wake();
  expect(await cell.calls().reproject([...ids, "exe_9_p1"])).toEqual([]);
  cell.queueDown(true);
  expect(await cell.calls().reproject([ids[1]])).toEqual([ids[1]]);
  cell.queueDown(false);
  cell.projections.length = 0;
  expect(await cell.calls().reproject([ids[1]])).toEqual([]);
  expect(cell.projections.flatMap(({ executions }) => executions.map(({ id }) => id))).toEqual([ids[1]]);
});

it("a dropped projection counts as projected", async () => {
  const cell = await cellOf(waiting);
  await cell.wake();
  cell.queueRefuses(({ executions }) => executions.some(({ id }) => id === ids[0]));
  const answers = [await cell.calls().reproject(ids)];
  while (answers.at(-1)?.length !== 0 && answers.length < 10) answers.push(await cell.calls().reproject(ids));
  expect(answers[0]).toEqual(ids);
  expect(answers.at(-2)).toEqual([ids[0]]);
  expect(answers.at(-1)).toEqual([]);
});

it("an unreadable execution does not block the projection of others", async () => {
  const cell = await cellOf(waiting);
  await cell.wake();
  cell.restart();
  cell.cannotRead(ids[0]);
  cell.projections.length = 0;
  expect(await cell.calls().reproject(ids)).toEqual([ids[0]]);
  expect(cell.projections.flatMap(({ executions }) => executions.map(({ id }) => id))).toEqual([ids[1]]);
});

const calling = machine({
  actions: [action("call"), action("slow", { timeout: 10 * minute })],
  states: { a: { on: { go: { actions: ["call"] } } } },
  concurrency: 2,
});
const verb = { reason: null, fingerprint: "f", actor } as const;

it("a dry run predicts the lane, with and without free slots", async () => {
  const cell = openTestCell();
  const many = Array.from({ length: DIRECT_IN_FLIGHT_MAX }, (_, n) => `exe_${n}_p1`);
  await cell.take(...many.map((id) => begin(id, calling)), begin("exe_last_p1", calling));
  const lanes = [];
  for (const [execution, name] of [...many.map((id) => [id, "call"]), [many[0], "slow"], ["exe_last_p1", "call"]]) {
    const command = { kind: "runNow", target: { action: `${name}` }, inputId: `${name}`, ...verb } as const;
    const ask = async (dryRun: boolean) => {
      const [answer] = await cell.calls().control([{ execution: `${execution}`, command, dryRun }]);
      return answer?.ok ? answer.value : null;
    };
    const [dry, done] = [await ask(true), await ask(false)];
    expect([dry?.state, dry?.seq]).toEqual([done?.state, done?.seq]);
    lanes.push(dry?.entries?.flatMap((entry) => (entry.kind === "run_dispatched" ? entry.lane : [])).join());
  }
  expect(lanes).toEqual([...many.map(() => "direct"), "queue", "queue"]);
});

it("an answer has the seq of its own entries, and a repeat has the same", async () => {
  const cell = openTestCell();
  await cell.take(begin(ids[0], calling));
  const bring = { kind: "runNow", target: { action: "call" }, inputId: "k", ...verb } as const;
  const pause = { kind: "pause", inputId: "p", ...verb } as const;
  const ask = (command: typeof bring | typeof pause) => ({ execution: ids[0], command, dryRun: false });
  const [first, second, again] = await cell.calls().control([ask(bring), ask(pause), ask(bring)]);
  const page = await cell.calls().journal({ execution: ids[0], after: null, limit: 100 });
  const entries = page.ok ? page.value.entries : [];
  const seqOf = (kind: string) => entries.find((entry) => entry.kind === kind)?.seq;
  const answers = [first, second, again].map((each) => each?.ok && [each.value.seq, each.value.repeated]);
  expect(answers).toEqual([
    [seqOf("run_brought_forward"), false],
    [seqOf("paused"), false],
    [seqOf("run_brought_forward"), true],
  ]);
  expect(again?.ok && again.value.state.seq).toBe(seqOf("paused"));
});

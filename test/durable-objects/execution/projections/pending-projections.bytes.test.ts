// Tests that projection messages are limited in bytes, and that a row that cannot be sent does not block others.
import { describe, expect, it } from "vitest";
import { openPendingProjections } from "#objects/execution/projections/pending-projections.ts";
import type { Ports } from "#objects/execution/ports.ts";
import type { InputItem } from "#objects/execution/apply-input.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import { QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues/message-sizes.ts";
import { machine, minute, T0 } from "#test/support/drive.ts";
import { actor, begin, openTestCell } from "../cell.ts";

const definition = machine({ states: { go: { on: { x: "go" } } } });
const REASON_CHARS = 2_000;
type Cell = ReturnType<typeof openTestCell>;

function control(execution: string, kind: "pause" | "resume", inputId: string, reason: string | null): InputItem {
  return { execution, direct: false, command: { kind, inputId, reason, fingerprint: "f", actor } };
}

/** Pauses and resumes an execution several times, while the queue refuses everything. */
async function pausedOften(times: number, reason: (n: number) => string): Promise<Cell> {
  const cell = openTestCell();
  await cell.take(begin("exe_1", definition));
  cell.queueDown(true);
  for (let n = 0; n < times; n++) {
    await cell.take(control("exe_1", "pause", `p${n}`, reason(n)));
    await cell.take(control("exe_1", "resume", `r${n}`, null));
  }
  await queueUp(cell);
  return cell;
}

/** Ends the outage, after the send in progress has failed. */
async function queueUp(cell: Cell): Promise<void> {
  await cell.wake();
  cell.queueDown(false);
}

function bytesOf(message: ProjectionMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).byteLength;
}

function reasonsTold({ projections }: Cell): number {
  return new Set(projections.flatMap(({ audit }) => audit.flatMap(({ reason }) => reason ?? []))).size;
}

function correlated(id: string, correlationId: string): InputItem {
  const item = begin(id, definition);
  return { ...item, command: { ...(item.command as StartCommand), correlationId } }; // `begin` creates starts
}

/** The name alone exceeds a message. The API refuses such names, but a bug might create one. */
const monster = "x".repeat(200_000);

const told = ({ projections }: Cell): readonly string[] =>
  projections.flatMap(({ executions }) => executions.map(({ id }) => id));
const dropped = ({ lines }: Cell) => lines.filter(({ event }) => event === "message_dropped");

describe("projection messages are limited in bytes", () => {
  it.each([
    ["600 pauses with reasons", 600, (n: number) => `the customer asked for it, time ${n}`],
    ["200 pauses with long reasons", 200, (n: number) => `${n} ${"long ".repeat(REASON_CHARS / 5)}`],
    ["200 pauses with long reasons in Chinese", 200, (n: number) => `${n} ${"客".repeat(REASON_CHARS)}`],
  ])("%s", async (_name, times, reason) => {
    const cell = await pausedOften(times, reason);
    await cell.wake();
    expect(reasonsTold(cell)).toBe(times);
    expect(Math.max(...cell.projections.map(bytesOf))).toBeLessThanOrEqual(QUEUE_MESSAGE_BYTES_MAX);
    const before = cell.sends();
    cell.at(minute);
    await cell.wake();
    expect(cell.sends()).toBe(before);
  });

  it.each(["in one life of the object", "after a restart as well"])(
    "with 400 executions and Chinese correlation ids: %s",
    async (when) => {
      const cell = openTestCell();
      cell.queueDown(true);
      const ids = Array.from({ length: 400 }, (_, n) => `exe_${n}_p1`);
      await cell.take(...ids.map((id) => correlated(id, "订单".repeat(100))));
      await queueUp(cell);
      if (when === "after a restart as well") cell.restart();
      await cell.wake();
      expect(new Set(told(cell))).toEqual(new Set(ids));
      expect(Math.max(...cell.projections.map(bytesOf))).toBeLessThanOrEqual(QUEUE_MESSAGE_BYTES_MAX);
    },
  );
});

describe("a row that can never be sent", () => {
  it("is dropped if it is too large, with a log line and an audit row; others are sent", async () => {
    const cell = openTestCell();
    const [bad, good] = ["exe_bad_p1", "exe_good_p1"];
    await cell.take(correlated(bad, monster), correlated(good, "o-17"));
    await cell.wake();
    expect(told(cell)).toContain(good);
    expect(told(cell)).not.toContain(bad);
    expect(dropped(cell)).toMatchObject([{ level: "error", queue: "projections", dropped: 1, what: bad }]);
    expect(cell.projections.flatMap(({ audit }) => audit)).toMatchObject([
      { actor: "engine:projections", verb: "catalog.row_dropped", target: bad, at: T0 },
    ]);
    const before = cell.sends();
    cell.at(minute);
    await cell.wake();
    expect(cell.sends()).toBe(before);
  });

  it("is reported again after a change, and does not block others", async () => {
    const cell = openTestCell();
    await cell.take(correlated("exe_bad_p1", monster));
    await cell.wake();
    await cell.take(control("exe_bad_p1", "pause", "p", "why"), correlated("exe_good_p1", "o-17"));
    await cell.wake();
    expect(told(cell)).toContain("exe_good_p1");
    expect(reasonsTold(cell)).toBeGreaterThan(0);
  });

  it("is dropped if the state cannot be converted, and others are sent", async () => {
    const cell = openTestCell();
    await cell.take(correlated("exe_bad_p1", "o-17"), correlated("exe_good_p1", "o-17"));
    const [lines, projections]: [object[], ProjectionMessage[]] = [[], []];
    const sendProjection = async (message: ProjectionMessage) => void projections.push(message);
    const log = (line: object): void => void lines.push(line);
    const ports = { now: () => T0, log, sendProjection } as unknown as Ports; // these are all ports that the code uses
    const pending = openPendingProjections(ports);
    const [bad, good] = ["exe_bad_p1", "exe_good_p1"].map((id) => cell.read(id));
    if (!bad || !good) throw new Error("they have begun");
    pending.add({ ...bad, runs: null as never }, []);
    pending.add(good, []);
    expect(await pending.send()).toBe(true);
    expect(pending.hasUnsent()).toBe(false);
    expect(projections.flatMap(({ executions }) => executions.map(({ id }) => id))).toEqual(["exe_good_p1"]);
    expect(lines).toMatchObject([{ event: "message_dropped", what: "exe_bad_p1" }]);
  });

  it("is found by halving if the queue refuses it, and is dropped after several tries", async () => {
    const cell = openTestCell();
    const ids = Array.from({ length: 40 }, (_, n) => `exe_${n}_p1`);
    cell.queueRefuses(({ executions }) => executions.some(({ id }) => id === "exe_17_p1"));
    await cell.take(...ids.map((id) => correlated(id, "o-17")));
    for (let n = 1; n <= 10; n++) {
      cell.at(n * minute);
      await cell.wake();
    }
    expect(new Set(told(cell))).toEqual(new Set(ids.filter((id) => id !== "exe_17_p1")));
    expect(dropped(cell)).toMatchObject([{ what: "exe_17_p1" }]);
    const before = cell.sends();
    cell.at(11 * minute);
    await cell.wake();
    expect(cell.sends()).toBe(before);
  });
});

describe("an outage of the queue", () => {
  it("costs few sends per wake, drops nothing, and everything is sent afterwards", async () => {
    const cell = openTestCell();
    const ids = Array.from({ length: 600 }, (_, n) => `exe_${n}_p1`);
    cell.queueDown(true);
    await cell.take(...ids.map((id) => correlated(id, "订单".repeat(100))));
    for (let n = 1; n <= 50; n++) {
      cell.at(n * minute);
      const before = cell.sends();
      await cell.wake();
      expect(cell.sends() - before).toBeLessThan(30);
    }
    expect(dropped(cell)).toEqual([]);
    cell.queueDown(false);
    cell.at(51 * minute);
    await cell.wake();
    expect(new Set(told(cell))).toEqual(new Set(ids));
  });
});

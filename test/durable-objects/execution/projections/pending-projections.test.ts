// What the catalog is told of dead letters whose executions have ended: all of it, after a restart too, and no more.
import { describe, expect, it } from "vitest";
import type { InputItem } from "#objects/execution/apply-input.ts";
import { action, day, failure, hour, machine, second } from "#test/support/drive.ts";
import { actor, begin, openTestCell } from "../cell.ts";

const id = "exe_1_p1";
const of = (command: InputItem["command"]): InputItem => ({ execution: id, command, direct: false });
const control = { reason: null, fingerprint: "f", actor } as const;
const retry = (inputId: string): InputItem =>
  of({ kind: "retry", run: "1.0", config: null, variables: null, inputId, ...control });

/** Creates an execution that failed with a dead letter, which no operator has handled. */
async function ended() {
  const call = action("call", { triggerState: "go", lane: "queue", retryPolicy: { maxAttempts: 1 } });
  const cell = openTestCell();
  await cell.take(begin(id, machine({ states: { go: {} }, actions: [{ ...call, onExhausted: "fail" }] })));
  await cell.take(of({ kind: "claim", run: "1.0", attempt: 1, lane: "queue" }));
  await cell.take(of({ kind: "settle", run: "1.0", attempt: 1, outcome: failure() }));
  await cell.wake();
  cell.projections.length = 0;
  return cell;
}

describe("a dead letter of an execution whose retention is over", () => {
  it("is projected after a restart, with the operator of its retry", async () => {
    const cell = await ended();
    cell.at(5 * day);
    cell.mute();
    await cell.take(retry("r"));
    cell.restart();
    cell.at(5 * day + second);
    await cell.wake();
    expect(cell.projections.flatMap(({ runs }) => runs.map(({ status }) => status))).toContain("queued");
    expect(cell.projections.flatMap(({ audit }) => audit.map(({ verb }) => verb))).toContain("execution.retry");
  });

  it("is projected after a restart whose first wake could not read it", async () => {
    const cell = await ended();
    cell.at(5 * day);
    cell.mute();
    await cell.take(retry("r"));
    cell.restart();
    cell.at(5 * day + second);
    cell.cannotRead(true);
    await expect(cell.wake()).rejects.toThrow("could not read");
    cell.cannotRead(false);
    await cell.wake();
    expect(cell.projections.flatMap(({ runs }) => runs.map(({ status }) => status))).toContain("queued");
  });

  it("keeps its history until it is resolved, and a day longer", async () => {
    const cell = await ended();
    cell.at(5 * day);
    await cell.wake();
    await cell.take(of({ kind: "archive", run: "1.0", inputId: "x", ...control }));
    cell.at(6 * day - hour);
    await cell.wake();
    expect(cell.read(id)?.runs[0]?.deadLetter).toBe(false);
    cell.at(6 * day);
    await cell.wake();
    expect(cell.read(id)).toBeNull();
  });
});

describe("many dead letters of one execution", () => {
  it.each(["live", "ended"])("cost one run row each when they are archived one by one: %s", async (how) => {
    const names = ["a", "b", "c", "d"];
    const definition = machine({
      states: { go: { on: { x: "go" } } },
      concurrency: names.length,
      actions: names.map((name) =>
        action(name, { triggerState: "go", lane: "queue", retryPolicy: { maxAttempts: 1 } }),
      ),
    });
    const cell = openTestCell();
    await cell.take(begin(id, definition));
    const runs = names.map((_name, n) => `1.${n}`);
    for (const run of runs) {
      await cell.take(of({ kind: "claim", run, attempt: 1, lane: "queue" }));
      await cell.take(of({ kind: "settle", run, attempt: 1, outcome: failure() }));
    }
    if (how === "ended") await cell.take(of({ kind: "cancel", inputId: "c", ...control }));
    await cell.wake();
    cell.projections.length = 0;
    for (const run of runs) {
      await cell.take(of({ kind: "archive", run, inputId: run, ...control }));
      await cell.wake();
    }
    const told = cell.projections.flatMap((message) => message.runs.map((row) => [row.id, row.deadLetter]));
    expect(told).toEqual(runs.map((run) => [run, false]));
  });
});

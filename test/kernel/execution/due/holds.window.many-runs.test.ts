// Many runs before a closed window, one per execution: each starts at its own instant after the opening.
import { expect, test } from "vitest";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { step } from "#kernel/execution/step.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Command } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { action, ask, day, hour, minute, T0 } from "#test/support/drive.ts";
import { windowedProgram } from "./windows.ts";

const CROWD = 10_000;
const evening = T0 + 12 * hour; // 21:00
const morning = T0 + day; // 09:00

function stepped(by: Program, state: ExecutionState | null, command: Command, now: number) {
  const result = step(by, state, { ...command, now, room: 0 });
  if (!result.ok) throw new Error(result.refusal.message);
  return result;
}

test("each of 10,000 that wait wakes once, at an instant of its own", { timeout: 60_000 }, () => {
  const mailing = windowedProgram(
    { from: "09:00", to: "20:00", spread: "PT15M" },
    { states: { a: { on: { go: "b" } }, b: { on: { x: "a" } } }, actions: [action("mail", { triggerState: "a" })] },
  );
  const perMinute = Array.from({ length: 15 }, () => 0);
  let entries = 0;
  for (let n = 0; n < CROWD; n += 1) {
    const start = { ...ask.start(), execution: `exe_${n}` } as Command;
    const { state } = stepped(mailing, null, start, evening);
    const wake = Number(nextWake(state, evening));
    const bucket = Math.floor((wake - morning) / minute);
    perMinute[bucket] = Number(perMinute[bucket]) + 1;
    // A wake before the run's instant (the cell has other executions too) stores nothing.
    expect(stepped(mailing, state, ask.tick(), morning - 1).state).toBe(state);
    const gone = stepped(mailing, state, ask.tick(), wake);
    expect(gone.effects.filter(({ kind }) => kind === "dispatch")).toHaveLength(1);
    entries += gone.entries.length;
    expect([state.seq, gone.state.seq]).toEqual([1, 2]);
  }
  // No run starts before 09:00 or after 09:15, and the runs are spread evenly over the minutes.
  expect(perMinute.length).toBe(15);
  expect(Math.min(...perMinute)).toBeGreaterThan(CROWD / 15 - 130);
  expect(Math.max(...perMinute)).toBeLessThan(CROWD / 15 + 130);
  expect(perMinute.reduce((sum, each) => sum + each, 0)).toBe(CROWD);
  expect(entries).toBe(CROWD);
});

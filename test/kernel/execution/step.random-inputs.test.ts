// Random inputs in random order: the driver checks every invariant after each step, and at the end all started work
// ends automatically.
import { expect, test } from "vitest";
import { isFinalStatus } from "#schema/engine/state.ts";
import { ask, drive, success, type Drive } from "#test/support/drive.ts";
import { numbersFrom } from "#test/sim/kit/chance.ts";
import { anything, parent, somethingHappens } from "../random-inputs.ts";

const SEEDS = 100;
const STEPS = 60;

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))("seed %i", (seed) => {
  const chance = numbersFrom(seed);
  const t = drive(anything, Math.floor(chance() * 3)).take(ask.start({}, seed % 2 === 0 ? {} : { parent }));
  let now = 0;
  for (let step = 0; step < STEPS; step++) {
    // Mostly seconds, sometimes days.
    now += Math.floor(chance() ** 4 * 200_000_000);
    somethingHappens(t.clock(now), chance);
  }
  if (t.status === "paused") t.resume();
  // From here on every message is processed, and the clock goes from wake to wake.
  for (let round = 0; round < 500 && !isFinalStatus(t.status); round++) {
    for (const { id } of t.state.runs) {
      if (statusOf(t, id) === "queued") t.claim(id);
      if (statusOf(t, id) === "running") t.settle(id, success());
    }
    if (t.status === "paused") t.resume();
    if (t.wake === null) break;
    now = Math.max(now, t.wake);
    t.tickAt(now);
  }
  // The parent is notified until it confirms, and not afterwards.
  if (seed % 2 !== 0) expect(t.take(ask.parentNotified()).state.outbox ?? []).toEqual([]);
  expect(isFinalStatus(t.status), "the sixty days of the whole machine end it at the latest").toBe(true);
});

/** The run's status; undefined once the run is removed. */
function statusOf(t: Drive, id: string): string | undefined {
  return t.state.runs.find((run) => run.id === id)?.status;
}

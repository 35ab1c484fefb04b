// How runs share what an isolate may hold of files.
import { expect, it } from "vitest";
import { fileMemory, type FileReservation } from "#runners/core/file-memory.ts";
import { FILE_MEMORY_BYTES, FILE_MEMORY_LOST_MS, FILE_MEMORY_TENANT_BYTES } from "#schema/limits/outgoing/files.ts";

const MB = 1024 * 1024;

/** Time goes on only when it is told to, and then everybody who waits looks again. */
function scene() {
  let now = 0;
  const sleepers: (() => void)[] = [];
  const room = fileMemory(() => new Promise((resolve) => void sleepers.push(resolve)));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms: number, awake = sleepers.length) => {
    now += ms;
    for (const wake of sleepers.splice(0, awake)) wake();
    await settled();
  };
  const ask = (tenant: string, bytes: number, signal = new AbortController().signal) => {
    const state: { place: FileReservation | null; isOver: boolean } = { place: null, isOver: false };
    const waiting = async () => {
      state.place = await room.take({ tenant, bytes, forMs: 60_000 }, { now: () => now, signal });
      state.isOver = true;
    };
    void waiting();
    return state;
  };
  return { ask, pass, settled };
}

it("allows every tenant one message of maximum size, and gives the others the rest", async () => {
  const { ask, pass } = scene();
  const [first, again, other] = [ask("a", FILE_MEMORY_TENANT_BYTES), ask("a", MB), ask("b", 5 * MB)];
  await pass(1);
  expect([first.isOver, again.isOver, other.isOver]).toEqual([true, false, true]);
  first.place?.leave();
  await pass(1);
  expect(again.isOver).toBe(true);
  expect(FILE_MEMORY_TENANT_BYTES).toBeLessThan(FILE_MEMORY_BYTES);
});

it("serves requests in order, so that small ones cannot delay a large one forever", async () => {
  const { ask, pass } = scene();
  const holder = ask("a", 20 * MB);
  const [large, small] = [ask("b", 20 * MB), ask("c", MB)];
  await pass(1);
  expect([large.isOver, small.isOver]).toEqual([false, false]);
  holder.place?.leave();
  await pass(1);
  await pass(1);
  expect([large.isOver, small.isOver]).toEqual([true, true]);
});

it("releases the part of a reservation that is not needed", async () => {
  const { ask, pass } = scene();
  const holder = ask("a", 25 * MB);
  const waiting = ask("b", 20 * MB);
  await pass(1);
  holder.place?.shrink(MB);
  holder.place?.shrink(30 * MB);
  await pass(1);
  expect(waiting.isOver).toBe(true);
});

it("releases the reservation of a canceled call, and removes waiting ones", async () => {
  const { ask, pass } = scene();
  ask("a", 25 * MB);
  const next = ask("b", 20 * MB);
  await pass(59_999);
  expect(next.isOver).toBe(false);
  await pass(1);
  expect(next.isOver).toBe(true);
  // One that never looks again stands before one that does.
  ask("c", 20 * MB);
  const last = ask("d", MB);
  await pass(1, 0);
  expect(last.isOver).toBe(false);
  next.place?.leave();
  await pass(FILE_MEMORY_LOST_MS + 1, 0);
  const newcomer = ask("e", MB);
  await pass(0, 0);
  expect(newcomer.isOver).toBe(true);
});

it("releases expired reservations", async () => {
  const { ask, pass } = scene();
  const attempt = new AbortController();
  ask("a", 25 * MB);
  const waiting = ask("b", 20 * MB, attempt.signal);
  const behind = ask("c", MB);
  attempt.abort();
  await pass(1);
  await pass(1);
  expect([waiting.isOver, waiting.place, behind.isOver]).toEqual([true, null, true]);
});

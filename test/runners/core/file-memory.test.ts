// Tests of file memory: how runs share the memory for files.
import { expect, it } from "vitest";
import { fileMemory, type FileReservation } from "#runners/core/file-memory.ts";
import { FILE_MEMORY_BYTES, FILE_MEMORY_LOST_MS, FILE_MEMORY_TENANT_BYTES } from "#schema/limits/outgoing/files.ts";

const MB = 1024 * 1024;

/** Builds a file memory whose clock advances on request. Each advance makes waiting requests poll. */
function fileMemoryWorld() {
  let now = 0;
  const sleepers: (() => void)[] = [];
  const memory = fileMemory(() => new Promise((resolve) => void sleepers.push(resolve)));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms: number, awake = sleepers.length) => {
    now += ms;
    for (const wake of sleepers.splice(0, awake)) wake();
    await settled();
  };
  const ask = (tenant: string, bytes: number, signal = new AbortController().signal) => {
    const state: { reservation: FileReservation | null; isOver: boolean } = { reservation: null, isOver: false };
    const waiting = async () => {
      state.reservation = await memory.reserve({ tenant, bytes, expiresInMs: 60_000 }, { now: () => now, signal });
      state.isOver = true;
    };
    void waiting();
    return state;
  };
  return { ask, pass, settled };
}

it("allows every tenant one message of maximum size, and gives the others the rest", async () => {
  const { ask, pass } = fileMemoryWorld();
  const [first, again, other] = [ask("a", FILE_MEMORY_TENANT_BYTES), ask("a", MB), ask("b", 5 * MB)];
  await pass(1);
  expect([first.isOver, again.isOver, other.isOver]).toEqual([true, false, true]);
  first.reservation?.release();
  await pass(1);
  expect(again.isOver).toBe(true);
  expect(FILE_MEMORY_TENANT_BYTES).toBeLessThan(FILE_MEMORY_BYTES);
});

it("serves requests in order, so that small ones cannot delay a large one forever", async () => {
  const { ask, pass } = fileMemoryWorld();
  const holder = ask("a", 20 * MB);
  const [large, small] = [ask("b", 20 * MB), ask("c", MB)];
  await pass(1);
  expect([large.isOver, small.isOver]).toEqual([false, false]);
  holder.reservation?.release();
  await pass(1);
  await pass(1);
  expect([large.isOver, small.isOver]).toEqual([true, true]);
});

it("releases the part of a reservation that is not needed", async () => {
  const { ask, pass } = fileMemoryWorld();
  const holder = ask("a", 25 * MB);
  const waiting = ask("b", 20 * MB);
  await pass(1);
  holder.reservation?.shrink(MB);
  holder.reservation?.shrink(30 * MB);
  await pass(1);
  expect(waiting.isOver).toBe(true);
});

it("expired reservations are released, and requests that stopped polling are removed", async () => {
  const { ask, pass } = fileMemoryWorld();
  ask("a", 25 * MB);
  const next = ask("b", 20 * MB);
  await pass(59_999);
  expect(next.isOver).toBe(false);
  await pass(1);
  expect(next.isOver).toBe(true);
  // The first waiting request stops polling, and the second one polls.
  ask("c", 20 * MB);
  const last = ask("d", MB);
  await pass(1, 0);
  expect(last.isOver).toBe(false);
  next.reservation?.release();
  await pass(FILE_MEMORY_LOST_MS + 1, 0);
  const newcomer = ask("e", MB);
  await pass(0, 0);
  expect(newcomer.isOver).toBe(true);
});

it("an aborted attempt stops waiting and lets the next request pass", async () => {
  const { ask, pass } = fileMemoryWorld();
  const attempt = new AbortController();
  ask("a", 25 * MB);
  const waiting = ask("b", 20 * MB, attempt.signal);
  const behind = ask("c", MB);
  attempt.abort();
  await pass(1);
  await pass(1);
  expect([waiting.isOver, waiting.reservation, behind.isOver]).toEqual([true, null, true]);
});

// Tests how a large cell loads paged-out executions: few at once, and very many in the order of their instants.
import { describe, expect, test } from "vitest";
import { openPagedOut } from "#objects/execution/heads/paged-out.ts";
import {
  RESIDENT_ROW_EXECUTIONS,
  REST_LOAD_AHEAD_MS,
  REST_ROWS_LOADED,
  REST_SLOT_MS,
} from "#schema/limits/large-cells.ts";
import { minute, second } from "#test/support/drive.ts";
import { openDisk } from "#test/sim/disk.ts";

const SLOT = 1_000 * REST_SLOT_MS;

/** Opens a cell with executions that wake at these instants, in full rows. */
function opened(instants: readonly number[]) {
  const disk = openDisk({ beforeCommit: () => {}, committed: () => {}, alarmChanged: () => {} });
  const keyOf = (wakeAt: number, n: number) => ({ execution: `exe_${n}`, wakeAt, turn: 1, sent: 1 });
  const stored = new Map<string, ReturnType<typeof keyOf>>(instants.map(keyOf).map((key) => [key.execution, key]));
  const inMemory = new Set<string>();
  const lines: unknown[] = [];
  let read = 0;
  const keys = (ids: readonly string[]) => {
    read = Math.max(read, ids.length);
    return ids.flatMap((id) => stored.get(id) ?? []);
  };
  const index = {
    has: (id: string) => inMemory.has(id),
    setKey: ({ execution }: { readonly execution: string }) => void inMemory.add(execution),
  };
  const open = () =>
    openPagedOut({
      ports: { storage: { ...disk.storage, keys }, log: (line) => void lines.push(line) },
      index: index as never, // these are all members that the code reads
      noteResident: () => {},
    });
  const all = [...stored.values()];
  for (let from = 0; from < all.length; from += RESIDENT_ROW_EXECUTIONS)
    open().add(all.slice(from, from + RESIDENT_ROW_EXECUTIONS));
  let far = open();
  /** Loads and runs everything that is due at this instant, as an alarm does. */
  const pass = (now: number): void => {
    while (far.loadDue(now)) goDue(now);
    goDue(now);
  };
  const goDue = (now: number): void => {
    for (const id of inMemory) {
      const key = stored.get(id);
      if (!key || key.wakeAt > now) continue;
      inMemory.delete(id);
      stored.delete(id);
    }
  };
  return {
    inMemory,
    stored,
    lines,
    pass,
    mostRead: () => read,
    next: () => far.nextLoadAt(),
    restart: () => (far = open()),
    takeIn: (now: number) => far.loadDue(now),
  };
}

const MANY = (REST_ROWS_LOADED + 2) * RESIDENT_ROW_EXECUTIONS;
const over = (ms: number) => Array.from({ length: MANY }, (_, n) => SLOT + Math.floor((n * ms) / MANY));

test("few executions of a quarter of an hour are loaded together", () => {
  const far = opened([SLOT, SLOT + minute, SLOT + 14 * minute]);
  expect(far.next()).toBe(SLOT - REST_LOAD_AHEAD_MS);
  far.pass(SLOT - REST_LOAD_AHEAD_MS);
  expect([far.inMemory.size, far.next()]).toEqual([3, null]);
});

describe("very many executions of a quarter of an hour", () => {
  test("are loaded minute by minute, none late, and all of them", () => {
    const far = opened(over(REST_SLOT_MS));
    let most = 0;
    for (let now = SLOT - REST_LOAD_AHEAD_MS; now < SLOT + REST_SLOT_MS + second; now += second) {
      far.pass(now);
      most = Math.max(most, far.inMemory.size);
      for (const [id, { wakeAt }] of far.stored) if (wakeAt <= now + second) expect(far.inMemory).toContain(id);
    }
    expect(far.stored.size).toBe(0);
    expect(most).toBeLessThanOrEqual((3 * MANY) / 15);
    expect(far.mostRead()).toBeLessThanOrEqual(REST_ROWS_LOADED * RESIDENT_ROW_EXECUTIONS);
  });

  test("are loaded after a restart in between", () => {
    const far = opened(over(REST_SLOT_MS));
    for (let now = SLOT - REST_LOAD_AHEAD_MS; now < SLOT + REST_SLOT_MS + second; now += 10 * second) {
      far.restart();
      far.takeIn(now);
      far.restart();
      far.pass(now);
    }
    far.pass(SLOT + REST_SLOT_MS);
    expect(far.stored.size).toBe(0);
  });
});

test("a second with too many executions is loaded after its end, in parts", () => {
  const instant = SLOT + 5 * minute + 30_500;
  const far = opened(Array.from({ length: MANY }, () => instant));
  let most = 0;
  for (let now = SLOT - REST_LOAD_AHEAD_MS; now <= instant + second; now += 500) {
    for (let more = true; more;) {
      more = far.takeIn(now);
      most = Math.max(most, far.inMemory.size);
      if (far.inMemory.size > 0 && now >= instant) far.inMemory.clear();
    }
  }
  expect(most).toBeLessThanOrEqual(REST_ROWS_LOADED * RESIDENT_ROW_EXECUTIONS);
  expect(far.next()).toBe(null);
});

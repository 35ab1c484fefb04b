// A hundred thousand executions, by the object's clock only: the requested rate, to the second, and the cost of keeping
// it.
import { expect, test } from "vitest";
import { openStore } from "#objects/host/store.ts";
import { OperationController } from "#objects/operation/controller.ts";
import { operationStorage } from "#objects/operation/storage.ts";
import { COMMANDED_ROW_EXECUTIONS } from "#schema/limits/upkeep/bulk-operations.ts";
import type { MatchedExecution } from "#schema/engine/execution-command.ts";
import type { OperationRequest, OperationWorkPort } from "#schema/operation.ts";
import { second, T0 } from "#test/support/drive.ts";
import { sqliteStorage } from "../kit/sqlite-storage.ts";

const COUNT = 100_000;
const PER_SECOND = 500;
const PATIENCE_MS = 120_000;

const terms: OperationRequest = {
  id: "op_1",
  tenant: "acme",
  verb: "steer",
  filter: {},
  perSecond: PER_SECOND,
  reason: null,
  fingerprint: "f",
  actor: { kind: "key", id: "key_1" },
  createdAt: T0,
  matched: COUNT,
  steer: { verb: "event", type: "go", payload: null, source: null },
};

test(
  "a hundred thousand are asked once each, five hundred in any second, and it takes two hundred seconds",
  async () => {
    let [now, alarmAt] = [T0, T0];
    const closed: number[] = [];
    const { storage } = sqliteStorage();
    const seen = new Set<string>();
    const slices: { at: number; size: number }[] = [];
    const none = (): never => {
      throw new Error("this operation is over executions");
    };
    const work: OperationWorkPort = {
      list: none,
      act: none,
      enroll: none,
      checkHealth: none,
      find: async (_terms, cursor) => {
        const from = Number(cursor ?? 0);
        const found = Array.from({ length: COMMANDED_ROW_EXECUTIONS }, (_, n): MatchedExecution => [
          `exe_${from + n}`,
          T0,
        ]);
        return {
          found,
          cursor: from + COMMANDED_ROW_EXECUTIONS < COUNT ? String(from + COMMANDED_ROW_EXECUTIONS) : null,
        };
      },
      control: async (_terms, lines) => {
        slices.push({ at: now, size: lines.length });
        for (const { line } of lines) seen.add((line as [string, number])[0]); // as the search returned it
        return lines.map(({ id }) => ({ id, kind: "released" }) as const);
      },
      close: async () => void closed.push(now),
    };
    const controller = new OperationController({
      platform: { now: () => now, setAlarm: (at) => void (alarmAt = at), log: () => {}, within: (call) => call },
      storage: operationStorage(openStore(storage)),
      work: () => work,
    });
    await controller.open(terms);
    while (closed.length === 0) {
      now = Math.max(now, alarmAt);
      await controller.wake();
    }
    expect([seen.size, slices.reduce((sum, { size }) => sum + size, 0)]).toEqual([COUNT, COUNT]);
    expect(await controller.read()).toMatchObject({ status: "done", counts: { released: COUNT }, remaining: 0 });
    const seconds = ((closed[0] ?? 0) - T0) / second;
    expect(seconds).toBeGreaterThanOrEqual(COUNT / PER_SECOND - 1);
    expect(seconds).toBeLessThanOrEqual(COUNT / PER_SECOND + 1);
    for (let first = 0, last = 0, sum = 0; last < slices.length; last++) {
      sum += slices[last]?.size ?? 0;
      while ((slices[first]?.at ?? 0) <= (slices[last]?.at ?? 0) - second) sum -= slices[first++]?.size ?? 0;
      expect(sum).toBeLessThanOrEqual(PER_SECOND);
    }
  },
  PATIENCE_MS,
);

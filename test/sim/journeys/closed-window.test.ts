// Many executions before a closed window, in real cells over the simulator's clock: when each is sent, and the cost of
// waiting.
import { expect, it } from "vitest";
import type { StartItem } from "#schema/engine/cell.ts";
import type { ActionMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { chanceOf } from "../kit/chance.ts";
import { openFaults } from "../faults.ts";
import { openHost, type Host } from "../host.ts";
import { openTimeline } from "../kit/timeline.ts";
import type { Life } from "../kit/evictable.ts";
import { act, journey } from "./nodes.ts";
import { HEADS_IN_MEMORY } from "#schema/limits/large-cells.ts";

const CELLS = 10;
const IN_EACH = 1_000;
const AT_ONCE = 100;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const evening = Date.UTC(2026, 10, 18, 21);
const morning = evening + 12 * 60 * MINUTE;
const outside: Life = { alive: true };

const definition = journey("invitation", {
  placement: "pooled",
  retention: "P30D",
  nodes: { mail: act("mail", undefined, { window: { from: "09:00", to: "20:00", spread: "PT15M" } }) },
});
const stored = JSON.stringify(definition);

function start(execution: string): StartItem {
  const by = { fingerprint: "f", actor: { kind: "engine", id: "test" } } as const;
  const of = { tenant: "acme", namespace: "default", definition: { id: "def_crowd", name: "invitation", version: 1 } };
  const command = {
    kind: "start",
    inputId: "start",
    execution,
    variables: {},
    correlationId: null,
    ...of,
    ...by,
  } as const;
  return { command: { ...command, placement: "pooled" }, definition: stored };
}

it("22 10,000 held till 09:00", { timeout: 120_000 }, async () => {
  const timeline = openTimeline(evening, 0);
  const sentAt = new Map<string, number>();
  const written = new Map<string, number>();
  const provide = async ({ execution }: Ticket): Promise<Outcome> => {
    const now = timeline.now();
    sentAt.set(execution, now);
    return { ok: true, result: null, events: [], startedAt: now, endedAt: now };
  };
  const cells = Array.from({ length: CELLS }, (_, cell): Host => {
    const sendActions = (messages: readonly ActionMessage[]): void => {
      for (const message of messages) timeline.at(timeline.now(), () => void carryOut(message));
    };
    const carryOut = async ({ execution, run, attempt }: ActionMessage): Promise<void> => {
      const [ticket] = await host.call(outside, (calls) => calls.claimMany([{ execution, run, attempt }]));
      if (!ticket?.ok) return;
      const outcome = await provide(ticket.value);
      await host.call(outside, (calls) => calls.settleMany([{ execution, run, attempt, outcome }]));
    };
    const host = openHost(`acme/pool/${cell}`, {
      timeline,
      faults: openFaults(chanceOf("none"), timeline, false),
      sendActions,
      provide,
      chance: { ...chanceOf("none"), between: (low) => Math.min(low, 0) },
      sendOutboxes: () => {},
      headsInMemory: HEADS_IN_MEMORY,
      sendProjection: () => {},
      answered: () => {},
      inspect: () => {},
      tamper: (ports) => ports,
      committed: (_host, executions) => {
        for (const each of executions) written.set(each, (written.get(each) ?? 0) + 1);
      },
    });
    return host;
  });
  for (const [cell, host] of cells.entries()) {
    for (let first = 0; first < IN_EACH; first += AT_ONCE) {
      const items = Array.from({ length: AT_ONCE }, (_, n) => start(`exe_${cell}x${first + n}_p${cell}`));
      timeline.at(evening + first, () => void host.call(outside, (calls) => calls.start(items)));
    }
  }
  await timeline.run(morning - 1, () => {});
  expect([sentAt.size, written.size]).toEqual([0, CELLS * IN_EACH]);
  // No execution was woken in the night: each was written once, at its start.
  expect(Math.max(...written.values())).toBe(1);
  await timeline.run(morning + DAY, () => {});
  expect(sentAt.size).toBe(CELLS * IN_EACH);
  // None is sent before 09:00 or after 09:15, and they are spread evenly over the minutes.
  const perMinute = Array.from({ length: 15 }, () => 0);
  for (const at of sentAt.values()) {
    const minute = Math.floor((at - morning) / MINUTE);
    perMinute[minute] = Number(perMinute[minute]) + 1;
  }
  expect(perMinute).toHaveLength(15);
  expect(Math.min(...perMinute)).toBeGreaterThan((CELLS * IN_EACH) / 15 - 130);
  expect(Math.max(...perMinute)).toBeLessThan((CELLS * IN_EACH) / 15 + 130);
  // Its start, its dispatch, and its outcome.
  expect(Math.max(...written.values())).toBe(3);
});

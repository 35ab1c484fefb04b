// When the catalog is told: at once of an execution alone in its cell, together of those in a pool, and again of what
// an earlier life of the object may not have told.
import type { Alarm } from "./alarm.ts";
import type { Heads } from "./heads.ts";
import type { Ports } from "./ports.ts";
import { auditRows } from "./rows.ts";
import type { Telling } from "./pending-projections.ts";

/** Several short executions share one message to the catalog. */
const TELL_AFTER_MS = 200;

export type Teller = {
  /** What an earlier life may not have told goes first: confirming this turn confirms all that came before it. */
  readonly recall: () => void;
  readonly tell: () => Promise<void>;
  readonly soon: () => void;
  readonly again: (executions: readonly string[]) => Promise<void>;
};

type Around = {
  readonly ports: Ports;
  readonly heads: Heads;
  readonly telling: Telling;
  readonly alarm: Alarm;
  readonly isFlying: () => boolean;
};

export function openTeller({ ports, heads, telling, alarm, isFlying }: Around): Teller {
  let isSoon = false;

  const tellAll = (executions: readonly string[]): void => {
    for (const execution of executions) {
      const head = heads.read(execution);
      if (head) telling.tellAll(head.state, auditRows(head.state, heads.recent(head)));
    }
  };

  const recall = (): void => tellAll(heads.untold(ports.now()));

  const tell = async (): Promise<void> => {
    recall();
    const through = heads.turn();
    const all = await telling.flush();
    if (!all) return;
    heads.confirm(through);
    if (!isFlying() && heads.size() === 1) alarm.settle();
  };

  const go = (): void => {
    isSoon = false;
    tell().catch((fault: unknown) => ports.log({ level: "error", event: "telling_failed", message: String(fault) }));
  };

  return {
    recall,
    tell,
    soon: () => {
      if (isSoon) return;
      isSoon = true;
      if (heads.size() === 1) go();
      else ports.later(TELL_AFTER_MS, go);
    },
    again: async (executions) => {
      tellAll(executions);
      await tell();
    },
  };
}

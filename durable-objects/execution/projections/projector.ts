// Projector: decides when projections are sent. At once for a standalone action in its own cell, together for those of
// a pool, and again for what an earlier instance of the object may not have sent.
import { PROJECT_AFTER_MS } from "#schema/limits/projection-delays.ts";
import type { Alarm } from "../alarm.ts";
import type { Heads } from "../heads/heads.ts";
import type { Ports } from "../ports.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Head } from "../storage.ts";
import { auditRows } from "./catalog-rows.ts";
import type { PendingProjections } from "./pending-projections.ts";

export type Projector = {
  /**
   * Adds what an earlier instance may not have sent, first: this turn counts as projected together with all before it.
   */
  readonly addUnprojected: () => void;
  readonly project: () => Promise<void>;
  readonly projectSoon: () => void;
  /** In full, whatever was sent before. Returns those that were not projected. */
  readonly projectAgain: (executions: readonly string[]) => Promise<readonly string[]>;
};

type Around = {
  readonly ports: Ports;
  readonly heads: Heads;
  readonly pending: PendingProjections;
  readonly alarm: Alarm;
  readonly isFlying: () => boolean;
};

export function openProjector({ ports, heads, pending, alarm, isFlying }: Around): Projector {
  let isSoon = false;

  const addWhole = (execution: string): void => {
    const head = heads.read(execution);
    if (head) pending.addWhole(head.state, auditRows(head.state, recent(head)));
  };

  const addAll = (execution: string): void => {
    addWhole(execution);
    heads.quarantine.tellAgain(execution);
  };

  /** Recent operator actions; an unreadable page does not block the rest. */
  const recent = (head: Head): readonly JournalEntry[] => {
    try {
      return heads.recent(head);
    } catch (fault) {
      ports.log({ level: "error", event: "page_unreadable", execution: head.state.id, message: String(fault) });
      return head.tail;
    }
  };

  const addUnprojected = (): void => heads.unprojected(ports.now()).forEach(addWhole);

  const succeeds = (add: () => void): boolean => {
    try {
      add();
      return true;
    } catch (fault) {
      ports.log({ level: "error", event: "projecting_failed", message: String(fault) });
      return false;
    }
  };

  const project = async (): Promise<void> => {
    addUnprojected();
    const through = heads.turns.last();
    if (!(await pending.send())) return;
    heads.turns.markProjected(through);
    if (!isFlying() && heads.isAlone()) alarm.armExactly();
  };

  const go = (): void => {
    isSoon = false;
    project().catch((fault: unknown) =>
      ports.log({ level: "error", event: "projecting_failed", message: String(fault) }),
    );
  };

  return {
    addUnprojected,
    project,
    projectSoon: () => {
      if (isSoon) return;
      isSoon = true;
      if (heads.isAlone()) go();
      else ports.later(PROJECT_AFTER_MS, go);
    },
    projectAgain: async (executions) => {
      // An unreadable execution does not block the others.
      const unread = new Set(executions.filter((execution) => !succeeds(() => addAll(execution))));
      if (!succeeds(addUnprojected)) await pending.send();
      else await project();
      return executions.filter((execution) => unread.has(execution) || pending.holds(execution));
    },
  };
}

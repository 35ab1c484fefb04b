// Projections that have still to be sent. Kept in memory: after a restart every head of a turn that is not known to be
// projected is projected again, and doing it twice changes nothing.
import { PROJECTION_MESSAGE_BYTES_MAX } from "#schema/limits/queues.ts";
import { isUnresolved } from "#kernel/execution/redrive.ts";
import type { AuditRow, ExecutionRow, ProjectionMessage, RunRow } from "#schema/engine/projection.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Draft } from "./drafts.ts";
import type { Ports } from "./ports.ts";
import { auditRows, executionRow, runRow } from "./rows.ts";

type Rows = { execution: ExecutionRow; runs: RunRow[] };

export type PendingProjections = {
  /** A state whose time has come. Later states of the same execution replace earlier ones. */
  readonly add: (state: ExecutionState, audit: readonly AuditRow[]) => void;
  /** The same for one the catalog has lost: nothing that was sent before is taken for known. */
  readonly addWhole: (state: ExecutionState, audit: readonly AuditRow[]) => void;
  readonly areLeft: () => boolean;
  /** Sends them all. False: some are left, and the alarm must come back to them. */
  readonly send: () => Promise<boolean>;
};

export function openPendingProjections(ports: Ports): PendingProjections {
  let pending = new Map<string, ExecutionState>();
  let audit: AuditRow[] = [];
  /** Executions whose rows are sent in full. */
  let whole = new Set<string>();
  let sending = false;
  /** Finished runs as the catalog has them, by execution: only what a person does with a dead letter changes them. */
  const known = new Map<string, ReadonlyMap<string, string>>();

  const rowsOf = (state: ExecutionState, isWhole: boolean): Rows => {
    const has = isWhole ? undefined : known.get(state.id);
    const runs = state.runs.filter((run) => has?.get(run.id) !== markOf(run)).map((run) => runRow(state, run));
    return { execution: executionRow(state, ports.now()), runs };
  };

  const noteKnown = (state: ExecutionState): void => {
    if (state.finishedAt !== null && !isUnresolved(state)) known.delete(state.id);
    else known.set(state.id, new Map(state.runs.filter(isOver).map((run) => [run.id, markOf(run)])));
  };

  const send = async (): Promise<boolean> => {
    // Whoever is at it already takes along what has come meanwhile.
    if (sending) return false;
    sending = true;
    try {
      while (pending.size > 0 || audit.length > 0) await sendAll();
    } catch (fault) {
      ports.log({ level: "warn", event: "projection_not_sent", executions: pending.size, message: String(fault) });
    } finally {
      sending = false;
    }
    return pending.size === 0 && audit.length === 0;
  };

  const sendAll = async (): Promise<void> => {
    const states = [...pending.values()];
    const audits = audit;
    const wholes = whole;
    pending = new Map();
    audit = [];
    whole = new Set();
    try {
      const rows = states.map((state) => rowsOf(state, wholes.has(state.id)));
      for (const message of messagesOf(rows, audits)) await ports.sendProjection(message);
      states.forEach(noteKnown);
    } catch (fault) {
      // What has changed again meanwhile is newer than what we hold.
      pending = new Map([...states.map((state) => [state.id, state] as const), ...pending]);
      audit = [...audits, ...audit];
      whole = new Set([...wholes, ...whole]);
      throw fault;
    }
  };

  const add = (state: ExecutionState, rows: readonly AuditRow[]): void => {
    pending.set(state.id, state);
    audit.push(...rows);
  };

  return {
    add,
    addWhole: (state, rows) => {
      whole.add(state.id);
      add(state, rows);
    },
    areLeft: () => sending || pending.size > 0 || audit.length > 0,
    send,
  };
}

/** What a commit leaves for the catalog, and whether it is time to send it. */
export function projectionOf({ state, entries, effects }: Draft) {
  const audit = auditRows(state, entries);
  // What a person did goes into the audit table at once: no later projection would remember it.
  return { state, audit, isDue: audit.length > 0 || effects.some(({ kind }) => kind === "project") };
}

function isOver({ status }: Run): boolean {
  return isFinalRun(status);
}

/** Another one after everything that happens to a finished run. */
function markOf({ finishedAt, deadLetter, redriven }: Run): string {
  return `${finishedAt}/${deadLetter}/${redriven?.times ?? 0}`;
}

/** As few messages as hold it all: many short executions share one, a long one may need several. */
function messagesOf(all: readonly Rows[], audit: readonly AuditRow[]): readonly ProjectionMessage[] {
  const messages: ProjectionMessage[] = [];
  let open: { executions: ExecutionRow[]; runs: RunRow[] } = { executions: [], runs: [] };
  let bytes = 0;
  const close = (): void => {
    if (open.executions.length + open.runs.length > 0) messages.push({ v: 1, ...open, audit: [] });
    open = { executions: [], runs: [] };
    bytes = 0;
  };
  for (const { execution, runs } of all) {
    bytes += JSON.stringify(execution).length;
    open.executions.push(execution);
    for (const run of runs) {
      bytes += JSON.stringify(run).length;
      open.runs.push(run);
      if (bytes > PROJECTION_MESSAGE_BYTES_MAX) close();
    }
    if (bytes > PROJECTION_MESSAGE_BYTES_MAX) close();
  }
  close();
  if (audit.length === 0) return messages;
  const last: ProjectionMessage = messages.pop() ?? { v: 1, executions: [], runs: [], audit: [] };
  return [...messages, { ...last, audit: [...audit] }];
}

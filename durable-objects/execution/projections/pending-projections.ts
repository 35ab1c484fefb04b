// Pending projections: those that are not sent yet. In memory only: after a restart, every head of a turn that may be
// unprojected is projected again, which is idempotent.
import {
  PROJECTIONS_HALVED_AFTER_FAILURES,
  PROJECTION_MESSAGE_BYTES_MAX,
} from "#schema/limits/queues/message-sizes.ts";
import type { AuditRow, QuarantineRow } from "#schema/engine/projection.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Draft } from "../drafts.ts";
import type { Ports } from "../ports.ts";
import { messageOf, openDropping, type ProjectionRow } from "./projection-rows.ts";
import { auditRows, executionRow, runRow } from "./catalog-rows.ts";
import { sendMeasured } from "../queue-sends.ts";
import { openProjectedRuns } from "./projected-runs.ts";

export type PendingProjections = {
  /** A state that must be projected. Later states of the same execution replace earlier ones. */
  readonly add: (state: ExecutionState, audit: readonly AuditRow[]) => void;
  /** The same for one that the catalog has lost: nothing sent before counts as known. */
  readonly addWhole: (state: ExecutionState, audit: readonly AuditRow[]) => void;
  /** Quarantined or released: the latest row counts. */
  readonly addQuarantine: (row: QuarantineRow) => void;
  readonly areLeft: () => boolean;
  /** Projections of this execution are still unsent. */
  readonly holds: (execution: string) => boolean;
  /** Sends them all. False: some are left, and the alarm must retry. */
  readonly send: () => Promise<boolean>;
};

type Held = {
  pending: Map<string, ExecutionState>;
  audit: AuditRow[];
  whole: Set<string>;
  quarantined: Map<string, QuarantineRow>;
};

export function openPendingProjections(ports: Ports): PendingProjections {
  /** `whole`: executions whose rows are sent in full. */
  let held: Held = nothing();
  let underWay: Promise<boolean> | null = null;
  /** Failures since the last complete success. */
  let failures = 0;
  const told = openProjectedRuns();
  const drop = openDropping(ports, (notice) => held.audit.push(notice));

  /** False: unsent ones are pending again. */
  const sendHeld = async (): Promise<boolean> => {
    const { pending, audit, whole, quarantined } = held;
    held = nothing();
    const states = [...pending.values()].flatMap((state) =>
      rowsIn(ports, state, () => (whole.has(state.id) ? state.runs : told.untold(state))),
    );
    const audits = audit.map((row) => ({ kind: "audit" as const, row }));
    const aparts = [...quarantined.values()].map((row) => ({ kind: "quarantine" as const, row }));
    const sent = await sendMeasured<ProjectionRow>({
      items: [...states.flatMap(({ rows }) => rows), ...audits, ...aparts],
      bytesMax: PROJECTION_MESSAGE_BYTES_MAX,
      countMax: Infinity,
      halves: failures >= PROJECTIONS_HALVED_AFTER_FAILURES,
      send: (rows) => ports.sendProjection(messageOf(rows)),
    });
    const left = new Set([...sent.left, ...drop(sent)]);
    const behind = states.filter(({ rows }) => rows.some((row) => left.has(row))).map(({ state }) => state);
    for (const { state, rows } of states) if (!rows.some((row) => left.has(row))) told.note(state);
    // An execution that changed meanwhile has a newer state than this one.
    held.pending = new Map([...behind.map((state) => [state.id, state] as const), ...held.pending]);
    held.audit = [...audits.filter((each) => left.has(each)).map(({ row }) => row), ...held.audit];
    const unsaid = aparts.filter((each) => left.has(each)).map(({ row }) => [row.id, row] as const);
    held.quarantined = new Map([...unsaid, ...held.quarantined]);
    for (const { id } of behind) if (whole.has(id)) held.whole.add(id);
    failures = left.size > 0 ? failures + 1 : 0;
    if (left.size === 0) return true;
    const message = String(sent.fault);
    ports.log({ level: "warn", event: "projection_not_sent", executions: behind.length, message });
    return false;
  };

  const sendAll = async (): Promise<boolean> => {
    // `underWay` is set before anything can have ended.
    await Promise.resolve();
    try {
      while (isAny(held)) if (!(await sendHeld())) return false;
      return true;
    } finally {
      underWay = null;
    }
  };

  const add = (state: ExecutionState, rows: readonly AuditRow[]): void => {
    held.pending.set(state.id, state);
    held.audit.push(...rows);
  };

  return {
    add,
    addWhole: (state, rows) => {
      held.whole.add(state.id);
      add(state, rows);
    },
    addQuarantine: (row) => void held.quarantined.set(row.id, row),
    holds: (execution) => isHeld(held, execution),
    areLeft: () => underWay !== null || isAny(held),
    // A send in progress also sends what was added meanwhile.
    send: () => (underWay ??= sendAll()),
  };
}

function isAny({ pending, audit, quarantined }: Held): boolean {
  return pending.size > 0 || audit.length > 0 || quarantined.size > 0;
}

function isHeld({ pending, audit, quarantined }: Held, execution: string): boolean {
  return pending.has(execution) || quarantined.has(execution) || audit.some(({ target }) => target === execution);
}

function nothing(): Held {
  return { pending: new Map(), audit: [], whole: new Set(), quarantined: new Map() };
}

/** No rows if the state cannot be projected: our bug, which must not block the others. */
function rowsIn(ports: Pick<Ports, "now" | "log">, state: ExecutionState, runs: () => readonly Run[]) {
  try {
    const rows: readonly ProjectionRow[] = [
      { kind: "execution", row: executionRow(state, ports.now()) },
      ...runs().map((run) => ({ kind: "run" as const, row: runRow(state, run) })),
    ];
    return [{ state, rows }];
  } catch (fault) {
    const what = { queue: "projections", dropped: 1, row: "execution", what: state.id };
    ports.log({ level: "error", event: "message_dropped", ...what, message: String(fault) });
    return [];
  }
}

/** What a commit adds to the projections, and whether they are due. */
export function projectionOf({ state, entries, effects }: Draft) {
  const audit = auditRows(state, entries);
  // Operators' changes are sent to the audit table at once: no later projection would contain them.
  return { state, audit, isDue: audit.length > 0 || effects.some(({ kind }) => kind === "project") };
}

// Pending projections: the rows that the catalog does not have yet. The rows are in memory only. After a restart,
// everything that may be unprojected is projected again, which is idempotent.
import {
  PROJECTION_MESSAGE_BYTES_MAX,
  PROJECTIONS_HALVED_AFTER_FAILURES,
} from "#schema/limits/queues/message-sizes.ts";
import type { AuditRow, QuarantineRow } from "#schema/engine/projection.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Draft } from "../drafts.ts";
import type { Ports } from "../ports.ts";
import { messageOf, openRowDropper, type ProjectionRow } from "./projection-rows.ts";
import { auditRows, executionRow, runRow } from "./catalog-rows.ts";
import { sendMeasured } from "../queue-sends.ts";
import { programFields, tagsOf } from "./program-fields.ts";
import { openProjectedRuns } from "./projected-runs.ts";

export type PendingProjections = {
  /** Adds a state to project. It replaces an earlier state of the same execution. */
  readonly add: (state: ExecutionState, audit: readonly AuditRow[]) => void;
  /** Adds a state whose runs are all projected, because the catalog has lost rows of the execution. */
  readonly addInFull: (state: ExecutionState, audit: readonly AuditRow[]) => void;
  /** Adds the status of an execution that was quarantined or released. It replaces an earlier one. */
  readonly addQuarantine: (row: QuarantineRow) => void;
  readonly hasUnsent: () => boolean;
  /** True if projections of this execution are unsent. */
  readonly isUnsent: (execution: string) => boolean;
  /** Sends all pending projections. Resolves with false if some could not be sent. The alarm must retry these. */
  readonly send: () => Promise<boolean>;
};

type Unsent = {
  states: Map<string, ExecutionState>;
  audit: AuditRow[];
  /** Executions whose runs are all projected, even if the catalog already has them. */
  inFull: Set<string>;
  quarantined: Map<string, QuarantineRow>;
};

export function openPendingProjections(ports: Ports): PendingProjections {
  let unsent: Unsent = nothingUnsent();
  let currentSend: Promise<boolean> | null = null;
  /** The number of failed sends since the last send that succeeded completely. */
  let failures = 0;
  const projectedRuns = openProjectedRuns();
  const dropUnsendable = openRowDropper(ports, (row) => unsent.audit.push(row));

  /** Sends everything that is unsent. Resolves with false if rows could not be sent; these rows are unsent again. */
  const sendOnce = async (): Promise<boolean> => {
    const { states, audit, inFull, quarantined } = unsent;
    unsent = nothingUnsent();
    const projections = [...states.values()].flatMap((state) =>
      projectionRows(ports, state, () => (inFull.has(state.id) ? state.runs : projectedRuns.unprojected(state))),
    );
    const auditItems = audit.map((row) => ({ kind: "audit" as const, row }));
    const quarantineItems = [...quarantined.values()].map((row) => ({ kind: "quarantine" as const, row }));
    const sent = await sendMeasured<ProjectionRow>({
      items: [...projections.flatMap(({ rows }) => rows), ...auditItems, ...quarantineItems],
      bytesMax: PROJECTION_MESSAGE_BYTES_MAX,
      countMax: Infinity,
      halves: failures >= PROJECTIONS_HALVED_AFTER_FAILURES,
      send: (rows) => ports.sendProjection(messageOf(rows)),
    });
    const left = new Set([...sent.left, ...dropUnsendable(sent)]);
    const isComplete = (rows: readonly ProjectionRow[]): boolean => !rows.some((row) => left.has(row));
    for (const { state, rows } of projections) if (isComplete(rows)) projectedRuns.noteProjected(state);
    const incomplete = projections.filter(({ rows }) => !isComplete(rows)).map(({ state }) => state);
    // States that were added during the send are newer, so they replace the unsent states.
    unsent.states = new Map([...incomplete.map((state) => [state.id, state] as const), ...unsent.states]);
    unsent.audit = [...auditItems.filter((item) => left.has(item)).map(({ row }) => row), ...unsent.audit];
    const quarantinedLeft = quarantineItems.filter((item) => left.has(item)).map(({ row }) => [row.id, row] as const);
    unsent.quarantined = new Map([...quarantinedLeft, ...unsent.quarantined]);
    for (const { id } of incomplete) if (inFull.has(id)) unsent.inFull.add(id);
    failures = left.size > 0 ? failures + 1 : 0;
    if (left.size === 0) return true;
    const message = String(sent.fault);
    ports.log({ level: "warn", event: "projection_not_sent", executions: incomplete.length, message });
    return false;
  };

  const sendAll = async (): Promise<boolean> => {
    // Awaits once, so that `currentSend` is set before the `finally` below clears it.
    await Promise.resolve();
    try {
      while (hasAny(unsent)) if (!(await sendOnce())) return false;
      return true;
    } finally {
      currentSend = null;
    }
  };

  const add = (state: ExecutionState, audit: readonly AuditRow[]): void => {
    unsent.states.set(state.id, state);
    unsent.audit.push(...audit);
  };

  return {
    add,
    addInFull: (state, audit) => {
      unsent.inFull.add(state.id);
      add(state, audit);
    },
    addQuarantine: (row) => void unsent.quarantined.set(row.id, row),
    isUnsent: (execution) => hasAnyOf(unsent, execution),
    hasUnsent: () => currentSend !== null || hasAny(unsent),
    // A send in progress also sends everything that is added before it ends.
    send: () => (currentSend ??= sendAll()),
  };
}

function hasAny({ states, audit, quarantined }: Unsent): boolean {
  return states.size > 0 || audit.length > 0 || quarantined.size > 0;
}

function hasAnyOf({ states, audit, quarantined }: Unsent, execution: string): boolean {
  return states.has(execution) || quarantined.has(execution) || audit.some(({ target }) => target === execution);
}

function nothingUnsent(): Unsent {
  return { states: new Map(), audit: [], inFull: new Set(), quarantined: new Map() };
}

/** Returns an empty list if the state cannot be converted to rows. That is a bug, which must not block other states. */
function projectionRows(
  ports: Pick<Ports, "now" | "log" | "storage">,
  state: ExecutionState,
  runs: () => readonly Run[],
) {
  try {
    const rows: readonly ProjectionRow[] = [
      {
        kind: "execution",
        row: { ...executionRow(state, ports.now()), ...programFields(state, ports.storage, ports.now()) },
      },
      ...runs().map((run) => ({
        kind: "run" as const,
        row: { ...runRow(state, run), ...tagsOf(state, run, ports.storage) },
      })),
    ];
    return [{ state, rows }];
  } catch (fault) {
    const dropped = { queue: "projections", dropped: 1, row: "execution", what: state.id };
    ports.log({ level: "error", event: "message_dropped", ...dropped, message: String(fault) });
    return [];
  }
}

/** Returns what a commit adds to the projections, and whether it must be sent now. */
export function projectionOf({ state, entries, effects }: Draft) {
  const audit = auditRows(state, entries);
  // An audit row must be sent now, because the execution's next projection would not contain it.
  return { state, audit, isDue: audit.length > 0 || effects.some(({ kind }) => kind === "project") };
}

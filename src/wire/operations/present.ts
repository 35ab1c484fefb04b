// Bulk operations as API objects, and filters of dead letters as internal filters.
import type { DeadLetterFilters } from "#schema/dead-letter-filter.ts";
import type {
  OperationFilter,
  OperationStatus,
  OperationTotals,
  OperationFault,
  OperationVerb,
  ShownVerb,
} from "#schema/operation.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ExecutionCommand, StopCondition, AutomaticStop } from "#schema/engine/execution-command.ts";
import type { ApiOperation, ApiOperationPreview, ArchiveAllBody } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Shown = {
  readonly id: string;
  readonly verb: OperationVerb;
  readonly status: OperationStatus;
  readonly filter: OperationFilter;
  readonly asked: {
    readonly steer: ExecutionCommand;
    readonly stopAt?: StopCondition;
    readonly ifState?: string;
  } | null;
  readonly stopped: AutomaticStop | null;
  readonly perSecond: number;
  readonly reason: string | null;
  readonly actor: string;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly estimatedEndAt: number | null;
  readonly counts: OperationTotals;
  readonly trouble: OperationFault | null;
};
type Preview = {
  readonly matching: number;
  readonly estimatedSeconds: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly byErrorType: { readonly [type: string]: number };
  readonly skipped: { readonly [reason: string]: number };
  readonly sample:
    | (Omit<Sample, "items" | "outcomes" | "reasons" | "repeatSafe"> & {
        readonly outcomes: { readonly [outcome: string]: number };
        readonly reasons: { readonly [reason: string]: number };
        readonly repeatSafe: Readonly<Sample["repeatSafe"]>;
        readonly items: readonly Readonly<Sample["items"][number]>[];
      })
    | null;
};
type Sample = NonNullable<ApiOperationPreview["sample"]>;

export function presentOperation({ counts, trouble, filter, verb, asked, stopped, ...shown }: Shown): ApiOperation {
  const { matched, released, skipped, gone, refused, remaining } = counts;
  const { stopAt, ifState = null } = asked ?? {};
  return {
    ...shown,
    ...subjectOf(verb, asked?.steer ?? null),
    ifState,
    stopAt: stopAt ? presentStopAt(stopAt) : null,
    stopped: stopped && { ...stopped, why: stopped.why === "away" ? "provider_outage" : stopped.why },
    filter: wireFilter(filter),
    createdAt: toInstant(shown.createdAt),
    finishedAt: toInstant(shown.finishedAt),
    estimatedEndAt: toInstant(shown.estimatedEndAt),
    progress: { matched, released, skipped: { ...skipped }, gone, refused: { ...refused }, remaining },
    trouble: trouble && presentFault(trouble),
  };
}

/** The engine repeats the items that it could not reach, so this error is always retryable. */
function presentFault({ since, error, tries }: OperationFault): NonNullable<ApiOperation["trouble"]> {
  return { since: toInstant(since), error: { message: error, retryable: true }, tries };
}

function presentStopAt({ failedShare, after, states }: StopCondition): NonNullable<ApiOperation["stopAt"]> {
  return { failedShare, after, ...(states === undefined ? {} : { states: [...states] }) };
}

type About = Pick<ApiOperation, "of" | "asks"> & { readonly verb: ShownVerb };

function subjectOf(verb: OperationVerb, steer: ExecutionCommand | null): About {
  if (verb === "steer" && steer !== null) return { of: "executions", verb: steer.verb, asks: asksOf(steer) };
  // The verb of an operation over executions is internal, so the API shows the verb of its command instead.
  const shown = verb === "steer" ? "event" : verb;
  return { of: verb === "enroll" ? "subjects" : "deadLetters", verb: shown, asks: null };
}

/**
 * Returns the fields of an operation's command as the client requested them. Returns null if the command has no fields.
 */
function asksOf({ verb: _verb, ...given }: ExecutionCommand): ApiOperation["asks"] {
  const { type, payload, source, at, ...rest } = given as Partial<Given> & JsonObject; // The commands have different fields, so each field may be absent here.
  const event = type === undefined ? {} : { event: { type, payload: payload ?? null, source: source ?? null } };
  const asks = { ...rest, ...event, ...(at === undefined ? {} : { at: toInstant(at) }) };
  return Object.keys(asks).length === 0 ? null : asks;
}

type Given = Extract<ExecutionCommand, { verb: "event" }> &
  Pick<Extract<ExecutionCommand, { verb: "reschedule" }>, "at">;

export function presentPreview(preview: Preview): ApiOperationPreview {
  const { matching, estimatedSeconds, oldest, newest, byErrorType, skipped, sample } = preview;
  return {
    dryRun: true,
    matching,
    estimatedSeconds,
    oldest: toInstant(oldest),
    newest: toInstant(newest),
    byErrorType: { ...byErrorType },
    skipped: { ...skipped },
    sample: sample && {
      ...sample,
      outcomes: { ...sample.outcomes },
      reasons: { ...sample.reasons },
      repeatSafe: { ...sample.repeatSafe },
      items: sample.items.map((item) => ({ ...item })),
    },
  };
}

export function insideFilter({ failedAfter, failedBefore, ...plain }: ArchiveAllBody["filter"]): DeadLetterFilters {
  return {
    ...plain,
    ...(failedAfter === undefined ? {} : { failedAfter: Date.parse(failedAfter) }),
    ...(failedBefore === undefined ? {} : { failedBefore: Date.parse(failedBefore) }),
  };
}

const INSTANTS: ReadonlySet<string> = new Set(["failedAfter", "failedBefore", "createdAfter", "createdBefore"]);

function wireFilter(filter: OperationFilter): ApiOperation["filter"] {
  const given = Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, INSTANTS.has(name) && typeof value === "number" ? toInstant(value) : value] as const];
  });
  return Object.fromEntries(given);
}

// The action that an occurrence starts, its variables, and the instant at which it runs.
import { assert } from "#kernel/assert.ts";
import { oneActionProgram, programActionOf } from "#kernel/programs/one-action.ts";
import { step } from "#kernel/execution/step.ts";
import { ACTION_REF, type WrittenAction } from "#schema/definition/standalone.ts";
import type { JsonObject } from "#schema/json.ts";
import type { RecurringSpec, RecurringWork } from "#schema/recurring/spec.ts";
import type { RecurringState } from "#schema/recurring/state.ts";
import { datesOf } from "./follow.ts";

type ActionWork = Extract<RecurringWork, { kind: "action" }>;
/** The scheduled instant, null for a manually triggered occurrence, and the instant at which it is started. */
type OccurrenceInstants = { readonly nominal: number | null; readonly at: number };

export function occurrenceAction({ action, settings }: ActionWork, timezone: string | undefined): WrittenAction {
  // Only actions with settings have dates of their own, such as `validUntil`.
  return settings === undefined ? action : { ...action, timezone };
}

/**
 * Returns the variables that templates read as `execution.variables`. If a client's variable has the same name as one
 * of them, it is replaced.
 */
export function occurrenceVariables({ metadata }: ActionWork, id: string, occurrence: OccurrenceInstants): JsonObject {
  return { ...metadata, _recurring_dispatch: "true", _recurring_id: id, execution_time: executionTime(occurrence) };
}

/**
 * Returns the scheduled instant in UTC, with seconds. For a manually triggered occurrence, returns the instant at which
 * it was triggered.
 */
export function executionTime({ nominal, at }: OccurrenceInstants): string {
  return `${new Date(nominal ?? at).toISOString().slice(0, 19)}Z`;
}

/**
 * Returns the instant at which the started action runs: the start, or the next opening of the action's window. Null if
 * the window opens only after the action has expired. The window's `spread` is not included, because it depends on the
 * id of the action.
 */
export function runsAt({ id, spec }: Pick<RecurringState, "id" | "spec">, nominal: number, at: number): number | null {
  const { work } = spec;
  if (work.kind === "definition" || work.settings?.window === undefined) return at;
  const state = startedAt(work, spec, id, { nominal, at });
  const [run] = state?.runs ?? [];
  if (run?.reason === "no_window") return null;
  return run?.held?.until ?? at;
}

/** The state of the action after its start; null if the start is refused. */
function startedAt(work: ActionWork, spec: RecurringSpec, id: string, occurrence: OccurrenceInstants) {
  const { window, ...action } = programActionOf(occurrenceAction(work, spec.rule.timezone));
  assert(window, "the action must have a window");
  const { spread: _spread, ...hours } = window;
  const standalone = { action: { ...action, window: hours }, dedup: null, calendars: datesOf(spec.calendars) };
  const started = step(oneActionProgram(standalone), null, {
    kind: "start",
    inputId: "preview",
    execution: "exe_preview",
    tenant: "preview",
    namespace: spec.namespace,
    definition: ACTION_REF,
    placement: "pooled",
    variables: occurrenceVariables(work, id, occurrence),
    correlationId: id,
    fingerprint: "",
    actor: { kind: "engine", id },
    standalone,
    now: occurrence.at,
    room: 1,
  });
  return started.ok ? started.state : null;
}

// Events that the execution listens for at its position. For each, what would happen if it arrived now: accepted,
// refused, or dependent on its content. Also lists the event types for which only other states listen.
import { isReserved } from "#schema/engine/event.ts";
import type { EvaluatedRule, NotNow, Wait } from "#schema/engine/explanation.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { EVENTS_BUFFERED_MAX } from "#schema/limits/executions.ts";
import { EXPLAINED_GUARDS_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import type { Step } from "../execution/current-step.ts";
import { PATCHED, type Listener } from "../execution/program.ts";
import { explainRule, FUTURE_EVENT } from "../execution/rule-values.ts";

export type EventWait = Extract<Wait, { for: "event" }>;

const ANY = "*";

/** The waits for events at the position. Empty for an execution that has ended, because it accepts no events. */
export function eventWaits(step: Step, listeners: readonly Listener[]): readonly EventWait[] {
  const types = new Set(listeners.flatMap(({ on }) => (on.kind === "event" && !isReserved(on.type) ? [on.type] : [])));
  return [...types].map((type) => eventWait(step, type, listeners));
}

function eventWait(step: Step, event: string, all: readonly Listener[]): EventWait {
  // A wildcard listener also receives events of this type.
  const listening = all.filter(({ on }) => on.kind === "event" && (on.type === event || on.type === ANY));
  const asked = guardsOf(step, listening);
  const isUnguarded = listening.some(({ guard, isOwn }) => guard === null && !isOwn);
  const passes = isUnguarded || asked.some(({ result }) => result === true);
  const isOpen =
    listening.some(({ isOwn }) => isOwn) || asked.some(({ result, fault }) => result === null && fault === undefined);
  return {
    for: "event",
    event,
    states: [...new Set(listening.map(({ state }) => state))],
    would: step.state.status === "paused" ? "kept" : passes ? "accepted" : isOpen ? "depends" : "refused",
    guards: asked,
    to: [...new Set(listening.flatMap(({ to }) => to))],
    until: null,
  };
}

export function guardsOf(step: Step, listeners: readonly Listener[]): readonly EvaluatedRule[] {
  const guarded = listeners.filter(({ guard }) => guard !== null).slice(0, EXPLAINED_GUARDS_MAX);
  return guarded.map(({ at, guard }) => explainRule(step, at, guard, FUTURE_EVENT));
}

/**
 * The wait for a change of variables: for rules that must become true, and for `execution.patched`. Empty if the
 * position has no listener of either kind.
 */
export function variableWaits(step: Step, listeners: readonly Listener[]): readonly Wait[] {
  const watching = listeners.filter(
    ({ on, guard }) => (on.kind === "always" && guard !== null) || (on.kind === "event" && on.type === PATCHED),
  );
  if (watching.length === 0) return [];
  const states = [...new Set(watching.map(({ state }) => state))];
  return [{ for: "variables", states, guards: guardsOf(step, watching), until: null }];
}

/** The event types of the definition that are not accepted at the present position, each with the reason. */
export function unacceptedEvents({ state, program }: Step, taken: ReadonlySet<string>): readonly NotNow[] {
  const others = program.eventTypes.filter((type) => type !== ANY && type !== PATCHED && !taken.has(type));
  return others.flatMap((event): NotNow[] => {
    if (isFinalStatus(state.status)) return [{ event, would: "refused", code: "execution_final" }];
    const timing = program.eventTiming(state.position, event);
    if (timing === "now") return [];
    if (timing !== "later") return [{ event, would: "refused", code: "event_too_late" }];
    const isKept = !program.refusesEarly || state.status === "paused";
    if (!isKept) return [{ event, would: "refused", code: "event_not_accepted" }];
    if (state.buffer.length < EVENTS_BUFFERED_MAX) return [{ event, would: "kept", code: null }];
    return [{ event, would: "refused", code: "event_buffer_full" }];
  });
}

// Names that a journey's nodes use for windows, caps, delays, types and events. Finds unknown names.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import { isReserved, isEngineEvent, engineEvents } from "#schema/engine/event.ts";
import type { Finding } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import { actionsOf } from "../../programs/journey/node-actions.ts";
import { kindOf, type Kind } from "../../programs/journey/journey-plan.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { delaysOf, runDelayFindings, type KnownDelays } from "../delays.ts";
import { finding, listNames } from "../finding.ts";
import {
  capSubjectFindings,
  limitNameFindings,
  limitsOf,
  limitTextFindings,
  type KnownLimits,
} from "../limits/limits.ts";
import { startLimitFindings } from "../limits/start-limits.ts";

export function nameFindings(definition: JourneyDefinition): readonly Finding[] {
  const { defaults = {}, nodes, exitWhen = [] } = definition;
  const known = knownIn(definition);
  return [
    ...reentryFindings(definition),
    ...capSubjectFindings(definition),
    ...startLimitFindings(definition),
    ...limitTextFindings(definition),
    ...Object.entries(defaults).flatMap(([type, said]) => {
      const where = pointer("/defaults", type);
      return [...typeFindings(known, type, where), ...limitNameFindings(known.limits, said, where)];
    }),
    ...exitWhen.flatMap(({ event }, n) => eventFindings(known, event, pointer("/exitWhen", n, "event"))),
    ...Object.entries(nodes).flatMap(([name, node]) => nodeFindings(known, kindOf(node), pointer("/nodes", name))),
  ];
}

/** The names that exist, collected once for the checks of all nodes. */
type KnownNames = {
  readonly limits: KnownLimits;
  readonly types: readonly string[];
  readonly guessType: (name: string) => string | null;
  readonly delays: KnownDelays;
  /** Event types that actions name in `onExhausted`: an action sends its event when it has failed permanently. */
  readonly events: ReadonlySet<string>;
};

function knownIn(definition: JourneyDefinition): KnownNames {
  const actions = actionsOf(definition).map(({ action }) => action);
  const types = [...new Set(actions.map(({ type }) => type))];
  const events = actions.flatMap(({ onExhausted }) => (typeof onExhausted === "object" ? [onExhausted.event] : []));
  return {
    limits: limitsOf(definition),
    types,
    guessType: openGuesses(types),
    delays: delaysOf(definition),
    events: new Set(events),
  };
}

function nodeFindings(known: KnownNames, is: Kind, where: string): readonly Finding[] {
  const { delays } = known;
  switch (is.kind) {
    case "acting":
      return limitNameFindings(known.limits, is.node, where);
    case "each": {
      const { every, until, node } = is.node;
      return [
        ...limitNameFindings(known.limits, node, pointer(where, "node")),
        ...(every === undefined ? [] : runDelayFindings(every, delays, pointer(where, "every"))),
        ...eventFindings(known, until?.event, pointer(where, "until", "event")),
      ];
    }
    case "delay": {
      const { until } = is.node;
      return until === undefined ? [] : runDelayFindings(until, delays, pointer(where, "until"));
    }
    case "wait": {
      const { timeout } = is.node;
      return [
        ...is.node.for.flatMap(({ event }, n) => eventFindings(known, event, pointer(where, "for", n, "event"))),
        ...(timeout === undefined ? [] : runDelayFindings(timeout.after, delays, pointer(where, "timeout", "after"))),
      ];
    }
    case "branch":
    case "split":
    case "journey":
    case "exit":
      return [];
  }
}

/** Errors about re-entry in a journey without a subject, because re-entry counts the executions of a subject. */
function reentryFindings({ subject, reentry }: JourneyDefinition): readonly Finding[] {
  if (subject !== undefined || reentry === undefined) return [];
  const hint = 'Add "subject", a rule such as { "var": "execution.variables.customerId" }.';
  const message = "reentry requires a subject, but the journey has no subject";
  return [finding("/reentry", "subject_missing", message, hint)];
}

/** Errors about defaults for a type that does not exist. Such defaults would apply to no node, without any notice. */
function typeFindings({ types, guessType }: KnownNames, type: string, where: string): readonly Finding[] {
  if (types.includes(type)) return [];
  const guess = guessType(type);
  const hint = guess ? `Did you mean ${guess}?` : `Known nodes: ${listNames(types, "none")}.`;
  return [finding(where, "unknown_type", `no node of this journey is of type ${type}`, hint)];
}

/**
 * Errors about events that never arrive. A node's result follows an edge and is not sent as an event. Some other event
 * types are never sent either. A node that waits for such an event would wait forever.
 */
function eventFindings({ events }: KnownNames, type: string | undefined, where: string): readonly Finding[] {
  if (type === undefined) return [];
  if (isReserved(type)) {
    const hint = "Name the following nodes in next and onFailed. For a condition, use `when`.";
    return [finding(where, "unknown_event", `a journey cannot wait for ${type}`, hint)];
  }
  if (!isEngineEvent(type) || events.has(type) || type === "task_created" || engineEvents.includes(type)) return [];
  const hint = `Only the engine sends event types that begin with child_ or task_. Known types: ${engineEvents.join(", ")}.`;
  return [finding(where, "unknown_event", `no event of the type ${type} is ever sent`, hint)];
}

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

export function nameFindings(definition: JourneyDefinition): readonly Finding[] {
  const { defaults = {}, nodes, exitWhen = [] } = definition;
  const known = knownIn(definition);
  return [
    ...subjectFindings(definition),
    ...Object.entries(defaults).flatMap(([type, said]) => {
      const where = pointer("/defaults", type);
      return [...typeFindings(known, type, where), ...limitFindings(known, said, where)];
    }),
    ...exitWhen.flatMap(({ event }, n) => eventFindings(known, event, pointer("/exitWhen", n, "event"))),
    ...Object.entries(nodes).flatMap(([name, node]) => nodeFindings(known, kindOf(node), pointer("/nodes", name))),
  ];
}

type Guess = (name: string) => string | null;
type NamedParts = { readonly has: (name: string) => boolean; readonly guess: Guess };

/** The names that exist, collected once for the checks of all nodes. */
type KnownNames = {
  readonly windows: NamedParts;
  readonly caps: NamedParts;
  readonly types: readonly string[];
  readonly guessType: Guess;
  readonly delays: KnownDelays;
  /** Event types that actions name in `onExhausted`: an action sends its event when it has failed permanently. */
  readonly events: ReadonlySet<string>;
};

function knownIn(definition: JourneyDefinition): KnownNames {
  const actions = actionsOf(definition).map(({ action }) => action);
  const types = [...new Set(actions.map(({ type }) => type))];
  const events = actions.flatMap(({ onExhausted }) => (typeof onExhausted === "object" ? [onExhausted.event] : []));
  return {
    windows: namedParts(definition.windows),
    caps: namedParts(definition.caps),
    types,
    guessType: openGuesses(types),
    delays: delaysOf(definition),
    events: new Set(events),
  };
}

function namedParts(record: { readonly [name: string]: unknown } = {}): NamedParts {
  return { has: (name) => Object.hasOwn(record, name), guess: openGuesses(Object.keys(record)) };
}

function nodeFindings(known: KnownNames, is: Kind, where: string): readonly Finding[] {
  const { delays } = known;
  switch (is.kind) {
    case "acting":
      return limitFindings(known, is.node, where);
    case "each": {
      const { every, until, node } = is.node;
      return [
        ...limitFindings(known, node, pointer(where, "node")),
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

type LimitFields = { readonly window?: unknown; readonly cap?: string | null | undefined };

function limitFindings({ windows, caps }: KnownNames, { window, cap }: LimitFields, where: string): Finding[] {
  const out: Finding[] = [];
  if (typeof window === "string" && !windows.has(window)) {
    out.push(unknownName(pointer(where, "window"), "window", window, windows));
  }
  if (typeof cap === "string" && !caps.has(cap)) out.push(unknownName(pointer(where, "cap"), "cap", cap, caps));
  return out;
}

/** Errors about re-entry and caps in a journey without a subject. Both count executions or runs per subject. */
function subjectFindings({ subject, reentry, caps }: JourneyDefinition): readonly Finding[] {
  if (subject !== undefined) return [];
  const hint = 'Add "subject", a rule such as { "var": "execution.variables.customerId" }.';
  return (["reentry", "caps"] as const)
    .filter((field) => ({ reentry, caps })[field] !== undefined)
    .map((field) =>
      finding(
        pointer("", field),
        "subject_missing",
        `${field} requires a subject, but the journey has no subject`,
        hint,
      ),
    );
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

function unknownName(where: string, what: string, name: string, { guess: guessed }: NamedParts): Finding {
  const guess = guessed(name);
  const hint = guess ? `Did you mean ${guess}?` : `Add the name to "${what}s".`;
  return finding(where, `unknown_${what}`, `the ${what} ${name} does not exist`, hint);
}

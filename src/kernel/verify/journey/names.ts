// Names that a journey's nodes use: of windows, caps, delays, types and events.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import { isReserved, isTold, toldEvents } from "#schema/engine/event.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { actionsOf } from "../../programs/journey/acting.ts";
import { kindOf, type Kind } from "../../programs/journey/layout.ts";
import { pointer } from "../../programs/machine/places.ts";
import { runDelayFindings } from "../delays.ts";
import { finding } from "../finding.ts";

export function nameFindings(definition: JourneyDefinition): readonly Finding[] {
  const { defaults = {}, nodes, exitWhen = [] } = definition;
  return [
    ...subjectFindings(definition),
    ...Object.entries(defaults).flatMap(([type, said]) => {
      const where = pointer("/defaults", type);
      return [...typeFindings(definition, type, where), ...holdFindings(definition, said, where)];
    }),
    ...exitWhen.flatMap(({ event }, n) => eventFindings(definition, event, pointer("/exitWhen", n, "event"))),
    ...Object.entries(nodes).flatMap(([name, node]) => nodeFindings(definition, kindOf(node), pointer("/nodes", name))),
  ];
}

function nodeFindings(definition: JourneyDefinition, is: Kind, where: string): readonly Finding[] {
  const { delays } = definition;
  switch (is.kind) {
    case "acting":
      return holdFindings(definition, is.node, where);
    case "each": {
      const { every, until, node } = is.node;
      return [
        ...holdFindings(definition, node, pointer(where, "node")),
        ...(every === undefined ? [] : runDelayFindings(every, delays, pointer(where, "every"))),
        ...eventFindings(definition, until?.event, pointer(where, "until", "event")),
      ];
    }
    case "delay": {
      const { until } = is.node;
      return until === undefined ? [] : runDelayFindings(until, delays, pointer(where, "until"));
    }
    case "wait": {
      const { timeout } = is.node;
      return [
        ...is.node.for.flatMap(({ event }, n) => eventFindings(definition, event, pointer(where, "for", n, "event"))),
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

type Held = { readonly window?: unknown; readonly cap?: string | undefined };

function holdFindings({ windows = {}, caps = {} }: JourneyDefinition, { window, cap }: Held, where: string): Finding[] {
  const out: Finding[] = [];
  if (typeof window === "string" && !Object.hasOwn(windows, window)) {
    out.push(unknown(pointer(where, "window"), "window", window, Object.keys(windows)));
  }
  if (cap !== undefined && !Object.hasOwn(caps, cap)) {
    out.push(unknown(pointer(where, "cap"), "cap", cap, Object.keys(caps)));
  }
  return out;
}

/** Whom re-entry is about, and for whom caps count, must be said. */
function subjectFindings({ subject, reentry, caps }: JourneyDefinition): readonly Finding[] {
  if (subject !== undefined) return [];
  const hint = 'Add "subject", a rule such as { "var": "execution.variables.customerId" }.';
  return (["reentry", "caps"] as const)
    .filter((field) => ({ reentry, caps })[field] !== undefined)
    .map((field) =>
      finding(pointer("", field), "subject_missing", `${field} is about a subject, and there is none`, hint),
    );
}

/** A typo would silently lie under nothing. */
function typeFindings(definition: JourneyDefinition, type: string, where: string): readonly Finding[] {
  const types = [...new Set(actionsOf(definition).map(({ action }) => action.type))];
  if (types.includes(type)) return [];
  const guess = didYouMean(type, types);
  const hint = guess ? `Did you mean ${guess}?` : `There are ${types.join(", ") || "none that act"}.`;
  return [finding(where, "unknown_type", `no node here is of type ${type}`, hint)];
}

/** What the engine says of a node is told by the ways out of it, and what it never says would be waited for in vain. */
function eventFindings(definition: JourneyDefinition, type: string | undefined, where: string): readonly Finding[] {
  if (type === undefined) return [];
  if (isReserved(type)) {
    const hint = "What follows a node stands in its next and onFailed; for what comes true there is `when`.";
    return [finding(where, "unknown_event", `${type} is nothing that a journey waits for`, hint)];
  }
  const isNamed = actionsOf(definition).some(
    ({ action: { onExhausted } }) => typeof onExhausted === "object" && onExhausted.event === type,
  );
  if (!isTold(type) || isNamed || type === "task_created" || toldEvents.includes(type)) return [];
  const hint = `Nobody else sends types beginning with child_ or task_. There are ${toldEvents.join(", ")}.`;
  return [finding(where, "unknown_event", `${type} never happens`, hint)];
}

function unknown(where: string, what: string, name: string, known: readonly string[]): Finding {
  const guess = didYouMean(name, known);
  const hint = guess ? `Did you mean ${guess}?` : `Add it to ${what}s.`;
  return finding(where, `unknown_${what}`, `there is no ${what} ${name}`, hint);
}

// Delays: verifies the delays of a definition.
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Delay, Duration, NamedDelay } from "#schema/definition/timing.ts";
import { isDurationText, lengthMs } from "#schema/definition/duration-text.ts";
import { DURATION_MS_MAX } from "#schema/limits/definition-sizes.ts";
import { openGuesses } from "#schema/suggest.ts";
import { pointer } from "../programs/machine/pointers.ts";
import { finding } from "./finding.ts";
import { delayRules } from "./rules-and-templates/rules-and-templates.ts";
import { placedRuleFindings } from "./rules-and-templates/zone-rules.ts";

type Delays = NonNullable<MachineDefinition["delays"]>;

/** The named delays of the definition; null for a standalone action, which has no definition. */
export type KnownDelays = { readonly delays: Delays; readonly guess: (name: string) => string | null } | null;

export function delaysOf({ delays = {} }: Pick<MachineDefinition, "delays">): KnownDelays {
  return { delays, guess: openGuesses(Object.keys(delays)) };
}

export function delayFindings(delay: Delay, known: KnownDelays, where: string): readonly Finding[] {
  if (typeof delay === "number") return [];
  if (typeof delay === "object") {
    return [...delayRules(delay, where).flatMap(placedRuleFindings), ...seriesFindings(delay, where)];
  }
  if (isFixed(delay)) return lengthFindings(delay, where);
  if (known !== null && Object.hasOwn(known.delays, delay)) return [];
  const guess = known?.guess(delay);
  const lengths = "Write milliseconds, an ISO 8601 duration such as P3D";
  const hint = guess
    ? `Did you mean ${guess}?`
    : `${lengths}, or a ${known === null ? "delay object" : "name from delays"}.`;
  return [finding(where, "unknown_delay", `${delay} is neither a duration nor a named delay`, hint)];
}

/**
 * Errors of a series, which needs an origin and an offset above zero. `ifPast` is an error, because the next member of
 * a series is never past.
 */
function seriesFindings({ from = "arming", anchor, offset, ifPast }: NamedDelay, where: string): readonly Finding[] {
  if (from === "arming") return [];
  const out: Finding[] = [];
  if (from === "anchor" && anchor === undefined) {
    const hint = 'Add an anchor. Or set "from" to "first", so that the delay counts from the first start of the timer.';
    out.push(finding(pointer(where, "from"), "anchor_missing", '"from": "anchor" requires an anchor', hint));
  }
  if (from === "first" && anchor !== undefined) {
    const message = '"from": "first" cannot be combined with an anchor';
    out.push(finding(pointer(where, "from"), "anchor_unexpected", message, 'Set "from" to "anchor", or omit "from".'));
  }
  if (offset === undefined || lengthOf(offset) <= 0) {
    const message = 'a series ("from": "first" or "anchor") requires an offset greater than zero';
    out.push(finding(pointer(where, "offset"), "offset_missing", message, "Add an offset such as P1M."));
  }
  if (ifPast !== undefined) {
    const message = "ifPast cannot be used with a series, because the next date of a series is never in the past";
    out.push(finding(pointer(where, "ifPast"), "if_past_unexpected", message, "Omit this field."));
  }
  return out;
}

/**
 * Errors of the delay of a run. Such a delay cannot count from the first arming, because a run is never armed again.
 */
export function runDelayFindings(delay: Delay, known: KnownDelays, where: string): readonly Finding[] {
  const written = typeof delay === "object" ? delay : known?.delays[delay];
  if (written?.from !== "first") return delayFindings(delay, known, where);
  const message = '"from": "first" is only for timers in "after", because each run of an action has its own delay';
  return [finding(where, "from_unexpected", message, 'Add an anchor, and set "from" to "anchor".')];
}

function lengthFindings(text: string, where: string): readonly Finding[] {
  if (lengthOf(/^\d+$/.test(text) ? Number(text) : text) <= DURATION_MS_MAX) return [];
  return [finding(where, "duration_too_long", `${text} is longer than 400 years`, "Use a shorter duration.")];
}

function lengthOf(offset: Duration): number {
  return typeof offset === "number" ? offset : lengthMs(offset);
}

export function namedDelayFindings(definition: Pick<MachineDefinition, "delays">): readonly Finding[] {
  const known = delaysOf(definition);
  return Object.entries(definition.delays ?? {}).flatMap(([name, delay]) => {
    const where = pointer("/delays", name);
    if (isFixed(name))
      return [
        finding(where, "ambiguous_name", `the name ${name} could be mistaken for a duration`, "Choose another name."),
      ];
    return delayFindings(delay, known, where);
  });
}

function isFixed(text: string): boolean {
  return /^\d+$/.test(text) || isDurationText(text);
}

// Whether a delay as written means something.
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Finding } from "#schema/refusal.ts";
import { isoDuration, type Delay } from "#schema/definition/timing.ts";
import { ruleFindings } from "../language/logic.ts";
import { didYouMean } from "#schema/suggest.ts";
import { finding, pointer } from "./finding.ts";

/** The definition's own, by their names. */
export type Delays = MachineDefinition["delays"];

/** `delays` null: there is no definition around that could name any. */
export function delayFindings(delay: Delay, delays: Delays | null, where: string): readonly Finding[] {
  if (typeof delay === "number") return [];
  if (typeof delay === "object")
    return delay.anchor === undefined ? [] : ruleFindings(delay.anchor, pointer(where, "anchor"));
  if (isFixed(delay)) return [];
  const names = Object.keys(delays ?? {});
  if (names.includes(delay)) return [];
  const guess = didYouMean(delay, names);
  const lengths = "Milliseconds, an ISO 8601 duration such as P3D";
  const hint = guess
    ? `Did you mean ${guess}?`
    : `${lengths}, or a ${delays === null ? "delay written out" : "name from delays"}.`;
  return [finding(where, "unknown_delay", `${delay} is neither a length of time nor a named delay`, hint)];
}

export function namedDelayFindings(definition: MachineDefinition): readonly Finding[] {
  const { delays } = definition;
  return Object.entries(delays ?? {}).flatMap(([name, delay]) => {
    const where = pointer("/delays", name);
    if (isFixed(name)) return [finding(where, "ambiguous_name", `${name} reads as a duration`, "Choose another name.")];
    return delayFindings(delay, delays, where);
  });
}

function isFixed(text: string): boolean {
  return /^\d+$/.test(text) || isoDuration.safeParse(text).success;
}

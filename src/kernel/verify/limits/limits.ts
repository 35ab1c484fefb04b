// Windows and caps: verifies the names by which actions use them, their rules and templates, and the subjects of caps.
import type { AnyAction } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Finding, Warning } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import { templateFindings } from "../../language/render.ts";
import { secretsIn } from "../../language/template.ts";
import { kindOf } from "../../programs/journey/journey-plan.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import type { NamedLimits } from "../../programs/named-limits.ts";
import { finding, hint } from "../finding.ts";
import { capRules, capTexts, namedLimitTexts } from "../rules-and-templates/limits.ts";
import { zoneRule, type PlacedText } from "../rules-and-templates/rules-and-templates.ts";
import { placedRuleFindings } from "../rules-and-templates/zone-rules.ts";

type NamedParts = { readonly has: (name: string) => boolean; readonly guess: (name: string) => string | null };

/** The names of the windows and caps of a definition. */
export type KnownLimits = { readonly windows: NamedParts; readonly caps: NamedParts };

export function limitsOf({ windows, caps }: NamedLimits): KnownLimits {
  return { windows: namedParts(windows), caps: namedParts(caps) };
}

function namedParts(record: { readonly [name: string]: unknown } = {}): NamedParts {
  return { has: (name) => Object.hasOwn(record, name), guess: openGuesses(Object.keys(record)) };
}

/** The fields of an action or node that limit it. */
export type LimitFields = { readonly window?: unknown; readonly cap?: unknown };

/** Errors about windows and caps that the definition does not declare. */
export function limitNameFindings(
  { windows, caps }: KnownLimits,
  { window, cap }: LimitFields,
  where: string,
): readonly Finding[] {
  return [...unknownName("window", window, windows, where), ...unknownName("cap", cap, caps, where)];
}

function unknownName(
  what: "window" | "cap",
  name: unknown,
  { has, guess: guessed }: NamedParts,
  where: string,
): readonly Finding[] {
  if (typeof name !== "string" || has(name)) return [];
  const guess = guessed(name);
  const help = guess ? `Did you mean ${guess}?` : `Add the name to "${what}s".`;
  return [finding(pointer(where, what), `unknown_${what}`, `the ${what} ${name} does not exist`, help)];
}

/** Errors about caps without a subject, in a definition whose executions have none. A cap counts runs per subject. */
export function capSubjectFindings(definition: Definition): readonly Finding[] {
  const isJourney = definition.kind === "journey";
  if (isJourney && definition.subject !== undefined) return [];
  const rule = '{ "var": "execution.variables.customerId" }';
  const help = `Add "subject" to ${isJourney ? "the journey or to the cap" : "the cap"}, such as ${rule}.`;
  return Object.entries(definition.caps ?? {}).flatMap(([name, { subject }]) => {
    if (subject !== undefined) return [];
    const message = `a cap counts the runs of a subject, but neither the cap ${name} nor the ${definition.kind} has a subject`;
    return [finding(pointer("/caps", name), "subject_missing", message, help)];
  });
}

/** Errors in the templates of the caps that a definition declares. */
export function limitTextFindings(definition: NamedLimits): readonly Finding[] {
  return textFindings(namedLimitTexts(definition));
}

/** Errors in the rules and templates of the window and cap of a standalone action. */
export function inlineLimitFindings({ window, cap }: AnyAction, where: string): readonly Finding[] {
  const capAt = pointer(where, "cap");
  const ofCap = typeof cap === "object" ? capRules(cap, capAt) : [];
  const texts = typeof cap === "object" ? capTexts(cap, capAt) : [];
  const rules = [...zoneRule(window, pointer(where, "window")), ...ofCap];
  return [...rules.flatMap(placedRuleFindings), ...textFindings(texts)];
}

/** Errors in the texts of subjects. A subject's key is stored and shown, so it cannot contain a secret. */
function textFindings(texts: readonly PlacedText[]): readonly Finding[] {
  return texts.flatMap(({ text, where }) => {
    const secret = secretsIn(text).length > 0;
    const message = "a subject cannot contain a secret, because the engine stores and shows its key";
    return [...templateFindings(text, where), ...(secret ? [finding(where, "secret_misused", message)] : [])];
  });
}

/** Hints about windows and caps that no action uses. */
export function unusedLimitWarnings(definition: Definition): readonly Warning[] {
  const used = limitedParts(definition);
  const windows = new Set(used.map(({ window }) => window));
  const caps = new Set(used.map(({ cap }) => cap));
  return [
    ...Object.keys(definition.windows ?? {}).flatMap((name) => (windows.has(name) ? [] : [unused("window", name)])),
    ...Object.keys(definition.caps ?? {}).flatMap((name) => (caps.has(name) ? [] : [unused("cap", name)])),
  ];
}

/** The parts of a definition that may name a window and a cap. */
function limitedParts(definition: Definition): readonly LimitFields[] {
  switch (definition.kind) {
    case "machine":
    case "reconciler":
      return definition.actions ?? [];
    case "journey": {
      const nodes = Object.values(definition.nodes).flatMap((node): readonly LimitFields[] => {
        const is = kindOf(node);
        return is.kind === "acting" ? [is.node] : is.kind === "each" ? [is.node.node] : [];
      });
      return [...Object.values(definition.defaults ?? {}), ...nodes];
    }
  }
}

function unused(what: "window" | "cap", name: string): Warning {
  const where = pointer(`/${what}s`, name);
  const patch = [{ op: "remove", path: where } as const];
  const fix = `Name it as "${what}" of an action, or remove it.`;
  return hint(where, `${what}_unused`, `no action uses the ${what} ${name}`, { fix, patch });
}

// Limits by key: their names, keys and terms. Those of a run are computed at the claim, so that the consumer can ask the
// limits without reading the definition.
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import type { Run } from "#schema/engine/run.ts";
import type { KeyLimitTerms, TicketLimit } from "#schema/key-limits/calls.ts";
import type { Rule } from "#schema/json.ts";
import { LIMIT_KEY_CHARS_MAX } from "#schema/limits/limits-by-key.ts";
import { evaluate } from "../../language/logic.ts";
import { durationMs } from "../../language/timing.ts";
import type { Work } from "../../computing/work.ts";
import { scopeOfRun, type Step } from "../current-step.ts";
import type { Scope } from "../program.ts";
import type { ProgramAction } from "#schema/definition/action.ts";

export type FoundLimits = { readonly ok: true; readonly limits: readonly TicketLimit[] | null } | UnusableKey;

/** `position`: that of the limit in its list. `rule`: the rule of its key. */
export type UnusableKey = { readonly ok: false; readonly why: string; readonly position: number; readonly rule: Rule };

/** A run whose key is not a key fails, because it must not be sent uncounted. */
export function limitsFor(step: Step, run: Run, { limit: written, actionId }: ProgramAction): FoundLimits {
  if (written === undefined) return { ok: true, limits: null };
  const { name } = step.program.definition;
  return keysOf(written, scopeOfRun(step, run), step.work, (limit, n) => nameOfLimit(name, actionId, limit, n));
}

/** The limits with their keys. `nameOf`: the name of the limit at a position of the list. */
export function keysOf(
  written: readonly KeyLimit[],
  scope: Scope,
  work: Work,
  nameOf: (limit: KeyLimit, position: number) => string,
): { readonly ok: true; readonly limits: readonly TicketLimit[] } | UnusableKey {
  const limits: TicketLimit[] = [];
  for (const [position, limit] of written.entries()) {
    const name = nameOf(limit, position);
    const of = `the key of the limit ${name}`;
    const rule = limit.key;
    const found = evaluate(rule, scope, work);
    if (!found.ok) return { ok: false, why: `${of} cannot be evaluated: ${found.message}`, position, rule };
    const key = typeof found.value === "number" ? String(found.value) : found.value;
    if (typeof key !== "string" || key.length === 0 || key.length > LIMIT_KEY_CHARS_MAX)
      return { ok: false, why: `${of} ${keyFault(key)}`, position, rule };
    limits.push({ name, key, terms: termsOf(limit) });
  }
  return { ok: true, limits };
}

function keyFault(key: unknown): string {
  const shown = JSON.stringify(key).slice(0, 100);
  return `is ${shown}, but must be a number or a text of 1 to ${LIMIT_KEY_CHARS_MAX} characters`;
}

/** Only a limit without a name of its own contains `/`. So no action can share it by accident. */
export function nameOfLimit(definition: string, action: string, { name }: KeyLimit, position: number): string {
  return name ?? `${definition}/${action}/${position}`;
}

export function termsOf({ concurrency, rate, throttle, debounce, singleton }: KeyLimit): KeyLimitTerms {
  return {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(rate === undefined ? {} : { rate: { max: rate.max, perMs: durationMs(rate.per) } }),
    ...(throttle === undefined
      ? {}
      : { throttle: { calls: throttle.max, perMs: durationMs(throttle.per), burst: throttle.burst ?? 1 } }),
    ...(debounce === undefined
      ? {}
      : {
          debounce: {
            forMs: durationMs(debounce.for),
            atMostMs: debounce.atMost === undefined ? null : durationMs(debounce.atMost),
          },
        }),
    ...(singleton === undefined ? {} : { singleton }),
  };
}

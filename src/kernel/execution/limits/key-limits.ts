// Limits by key of a run: their names, keys and terms. They are computed at the claim, so that the consumer can ask the
// limits without reading the definition.
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import type { Run } from "#schema/engine/run.ts";
import type { KeyLimitTerms, TicketLimit } from "#schema/key-limits/calls.ts";
import { LIMIT_KEY_CHARS_MAX } from "#schema/limits/limits-by-key.ts";
import { evaluate } from "../../language/logic.ts";
import { durationMs } from "../../language/timing.ts";
import { scopeOfRun, type Step } from "../current-step.ts";
import type { ProgramAction } from "#schema/definition/action.ts";

export type FoundLimits =
  | { readonly ok: true; readonly limits: readonly TicketLimit[] | null }
  | { readonly ok: false; readonly why: string };

/** A run whose key is not a key fails, because it must not be sent uncounted. */
export function limitsFor(step: Step, run: Run, action: ProgramAction): FoundLimits {
  const { limit: written } = action;
  if (written === undefined) return { ok: true, limits: null };
  const limits: TicketLimit[] = [];
  for (const [position, limit] of written.entries()) {
    const name = nameOfLimit(step.program.definition.name, action.actionId, limit, position);
    const found = evaluate(limit.key, scopeOfRun(step, run), step.work);
    if (!found.ok) return { ok: false, why: `the key of the limit ${name} cannot be evaluated: ${found.message}` };
    const key = typeof found.value === "number" ? String(found.value) : found.value;
    if (typeof key !== "string" || key.length === 0 || key.length > LIMIT_KEY_CHARS_MAX)
      return { ok: false, why: `the key of the limit ${name} ${keyFault(key)}` };
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

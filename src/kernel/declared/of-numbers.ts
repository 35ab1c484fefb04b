// Numbers: checks them against a schema.
import type { DeclaredSchema } from "#schema/definition/declared.ts";
import type { Finding } from "#schema/refusal.ts";
import { misfit, type At } from "./standpoint.ts";

export function numberMisfits(schema: DeclaredSchema, value: number, at: At): readonly Finding[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const out: Finding[] = [];
  if (minimum !== undefined && value < minimum) out.push(misfit(at, "too_small", `must be at least ${minimum}`));
  if (above !== undefined && value <= above) out.push(misfit(at, "too_small", `must be greater than ${above}`));
  if (maximum !== undefined && value > maximum) out.push(misfit(at, "too_big", `must be at most ${maximum}`));
  if (below !== undefined && value >= below) out.push(misfit(at, "too_big", `must be less than ${below}`));
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    out.push(misfit(at, "not_multiple_of", `must be a multiple of ${multipleOf}`));
  }
  return out;
}

/** Tolerates rounding: 0.3 is a multiple of 0.1, although neither has an exact binary form. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  if (Number.isInteger(of) && Number.isInteger(value)) return value % of === 0;
  return Number.isFinite(times) && Math.abs(times - Math.round(times)) <= Math.abs(times) * Number.EPSILON * 4;
}

// Refusals of invalid recurring actions, with all findings of a request together.
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";

/** Returns `value` if all results are accepted. Otherwise joins the findings of those that are refused. */
export function joinInvalid<T>(results: readonly Result<unknown>[], value: T): Result<T> {
  const refusals = results.flatMap((result) => (result.ok ? [] : [result.refusal]));
  const [first] = refusals;
  if (first === undefined) return accept(value);
  const other = refusals.find(({ code, errors = [] }) => code !== "invalid_input" || errors.length === 0);
  if (other !== undefined || refusals.length === 1) return refuse(other ?? first);
  return refuse(recurringInvalid(refusals.flatMap(({ errors = [] }) => errors)));
}

export function recurringInvalid(errors: readonly Finding[]) {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = `${first?.pointer ?? ""}: ${first?.message ?? ""}${more}.`;
  const hint = first?.hint === undefined ? {} : { hint: first.hint };
  return { code: "invalid_input", message, errors, ...hint } as const;
}

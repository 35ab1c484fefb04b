// The implementation of our operators: each gets evaluated operands, and pays for the data that it reads.
import type { LogicEngine } from "json-logic-engine";
import type { Disambiguation } from "#schema/definition/timing.ts";
import { isPlainObject, strictlyEqual } from "./equality.ts";
import { fault, type Budget } from "../computing/fault.ts";
import { includesText } from "./search/find-text.ts";
import { durationMs, instant, isFixedLength } from "./instant.ts";
import { CHARACTERS_PER_STEP, lookUp, NOTHING, textLength } from "./paths.ts";
import { spend, workOf, type Work } from "../computing/work.ts";

/** The engine while it runs one rule, with the rule's budget. */
export type Session = Omit<LogicEngine, "truthy"> & {
  readonly budget: Budget;
  /** The budget of the whole step. */
  readonly work: Work;
  readonly truthy: (value: unknown) => boolean;
  /** The same session, with pauses between the items of a list; null if nothing pauses. */
  iterating: Session | null;
};
export type Method = (
  args: readonly unknown[],
  context: unknown,
  above: readonly unknown[],
  session: Session,
) => unknown;

export function read(
  [path, otherwise]: readonly unknown[],
  context: unknown,
  above: readonly unknown[],
  session: Session,
) {
  const value = lookUp(path, context, above, session);
  return value === NOTHING || value === undefined ? (otherwise ?? null) : value;
}

export function exists([path]: readonly unknown[], context: unknown, above: readonly unknown[], session: Session) {
  return lookUp(path, context, above, session) !== NOTHING;
}

export function missing(args: readonly unknown[], context: unknown, above: readonly unknown[], session: Session) {
  return args.flat().filter((path) => {
    session.budget.use(1);
    const value = lookUp(path, context, above, session);
    return value === NOTHING || value === null || value === "";
  });
}

export function missingSome(
  [least, paths]: readonly unknown[],
  context: unknown,
  above: readonly unknown[],
  session: Session,
) {
  if (typeof least !== "number" || !Array.isArray(paths))
    throw fault("operand_invalid", "missing_some takes a number and a list of paths");
  const absent = missing(paths, context, above, session);
  return paths.length - absent.length >= least ? [] : absent;
}

export function chain(holds: (a: unknown, b: unknown, budget: Budget) => boolean): Method {
  return (args, _context, _above, { budget }) => {
    if (args.length < 2) throw fault("operand_invalid", "a comparison takes two values");
    return args.slice(1).every((value, index) => holds(args[index], value, budget));
  };
}

export function cat(args: readonly unknown[], _context: unknown, _above: unknown, { budget }: Session): string {
  return args.reduce((joined: string, part) => {
    if (part !== null && typeof part === "object")
      throw fault("operand_invalid", "cat joins texts and numbers, not lists and objects");
    const longer = joined + String(part ?? "");
    budget.use(1 + longer.length / CHARACTERS_PER_STEP);
    return longer;
  }, "");
}

export function contains(
  [item, holder]: readonly unknown[],
  _context: unknown,
  _above: unknown,
  { budget }: Session,
): boolean {
  budget.use((textLength(holder) + textLength(item)) / CHARACTERS_PER_STEP);
  if (typeof holder === "string") return typeof item === "string" && includesText(holder, item);
  if (!Array.isArray(holder)) return false;
  return holder.some((each) => strictlyEqual(item, each, budget));
}

export function merge(
  args: readonly unknown[],
  _context: unknown,
  _above: unknown,
  { budget }: Session,
): readonly unknown[] {
  const merged = args.flat();
  budget.use(merged.length);
  return merged;
}

export function date(
  [value, timezone = "UTC", which = "compatible"]: readonly unknown[],
  _context: unknown,
  _above: readonly unknown[],
  { work }: Session,
): number | null {
  if (value === null) return null;
  spend(work, workOf.date);
  if (!isDisambiguation(which))
    throw fault("operand_invalid", "the third operand of date must be compatible, earlier or later");
  const isMoment = typeof value === "string" || typeof value === "number";
  const known = isMoment ? instant(value, String(timezone), which) : null;
  if (known === null)
    throw fault("not_a_date", `date takes an ISO date, a date-time or epoch milliseconds, not ${shown(value)}`);
  return known;
}

function isDisambiguation(which: unknown): which is Disambiguation {
  return which === "compatible" || which === "earlier" || which === "later";
}

export function duration([value]: readonly unknown[]): number {
  if (typeof value === "string" && isFixedLength(value)) return durationMs(value);
  throw fault("not_a_duration", `duration takes an ISO 8601 duration without years and months, not ${shown(value)}`);
}

function shown(value: unknown): string {
  return isPlainObject(value) || Array.isArray(value) ? "a list or an object" : JSON.stringify(value).slice(0, 100);
}

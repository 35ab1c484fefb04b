// Operators of rules: the function of each operator, and what it costs.
import { defaultMethods, type LogicEngine } from "json-logic-engine";
import type { Disambiguation } from "#schema/definition/timing.ts";
import { assert } from "../assert.ts";
import { fault, type Budget } from "../computing/fault.ts";
import { charge, workOf, type Work } from "../computing/work.ts";
import { looselyEqual, strictlyEqual, isPlainObject } from "./json-values.ts";
import { durationMs, instant, isFixedLength } from "./instant.ts";
import { CHARACTERS_PER_STEP, textLength, readAtPath, NOTHING } from "./paths.ts";
import { includesText } from "./search.ts";

export type Operator = {
  readonly about: string;
  readonly args: readonly [least: number, most: number];
  /** The function of the operator, either the library's or one of this file. */
  readonly method: unknown;
};

/** An operator of the library. A `lazy` operator receives its operands unevaluated, and evaluates them itself. */
type EngineMethod = Method | { readonly lazy?: boolean; readonly method: Method };
// The library declares the parameters of each operator separately. At run time it calls every operator in this way.
const engineMethods = defaultMethods as unknown as { readonly [name: string]: EngineMethod };

const ANY = Infinity;
const ITERATING: ReadonlySet<string> = new Set(["map", "filter", "all", "some", "none", "reduce"]);

export const operators: { readonly [name: string]: Operator } = {
  var: ownOperator(
    readVariable,
    0,
    2,
    "The value at a path such as message.payload.id. The second operand is the default for a missing value.",
  ),
  exists: ownOperator(exists, 1, 1, "Whether the path exists, even if its value is null."),
  missing: ownOperator(
    missing,
    0,
    ANY,
    "The list of the given paths that have no value: missing, null or an empty text.",
  ),
  missing_some: ownOperator(
    missingSome,
    2,
    2,
    "An empty list if at least the given number of paths have a value; otherwise the list of paths without a value.",
  ),

  if: libraryOperator(
    "if",
    2,
    ANY,
    "The second operand if the first operand is true, otherwise the third operand. More conditions and results may follow.",
  ),
  "?:": libraryOperator("?:", 2, ANY, 'Another name of the operator "if".'),
  and: libraryOperator("and", 1, ANY, "The first value that counts as false, or the last value."),
  or: libraryOperator("or", 1, ANY, "The first value that counts as true, or the last value."),
  "??": libraryOperator("??", 1, ANY, "The first value that is not null."),
  "!": libraryOperator("!", 1, 1, "Whether the value counts as false: false, null, 0, an empty text, list or object."),
  "!!": libraryOperator("!!", 1, 1, 'Whether the value counts as true: the opposite of "!".'),

  "==": ownOperator(
    compareInOrder(looselyEqual),
    2,
    ANY,
    'Whether two values are equal. 1 equals "1", and lists and objects are compared by content.',
  ),
  "!=": ownOperator(compareInOrder(negated(looselyEqual)), 2, ANY, 'Whether two values differ. 1 equals "1".'),
  "===": ownOperator(compareInOrder(strictlyEqual), 2, ANY, "Whether two values are equal and of the same type."),
  "!==": ownOperator(
    compareInOrder(negated(strictlyEqual)),
    2,
    ANY,
    "Whether two values differ, or have different types.",
  ),
  "<": libraryOperator(
    "<",
    2,
    ANY,
    "Whether the first value is less than the second; with three operands, whether the second is between the others. Texts are compared character by character.",
  ),
  "<=": libraryOperator(
    "<=",
    2,
    ANY,
    "Whether the first value is at most the second; with three operands, whether the second is between the others.",
  ),
  ">": libraryOperator(">", 2, ANY, "Whether the first value is greater than the second."),
  ">=": libraryOperator(">=", 2, ANY, "Whether the first value is at least the second."),

  "+": libraryOperator("+", 1, ANY, "The sum of the numbers. With one operand: the operand as a number."),
  "-": libraryOperator("-", 1, ANY, "The difference of two numbers. With one operand: the negative of the number."),
  "*": libraryOperator("*", 1, ANY, "The product of the numbers."),
  "/": libraryOperator("/", 1, ANY, "The quotient of two numbers. Dividing by zero is an error."),
  "%": libraryOperator("%", 2, ANY, "The remainder of a division."),
  min: libraryOperator("min", 1, ANY, "The smallest of the numbers."),
  max: libraryOperator("max", 1, ANY, "The largest of the numbers."),

  cat: ownOperator(joinTexts, 0, ANY, "The texts and numbers joined into one text. null adds nothing."),
  substr: libraryOperator(
    "substr",
    2,
    3,
    "A part of a text, given by its start and its length. A negative start counts from the end of the text.",
  ),
  in: ownOperator(contains, 2, 2, "Whether the list contains the value, or the text contains the part."),
  length: libraryOperator("length", 1, 1, "The number of characters, items or fields."),
  merge: ownOperator(merge, 0, ANY, "The lists joined into one list."),

  map: libraryOperator(
    "map",
    2,
    2,
    "A list with the rule's result for each item. In the rule, var reads the item, and ../../ reads data outside the item.",
  ),
  filter: libraryOperator("filter", 2, 2, "The items for which the rule counts as true."),
  all: libraryOperator("all", 2, 2, "Whether the rule counts as true for every item of a list that is not empty."),
  some: libraryOperator("some", 2, 2, "Whether the rule counts as true for at least one item."),
  none: libraryOperator("none", 2, 2, "Whether the rule counts as true for no item."),
  reduce: libraryOperator(
    "reduce",
    2,
    3,
    "One value, which a rule computes from a list and a start value. The rule reads current and accumulator.",
  ),

  eachKey: libraryOperator("eachKey", 1, 1, "An object whose fields are computed by rules."),
  preserve: libraryOperator("preserve", 1, ANY, "A literal value. Objects and lists inside it are not rules."),
  date: ownOperator(
    date,
    1,
    3,
    "Epoch milliseconds of an ISO date or date-time. The second operand is the time zone of a local time (default: UTC). The third operand chooses between two possible instants: earlier or later.",
  ),
  duration: ownOperator(duration, 1, 1, "Milliseconds of an ISO 8601 duration of fixed length, such as P3D or PT90M."),
};

function ownOperator(method: Method, least: number, most: number, about: string): Operator {
  return { about, args: [least, most], method: { method } };
}

function negated(holds: typeof strictlyEqual): typeof strictlyEqual {
  return (a, b, budget) => !holds(a, b, budget);
}

function libraryOperator(name: string, least: number, most: number, about: string): Operator {
  const engineOwn = engineMethods[name];
  assert(engineOwn, `The engine must have the operator ${name}.`);
  const { lazy = false, method } = typeof engineOwn === "function" ? { method: engineOwn } : engineOwn;
  const isIterating = ITERATING.has(name);
  // Reading a literal text of the rule is charged nowhere else. Each operator therefore charges the texts in its
  // operands here.
  const charged: Method = (args, context, above, session) => {
    session.budget.use(textLength(args) / CHARACTERS_PER_STEP);
    const value = method(args, context, above, isIterating ? (session.iterating ?? session) : session);
    // If its operand is an object, `length` first lists the names of the object, so these names are charged.
    if (name === "length") charge(session.work, Number(value) * workOf.name);
    return value;
  };
  return { about, args: [least, most], method: { lazy, method: charged } };
}

/** The library's engine while it runs one rule, together with the rule's budget. */
export type Session = Omit<LogicEngine, "truthy"> & {
  readonly budget: Budget;
  /** The budget of the whole step. */
  readonly work: Work;
  readonly truthy: (value: unknown) => boolean;
  /** The same session, which may also pause after each item of a list. null if the step has no pauses. */
  iterating: Session | null;
};
export type Method = (
  args: readonly unknown[],
  context: unknown,
  above: readonly unknown[],
  session: Session,
) => unknown;

export function readVariable(
  [path, otherwise]: readonly unknown[],
  context: unknown,
  above: readonly unknown[],
  session: Session,
) {
  const value = readAtPath(path, context, above, session);
  return value === NOTHING || value === undefined ? (otherwise ?? null) : value;
}

export function exists([path]: readonly unknown[], context: unknown, above: readonly unknown[], session: Session) {
  return readAtPath(path, context, above, session) !== NOTHING;
}

export function missing(args: readonly unknown[], context: unknown, above: readonly unknown[], session: Session) {
  return args.flat().filter((path) => {
    session.budget.use(1);
    const value = readAtPath(path, context, above, session);
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

export function compareInOrder(holds: (a: unknown, b: unknown, budget: Budget) => boolean): Method {
  return (args, _context, _above, { budget }) => {
    if (args.length < 2) throw fault("operand_invalid", "a comparison takes two values");
    return args.slice(1).every((value, index) => holds(args[index], value, budget));
  };
}

export function joinTexts(args: readonly unknown[], _context: unknown, _above: unknown, { budget }: Session): string {
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
  charge(work, workOf.date);
  if (!isDisambiguation(which))
    throw fault("operand_invalid", 'the third operand of date must be "compatible", "earlier" or "later"');
  const isMoment = typeof value === "string" || typeof value === "number";
  const known = isMoment ? instant(value, String(timezone), which) : null;
  if (known === null)
    throw fault("not_a_date", `date takes an ISO date, a date-time or epoch milliseconds, not ${shownValue(value)}`);
  return known;
}

function isDisambiguation(which: unknown): which is Disambiguation {
  return which === "compatible" || which === "earlier" || which === "later";
}

export function duration([value]: readonly unknown[]): number {
  if (typeof value === "string" && isFixedLength(value)) return durationMs(value);
  throw fault(
    "not_a_duration",
    `duration takes an ISO 8601 duration without years and months, not ${shownValue(value)}`,
  );
}

function shownValue(value: unknown): string {
  return isPlainObject(value) || Array.isArray(value) ? "a list or an object" : JSON.stringify(value).slice(0, 100);
}

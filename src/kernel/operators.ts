// The operators a rule may use: the whole list, with a sentence each for the documentation. What the engine has beyond
// these is left out because it can hide errors (try, throw), reach too far (get, val) or says the same twice.
import { defaultMethods, splitPath, type LogicEngine } from "json-logic-engine";
import { assert } from "./assert.ts";
import { fault, type Budget } from "./fault.ts";
import { durationMs, instant, isFixedLength } from "./instant.ts";
import { isPlainObject, looselyEqual, strictlyEqual } from "./equality.ts";

/** The engine as it runs one rule, with what that run may still cost. */
export type Session = LogicEngine & { readonly budget: Budget };
type Method = (args: readonly unknown[], context: unknown, above: readonly unknown[], session: Session) => unknown;

export type Operator = {
  readonly about: string;
  readonly args: readonly [least: number, most: number];
  /** One of the engine's own, or ours. */
  readonly method: unknown;
};

const ANY = Infinity;
/** A function, or an object that says whether the operator evaluates its operands itself. */
type EngineMethod = Method | { readonly lazy?: boolean; readonly method: Method };
// The engine's own types name each operator's parameters apart; called alike, they are all of this one shape.
const engineMethods = defaultMethods as unknown as { readonly [name: string]: EngineMethod };

export const operators: { readonly [name: string]: Operator } = {
  var: own("The value at a path such as execution.variables.plan; a second argument stands in for what is missing.", 0, 2, read),
  exists: own("Whether there is anything at the path, null included.", 1, 1, exists),
  missing: own("Those of the given paths at which there is nothing, null or an empty text.", 0, ANY, missing),
  missing_some: own("An empty list when at least the given number of paths have a value, else those missing.", 2, 2, missingSome),
  if: library("if", "Condition, then, else; more conditions may follow one another.", 2, ANY),
  "?:": library("?:", "The same as if.", 2, ANY),
  and: library("and", "The first value that counts as false, or the last one.", 1, ANY),
  or: library("or", "The first value that counts as true, or the last one.", 1, ANY),
  "??": library("??", "The first value that is not null.", 1, ANY),
  "!": library("!", "Whether the value counts as false: false, null, 0, and empty texts, lists and objects.", 1, 1),
  "!!": library("!!", "Whether the value counts as true.", 1, 1),
  "==": own("Equal, where 1 and \"1\" are equal; lists and objects are compared by what is in them.", 2, ANY, chain(looselyEqual)),
  "!=": own("Not equal, where 1 and \"1\" are equal.", 2, ANY, chain((a, b, budget) => !looselyEqual(a, b, budget))),
  "===": own("Equal, and of the same type.", 2, ANY, chain(strictlyEqual)),
  "!==": own("Not equal, or of another type.", 2, ANY, chain((a, b, budget) => !strictlyEqual(a, b, budget))),
  "<": library("<", "Less than; with three arguments, between. Texts are compared letter by letter.", 2, ANY),
  "<=": library("<=", "Less than or equal; with three arguments, between.", 2, ANY),
  ">": library(">", "Greater than.", 2, ANY),
  ">=": library(">=", "Greater than or equal.", 2, ANY),
  "+": library("+", "The sum; of one argument, the number it stands for.", 1, ANY),
  "-": library("-", "The difference; of one argument, its negative.", 1, ANY),
  "*": library("*", "The product.", 1, ANY),
  "/": library("/", "The quotient; dividing by zero is an error.", 1, ANY),
  "%": library("%", "The remainder.", 2, ANY),
  min: library("min", "The least of the numbers.", 1, ANY),
  max: library("max", "The greatest of the numbers.", 1, ANY),
  cat: own("The texts and numbers joined; null adds nothing.", 0, ANY, cat),
  substr: library("substr", "Part of a text: from where (negative counts from the end), and how long.", 2, 3),
  in: own("Whether the list holds the value, or the text holds the part.", 2, 2, contains),
  length: library("length", "How many letters, items or fields.", 1, 1),
  merge: own("The lists joined into one.", 0, ANY, merge),
  map: library("map", "A new list from what the rule gives for each item; inside, var sees the item, ../../ the outside.", 2, 2),
  filter: library("filter", "The items for which the rule counts as true.", 2, 2),
  all: library("all", "Whether the rule counts as true for every item, and there is one.", 2, 2),
  some: library("some", "Whether the rule counts as true for one item at least.", 2, 2),
  none: library("none", "Whether the rule counts as true for no item.", 2, 2),
  reduce: library("reduce", "One value from a list: the rule sees current and accumulator; the third argument is the beginning.", 2, 3),
  eachKey: library("eachKey", "An object whose fields are rules.", 1, 1),
  preserve: library("preserve", "A literal: objects and lists inside are values, not rules.", 1, ANY),
  date: own("Epoch milliseconds of an ISO date, a date-time or epoch milliseconds; local ones in the zone given, else UTC.", 1, 2, date),
  duration: own("Milliseconds of an ISO 8601 duration of fixed length, such as P3D or PT90M.", 1, 1, duration),
};

function own(about: string, least: number, most: number, method: Method): Operator {
  return { about, args: [least, most], method: { method } };
}

function library(name: string, about: string, least: number, most: number): Operator {
  const engineOwn = engineMethods[name];
  assert(engineOwn, `The engine has the operator ${name}.`);
  const { lazy = false, method } = typeof engineOwn === "function" ? { method: engineOwn } : engineOwn;
  const charged: Method = (args, context, above, session) => {
    session.budget.use(textLength(args) / CHARACTERS_PER_STEP);
    return method(args, context, above, session);
  };
  return { about, args: [least, most], method: { lazy, method: charged } };
}

/** Texts standing in the rule itself cost nothing to read, and may be long. */
function textLength(args: unknown): number {
  if (typeof args === "string") return args.length;
  return Array.isArray(args) ? args.reduce((sum: number, arg) => sum + (typeof arg === "string" ? arg.length : 0), 0) : 0;
}

/** Names through which a value would lead to the language underneath. They are no one's data. */
export const forbiddenNames: ReadonlySet<string> = new Set(["constructor", "__proto__", "prototype"]);

const NOTHING = Symbol("nothing");

/** Own properties only, one name after another; NOTHING as soon as one is not there. */
function lookUp(path: unknown, context: unknown, above: readonly unknown[], budget: Budget): unknown {
  if (path === undefined || path === null || path === "") return context;
  if (typeof path !== "string" && typeof path !== "number") throw fault("a path is a text, such as message.payload.id");
  const text = String(path);
  const climbs = /^(\.\.\/)*/.exec(text)?.[0].length ?? 0;
  let value = climbs === 0 ? context : outer(above)[climbs / 3 - 1];
  for (const name of splitPath(text.slice(climbs))) {
    if (typeof value !== "object" || value === null) return NOTHING;
    if (forbiddenNames.has(name) || !Object.hasOwn(value, name)) return NOTHING;
    value = (value as { readonly [name: string]: unknown })[name]; // the line above saw that it is there
  }
  if (typeof value === "string" || Array.isArray(value)) budget.use(value.length / CHARACTERS_PER_STEP);
  return value;
}

/** Looking at text is cheaper than evaluating. */
const CHARACTERS_PER_STEP = 32;

/** From the inside out: each iteration adds { iterator, index } and the context around it. */
function outer(above: readonly unknown[]): readonly unknown[] {
  const [info, context, next] = above;
  return above.length === 0 ? [] : [info, context, ...outer(Array.isArray(next) ? next : [])];
}

function read([path, otherwise]: readonly unknown[], context: unknown, above: readonly unknown[], { budget }: Session) {
  const value = lookUp(path, context, above, budget);
  return value === NOTHING || value === undefined ? (otherwise ?? null) : value;
}

function exists([path]: readonly unknown[], context: unknown, above: readonly unknown[], { budget }: Session) {
  return lookUp(path, context, above, budget) !== NOTHING;
}

function missing(args: readonly unknown[], context: unknown, above: readonly unknown[], { budget }: Session) {
  return args.flat().filter((path) => {
    budget.use(1);
    const value = lookUp(path, context, above, budget);
    return value === NOTHING || value === null || value === "";
  });
}

function missingSome([least, paths]: readonly unknown[], context: unknown, above: readonly unknown[], session: Session) {
  if (typeof least !== "number" || !Array.isArray(paths)) throw fault("missing_some takes a number and a list of paths");
  const absent = missing(paths, context, above, session);
  return paths.length - absent.length >= least ? [] : absent;
}

function chain(holds: (a: unknown, b: unknown, budget: Budget) => boolean): Method {
  return (args, _context, _above, { budget }) => {
    if (args.length < 2) throw fault("a comparison takes two values");
    return args.slice(1).every((value, index) => holds(args[index], value, budget));
  };
}

function cat(args: readonly unknown[], _context: unknown, _above: unknown, { budget }: Session): string {
  return args.reduce((joined: string, part) => {
    if (part !== null && typeof part === "object") throw fault("cat joins texts and numbers, not lists and objects");
    const longer = joined + String(part ?? "");
    budget.use(1 + longer.length / CHARACTERS_PER_STEP);
    return longer;
  }, "");
}

function contains([item, holder]: readonly unknown[], _context: unknown, _above: unknown, { budget }: Session): boolean {
  budget.use(textLength(holder) / CHARACTERS_PER_STEP);
  if (typeof holder === "string") return typeof item === "string" && holder.includes(item);
  if (!Array.isArray(holder)) return false;
  return holder.some((each) => strictlyEqual(item, each, budget));
}

function merge(args: readonly unknown[], _context: unknown, _above: unknown, { budget }: Session): readonly unknown[] {
  const merged = args.flat();
  budget.use(merged.length);
  return merged;
}

function date([value, timezone = "UTC"]: readonly unknown[]): number | null {
  if (value === null) return null;
  const known = typeof value === "string" || typeof value === "number" ? instant(value, String(timezone)) : null;
  if (known === null) throw fault(`date takes an ISO date, a date-time or epoch milliseconds, not ${shown(value)}`);
  return known;
}

function duration([value]: readonly unknown[]): number {
  if (typeof value === "string" && isFixedLength(value)) return durationMs(value);
  throw fault(`duration takes an ISO 8601 duration without years and months, not ${shown(value)}`);
}

function shown(value: unknown): string {
  return isPlainObject(value) || Array.isArray(value) ? "a list or an object" : JSON.stringify(value).slice(0, 100);
}

// The operators a rule may use: the whole list, with a sentence each for the documentation. What the engine has beyond
// these is left out because it can hide errors (try, throw), reach too far (get, val) or says the same twice.
import { defaultMethods } from "json-logic-engine";
import { assert } from "../assert.ts";
import { looselyEqual, strictlyEqual } from "./equality.ts";
import { cat, chain, contains, date, duration, exists, merge, missing, missingSome, read } from "./operator-work.ts";
import type { Method } from "./operator-work.ts";
import { CHARACTERS_PER_STEP, textLength } from "./paths.ts";
import { spend, workOf } from "../computing/work.ts";

export type Operator = {
  readonly about: string;
  readonly args: readonly [least: number, most: number];
  /** One of the engine's own, or ours. */
  readonly method: unknown;
};

/** A function, or an object that says whether the operator evaluates its operands itself. */
type EngineMethod = Method | { readonly lazy?: boolean; readonly method: Method };
// The engine's own types name each operator's parameters apart; called alike, they are all of this one shape.
const engineMethods = defaultMethods as unknown as { readonly [name: string]: EngineMethod };

const ANY = Infinity;
const ITERATING: ReadonlySet<string> = new Set(["map", "filter", "all", "some", "none", "reduce"]);

export const operators: { readonly [name: string]: Operator } = {
  var: own(read, 0, 2, "The value at a path such as message.payload.id; a second operand stands in for a missing one."),
  exists: own(exists, 1, 1, "Whether there is anything at the path, null included."),
  missing: own(missing, 0, ANY, "Those of the given paths at which there is nothing, null or an empty text."),
  missing_some: own(missingSome, 2, 2, "Empty when at least so many of the paths have a value, else those missing."),

  if: library("if", 2, ANY, "Condition, then, else; more conditions may follow one another."),
  "?:": library("?:", 2, ANY, "The same as if."),
  and: library("and", 1, ANY, "The first value that counts as false, or the last one."),
  or: library("or", 1, ANY, "The first value that counts as true, or the last one."),
  "??": library("??", 1, ANY, "The first value that is not null."),
  "!": library("!", 1, 1, "Whether the value counts as false: false, null, 0, an empty text, list or object."),
  "!!": library("!!", 1, 1, "Whether the value counts as true."),

  "==": own(chain(looselyEqual), 2, ANY, 'Equal, where 1 equals "1"; lists and objects by what is in them.'),
  "!=": own(chain(not(looselyEqual)), 2, ANY, 'Not equal, where 1 equals "1".'),
  "===": own(chain(strictlyEqual), 2, ANY, "Equal, and of the same type."),
  "!==": own(chain(not(strictlyEqual)), 2, ANY, "Not equal, or of another type."),
  "<": library("<", 2, ANY, "Less than; with three operands, between. Texts are compared letter by letter."),
  "<=": library("<=", 2, ANY, "Less than or equal; with three operands, between."),
  ">": library(">", 2, ANY, "Greater than."),
  ">=": library(">=", 2, ANY, "Greater than or equal."),

  "+": library("+", 1, ANY, "The sum; of one operand, the number it stands for."),
  "-": library("-", 1, ANY, "The difference; of one operand, its negative."),
  "*": library("*", 1, ANY, "The product."),
  "/": library("/", 1, ANY, "The quotient; dividing by zero is an error."),
  "%": library("%", 2, ANY, "The remainder."),
  min: library("min", 1, ANY, "The least of the numbers."),
  max: library("max", 1, ANY, "The greatest of the numbers."),

  cat: own(cat, 0, ANY, "The texts and numbers joined; null adds nothing."),
  substr: library("substr", 2, 3, "Part of a text: from where (negative counts from the end), and how long."),
  in: own(contains, 2, 2, "Whether the list holds the value, or the text holds the part."),
  length: library("length", 1, 1, "How many letters, items or fields."),
  merge: own(merge, 0, ANY, "The lists joined into one."),

  map: library("map", 2, 2, "What the rule gives for each item; inside, var sees the item, and ../../ the outside."),
  filter: library("filter", 2, 2, "The items for which the rule counts as true."),
  all: library("all", 2, 2, "Whether the rule counts as true for every item, and there is one."),
  some: library("some", 2, 2, "Whether the rule counts as true for one item at least."),
  none: library("none", 2, 2, "Whether the rule counts as true for no item."),
  reduce: library("reduce", 2, 3, "One value from a list, the rule and a beginning; it sees current and accumulator."),

  eachKey: library("eachKey", 1, 1, "An object whose fields are rules."),
  preserve: library("preserve", 1, ANY, "A literal: objects and lists inside are values, not rules."),
  date: own(
    date,
    1,
    3,
    "Epoch milliseconds of an ISO date or date-time; a local one in the zone given, else in UTC. A third operand says which of two: earlier or later.",
  ),
  duration: own(duration, 1, 1, "Milliseconds of an ISO 8601 duration of fixed length, such as P3D or PT90M."),
};

function own(method: Method, least: number, most: number, about: string): Operator {
  return { about, args: [least, most], method: { method } };
}

function not(holds: typeof strictlyEqual): typeof strictlyEqual {
  return (a, b, budget) => !holds(a, b, budget);
}

function library(name: string, least: number, most: number, about: string): Operator {
  const engineOwn = engineMethods[name];
  assert(engineOwn, `The engine has the operator ${name}.`);
  const { lazy = false, method } = typeof engineOwn === "function" ? { method: engineOwn } : engineOwn;
  const isIterating = ITERATING.has(name);
  // Texts standing in the rule itself cost nothing to read, and may be long.
  const charged: Method = (args, context, above, session) => {
    session.budget.use(textLength(args) / CHARACTERS_PER_STEP);
    const value = method(args, context, above, isIterating ? (session.iterating ?? session) : session);
    // It has counted the names of what it was given.
    if (name === "length") spend(session.work, Number(value) * workOf.name);
    return value;
  };
  return { about, args: [least, most], method: { lazy, method: charged } };
}

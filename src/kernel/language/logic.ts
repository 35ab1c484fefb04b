// JSONLogic rules over one scope, interpreted: a rule is data that somebody else wrote, so it reaches own properties
// only, costs a bounded number of steps, and its errors come back as sentences.
import { LOGIC_STEPS_MAX, LOGIC_VALUE_DEPTH_MAX } from "#schema/limits/kernel.ts";
import { LogicEngine } from "json-logic-engine";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { isPlainObject } from "./equality.ts";
import { budgetOf, fault, sentenceOf, type Budget } from "./fault.ts";
import type { Session } from "./operator-work.ts";
import { operators } from "./operators.ts";
import { parseCondition } from "./rule-findings.ts";

export { ruleFindings } from "./rule-findings.ts";

export type Evaluated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export function evaluate(rule: Rule, scope: JsonObject): Evaluated<Json> {
  return guarded((session) => plain(session.run(rule, scope), session.budget));
}

/** A condition may stand as a string that holds its JSON; elsewhere a string is just a text. */
export function truthy(condition: Rule, scope: JsonObject): Evaluated<boolean> {
  const rule = typeof condition === "string" ? parseCondition(condition) : condition;
  if (rule === undefined) return { ok: false, message: "the condition is a text, but not one that holds a JSON rule" };
  return guarded((session) => isTruthy(session.run(rule, scope)));
}

function guarded<T>(run: (session: Session) => T): Evaluated<T> {
  try {
    return { ok: true, value: run(openSession()) };
  } catch (thrown) {
    return { ok: false, message: sentenceOf(thrown, describe(thrown)) };
  }
}

const engine = new LogicEngine({}, { disableInline: true, disableInterpretedOptimization: true, maxDepth: Infinity });
// Without a prototype: the engine looks operators up by whatever name a rule gives, "valueOf" among them.
engine.methods = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.entries(operators).map(([name, { method }]) => [name, method])),
);
engine.truthy = isTruthy;

/** The engine with a budget of its own: every operand it evaluates goes through this `run`. */
function openSession(): Session {
  const budget = budgetOf(LOGIC_STEPS_MAX, `the rule takes more than ${LOGIC_STEPS_MAX} steps`);
  const run: LogicEngine["run"] = (logic, data, options) => {
    budget.use(1);
    return LogicEngine.prototype.run.call(session, logic, data, options);
  };
  const session: Session = Object.assign(Object.create(engine), { budget, run });
  return session;
}

function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isPlainObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** A copy that is nothing but JSON, whatever the engine made on the way. */
function plain(value: unknown, budget: Budget, depth = 0): Json {
  budget.use(1);
  if (depth > LOGIC_VALUE_DEPTH_MAX)
    throw fault(`the rule comes to a value nested more than ${LOGIC_VALUE_DEPTH_MAX} deep`);
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw fault("the rule comes to a number that is not finite");
    return value + 0; // there is no -0 in JSON
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, budget, depth + 1));
  if (!isPlainObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, budget, depth + 1)]));
}

/** The engine throws NaN and objects with a type. */
function describe(thrown: unknown): string {
  if (Number.isNaN(thrown)) return "the rule calculates with, or compares, something that is not a number";
  if (isPlainObject(thrown) && thrown["type"] === "Unknown Operator") {
    return `the rule has an object that is not one known operator (${String(thrown["key"])})`;
  }
  return "the rule gives an operator something it cannot work with";
}

// JSONLogic rules: evaluates a rule over one scope. A tenant writes the rule. It therefore reads own properties only,
// its work is limited, and its errors are returned instead of thrown.
import { RULE_VALUE_DEPTH_MAX } from "#schema/limits/definition-sizes.ts";
import { RULE_STEPS_MAX } from "#schema/limits/executions.ts";
import { LogicEngine } from "json-logic-engine";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { isPlainObject } from "./json-values.ts";
import { failureOf, fault, type Budget, type Failure } from "../computing/fault.ts";
import { type Session, operators } from "./operators.ts";
import {
  runPart,
  recallPart,
  rethrowPause,
  BYTES_PER_UNIT,
  openWork,
  charge,
  workOf,
  type Work,
} from "../computing/work.ts";
import { parseCondition } from "./rule-findings.ts";

export { ruleFindings } from "./rule-findings.ts";

export type Evaluation<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Failure);

/** Evaluates a rule. `work`: the remaining budget of the step; by default a full budget. */
export function evaluate(rule: Rule, scope: JsonObject, work: Work = openWork()): Evaluation<Json> {
  return evaluateInPart(work, (session) => toJson(session.run(rule, scope), session.budget));
}

/**
 * Whether a condition is true. A condition that is a string contains a rule as JSON. In every other place a string is
 * plain text.
 */
export function truthy(condition: Rule, scope: JsonObject, work: Work = openWork()): Evaluation<boolean> {
  return evaluateInPart(work, (session) => {
    if (typeof condition !== "string") return session.truthy(session.run(condition, scope));
    charge(work, condition.length / BYTES_PER_UNIT);
    const rule = parseCondition(condition);
    if (rule === undefined)
      throw fault("condition_invalid", "the condition is a string, but it does not contain a rule in JSON");
    return session.truthy(session.run(rule, scope));
  });
}

function evaluateInPart<T>(work: Work, run: (session: Session) => T): Evaluation<T> {
  return runPart(work, () => evaluateNow(work, run));
}

function evaluateNow<T>(work: Work, run: (session: Session) => T): Evaluation<T> {
  try {
    return { ok: true, value: run(openSession(work)) };
  } catch (thrown) {
    rethrowPause(work);
    const { code, message } = failureOf(thrown, failureOfEngine(thrown));
    return { ok: false, code, message };
  }
}

const engine = new LogicEngine({}, { disableInline: true, disableInterpretedOptimization: true, maxDepth: Infinity });
// The engine looks up every operator name that a rule contains. The object has no prototype, so that a name such as
// "valueOf" is not found.
engine.methods = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.entries(operators).map(([name, { method }]) => [name, method])),
);

/**
 * Opens the evaluation of one rule. The rule has its own budget, which is limited by the step's budget. Operators
 * evaluate their operands with the session's function `run`, so that every operand uses the budget.
 */
function openSession(work: Work): Session {
  const own = { used: 0 };
  const budget: Budget = {
    use: (cost) => {
      if (cost > 0) own.used += cost;
      if (own.used > RULE_STEPS_MAX) throw fault("steps_exceeded", `the rule takes more than ${RULE_STEPS_MAX} steps`);
      charge(work, cost);
    },
  };
  const isTruthy = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.length > 0;
    if (!isPlainObject(value)) return Boolean(value);
    const { length } = Object.keys(value);
    charge(work, length * workOf.name);
    return length > 0;
  };
  const run: LogicEngine["run"] = (logic, data, options) => {
    budget.use(1);
    return LogicEngine.prototype.run.call(session, logic, data, options);
  };
  const session: Session = Object.assign(Object.create(engine), {
    budget,
    work,
    run,
    truthy: isTruthy,
    iterating: null,
  });
  if (work.pauses !== null) session.iterating = iteratingSession(session, own);
  return session;
}

type Item = { readonly value: unknown; readonly used: number };

/** The session in which an operator iterates over a list. The step can pause after each item. */
function iteratingSession(session: Session, own: { used: number }): Session {
  const run: LogicEngine["run"] = (logic, data, options) => {
    const known = recallPart(session.work) as Item | null; // `runPart` below has stored this result, so its type is known.
    const before = own.used;
    const item =
      known ??
      runPart(session.work, (): Item => {
        const value: unknown = session.run(logic, data, options);
        return { value, used: own.used - before };
      });
    own.used = before + item.used;
    return item.value;
  };
  return Object.assign(Object.create(session), { run });
}

/**
 * Copies a value as JSON. An object that is not plain becomes null. Throws if a number is not finite, or if the value
 * is nested too deep.
 */
function toJson(value: unknown, budget: Budget, depth = 0): Json {
  budget.use(1);
  if (depth > RULE_VALUE_DEPTH_MAX)
    throw fault("too_deep", `the rule gives a value that is nested more than ${RULE_VALUE_DEPTH_MAX} levels deep`);
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw fault("not_finite", "the rule gives a number that is not finite");
    return value + 0; // JSON has no -0. Adding 0 turns it into 0.
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, budget, depth + 1));
  if (!isPlainObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item, budget, depth + 1)]));
}

/** Converts an exception of the engine into a failure. The engine throws NaN, or an object with a `type`. */
function failureOfEngine(thrown: unknown): Failure {
  if (Number.isNaN(thrown))
    return {
      code: "not_a_number",
      message: "the rule uses a value that is not a number in a computation or a comparison",
    };
  if (isPlainObject(thrown) && thrown["type"] === "Unknown Operator") {
    const message = `the rule contains an object whose only field is not a known operator (${String(thrown["key"])})`;
    return { code: "operator_unknown", message };
  }
  return { code: "operand_invalid", message: "the rule passes an operator a value of the wrong type" };
}

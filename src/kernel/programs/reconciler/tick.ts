// One tick of a reconciler: evaluates the rules of the current state in order and applies the first true one. All
// input, including the time, is in the scope. The same scope therefore gives the same decision.
import type { ReconcilerRule } from "#schema/definition/reconciler.ts";
import type { ActionStatus, ReconcilerPosition } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { REASON_CHARS_MAX } from "#schema/limits/definition-sizes.ts";
import { JOURNALED_VALUES_BYTES_MAX } from "#schema/limits/executions.ts";
import { truthy } from "../../language/logic.ts";
import { render } from "../../language/render.ts";
import { jsonBytes } from "../../language/json-values.ts";
import { valuesRead } from "../../language/rule-parts.ts";
import type { Work } from "../../computing/work.ts";
import { pointer } from "../machine/pointers.ts";
import type { Instants, Move, Scope } from "../../execution/program.ts";
import type { ProgramCommand, ProgramEntry } from "../../execution/program-commands.ts";
import { plannedStateOf, type Plan } from "./reconciler-plan.ts";

export type TickInput = {
  readonly position: ReconcilerPosition;
  readonly variables: JsonObject;
  readonly scope: Scope;
  readonly work: Work;
  readonly at: Instants;
};
type Decided = Extract<ProgramEntry, { kind: "decided" }>;

/** The move of one tick; null if no rule is true, or if the first true rule would change nothing. */
export function tick(plan: Plan, look: TickInput): Move | null {
  const chosen = firstTrue(plan, look, () => true);
  return chosen === null || "ok" in chosen ? chosen : applyRule(plan, look, chosen.rule, chosen.where);
}

/**
 * The move of a rule that replaces the action in progress; null if no such rule is true. A rule that starts the same
 * action again is ignored, because it would cancel the action that it has started.
 */
export function interrupt(plan: Plan, look: TickInput): Move | null {
  const { actionName } = look.scope["action"] as ActionStatus; // `scopeFor` puts the last action's status there
  const chosen = firstTrue(plan, look, ({ cancelAction, emit }) => cancelAction === true && emit !== actionName);
  if (chosen === null || "ok" in chosen) return chosen;
  return applyRule(plan, look, chosen.rule, chosen.where) ?? moveOf(look, look.position, []);
}

type Chosen = { readonly rule: ReconcilerRule; readonly where: string };

/** The first of the eligible rules that is true; a failed move if a rule cannot be evaluated. */
function firstTrue(
  plan: Plan,
  { position, scope, work }: TickInput,
  isEligible: (rule: ReconcilerRule) => boolean,
): Chosen | Extract<Move, { ok: false }> | null {
  const { rules } = plannedStateOf(plan, position.state);
  for (const [n, rule] of rules.entries()) {
    if (!isEligible(rule)) continue;
    const where = pointer("/states", position.state, "rules", n);
    const holds = rule.when === undefined ? TRUE : truthy(rule.when, scope, work);
    if (!holds.ok) return ruleFault(`${pointer(where, "when")}: ${holds.message}`);
    if (holds.value) return { rule, where };
  }
  return null;
}

const TRUE = { ok: true, value: true } as const;

/**
 * The move that starts the shutdown. A tick checks it before its rules. null if the reconciler has no shutdown, or if
 * the shutdown has started.
 */
export function shutdown(plan: Plan, look: TickInput): Move | null {
  const { shutdown: down } = plan;
  const { state } = look.position;
  if (down === null || down.target === state || plannedStateOf(plan, state).state.stopping === true) return null;
  const why = reasonOf(plan, look, down.target, down.reason);
  if (!why.ok) return ruleFault(`/onShutdown/reason: ${why.message}`);
  return moveTo(plan, look, down.target, { rule: "/onShutdown", does: "shutdown", to: down.target, reason: why.value });
}

function applyRule(plan: Plan, look: TickInput, rule: ReconcilerRule, where: string): Move | null {
  const { position } = look;
  const { target, emit, signal } = rule;
  const goal = target ?? (signal === "restart" ? plan.definition.initial : position.state);
  const why = reasonOf(plan, look, goal, rule.reason ?? null);
  if (!why.ok) return ruleFault(`${pointer(where, "reason")}: ${why.message}`);
  const reason = why.value;
  if (target === position.state) return stayInState(look, rule.reason === undefined ? position.reason : reason);
  const values = valuesOfRule(look, rule);
  if (target !== undefined)
    return moveTo(plan, look, target, { rule: where, does: "target", to: target, reason, ...values });
  if (emit !== undefined) {
    const now = rule.reason === undefined ? position.reason : reason;
    const said = { rule: where, does: "emit", to: emit, reason: now, ...values } as const;
    return moveOf(look, { ...position, reason: now }, [recordDecision(said), { kind: "act", action: emit }]);
  }
  const said = { rule: where, does: "signal", to: String(signal), reason, ...values } as const;
  if (signal === "remove")
    return moveOf(look, { ...position, reason, done: true, removed: true }, [recordDecision(said)]);
  const restarts = (position.restarts ?? 0) + 1;
  return moveOf(look, { ...positionIn(goal, reason, look.at.now), restarts }, [
    recordDecision(said),
    { kind: "leave", state: position.state },
    { kind: "enter", state: goal },
  ]);
}

/**
 * The values that the rule has read, as a field for the journal. If the values are too large, the field is left out.
 */
function valuesOfRule({ scope, work }: TickInput, { when }: ReconcilerRule): Pick<Decided, "values"> {
  if (when === undefined) return {};
  const values = valuesRead(when, scope, work);
  return jsonBytes(values) > JOURNALED_VALUES_BYTES_MAX ? {} : { values };
}

/** The move that only changes the reason, and stays in the state. null if the reason is the same. */
function stayInState(look: TickInput, reason: string): Move | null {
  if (reason === look.position.reason) return null;
  return moveOf(look, { ...look.position, reason }, []);
}

function moveTo(plan: Plan, look: TickInput, target: string, said: Omit<Decided, "kind">): Move {
  const { position, at } = look;
  const { restarts } = position;
  const again = restarts === undefined ? {} : { restarts };
  const done = plannedStateOf(plan, target).state.type === "final";
  return moveOf(look, { ...positionIn(target, said.reason, at.now), ...again, done }, [
    recordDecision(said),
    { kind: "leave", state: position.state },
    { kind: "enter", state: target },
  ]);
}

export function positionIn(state: string, reason: string, since: number): ReconcilerPosition {
  return { kind: "reconciler", state, states: [state], since, reason, done: false };
}

/** The rendered reason of a move; empty if the rule has none. Long reasons are cut, because people read them. */
export function reasonOf(
  plan: Plan,
  { scope, work }: Pick<TickInput, "scope" | "work">,
  state: string,
  own: string | null,
): { readonly ok: true; readonly value: string } | { readonly ok: false; readonly message: string } {
  const rendered = render(own ?? plannedStateOf(plan, state).state.reason ?? "", scope, work);
  if (!rendered.ok) return { ok: false, message: rendered.error.message.replace(/^config: /, "") };
  const { value } = rendered;
  return { ok: true, value: (typeof value === "string" ? value : JSON.stringify(value)).slice(0, REASON_CHARS_MAX) };
}

function moveOf(
  { variables }: TickInput,
  position: ReconcilerPosition,
  commands: readonly ProgramCommand[],
): Extract<Move, { ok: true }> {
  return { ok: true, position, variables, commands, took: [position.state] };
}

function recordDecision(entry: Omit<Decided, "kind">): ProgramCommand {
  return { kind: "say", entry: { kind: "decided", ...entry } };
}

function ruleFault(message: string): Extract<Move, { ok: false }> {
  return { ok: false, code: "rule_fault", message };
}

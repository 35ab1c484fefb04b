// Errors in a definition's actions. Errors in their configs are not found here, because the runner of each action type
// checks its configs.
import type { ActionDefinition, AnyAction } from "#schema/definition/action.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Json, Rule } from "#schema/json.ts";
import { CONFIG_BYTES_MAX } from "#schema/limits/executions.ts";
import type { Finding } from "#schema/refusal.ts";
import { scheduleFault } from "../calendar/occurrences.ts";
import { instant } from "../language/instant.ts";
import { ruleFindings } from "../language/logic.ts";
import { shownZone } from "../language/zone-settings.ts";
import { graphOf, ROOT } from "../programs/machine/graph.ts";
import { templateFindings } from "../language/render.ts";
import { byteLength } from "../language/json-values.ts";
import { openGuesses } from "#schema/suggest.ts";
import { delaysOf, runDelayFindings, type KnownDelays } from "./delays.ts";
import { pointer } from "../programs/machine/pointers.ts";
import { finding, listNames } from "./finding.ts";
import { inlineLimitFindings, limitNameFindings, limitsOf } from "./limits/limits.ts";
import { retryNameFindings } from "./retry-names.ts";
import { zoneRule } from "./rules-and-templates/rules-and-templates.ts";
import { placedRuleFindings } from "./rules-and-templates/zone-rules.ts";

export function actionFindings(definition: MachineDefinition): readonly Finding[] {
  // Entering a history state enters other states instead, so a history state is never active and starts no action.
  const states = [...graphOf(definition).values()]
    .filter(({ path, node }) => path !== ROOT && node.type !== "history")
    .map(({ path }) => path);
  const known: KnownNames = { names: new Set(states), guess: openGuesses(states) };
  const asking = taskCreatingActions(definition.actions);
  const delays = delaysOf(definition);
  const limits = limitsOf(definition);
  const seen = new Set<string>();
  const { actions = [] } = definition;
  return actions.flatMap((action, index) => {
    const where = pointer("/actions", index);
    const twice = seen.has(action.actionId)
      ? [finding(pointer(where, "actionId"), "duplicate_action", `two actions have the id ${action.actionId}`)]
      : [];
    seen.add(action.actionId);
    return [
      ...twice,
      ...triggerFindings(action, known, where),
      ...scheduleFindings(action, definition, where),
      ...oneActionFindings(action, delays, where),
      ...limitNameFindings(limits, action, where),
      ...changedTaskFindings(action, asking, where),
    ];
  });
}

type KnownNames = { readonly names: ReadonlySet<string>; readonly guess: (name: string) => string | null };

/** The names of actions that create tasks. */
function taskCreatingActions(actions: readonly ActionDefinition[] = []): KnownNames {
  const asking = actions.filter(
    ({ type, config }) => type === "task" && (config["operation"] ?? "create") === "create",
  );
  const names = asking.map(({ actionId }) => actionId);
  return { names: new Set(names), guess: openGuesses(names) };
}

/** Errors of an action that are found without reading its machine. For a standalone action these are all errors. */
export function oneActionFindings(action: AnyAction, delays: KnownDelays, where: string): readonly Finding[] {
  const { delay, condition, validUntil, timezone, limit = [], config, retryPolicy } = action;
  return [
    ...(delay === undefined ? [] : runDelayFindings(delay, delays, pointer(where, "delay"))),
    ...(condition === undefined ? [] : ruleFindings(condition, pointer(where, "condition"), "condition")),
    ...zoneRule({ timezone }, where).flatMap(placedRuleFindings),
    ...(validUntil === undefined ? [] : boundFindings(validUntil, pointer(where, "validUntil"))),
    ...limit.flatMap(({ key }, n) => ruleFindings(key, pointer(where, "limit", n, "key"))),
    ...(retryPolicy === undefined ? [] : retryNameFindings(retryPolicy, pointer(where, "retryPolicy"))),
    ...configFindings(config, pointer(where, "config")),
    ...(delays === null ? standaloneFindings(action, where) : []),
  ];
}

/**
 * Errors of a task action that changes a task which no other action creates. A name that is a template is checked at
 * run time.
 */
function changedTaskFindings(
  { type, config }: ActionDefinition,
  { names, guess: guessed }: KnownNames,
  where: string,
): readonly Finding[] {
  const { operation = "create", task } = config;
  if (type !== "task" || operation === "create" || typeof task !== "string" || task.includes("{{")) return [];
  if (names.has(task)) return [];
  const guess = guessed(task);
  const hint = guess ? `Did you mean ${guess}?` : `Known actions of type task: ${listNames(names)}.`;
  return [finding(pointer(where, "config", "task"), "unknown_action", `no action ${task} is of type task`, hint)];
}

/** Errors that only a standalone action can have. */
function standaloneFindings(action: AnyAction, where: string): readonly Finding[] {
  return [...standaloneTaskFindings(action, where), ...inlineLimitFindings(action, where)];
}

/**
 * Errors about task fields that a standalone action cannot have. No other action exists whose task it could change, and
 * no machine receives the task's events.
 */
function standaloneTaskFindings({ type, config }: AnyAction, where: string): readonly Finding[] {
  if (type !== "task") return [];
  return (["operation", "reminder", "escalateTo"] as const)
    .filter((field) => config[field] !== undefined && config[field] !== "create")
    .map((field) => {
      const message = `${field} is only possible for an action of a definition`;
      const hint = "Omit the field, or put the action into a definition that handles the events of the task.";
      return finding(pointer(where, "config", field), "not_in_standalone", message, hint);
    });
}

/**
 * Errors of a `validUntil` that is neither an instant nor a rule. If it is a rule, its result is checked at run time.
 */
function boundFindings(bound: Rule, where: string): readonly Finding[] {
  if (typeof bound !== "string" || instant(bound, "UTC") !== null) return ruleFindings(bound, where);
  const hint = "Write a date-time such as 2026-11-18T09:00:00Z, epoch milliseconds, or a rule that gives either.";
  return [finding(where, "invalid_instant", `${JSON.stringify(bound)} is not an instant`, hint)];
}

function triggerFindings(
  { triggerState }: ActionDefinition,
  { names, guess: guessed }: KnownNames,
  where: string,
): readonly Finding[] {
  if (triggerState === undefined || names.has(triggerState)) return [];
  const guess = guessed(triggerState);
  const hint = guess ? `Did you mean ${guess}?` : "Name a nested state by its path from the top, such as a.b.";
  return [finding(pointer(where, "triggerState"), "unknown_state", `the state ${triggerState} does not exist`, hint)];
}

function scheduleFindings(action: ActionDefinition, definition: MachineDefinition, where: string): readonly Finding[] {
  if (action.schedule === undefined) return [];
  const at = pointer(where, "schedule");
  const fault = scheduleFault(
    action.schedule,
    shownZone([action.timezone, definition.timezone], definition.variables ?? {}),
  );
  return [
    ...(action.triggerState === undefined ? [stateMissing(at)] : []),
    ...(fault === null ? [] : [finding(at, "invalid_schedule", fault.message, fault.hint)]),
  ];
}

function stateMissing(at: string): Finding {
  const message =
    "a schedule requires a triggerState, because the schedule runs only while the execution is in that state";
  return finding(at, "trigger_state_missing", message, 'Add "triggerState" to the action.');
}

const BY_REFERENCE = 'Pass files by reference: give each attachment or document "url" or "r2" instead of "content".';

function configFindings(config: Json, where: string): readonly Finding[] {
  const size = byteLength(JSON.stringify(config));
  if (size > CONFIG_BYTES_MAX) {
    const message = `the config takes ${size} bytes; the limit is ${CONFIG_BYTES_MAX} (CONFIG_BYTES_MAX)`;
    return [finding(where, "limit_exceeded", message, BY_REFERENCE)];
  }
  return templateFindings(config, where);
}

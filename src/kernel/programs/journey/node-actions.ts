// Actions of a journey's nodes, in the form of a program's actions. The fields of `defaults` apply where a node has
// none of its own. Names of windows and caps are replaced. Each undo becomes a separate action.
import type { ActionDefinition, ProgramAction } from "#schema/definition/action.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import { unsettable, type ActingNode, type TypeDefaults, type Undo } from "#schema/definition/journey/action-node.ts";
import type { ChildNode, EachNode } from "#schema/definition/journey/nodes.ts";
import { STARTING_TYPE } from "#schema/engine/child.ts";
import { retryPresets } from "#schema/definition/retry-presets.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { withLimits } from "../named-limits.ts";
import { kindOf } from "./journey-plan.ts";

/** An action with its path in the definition. `defaultsAt`: the path of its defaults; null if it has none. */
export type PlacedAction = {
  readonly action: ProgramAction;
  readonly at: readonly string[];
  readonly defaultsAt: readonly string[] | null;
  /** True if the node starts a child. The fields of the config are then the fields of the node. */
  readonly isChild: boolean;
};

export function actionsOf(definition: JourneyDefinition): readonly PlacedAction[] {
  return Object.entries(definition.nodes).flatMap(([name, node]): readonly PlacedAction[] => {
    const is = kindOf(node);
    const at = ["nodes", name];
    switch (is.kind) {
      case "acting":
        return [nodeAction(definition, name, is.node, at), ...undoActions(definition, name, is.node.undo, at)];
      case "each": {
        const inner = nodeAction(definition, name, is.node.node, [...at, "node"]);
        return [inner, ...undoActions(definition, name, is.node.undo, at)];
      }
      case "journey":
        return [childAction(definition, name, is.node, at), ...undoActions(definition, name, is.node.undo, at)];
      case "delay":
      case "branch":
      case "wait":
      case "split":
      case "exit":
        return [];
    }
  });
}

export function undoActionId(name: string): string {
  return `${name}:undo`;
}

type ActionFields = TypeDefaults & Pick<ActingNode, "type" | "delay">;

function nodeAction(
  definition: JourneyDefinition,
  name: string,
  node: ActionFields | EachNode["node"],
  at: readonly string[],
): PlacedAction {
  const under = ownField(definition.defaults, node.type);
  const { window, cap, config = {}, ...said } = withDefaults(under, node);
  const { delay } = node as ActionFields; // The node inside `each` has no delay of its own.
  const written: ActionDefinition = {
    actionId: name,
    type: said.type,
    config,
    retryPolicy: said.retryPolicy ?? presetOf(said.type),
    ...definedField("delay", delay),
    ...definedField("timeout", said.timeout),
    ...definedField("timezone", said.timezone),
    ...definedField("enabled", said.enabled),
    ...definedField("disambiguation", said.disambiguation),
    ...definedField("condition", said.condition),
    ...definedField("validUntil", said.validUntil),
    ...definedField("maxLateness", said.maxLateness),
    ...definedField("selfHeal", said.selfHeal),
    ...definedField("priority", said.priority),
    ...definedField("onExhausted", said.onExhausted),
    ...definedField("lane", said.lane),
    ...definedField("quietHours", said.quietHours),
    ...definedField("window", window),
    ...definedField("cap", cap),
    ...definedField("limit", said.limit),
  };
  const action = withLimits(definition, written);
  return { action, at, defaultsAt: under === undefined ? null : ["defaults", node.type], isChild: false };
}

function undoActions(
  definition: JourneyDefinition,
  name: string,
  undo: Undo | undefined,
  at: readonly string[],
): readonly PlacedAction[] {
  if (undo === undefined) return [];
  // An undo uses only these fields of the defaults. Other settings, such as windows and caps, are meant for the action
  // that is undone.
  const { config, retryPolicy, timeout, lane } = ownField(definition.defaults, undo.type) ?? {};
  const under = { ...definedField("config", config), ...definedField("retryPolicy", retryPolicy) };
  const said = { ...under, ...definedField("timeout", timeout), ...definedField("lane", lane) };
  const defaults = { [undo.type]: { ...said, onExhausted: "pause" as const } };
  return [nodeAction({ ...definition, defaults }, undoActionId(name), undo, [...at, "undo"])];
}

/** The action that starts a node's child. A journey treats its run like the run of any other action. */
function childAction(
  { defaults }: JourneyDefinition,
  name: string,
  node: ChildNode,
  at: readonly string[],
): PlacedAction {
  const under = ownField(defaults, STARTING_TYPE);
  const { definition, variables, correlationId, onCancel, delay, retryPolicy = under?.retryPolicy, onExhausted } = node;
  const action: ProgramAction = {
    actionId: name,
    type: STARTING_TYPE,
    config: {
      definition,
      ...definedField("variables", variables),
      ...definedField("correlationId", correlationId),
      ...definedField("onCancel", onCancel),
      wait: true,
    },
    retryPolicy: retryPolicy ?? presetOf(STARTING_TYPE),
    ...definedField("delay", delay),
    ...definedField("timeout", under?.timeout),
    ...definedField("lane", under?.lane),
    ...definedField("onExhausted", onExhausted ?? under?.onExhausted),
  };
  return { action, at, defaultsAt: under === undefined ? null : ["defaults", STARTING_TYPE], isChild: true };
}

/** The retry preset of an action type. A type without a preset gets the preset of e-mail. */
function presetOf(type: string): RetryPreset {
  return type !== "default" && Object.hasOwn(retryPresets, type) ? (type as RetryPreset) : "email";
}

/** The fields of a node over the defaults of its type. A field that the node sets to null has no value. */
function withDefaults<Over extends OverDefaults>(under: TypeDefaults | undefined, over: Over): WithoutNull<Over> {
  const merged = under === undefined ? over : overDefaults(under, over);
  const set = Object.entries(merged).filter(([field, value]) => value !== null || !Object.hasOwn(unsettable, field));
  return Object.fromEntries(set) as WithoutNull<Over>; // The filter removes exactly the null fields.
}

type OverDefaults = { readonly [field in keyof TypeDefaults]: TypeDefaults[field] | null };
type WithoutNull<Over> = {
  readonly [field in keyof Over]: field extends keyof typeof unsettable ? Exclude<Over[field], null> : Over[field];
};

function overDefaults<Over extends OverDefaults>(under: TypeDefaults, over: Over): Over {
  const config = under.config && over.config ? mergeConfigs(under.config, over.config) : (over.config ?? under.config);
  const own = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined));
  return { ...under, ...own, ...definedField("config", config) } as Over; // Every field comes from `over`, or from `under` if `over` lacks it.
}

/**
 * Merges two configs. Nested objects are merged field by field. Any other value of `over` replaces the value of
 * `under`.
 */
function mergeConfigs(under: JsonObject, over: JsonObject): JsonObject {
  const entries = Object.entries({ ...under, ...over }).map(([key, value]): [string, Json] => {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    const both = isPlainObject(value) && isPlainObject(below);
    return [key, both ? mergeConfigs(below as JsonObject, value as JsonObject) : value];
  });
  return Object.fromEntries(entries);
}

function ownField<T>(record: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

type DefinedField<Name extends string, T> = { readonly [name in Name]?: NonNullable<T> };

function definedField<Name extends string, T>(name: Name, value: T): DefinedField<Name, T> {
  return (value === undefined ? {} : { [name]: value }) as DefinedField<Name, T>; // The object is either empty or has this one name.
}

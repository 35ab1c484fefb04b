// Actions of a journey's nodes, as actions of a program. `defaults` are merged under a node's own fields, names of
// windows and caps are resolved, and each undo becomes a separate action.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { ActingNode, TypeDefaults, Undo } from "#schema/definition/journey/action-node.ts";
import type { ChildNode, EachNode } from "#schema/definition/journey/nodes.ts";
import { STARTING_TYPE } from "#schema/engine/child.ts";
import { retryPresets } from "#schema/definition/retry-presets.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import type { ProgramAction } from "../../execution/program.ts";
import { kindOf } from "./journey-plan.ts";

/**
 * An action with its path in the definition (`at`), and the path of the defaults merged under it (`under`; null if
 * there are none).
 */
export type PlacedAction = {
  readonly action: ProgramAction;
  readonly at: readonly string[];
  readonly under: readonly string[] | null;
  /** True if the node starts a child; the action's config is then written in the node itself. */
  readonly isChild: boolean;
};

export function actionsOf(definition: JourneyDefinition): readonly PlacedAction[] {
  return Object.entries(definition.nodes).flatMap(([name, node]): readonly PlacedAction[] => {
    const is = kindOf(node);
    const at = ["nodes", name];
    switch (is.kind) {
      case "acting":
        return [acting(definition, name, is.node, at), ...undoing(definition, name, is.node.undo, at)];
      case "each": {
        const inner = acting(definition, name, is.node.node, [...at, "node"]);
        return [inner, ...undoing(definition, name, is.node.undo, at)];
      }
      case "journey":
        return [starting(definition, name, is.node, at), ...undoing(definition, name, is.node.undo, at)];
      case "delay":
      case "branch":
      case "wait":
      case "split":
      case "exit":
        return [];
    }
  });
}

export function undoOf(name: string): string {
  return `${name}:undo`;
}

type Acting = TypeDefaults & Pick<ActingNode, "type" | "schedule">;

function acting(
  definition: JourneyDefinition,
  name: string,
  node: Acting | EachNode["node"],
  at: readonly string[],
): PlacedAction {
  const under = ownOf(definition.defaults, node.type);
  const { window, cap, retry, config = {}, ...said } = layered(under, node);
  const { schedule } = node as Acting; // a node inside `each` has no schedule
  const action: ProgramAction = {
    actionId: name,
    type: said.type,
    config,
    retryPolicy: retry ?? presetOf(said.type),
    ...written("delay", schedule),
    ...written("timeout", said.timeout),
    ...written("timezone", said.timezone),
    ...written("enabled", said.enabled),
    ...written("disambiguation", said.disambiguation),
    ...written("condition", said.condition),
    ...written("validUntil", said.validUntil),
    ...written("maxLateness", said.maxLateness),
    ...written("selfHeal", said.selfHeal),
    ...written("priority", said.priority),
    ...written("onExhausted", said.onExhausted),
    ...written("lane", said.lane),
    ...written("window", typeof window === "string" ? ownOf(definition.windows, window) : window),
    ...written("cap", capOf(definition, cap)),
  };
  return { action, at, under: under === undefined ? null : ["defaults", node.type], isChild: false };
}

function undoing(
  definition: JourneyDefinition,
  name: string,
  undo: Undo | undefined,
  at: readonly string[],
): readonly PlacedAction[] {
  if (undo === undefined) return [];
  // Opening hours, caps and similar limits apply to forward actions only.
  const { config, retry, timeout, lane } = ownOf(definition.defaults, undo.type) ?? {};
  const under = { ...written("config", config), ...written("retry", retry) };
  const said = { ...under, ...written("timeout", timeout), ...written("lane", lane) };
  const defaults = { [undo.type]: { ...said, onExhausted: "pause" as const } };
  return [acting({ ...definition, defaults }, undoOf(name), undo, [...at, "undo"])];
}

/** The action that starts a node's child. It is an effect like all others. */
function starting({ defaults }: JourneyDefinition, name: string, node: ChildNode, at: readonly string[]): PlacedAction {
  const under = ownOf(defaults, STARTING_TYPE);
  const { definition, variables, correlationId, onCancel, schedule, retry = under?.retry, onExhausted } = node;
  const action: ProgramAction = {
    actionId: name,
    type: STARTING_TYPE,
    config: {
      definition,
      ...written("variables", variables),
      ...written("correlationId", correlationId),
      ...written("onCancel", onCancel),
      wait: true,
    },
    retryPolicy: retry ?? presetOf(STARTING_TYPE),
    ...written("delay", schedule),
    ...written("timeout", under?.timeout),
    ...written("lane", under?.lane),
    ...written("onExhausted", onExhausted ?? under?.onExhausted),
  };
  return { action, at, under: under === undefined ? null : ["defaults", STARTING_TYPE], isChild: true };
}

/** The retry preset of an action type. Types without their own preset are retried like e-mail. */
function presetOf(type: string): RetryPreset {
  return type !== "default" && Object.hasOwn(retryPresets, type) ? (type as RetryPreset) : "email";
}

function layered<Over extends TypeDefaults>(under: TypeDefaults | undefined, over: Over): Over {
  if (under === undefined) return over;
  const config = under.config && over.config ? laid(under.config, over.config) : (over.config ?? under.config);
  const own = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined));
  return { ...under, ...own, ...written("config", config) } as Over; // fields of `over`, and of the defaults below it
}

/** Merges two configs object by object; any other value replaces the one below it. */
function laid(under: JsonObject, over: JsonObject): JsonObject {
  const entries = Object.entries({ ...under, ...over }).map(([key, value]): [string, Json] => {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    const both = isPlainObject(value) && isPlainObject(below);
    return [key, both ? laid(below as JsonObject, value as JsonObject) : value];
  });
  return Object.fromEntries(entries);
}

function capOf({ caps }: JourneyDefinition, name: string | undefined): ProgramAction["cap"] {
  const cap = name === undefined ? undefined : ownOf(caps, name);
  return name === undefined || cap === undefined ? undefined : { ...cap, name };
}

function ownOf<T>(record: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

type Written<Name extends string, T> = { readonly [name in Name]?: NonNullable<T> };

function written<Name extends string, T>(name: Name, value: T): Written<Name, T> {
  return (value === undefined ? {} : { [name]: value }) as Written<Name, T>; // the object has only that name
}

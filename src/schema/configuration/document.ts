// Configuration documents: the kinds of resources in one, and the steps of a plan that applies one.
import type { Json, JsonObject } from "../json.ts";
import type { Finding } from "../refusal.ts";

/**
 * The kinds in the order in which they are written: a resource refers only to resources of earlier kinds. Deletions use
 * the reverse order.
 */
export const configurationKinds = [
  "templates",
  "connections",
  "alertChannels",
  "calendars",
  "policies",
  "definitions",
  "triggers",
  "recurring",
  "prices",
] as const;
export type ConfigurationKind = (typeof configurationKinds)[number];

/** A resource as a client would write it. */
export type ConfigurationItem = { readonly kind: ConfigurationKind; readonly name: string; readonly body: JsonObject };

/** One difference between a stored resource and its document. `was` or `is` is absent if that side has no value. */
export type ItemChange = {
  readonly kind: "added" | "removed" | "changed" | "reordered";
  readonly pointer: string;
  readonly was?: Json;
  readonly is?: Json;
};

/** `leave`: the stored resource equals the document. `conflict`: the change or deletion is not possible. */
export const planActions = ["create", "change", "leave", "delete", "conflict"] as const;
export type PlanAction = (typeof planActions)[number];

export type PlanStep = {
  readonly kind: ConfigurationKind;
  readonly name: string;
  /** The pointer to the resource in the document; null for a deletion. */
  readonly pointer: string | null;
  readonly action: PlanAction;
  readonly changes: readonly ItemChange[];
  /** The number of further differences. */
  readonly more: number;
  /** The reason of a conflict; null otherwise. */
  readonly conflict: Finding | null;
};

/** `done`: the step was carried out. `left`: it was not, because of the limit of writes. `planned`: a dry run. */
export const stepStates = ["planned", "done", "left"] as const;
export type StepState = (typeof stepStates)[number];

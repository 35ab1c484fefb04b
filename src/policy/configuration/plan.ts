// Configuration plans: decides for each resource whether it is created, changed, left or deleted, or cannot be. Each
// decision concerns one resource, so that the bodies of all stored resources need not be in memory together.
import { canonicalText } from "../versions/diff/align.ts";
import { diffPart } from "../versions/diff/diff.ts";
import {
  configurationKinds,
  type ConfigurationItem,
  type ConfigurationKind,
  type ItemChange,
  type PlanStep,
} from "#schema/configuration/document.ts";
import type { JsonObject } from "#schema/json.ts";
import { CONFIGURATION_CHANGES_MAX } from "#schema/limits/upkeep/configuration.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Reference } from "./references.ts";

type DesiredItem = ConfigurationItem & { readonly pointer: string };

/** Decides one resource of the document. `stored`: its body now; null if it does not exist. */
export function planItem({ kind, name, body, pointer }: DesiredItem, stored: JsonObject | null): PlanStep {
  const step = { kind, name, pointer, changes: [], more: 0, conflict: null };
  if (stored === null) return { ...step, action: "create" };
  const changes = diffBodies(stored, body);
  if (changes.length === 0) return { ...step, action: "leave" };
  const listed = { changes: changes.slice(0, CONFIGURATION_CHANGES_MAX) };
  const more = changes.length - listed.changes.length;
  const conflict = immutableChange(kind, stored, body, pointer);
  return { ...step, ...listed, more, conflict, action: conflict === null ? "change" : "conflict" };
}

/** Decides the deletion of a resource that the document does not contain. `users`: the references of the document. */
export function planDeletion(kind: ConfigurationKind, name: string, users: readonly Reference[]): PlanStep {
  const step = { kind, name, pointer: null, changes: [], more: 0 };
  const user = users.find((each) => each.kind === kind && each.name === name);
  if (user === undefined) return { ...step, action: "delete", conflict: null };
  const message = `cannot be deleted: ${user.from} still uses it`;
  const hint = "Add it to the document, or remove the reference.";
  return { ...step, action: "conflict", conflict: { pointer: user.pointer, code: "in_use", message, hint } };
}

/** Sorts the steps into the order in which they are carried out: writes by kind, then deletions in reverse order. */
export function inOrder(steps: readonly PlanStep[]): readonly PlanStep[] {
  return steps.toSorted((one, other) => {
    const isLate = Number(isDeletion(one)) - Number(isDeletion(other));
    if (isLate !== 0) return isLate;
    const byKind = configurationKinds.indexOf(one.kind) - configurationKinds.indexOf(other.kind);
    if (byKind !== 0) return isDeletion(one) ? -byKind : byKind;
    return Number(one.name > other.name) - Number(one.name < other.name);
  });
}

function isDeletion({ pointer }: PlanStep): boolean {
  return pointer === null;
}

/** True if the step writes or deletes a resource. */
export function isWrite({ action }: PlanStep): boolean {
  return action === "create" || action === "change" || action === "delete";
}

function diffBodies(was: JsonObject, is: JsonObject): readonly ItemChange[] {
  if (canonicalText(was) === canonicalText(is)) return [];
  const changes = diffPart({ kind: "content", aspect: "setting" }, { kind: "definition", name: null }, was, is);
  return changes.map(({ kind, fromPointer, pointer, was: before, is: after }) => ({
    kind,
    pointer: String(pointer ?? fromPointer), // Each change has a place on at least one side.
    ...(fromPointer === null ? {} : { was: before }),
    ...(pointer === null ? {} : { is: after }),
  }));
}

/** The fields whose value is fixed when the resource is created. */
const FIXED: { readonly [kind in ConfigurationKind]: readonly string[] } = {
  templates: [],
  connections: ["provider"],
  alertChannels: [],
  calendars: [],
  policies: ["kind"],
  definitions: [],
  triggers: ["kind"],
  recurring: ["namespace"],
  prices: [],
};

function immutableChange(kind: ConfigurationKind, was: JsonObject, is: JsonObject, pointer: string): Finding | null {
  const changed = FIXED[kind].find((field) => was[field] !== is[field]);
  const isOtherWork = kind === "recurring" && Object.hasOwn(was, "definition") !== Object.hasOwn(is, "definition");
  const field = changed ?? (isOtherWork ? "definition" : undefined);
  if (field === undefined) return null;
  const hint = "Delete the resource first, or use another name.";
  return { pointer: `${pointer}/${field}`, code: "immutable", message: "cannot be changed", hint };
}

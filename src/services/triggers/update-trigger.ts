// Trigger updates: applies a JSON merge patch (RFC 7396: null removes), or replaces all settings, and checks the result
// like a new trigger. The trigger keeps its URL and its deliveries.
import type { StoredTrigger } from "#catalog/triggers.ts";
import { trigger, type Trigger, type TriggerSettings, type TriggerStanding } from "#schema/inbound/trigger.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { changeNamed, patchNamed } from "../named/change-named.ts";
import { findNamed } from "../named/find-named.ts";
import { putNamed, tagOf, type NamedBodies, type WriteOutcome, type PutNamed } from "../named/put-named.ts";
import { checkTrigger } from "./check-trigger.ts";
import { listIdentity } from "./poll-page.ts";
import { notifyPoller } from "./notify-poller.ts";
import {
  createTrigger,
  settingsOf,
  triggerAsWritten,
  triggerNoun,
  type CreateTrigger,
  type TriggerRowView,
} from "./triggers.ts";

export type UpdateTrigger = {
  readonly ref: string;
  readonly patch: JsonObject;
  /** Whether a poller whose list changes keeps its position in the list. Null if the client did not choose. */
  readonly position: "keep" | "reset" | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function updateTrigger(
  deps: Deps,
  caller: TenantCaller,
  { ref, patch, position, reason, dryRun }: UpdateTrigger,
): Promise<Result<TriggerRowView>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const row = found.value;
  const before = triggerAsWritten(row);
  const patched = patchNamed("trigger", trigger, withoutReplacedParts(before, patch), patch);
  return patched.ok ? replaceTrigger(deps, caller, row, { body: patched.value, position, reason, dryRun }) : patched;
}

type Position = Pick<UpdateTrigger, "position">;

/** Returns how a trigger is created and replaced. `position`: as in `UpdateTrigger`. */
export function triggerBodies({ position }: Position): NamedBodies<StoredTrigger, Trigger> {
  return {
    noun: triggerNoun,
    schema: trigger,
    asWritten: triggerAsWritten,
    create: createTrigger,
    replace: (deps, caller, row, input) => replaceTrigger(deps, caller, row, { ...input, position }),
  };
}

export function putTrigger(
  deps: Deps,
  caller: TenantCaller,
  { position, ...input }: PutNamed & Position,
): Promise<Result<WriteOutcome<TriggerRowView>>> {
  return putNamed(deps, caller, triggerBodies({ position }), input);
}

export function triggerTag(view: TriggerRowView): Promise<string> {
  return tagOf(triggerAsWritten(view));
}

type ReplaceTrigger = CreateTrigger & Position & { readonly reason: string | null };

async function replaceTrigger(
  deps: Deps,
  caller: TenantCaller,
  row: StoredTrigger,
  { body, position, reason, dryRun }: ReplaceTrigger,
): Promise<Result<TriggerRowView>> {
  if (body.kind !== row.kind) return refuse(otherKind(row.kind));
  const checked = await checkTrigger(deps, caller.tenant, body);
  if (!checked.ok) return checked;
  const { name, namespace, labels } = body;
  const settings = settingsOf(body);
  const standing = statusAfter(row, settings, position);
  if (!standing.ok) return standing;
  const change = { name, namespace, labels, settings, standing: standing.value };
  const changed = await changeNamed(deps, caller, triggerNoun, { row, change, reason, dryRun });
  if (changed.ok && !dryRun) await notifyPoller(deps, { ...changed.value, tenant: caller.tenant });
  return changed;
}

/**
 * Returns the status after the update. If the poller then reads another list or identifies its items differently, the
 * client must choose whether it keeps its position.
 */
function statusAfter(
  { settings: before, standing }: StoredTrigger,
  { poll }: TriggerSettings,
  position: UpdateTrigger["position"],
): Result<TriggerStanding> {
  if (poll === undefined || before.poll === undefined) return position === null ? accept(standing) : refuse(noPosition);
  if (position === "reset") return accept({ ...standing, epoch: (standing.epoch ?? 0) + 1 });
  const isOther = listIdentity(poll) !== listIdentity(before.poll);
  return isOther && position === null ? refuse(positionNeeded) : accept(standing);
}

const positionNeeded = {
  code: "invalid_input",
  message:
    "After this change, the poller would read another list or identify items differently. Choose what happens to the poller's position.",
  hint: "With ?position=keep, the poller continues with the known ids, which must mean the same items as before. With ?position=reset, the poller deletes the known ids and handles existing items as `from` says.",
  errors: [{ pointer: "position", code: "required", message: "is missing: set it to keep or reset" }],
} as const;

const noPosition = {
  code: "invalid_input",
  message: "Only a trigger of the kind poller has a position.",
  errors: [{ pointer: "position", code: "not_a_poller", message: "is only for triggers of the kind poller" }],
} as const;

function otherKind(kind: string) {
  const message = `The kind of a trigger cannot be changed: this trigger is a ${kind}.`;
  const errors = [
    {
      pointer: "/kind",
      code: "unchangeable",
      message: `must be ${kind}, because the kind cannot be changed: create another trigger`,
    },
  ];
  return { code: "invalid_input", message, errors } as const;
}

/**
 * Removes the stored fields that contradict the patch: those of another scheme, or of another kind of target. A mixture
 * of both would match neither schema.
 */
function withoutReplacedParts(before: JsonObject, patch: JsonObject): JsonObject {
  const replaced = [isReplaced("scheme", before["verify"], patch["verify"]) ? "verify" : null];
  replaced.push(isReplaced("kind", before["target"], patch["target"]) ? "target" : null);
  return Object.fromEntries(Object.entries(before).filter(([name]) => !replaced.includes(name)));
}

function isReplaced(field: string, before: Json | undefined, patch: Json | undefined): boolean {
  if (!isObject(before) || !isObject(patch)) return false;
  return patch[field] !== undefined && patch[field] !== before[field];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

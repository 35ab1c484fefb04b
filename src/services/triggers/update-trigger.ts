// Changes a trigger by merging (RFC 7396: null removes); what comes out is checked whole, like a new one. Its address stays,
// and so does what was delivered.
import { mergePatch } from "#kernel/language/merge-patch.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { changeNamed } from "../named/change-named.ts";
import { findNamed } from "../named/find-named.ts";
import { checkTrigger, parseTrigger } from "./check-trigger.ts";
import { triggerNoun, type TriggerRowView } from "./trigger-noun.ts";

export type UpdateTrigger = {
  readonly ref: string;
  readonly patch: JsonObject;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function updateTrigger(
  deps: Deps,
  caller: TenantCaller,
  { ref, patch, reason, dryRun }: UpdateTrigger,
): Promise<Result<TriggerRowView>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const row = found.value;
  const { name, kind, namespace, labels } = row;
  const before = { ...row.settings, name, kind, namespace, labels } as JsonObject; // parsed JSON
  const parsed = parseTrigger(mergePatch(withoutRivals(before, patch), patch));
  if (!parsed.ok) return parsed;
  const checked = await checkTrigger(deps, caller.tenant, parsed.value);
  if (!checked.ok) return checked;
  const { name: called, kind: _kind, namespace: where, labels: labelled, ...settings } = parsed.value;
  const change = { name: called, namespace: where, labels: labelled, settings };
  return changeNamed(deps, caller, triggerNoun, { row, change, reason, dryRun });
}

/** Another scheme, or another kind of target, takes the place of the one before: fields of both would fit neither. */
function withoutRivals(before: JsonObject, patch: JsonObject): JsonObject {
  const rivals = [isAnother("scheme", before["verify"], patch["verify"]) ? "verify" : null];
  rivals.push(isAnother("kind", before["target"], patch["target"]) ? "target" : null);
  return Object.fromEntries(Object.entries(before).filter(([name]) => !rivals.includes(name)));
}

function isAnother(field: string, before: Json | undefined, patch: Json | undefined): boolean {
  if (!isObject(before) || !isObject(patch)) return false;
  return patch[field] !== undefined && patch[field] !== before[field];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

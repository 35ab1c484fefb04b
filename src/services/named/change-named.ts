// Named updates: applies a client's patch to the stored settings, and replaces the row if it is still the one that was
// read. So of two concurrent changes of a row, one is refused.
import type { ZodType } from "zod";
import { findNamed, replaceNamed, type NamedRow } from "#catalog/named.ts";
import { mergePatch } from "#kernel/language/json-values.ts";
import { zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { invalidNamed, nameTaken, viewOf, type NamedNoun, type NamedView } from "./named-noun.ts";

/**
 * Applies a JSON merge patch (RFC 7396), in which null removes a field. The resulting settings are checked as a whole,
 * like new settings.
 */
export function patchNamed<Body>(word: string, schema: ZodType<Body>, before: JsonObject, patch: JsonObject) {
  const changed = mergePatch(before, patch);
  const parsed = schema.safeParse(changed);
  return parsed.success ? accept(parsed.data) : refuse(invalidNamed(word, zodFindings(parsed.error, schema, changed)));
}

export type ChangeNamed<Row extends NamedRow> = {
  readonly row: Row;
  readonly change: Partial<Row> & { readonly name: string };
  readonly reason: string | null;
  readonly dryRun: boolean;
  /** The verb of the audit entry. Default: `update`. */
  readonly verb?: string;
};

export async function changeNamed<Row extends NamedRow>(
  deps: Deps,
  caller: TenantCaller,
  noun: NamedNoun<Row>,
  { row, change, reason, dryRun, verb = "update" }: ChangeNamed<Row>,
): Promise<Result<NamedView<Row>>> {
  const { name } = change;
  if (name !== row.name && (await findNamed(deps.db, noun.rows, caller.tenant, name)) !== null)
    return refuse(nameTaken(noun, name));
  // The time is always later than that of the row. So a concurrent change detects that the row has changed.
  const updated = { ...change, updatedAt: Math.max(deps.now(), row.updatedAt + 1) };
  const changed = viewOf({ ...row, ...updated });
  if (dryRun) return accept(changed);
  const audit = auditRow(deps, caller, `${noun.verb}.${verb}`, row.id, reason);
  if (!(await replaceNamed(deps.db, noun.rows, row, updated, audit))) return refuse(changedMeanwhile(noun));
  noun.evict(caller.tenant);
  return accept(changed);
}

function changedMeanwhile({ word }: { readonly word: string }) {
  return {
    code: "unavailable",
    message: `The ${word} was changed by another request.`,
    hint: "Read the current settings, then send the change again.",
    details: { why: "changed_meanwhile" },
  } as const;
}

// Changes a connection by merging (RFC 7396: null removes); what comes out is checked whole, like a new one.
import { findConnection, replaceConnection } from "#catalog/connections.ts";
import { connection } from "#schema/connection.ts";
import { zodFindings } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import { nameTaken, noConnection, viewOf, type ConnectionView } from "./connection-view.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetConnections } from "./find-connection.ts";
import { checkConnection } from "../size-limits.ts";

export type UpdateConnection = {
  readonly ref: string;
  readonly patch: JsonObject;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function updateConnection(
  deps: Deps,
  caller: TenantCaller,
  { ref, patch, reason, dryRun }: UpdateConnection,
): Promise<Result<ConnectionView>> {
  const row = await findConnection(deps.db, caller.tenant, ref);
  if (row === null) return refuse(noConnection(ref));
  const before = { ...row.settings, name: row.name, provider: row.provider } as JsonObject; // parsed JSON
  const parsed = connection.safeParse(merge(before, patch));
  if (!parsed.success) return refuse(invalid(zodFindings(parsed.error, connection)));
  const { name, provider, ...settings } = parsed.data;
  if (provider !== row.provider) return refuse(invalid([anotherProvider]));
  const size = checkConnection(settings);
  if (!size.ok) return size;
  // Strictly later, so that of two changes that read the same row one is refused.
  const changed = { ...row, name, settings, updatedAt: Math.max(deps.now(), row.updatedAt + 1) };
  if (name !== row.name && (await findConnection(deps.db, caller.tenant, name)) !== null)
    return refuse(nameTaken(name));
  if (dryRun) return accept(viewOf(changed));
  const audit = auditRow(deps, caller, "connection.update", row.id, reason);
  if (!(await replaceConnection(deps.db, changed, row.updatedAt, audit))) return refuse(changedMeanwhile);
  forgetConnections(caller.tenant);
  return accept(viewOf(changed));
}

function merge(before: Json | undefined, by: Json): Json {
  if (!isObject(by)) return by;
  const merged: { [name: string]: Json } = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(by)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(merged[name], value);
  }
  return merged;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const anotherProvider = {
  pointer: "/provider",
  code: "immutable",
  message: "cannot be changed",
  hint: "create another connection: credentials and limits of one provider mean nothing to the next",
};

const changedMeanwhile = {
  code: "unavailable",
  message: "The connection was changed by somebody else just now.",
  hint: "Read it and send the change again.",
} as const;

function invalid(errors: ReturnType<typeof zodFindings>) {
  const [first] = errors;
  const message =
    first === undefined ? "The connection is not valid." : `${first.pointer || "The connection"}: ${first.message}`;
  return { code: "invalid_input", message, errors } as const;
}

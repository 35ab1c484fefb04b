// Creates a connection. The secrets it names need not be there yet: testing it says what is missing.
import { countConnections, findConnection, insertConnection } from "#catalog/connections.ts";
import type { Connection } from "#schema/connection.ts";
import { limits } from "#schema/limits.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import { nameTaken, viewOf, type ConnectionView } from "./connection-view.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetConnections } from "./find-connection.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { checkConnection } from "../size-limits.ts";

export type CreateConnection = { readonly body: Connection; readonly dryRun: boolean };

export async function createConnection(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateConnection,
): Promise<Result<ConnectionView>> {
  const { name, provider, ...settings } = body;
  const size = checkConnection(settings);
  if (!size.ok) return size;
  if ((await countConnections(deps.db, caller.tenant)) >= limits.connectionsMax) return refuse(tooMany);
  const now = deps.now();
  const id = timeOrderedId("con", now, deps.randomBytes(10));
  const row = { tenant: caller.tenant, id, name, provider, createdAt: now, updatedAt: now, deletedAt: null, settings };
  if (dryRun) {
    const isTaken = (await findConnection(deps.db, caller.tenant, name)) !== null;
    return isTaken ? refuse(nameTaken(name)) : accept(viewOf(row));
  }
  const audit = auditRow(deps, caller, "connection.create", id);
  if (!(await insertConnection(deps.db, row, audit))) return refuse(nameTaken(name));
  forgetConnections(caller.tenant);
  return accept(viewOf(row));
}

const tooMany = {
  code: "limit_exceeded",
  message: `A tenant has at most ${limits.connectionsMax} connections (connectionsMax).`,
  hint: "Delete those that nothing uses.",
  details: { field: "connections", limit: limits.connectionsMax },
} as const;

// Connections: creates, gets, lists, updates and deletes them.
import {
  connectionRows,
  findConnection,
  type StoredConnection,
  listConnections as list,
} from "#catalog/connections.ts";
import type { Page } from "#catalog/page.ts";
import { type Connection, connection } from "#schema/connection.ts";
import type { GateView } from "#schema/gate.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { type Result, accept, refuse } from "#schema/refusal.ts";
import { checkConnectedUrls } from "../connected-urls.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { changeNamed, patchNamed } from "../named/change-named.ts";
import { createNamed } from "../named/create-named.ts";
import { deleteNamed, type DeleteNamed } from "../named/delete-named.ts";
import { findNamed } from "../named/find-named.ts";
import { invalidNamed, type NamedNoun, type NamedView, viewOf, viewsOf } from "../named/named-noun.ts";
import { putNamed, tagOf, type NamedBodies, type WriteOutcome, type PutNamed } from "../named/put-named.ts";
import { checkConnection } from "../size-limits.ts";
import { callbacksOf, type Callbacks } from "./callback-address.ts";
import { termsOf } from "./connection-terms.ts";
import { evictConnections } from "./find-connection.ts";
import { recoverConnection } from "./recover-connections.ts";

export type ConnectionView = NamedView<StoredConnection>;

export const connectionNoun: NamedNoun<StoredConnection> = {
  word: "connection",
  one: "a connection",
  verb: "connection",
  idPrefix: "con",
  rows: connectionRows,
  find: findConnection,
  quota: "connections",
  evict: evictConnections,
};

export type CreateConnection = { readonly body: Connection; readonly dryRun: boolean };

export async function createConnection(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateConnection,
): Promise<Result<ConnectionView>> {
  const { name, provider, ...settings } = body;
  const size = checkConnection(settings);
  if (!size.ok) return size;
  const urls = checkConnectedUrls(deps, settings);
  if (!urls.ok) return urls;
  return createNamed(deps, caller, connectionNoun, {
    name,
    complete: (row) => ({ ...row, provider, settings, attention: null }),
    dryRun,
  });
}

/** A connection with the state of its gate. `state` is null if the gate's object does not answer. */
export type ConnectionInUse = ConnectionView & { readonly state: GateView | null; readonly callbacks: Callbacks };

export async function getConnection(
  deps: Deps,
  caller: TenantCaller,
  { ref }: { readonly ref: string },
): Promise<Result<ConnectionInUse>> {
  const found = await findNamed(deps, caller, connectionNoun, ref);
  if (!found.ok) return found;
  const row = found.value;
  return accept({ ...viewOf(row), state: await stateOf(deps, row), callbacks: callbacksOf(deps, row) });
}

/**
 * Reads the gate's state. Returns null if the object does not answer, because clients must be able to read the stored
 * row at any time.
 */
async function stateOf(deps: Deps, row: StoredConnection): Promise<GateView | null> {
  try {
    return await deps.gate(`${row.tenant}/${row.id}`).read(termsOf(row.settings));
  } catch (cause) {
    deps.log({
      level: "warn",
      message: "a connection's object does not answer",
      connection: row.id,
      error: String(cause),
    });
    return null;
  }
}

export type ListConnections = {
  readonly provider: string | null;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listConnections(
  deps: Deps,
  caller: TenantCaller,
  { provider, cursor, limit }: ListConnections,
): Promise<Result<Page<ConnectionView>>> {
  return viewsOf(await list(deps.db, caller.tenant, provider, cursor, limit));
}

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
  const found = await findNamed(deps, caller, connectionNoun, ref);
  if (!found.ok) return found;
  const row = found.value;
  const patched = patchNamed("connection", connection, withoutReplacedParts(connectionAsWritten(row), patch), patch);
  return patched.ok ? replaceConnection(deps, caller, row, { body: patched.value, reason, dryRun }) : patched;
}

export function connectionAsWritten({ name, provider, settings }: Omit<ConnectionView, "id">): JsonObject {
  return { name, provider, ...settings } as JsonObject; // The stored settings are parsed JSON.
}

export const connectionBodies: NamedBodies<StoredConnection, Connection> = {
  noun: connectionNoun,
  schema: connection,
  asWritten: connectionAsWritten,
  create: createConnection,
  replace: replaceConnection,
};

export function putConnection(
  deps: Deps,
  caller: TenantCaller,
  input: PutNamed,
): Promise<Result<WriteOutcome<ConnectionView>>> {
  return putNamed(deps, caller, connectionBodies, input);
}

export function connectionTag(view: ConnectionView): Promise<string> {
  return tagOf(connectionAsWritten(view));
}

type ReplaceConnection = CreateConnection & { readonly reason: string | null };

async function replaceConnection(
  deps: Deps,
  caller: TenantCaller,
  row: StoredConnection,
  { body, reason, dryRun }: ReplaceConnection,
): Promise<Result<ConnectionView>> {
  const { name, provider, ...settings } = body;
  if (provider !== row.provider) return refuse(invalidNamed("connection", [anotherProvider]));
  const size = checkConnection(settings);
  if (!size.ok) return size;
  const urls = checkConnectedUrls(deps, settings);
  if (!urls.ok) return urls;
  const changed = await changeNamed(deps, caller, connectionNoun, { row, change: { name, settings }, reason, dryRun });
  if (!changed.ok || dryRun || row.attention === null) return changed;
  await recoverConnection(deps, row);
  return accept({ ...changed.value, attention: null });
}

/**
 * Removes the stored fields that contradict the patch: `perMinute` if the patch sets `perSecond`, for example, or the
 * fields of another authentication method.
 */
function withoutReplacedParts(before: JsonObject, patch: JsonObject): JsonObject {
  const { rateLimit, auth, ...rest } = before;
  return {
    ...rest,
    ...(rateLimit === undefined ? {} : { rateLimit: withoutOtherRate(rateLimit, patch["rateLimit"]) }),
    ...(auth === undefined || isOtherMethod(auth, patch["auth"]) ? {} : { auth }),
  };
}

function withoutOtherRate(before: Json, patch: Json | undefined): Json {
  if (!isObject(before) || !isObject(patch)) return before;
  const { perSecond: _perSecond, perMinute: _perMinute, ...rest } = before;
  const isNamed = ["perSecond", "perMinute"].some((name) => (patch[name] ?? null) !== null);
  return isNamed ? rest : before;
}

function isOtherMethod(before: Json, patch: Json | undefined): boolean {
  if (!isObject(before) || !isObject(patch)) return false;
  return patch["type"] !== undefined && patch["type"] !== before["type"];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const anotherProvider = {
  pointer: "/provider",
  code: "immutable",
  message: "cannot be changed",
  hint: "Create another connection, because the credentials and limits of one provider do not apply to another provider.",
};

export async function deleteConnection(
  deps: Deps,
  caller: TenantCaller,
  input: DeleteNamed,
): Promise<Result<ConnectionView>> {
  const deleted = await deleteNamed(deps, caller, connectionNoun, input);
  if (!deleted.ok || input.dryRun) return deleted;
  const { id } = deleted.value;
  try {
    await deps.gate(`${caller.tenant}/${id}`).forget();
  } catch (cause) {
    // A failure is only logged. The object's data is encrypted, and no later connection uses this object.
    deps.log({
      level: "warn",
      message: "a deleted connection's object was not cleared",
      connection: id,
      error: String(cause),
    });
  }
  return deleted;
}

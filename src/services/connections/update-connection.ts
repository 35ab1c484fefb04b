// Changes a connection by merging (RFC 7396: null removes); what comes out is checked whole, like a new one.
import { mergePatch } from "#kernel/language/merge-patch.ts";
import { connection } from "#schema/connection.ts";
import { zodFindings } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { changeNamed } from "../named/change-named.ts";
import { findNamed } from "../named/find-named.ts";
import { mendConnection } from "./mend-connections.ts";
import { checkConnectedUrls } from "../connected-urls.ts";
import { checkConnection } from "../size-limits.ts";
import { connectionNoun, type ConnectionView } from "./connection-noun.ts";

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
  const before = { ...row.settings, name: row.name, provider: row.provider } as JsonObject; // parsed JSON
  const parsed = connection.safeParse(mergePatch(withoutRivals(before, patch), patch));
  if (!parsed.success) return refuse(invalid(zodFindings(parsed.error, connection)));
  const { name, provider, ...settings } = parsed.data;
  if (provider !== row.provider) return refuse(invalid([anotherProvider]));
  const size = checkConnection(settings);
  if (!size.ok) return size;
  const urls = checkConnectedUrls(deps, settings);
  if (!urls.ok) return urls;
  const changed = await changeNamed(deps, caller, connectionNoun, { row, change: { name, settings }, reason, dryRun });
  if (!changed.ok || dryRun || row.attention === null) return changed;
  await mendConnection(deps, row);
  return accept({ ...changed.value, attention: null });
}

/** What excludes each other takes the other's place: two rates, or the fields of another kind of authentication. */
function withoutRivals(before: JsonObject, patch: JsonObject): JsonObject {
  const { rateLimit, auth, ...rest } = before;
  return {
    ...rest,
    ...(rateLimit === undefined ? {} : { rateLimit: withoutOtherRate(rateLimit, patch["rateLimit"]) }),
    ...(auth === undefined || isOfAnotherKind(auth, patch["auth"]) ? {} : { auth }),
  };
}

function withoutOtherRate(before: Json, patch: Json | undefined): Json {
  if (!isObject(before) || !isObject(patch)) return before;
  const { perSecond: _perSecond, perMinute: _perMinute, ...rest } = before;
  const isNamed = ["perSecond", "perMinute"].some((name) => (patch[name] ?? null) !== null);
  return isNamed ? rest : before;
}

function isOfAnotherKind(before: Json, patch: Json | undefined): boolean {
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
  hint: "create another connection: credentials and limits of one provider mean nothing to the next",
};

function invalid(errors: ReturnType<typeof zodFindings>) {
  const [first] = errors;
  const message =
    first === undefined ? "The connection is not valid." : `${first.pointer || "The connection"}: ${first.message}`;
  return { code: "invalid_input", message, errors } as const;
}

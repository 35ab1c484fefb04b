// Sessions: a browser exchanges an API key for a cookie. The session acts as that key until it expires, is ended, or
// the key is revoked.
import {
  deleteSession,
  findSession,
  insertSession,
  listSessions as list,
  purgeSessions as purge,
  type Session,
} from "#catalog/access/sessions.ts";
import type { Page } from "#catalog/page.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { SESSIONS_PER_KEY_MAX } from "#schema/limits/sessions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { Caller, Deps, TenantCaller } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { evictSession, SESSION_PREFIX } from "./authenticate.ts";
import { base64Url } from "./keys.ts";

export type SessionView = Omit<Session, "hash">;
/** `secret` is the cookie's value. */
export type OpenedSession = { readonly session: SessionView; readonly secret: string };

export async function openSession(
  deps: Deps,
  caller: TenantCaller,
  { lifetime }: { readonly lifetime: number },
): Promise<Result<OpenedSession>> {
  if (caller.actor.kind !== "key" || caller.via !== undefined) return refuse(keyNeeded);
  const now = deps.now();
  const secret = SESSION_PREFIX + base64Url(deps.randomBytes(32));
  const session = {
    tenant: caller.tenant,
    id: timeOrderedId("ses", now, deps.randomBytes(10)),
    key: caller.actor.id,
    createdAt: now,
    expiresAt: now + lifetime,
  };
  const audit = auditRow(deps, caller, "session.open", session.id);
  await insertSession(deps.db, { ...session, hash: await sha256(secret) }, SESSIONS_PER_KEY_MAX, audit);
  return accept({ session, secret });
}

type Filters = { readonly cursor: string | null; readonly limit: number };

export async function listSessions(
  deps: Deps,
  { tenant }: TenantCaller,
  { cursor, limit }: Filters,
): Promise<Result<Page<SessionView>>> {
  const page = await list(deps.db, { tenant, now: deps.now(), cursor, limit });
  return page.ok ? accept({ ...page.value, data: page.value.data.map(presentable) }) : page;
}

export type EndSession = { readonly id: string; readonly reason: string | null; readonly dryRun: boolean };

export async function endSession(deps: Deps, caller: TenantCaller, input: EndSession): Promise<Result<SessionView>> {
  const session = await findSession(deps.db, caller.tenant, input.id);
  if (session === null) return refuse({ code: "not_found", message: `There is no session "${input.id}".` });
  if (!input.dryRun) {
    const audit = auditRow(deps, caller, "session.end", session.id, input.reason);
    await deleteSession(deps.db, caller.tenant, session.id, audit);
    evictSession(session.id);
  }
  return accept(presentable(session));
}

/** Ends the session of the request, if the request has one. */
export async function endOwnSession(deps: Deps, caller: Caller): Promise<void> {
  const { tenant, session } = caller;
  if (tenant === null || session === undefined) return;
  await endSession(deps, { ...caller, tenant }, { id: session, reason: null, dryRun: false });
}

export function purgeSessions({ db, now }: Deps, limit: number): Promise<number> {
  return purge(db, now(), limit);
}

function presentable({ hash: _hash, ...session }: Session): SessionView {
  return session;
}

const keyNeeded = {
  code: "scope_missing",
  message: "Only an API key of a tenant may open a session: the root key, sessions and tokens may not.",
  hint: "Create a key with POST /v1/keys, and sign in with that key. The root key must not be used in a browser.",
} as const;

// Connection opening for one run: finds the row, decrypts its secrets, passes its gate, and releases the gate's leases
// after the run. If the gate refuses, the run is held and keeps its attempt.
import type { StoredConnection } from "#catalog/connections.ts";
import type { ConnectionAuth } from "#schema/connection.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { JsonObject } from "#schema/json.ts";
import type { OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { ENGINE_FAULT_HOLD_MS } from "#schema/limits/outgoing/connection-limits.ts";
import { openCredentials, type OpenedCredentials } from "./connection-credentials.ts";
import { openAccountTokens, openConnectionToken, type GetToken, type Failure } from "./renew-token.ts";
import { isEngineBug } from "../catalog-failure.ts";
import { engineBugError } from "../catalog-outage.ts";
import type { Deps } from "../deps.ts";
import { findConnection } from "./find-connection.ts";
import { enterGate, leaveGate, type Passage } from "./pass-gate.ts";

export type OpenDeps = Pick<Deps, "now" | "randomBytes" | "db" | "secretsKeys" | "gate" | "log">;

export type Account = {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly credentials: { readonly [name: string]: string };
  readonly auth: ConnectionAuth;
  readonly settings: JsonObject;
  readonly sandbox: boolean;
  readonly token: GetToken;
  readonly ownToken: OwnTokenPort;
};
export type OpenedConnection =
  | { readonly ok: true; readonly connection: Account }
  | { readonly ok: false; readonly failure: Failure };

type OpenCredentials = Extract<OpenedCredentials, { ok: true }>;

type Unopened = Extract<OpenedConnection, { ok: false }>;
type FoundAccount = { readonly ok: true; readonly account: Pick<Account, "name" | "provider"> } | Unopened;

export type ConnectionOpener = {
  /** Finds the connection that `open` would open. It passes no gate and decrypts no secret. */
  readonly find: (name: string | null, provider: string) => Promise<FoundAccount>;
  readonly open: (name: string | null, provider: string) => Promise<OpenedConnection>;
  /**
   * Releases every lease, and reports a pause that the provider requested. Marks the outcome as held if a connection
   * held the run. Never throws.
   */
  readonly close: (outcome: Outcome) => Promise<Outcome>;
};

/** The error code of a run that its connection holds; a failed run has another code. */
const CONNECTION_HELD = "connection_held";

/**
 * The secret values that the run received, which are redacted from everything that the run returns. `bounds`: those of
 * the secrets that may be sent only to certain hosts.
 */
export type RunSecrets = { readonly secrets: string[]; readonly bounds: BoundSecret[] };

/** Opens connections for one delivery of an attempt. Decrypted secrets are added to the given lists. */
export function openConnections(deps: OpenDeps, ticket: Ticket, { secrets, bounds }: RunSecrets): ConnectionOpener {
  const openedByKey = new Map<string, Promise<OpenedConnection>>();
  const passages: Passage[] = [];
  // Identifies this delivery of the attempt. After a crash, the queue may deliver the attempt again while the first
  // delivery still runs, so each delivery needs a slot of its own. Most runs open no connection, so the id is created
  // on first use.
  let delivery: string | null = null;
  const keyHere = (): string => {
    delivery ??= timeOrderedId("dlv", deps.now(), deps.randomBytes(10));
    return `${ticket.execution}/${ticket.run}/${ticket.attempt}/${delivery}`;
  };
  let held: Hold | null = null;

  const hold = (by: Hold): Unopened => {
    held = by;
    return { ok: false, failure: heldFailure(by, deps.now()) };
  };

  /** Runs `work`. If the catalog or a secret cannot be read, the run is held. */
  const orHeld = async <R>(connection: string, work: () => Promise<R>): Promise<R | Unopened> => {
    try {
      return await work();
    } catch (cause) {
      const { execution, run } = ticket;
      deps.log({ level: "error", event: "connection_unavailable", execution, run, message: String(cause) });
      // A bug would fail the same way on every retry, so the run is not held.
      if (isEngineBug(cause))
        return { ok: false, failure: { error: engineBugError(cause, "the attempt was not made") } };
      return hold({ reason: "unavailable", until: deps.now() + ENGINE_FAULT_HOLD_MS, connection });
    }
  };

  const openAnew = async (name: string | null, provider: string): Promise<OpenedConnection> => {
    const found = await findConnection(deps, ticket.tenant, name, provider);
    if (!found.ok) return { ok: false, failure: found };
    const { row } = found;
    const credentials = await openCredentials(deps, row);
    if (!credentials.ok) return { ok: false, failure: credentials };
    secrets.push(...Object.values(credentials.values));
    bounds.push(...credentials.bounds);
    const entered = await enterGate(deps, { ticket, key: keyHere() }, row, passages);
    if (!entered.ok) return hold({ ...entered.hold, connection: row.name });
    const account = accountOf(deps, row, credentials, { secrets, bounds });
    return { ok: true, connection: withHolds(account, hold) };
  };

  return {
    find: (name, provider) => orHeld(name ?? provider, () => findAccount(deps, ticket.tenant, name, provider)),
    open: (name, provider) => {
      const key = `${name ?? ""}\n${provider}`;
      const opened = openedByKey.get(key) ?? orHeld(name ?? provider, () => openAnew(name, provider));
      openedByKey.set(key, opened);
      return opened;
    },
    close: async (outcome) => {
      const isHeld = held !== null && !outcome.ok && outcome.error.code === CONNECTION_HELD;
      // If the connection did not hold the run but the catalog failed, no provider was called. The outcome then says
      // nothing about the provider's health.
      const isUntried = isHeld || (!outcome.ok && outcome.held?.connection === null);
      await Promise.all(passages.map((passage) => leaveGate(deps, passage, outcome, isUntried)));
      if (isHeld && held !== null) return { ...outcome, held };
      return outcome.ok || isUntried ? outcome : withConnection(outcome, passages);
    },
  };
}

async function findAccount(
  deps: OpenDeps,
  tenant: string,
  name: string | null,
  provider: string,
): Promise<FoundAccount> {
  const found = await findConnection(deps, tenant, name, provider);
  if (!found.ok) return { ok: false, failure: found };
  const { row } = found;
  return { ok: true, account: { name: row.name, provider: row.provider } };
}

function accountOf(deps: OpenDeps, row: StoredConnection, opened: OpenCredentials, runSecrets: RunSecrets): Account {
  const { name, provider, settings } = row;
  return {
    name,
    provider,
    baseUrl: settings.baseUrl ?? null,
    credentials: opened.values,
    auth: settings.auth ?? { type: "none" },
    settings: settings.settings ?? {},
    sandbox: settings.sandbox ?? false,
    token: openConnectionToken(deps, row, opened, runSecrets),
    ownToken: openAccountTokens(deps, row, opened, runSecrets),
  };
}

/**
 * Holds the run if a token is refused, until an operator has fixed the account's credentials. The effect on the run is
 * that of an open circuit breaker.
 */
function withHolds(account: Account, hold: (by: Hold) => Unopened): Account {
  const holdIfUnusable = <R extends TokenResult | null>(token: R): R | Unopened =>
    token === null || token.ok || token.heldUntil === undefined
      ? token
      : hold({ reason: "needs_attention", until: token.heldUntil, connection: account.name });
  const token: GetToken = async (refused) => holdIfUnusable(await account.token(refused));
  const ownToken: OwnTokenPort = async (...ask) => holdIfUnusable(await account.ownToken(...ask));
  return { ...account, token, ownToken };
}

/** Adds the connection's id to a permanent failure. */
function withConnection(outcome: Extract<Outcome, { ok: false }>, passages: readonly Passage[]): Outcome {
  const [, connection] = passages.at(-1)?.gate.split("/") ?? [];
  return connection === undefined ? outcome : { ...outcome, error: { ...outcome.error, connection } };
}

function heldFailure({ reason, until, connection }: Hold, now: number): Failure {
  const why = {
    rate_limited: "has used up its rate limit",
    retry_after: "is paused for the time that its provider requested (Retry-After)",
    concurrency: "has reached its limit of concurrent calls",
    circuit_open: "is blocked by its circuit breaker: too many of its calls failed",
    needs_attention: "needs an operator: GET /v1/connections/{name} shows what to do",
    unavailable: "cannot be looked up, because the catalog does not answer",
    // Only runners return this reason, never a gate.
    awaiting_receipt: "still has another attempt of this run in progress",
    cap: "has reached the cap", // Only subjects' objects return this reason.
    quota: "has reached its quota", // Only a tenant's limits return this reason and `suspended`.
    queue_share: "has used up its queue share", // Only a tenant's limits return this reason.
    suspended: "is suspended",
    quiet_hours: "waits for the end of quiet hours", // Only a tenant's policies return this reason.
    window: "waits for its time window", // Only the kernel returns this reason.
    limit_concurrency: "has no free slot", // Only limits by key return this reason and the next three.
    limit_throttle: "has used its turns",
    limit_debounce: "waits for a quiet time",
    limit_singleton: "has a run under way",
  }[reason];
  const isPaced = reason === "rate_limited" || reason === "retry_after" || reason === "concurrency";
  const type = isPaced ? "rate_limit" : "service_unavailable";
  const message = `the attempt was not sent: the connection ${connection} ${why}`;
  return { error: { type, message, retryable: true, code: CONNECTION_HELD }, retryAfterMs: Math.max(0, until - now) };
}

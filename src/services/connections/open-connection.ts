// Opens connections for one run: finds the row, opens its secrets, asks its gate, and gives back afterwards what it
// took. What a gate holds back comes out as an outcome that spends no attempt.
import type { StoredConnection } from "#catalog/connections.ts";
import type { ConnectionAuth } from "#schema/connection.ts";
import type { Acquired, AcquireItem, ReleaseItem, Terms } from "#schema/gate.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import {
  LEASE_GRACE_MS,
  TROUBLE_BACK_AFTER_MS,
  WAIT_IN_PLACE_MS,
  WAITS_IN_PLACE_MAX,
} from "#schema/limits/outgoing-calls.ts";
import { openCredentials } from "./connection-credentials.ts";
import { hasLimits, termsOf } from "./connection-terms.ts";
import { tokenOf, type AskToken, type Failure } from "./connection-token.ts";
import { isOurMistake } from "../catalog-failure.ts";
import { engineMistake } from "../catalog-trouble.ts";
import type { Deps } from "../deps.ts";
import { findConnection } from "./find-connection.ts";

export type OpenDeps = Pick<Deps, "now" | "randomBytes" | "db" | "secretsKeys" | "gate" | "log">;

export type Account = {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly credentials: { readonly [name: string]: string };
  readonly auth: ConnectionAuth;
  readonly settings: JsonObject;
  readonly sandbox: boolean;
  readonly token: AskToken;
};
export type Opened =
  | { readonly ok: true; readonly connection: Account }
  | { readonly ok: false; readonly failure: Failure };

export type Opener = {
  readonly open: (name: string | null, provider: string) => Promise<Opened>;
  /** Gives back every lease, and makes an outcome that was held say so. Never throws. */
  readonly close: (outcome: Outcome) => Promise<Outcome>;
};

/** By this code a run that its connection held is told from one that failed. */
const HELD = "connection_held";

type Lease = { readonly gate: string; readonly terms: Terms; readonly lease: string };

/** Values that come out of storage are added to `secrets`: wherever they come back, they are taken out. */
export function openerFor(deps: OpenDeps, ticket: Ticket, secrets: string[]): Opener {
  const known = new Map<string, Promise<Opened>>();
  const leases: Lease[] = [];
  // One opener is one carrying out of an attempt. What is delivered again after a crash is another one, under way beside
  // the first for all that is known: it needs a slot of its own.
  const delivery = timeOrderedId("dlv", deps.now(), deps.randomBytes(10));
  const key = `${ticket.execution}/${ticket.run}/${ticket.attempt}/${delivery}`;
  let held: Hold | null = null;

  const hold = (by: Hold): Opened => {
    held = by;
    return { ok: false, failure: heldFailure(by, deps.now()) };
  };

  const openAnew = async (name: string | null, provider: string): Promise<Opened> => {
    const unavailable = (cause: unknown): Opened => {
      deps.log({
        level: "error",
        event: "connection_unavailable",
        execution: ticket.execution,
        run: ticket.run,
        message: String(cause),
      });
      // It would be the same however often it came back.
      if (isOurMistake(cause)) return { ok: false, failure: { error: engineMistake(cause, "not tried") } };
      return hold({ reason: "unavailable", until: deps.now() + TROUBLE_BACK_AFTER_MS, connection: name ?? provider });
    };
    try {
      const found = await findConnection(deps, ticket.tenant, name, provider);
      if (!found.ok) return { ok: false, failure: found };
      const { row } = found;
      const credentials = await openCredentials(deps, row);
      if (!credentials.ok) return { ok: false, failure: credentials };
      secrets.push(...Object.values(credentials.values));
      const asked = await enter(deps, { ticket, key }, row, leases);
      if (!asked.ok) return hold({ ...asked.hold, connection: row.name });
      return { ok: true, connection: accountOf(deps, row, credentials.values, secrets) };
    } catch (cause) {
      return unavailable(cause);
    }
  };

  return {
    open: (name, provider) => {
      const key = `${name ?? ""}\n${provider}`;
      const opened = known.get(key) ?? openAnew(name, provider);
      known.set(key, opened);
      return opened;
    },
    close: async (outcome) => {
      const isHeld = held !== null && !outcome.ok && outcome.error.code === HELD;
      // Where the catalog was away nobody was called: it says nothing of the provider.
      const isUntried = isHeld || (!outcome.ok && outcome.held?.connection === null);
      await Promise.all(leases.map((lease) => leave(deps, lease, outcome, isUntried)));
      return isHeld && held !== null ? { ...outcome, held } : outcome;
    },
  };
}

type Asker = { readonly ticket: Ticket; readonly key: string };

/** Asks the gate, and waits where that is soon over. The lease is noted before anything else can go wrong. */
async function enter(
  deps: OpenDeps,
  { ticket, key }: Asker,
  row: StoredConnection,
  leases: Lease[],
): Promise<Acquired> {
  const terms = termsOf(row.settings);
  if (!hasLimits(terms)) return { ok: true, lease: null };
  const gate = `${row.tenant}/${row.id}`;
  const expiresAt = ticket.deadlineAt + LEASE_GRACE_MS;
  let promise = promiseOf(ticket, row.name);
  for (let waits = 0; ; waits++) {
    const asked = await ask(deps, { gate, terms, lease: key }, { key, expiresAt, ...promise }, leases);
    if (asked.ok) {
      if (asked.lease !== null) leases.push({ gate, terms, lease: asked.lease });
      return asked;
    }
    const { until, reason } = asked.hold;
    const waitMs = until - deps.now();
    const isSoon = waitMs <= WAIT_IN_PLACE_MS && waitMs < (ticket.deadlineAt - deps.now()) / 4;
    if (!isSoon || waits === WAITS_IN_PLACE_MAX) return asked;
    promise = { promisedAt: until, promisedFor: reason };
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, waitMs)));
  }
}

/** Where the answer is lost the lease may have been given all the same: it is given back like any other. */
async function ask(deps: OpenDeps, asked: Lease, item: AcquireItem, leases: Lease[]): Promise<Acquired> {
  try {
    const [answer] = await deps.gate(asked.gate).acquire(asked.terms, [item]);
    if (answer === undefined) throw new Error("a gate answers every question");
    return answer;
  } catch (cause) {
    leases.push(asked);
    throw cause;
  }
}

/** Only what a gate has said is a place in its line; that it could not be asked is none. */
function promiseOf({ held }: Ticket, connection: string): Pick<AcquireItem, "promisedAt" | "promisedFor"> {
  if (held?.connection !== connection) return { promisedAt: null };
  const { reason, until } = held;
  return reason === "unavailable" || reason === "awaiting_receipt"
    ? { promisedAt: null }
    : { promisedAt: until, promisedFor: reason };
}

async function leave(
  deps: OpenDeps,
  { gate, terms, lease }: Lease,
  outcome: Outcome,
  isUntried: boolean,
): Promise<void> {
  const retryAfterMs =
    !outcome.ok && !isUntried && outcome.error.type === "rate_limit" ? (outcome.retryAfterMs ?? null) : null;
  try {
    const said = isUntried ? ({ outcome: "ignored" } as const) : saidBy(outcome);
    await deps.gate(gate).release(terms, [{ lease, ...said, retryAfterMs }]);
  } catch (cause) {
    // The lease ends by itself.
    deps.log({ level: "warn", event: "lease_not_given_back", gate, lease, message: String(cause) });
  }
}

/** What an outcome says of the provider's health. That it refused a request says no more than that it is there. */
function saidBy(outcome: Outcome): Pick<ReleaseItem, "outcome" | "answered"> {
  if (outcome.ok) return { outcome: "ok" };
  const { type, details } = outcome.error;
  if (["timeout", "network_error", "service_unavailable", "network_congestion"].includes(type)) {
    return { outcome: "failed" };
  }
  return typeof details?.["status"] === "number" ? { outcome: "ignored", answered: true } : { outcome: "ignored" };
}

function accountOf(
  deps: OpenDeps,
  row: StoredConnection,
  credentials: Account["credentials"],
  secrets: string[],
): Account {
  const { name, provider, settings } = row;
  return {
    name,
    provider,
    baseUrl: settings.baseUrl ?? null,
    credentials,
    auth: settings.auth ?? { type: "none" },
    settings: settings.settings ?? {},
    sandbox: settings.sandbox ?? false,
    token: tokenOf(deps, row, credentials, secrets),
  };
}

function heldFailure({ reason, until, connection }: Hold, now: number): Failure {
  const why = {
    rate_limited: "has used up what its rate allows",
    concurrency: "has all the calls under way that it allows",
    circuit_open: "is cut off: too many of its calls failed",
    unavailable: "cannot be looked up just now",
    awaiting_receipt: "has this very run under way", // said by runners, never by a gate
    quota: "may do no more just now", // said of tenants, as the next
    suspended: "is suspended",
  }[reason];
  const type = reason === "rate_limited" || reason === "concurrency" ? "rate_limit" : "service_unavailable";
  const message = `not tried: the connection ${connection} ${why}`;
  return { error: { type, message, retryable: true, code: HELD }, retryAfterMs: Math.max(0, until - now) };
}

// Opens connections for one run: finds the row, opens its secrets, asks its gate, and gives back afterwards what it
// took. What a gate holds back comes out as an outcome that spends no attempt.
import type { StoredConnection } from "#catalog/connections.ts";
import type { ConnectionAuth } from "#schema/connection.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { JsonObject } from "#schema/json.ts";
import type { OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { TROUBLE_BACK_AFTER_MS } from "#schema/limits/outgoing-calls.ts";
import { openCredentials, type OpenedCredentials } from "./connection-credentials.ts";
import { accountTokens, tokenOf, type AskToken, type Failure } from "./renew-token.ts";
import { isOurMistake } from "../catalog-failure.ts";
import { engineMistake } from "../catalog-trouble.ts";
import type { Deps } from "../deps.ts";
import { findConnection } from "./find-connection.ts";
import { enter, leave, type Passage } from "./pass-gate.ts";

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
  readonly ownToken: OwnTokenPort;
};
export type Opened =
  | { readonly ok: true; readonly connection: Account }
  | { readonly ok: false; readonly failure: Failure };

type OpenedOnes = Extract<OpenedCredentials, { ok: true }>;

export type Opener = {
  readonly open: (name: string | null, provider: string) => Promise<Opened>;
  /** Gives back every lease, tells a gate that its provider asked for quiet, and makes an outcome that was held say so. Never throws. */
  readonly close: (outcome: Outcome) => Promise<Outcome>;
};

/** By this code a run that its connection held is told from one that failed. */
const HELD = "connection_held";

/** What a run was given: values (wherever they come back, they are taken out), and where some of them may go to. */
export type Given = { readonly secrets: string[]; readonly bounds: BoundSecret[] };

/** What comes out of storage is added to what was given. */
export function openerFor(deps: OpenDeps, ticket: Ticket, { secrets, bounds }: Given): Opener {
  const known = new Map<string, Promise<Opened>>();
  const passages: Passage[] = [];
  // One opener is one carrying out of an attempt. What is delivered again after a crash is another one, under way beside
  // the first for all that is known: it needs a slot of its own. Most runs open nothing, and need no name.
  let delivery: string | null = null;
  const keyHere = (): string => {
    delivery ??= timeOrderedId("dlv", deps.now(), deps.randomBytes(10));
    return `${ticket.execution}/${ticket.run}/${ticket.attempt}/${delivery}`;
  };
  let held: Hold | null = null;

  const hold = (by: Hold): Extract<Opened, { ok: false }> => {
    held = by;
    return { ok: false, failure: heldFailure(by, deps.now()) };
  };

  const openAnew = async (name: string | null, provider: string): Promise<Opened> => {
    const unavailable = (cause: unknown): Opened => {
      const { execution, run } = ticket;
      deps.log({ level: "error", event: "connection_unavailable", execution, run, message: String(cause) });
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
      bounds.push(...credentials.bounds);
      const asked = await enter(deps, { ticket, key: keyHere() }, row, passages);
      if (!asked.ok) return hold({ ...asked.hold, connection: row.name });
      const account = accountOf(deps, row, credentials, { secrets, bounds });
      // Where the account has to be mended the run waits for that, as it would for a breaker.
      const orHeld = <R extends TokenResult | null>(given: R): R | Extract<Opened, { ok: false }> =>
        given === null || given.ok || given.heldUntil === undefined
          ? given
          : hold({ reason: "needs_attention", until: given.heldUntil, connection: row.name });
      const token: AskToken = async (refused) => orHeld(await account.token(refused));
      const ownToken: OwnTokenPort = async (...ask) => orHeld(await account.ownToken(...ask));
      return { ok: true, connection: { ...account, token, ownToken } };
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
      await Promise.all(passages.map((passage) => leave(deps, passage, outcome, isUntried)));
      if (isHeld && held !== null) return { ...outcome, held };
      return outcome.ok || isUntried ? outcome : triedOver(outcome, passages);
    },
  };
}

function accountOf(deps: OpenDeps, row: StoredConnection, opened: OpenedOnes, given: Given): Account {
  const { name, provider, settings } = row;
  return {
    name,
    provider,
    baseUrl: settings.baseUrl ?? null,
    credentials: opened.values,
    auth: settings.auth ?? { type: "none" },
    settings: settings.settings ?? {},
    sandbox: settings.sandbox ?? false,
    token: tokenOf(deps, row, opened, given),
    ownToken: accountTokens(deps, row, opened, given),
  };
}

/** Should it be for good, it is known with whom it failed. */
function triedOver(outcome: Extract<Outcome, { ok: false }>, passages: readonly Passage[]): Outcome {
  const [, connection] = passages.at(-1)?.gate.split("/") ?? [];
  return connection === undefined ? outcome : { ...outcome, error: { ...outcome.error, connection } };
}

function heldFailure({ reason, until, connection }: Hold, now: number): Failure {
  const why = {
    rate_limited: "has used up what its rate allows",
    retry_after: "is left alone for as long as its provider asked for (Retry-After)",
    concurrency: "has all the calls under way that it allows",
    circuit_open: "is cut off: too many of its calls failed",
    needs_attention: "needs attention: GET /v1/connections/{name} says what to do",
    unavailable: "cannot be looked up just now",
    awaiting_receipt: "has this very run under way", // said by runners, never by a gate
    cap: "has had as much as it may", // said of subjects
    quota: "may do no more just now", // said of tenants, as the next
    queue_share: "has its share of the queues", // said of tenants, too
    suspended: "is suspended",
    window: "waits for its hours", // said by the kernel, never by a gate
  }[reason];
  const isPaced = reason === "rate_limited" || reason === "retry_after" || reason === "concurrency";
  const type = isPaced ? "rate_limit" : "service_unavailable";
  const message = `not tried: the connection ${connection} ${why}`;
  return { error: { type, message, retryable: true, code: HELD }, retryAfterMs: Math.max(0, until - now) };
}

// Rehearsals: run an attempt without effects, with the real runner, a virtual clock and mocked answers. Nothing is sent
// or stored, and no secret is decrypted.
import type { JsonObject } from "#schema/json.ts";
import type { AttemptMocks, Interaction, MockAnswer, RehearsedAttempt, Rehearsal, Lookups } from "#schema/rehearsal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import { UNSUBSCRIBE_PLACEHOLDER } from "#schema/outgoing/unsubscribe-link.ts";
import { LITERAL_CREDENTIALS_MAX } from "#schema/limits/outgoing/secret-sizes.ts";
import { base64, utf8 } from "../core/bytes.ts";
import { fileMemory } from "../core/file-memory.ts";
import { redactJson } from "../core/redact-values.ts";
import { runTicket } from "../run.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { TokenMemory } from "../core/token-cache.ts";
import { openPlaceholderAccount } from "./stand-ins.ts";
import { isTokenRequest } from "./answers.ts";
import { isFileRequest } from "./mock-files.ts";
import { rehearsalSigner } from "./mock-chain.ts";
import { rehearsalClock, type RehearsalClock } from "./clock.ts";
import { fillConfig } from "./fill-config.ts";
import { rehearsalFetch } from "./network.ts";
import { rehearsalPorts } from "./ports.ts";
import { shownJson, shownText, secretsInConfig } from "./shown-request.ts";

/** The ports besides HTTP that this installation offers to actions. */
export type InstalledPorts = {
  readonly allowLoopback: boolean;
  readonly email: boolean;
  /** True if the installation has a bucket for files. */
  readonly files: boolean;
  readonly databases: readonly string[];
  /** The names of the bound Workers. */
  readonly services: readonly string[];
};

const SIGNING_SECRET = `whsec_${base64(utf8("a key that replaces the real one"))}`;

type RehearsalState = {
  readonly clock: RehearsalClock;
  readonly tokens: TokenMemory;
  readonly signer: ReturnType<typeof rehearsalSigner>;
  /**
   * The number of mocks that each attempt has used. A repeated execution of an attempt continues with the next mock.
   */
  readonly mocksUsed: Map<number, number>;
  startedAt: number | null;
};

export function rehearsals(installed: InstalledPorts): (lookups: Lookups) => Rehearsal {
  return (lookups) => {
    const clock = rehearsalClock();
    const signer = rehearsalSigner(clock.now);
    const state: RehearsalState = { clock, signer, tokens: new Map(), mocksUsed: new Map(), startedAt: null };
    return (ticket, mocks, at) => perform(ticket, mocks, at, { installed, lookups, state });
  };
}

type RehearsalPorts = { readonly installed: InstalledPorts; readonly lookups: Lookups; readonly state: RehearsalState };

async function perform(
  ticketWithSlots: Ticket,
  mocks: AttemptMocks | null,
  at: number,
  { installed, lookups, state }: RehearsalPorts,
): Promise<RehearsedAttempt> {
  const { clock, signer, tokens } = state;
  clock.set(at);
  state.startedAt ??= at;
  const startedAt = state.startedAt;
  const { config, sentSecrets } = fillConfig(ticketWithSlots);
  const ticket = { ...ticketWithSlots, config };
  const bounds = [...(await lookups.bounds(sentSecrets))];
  const hidden = [...new Set(secretsInConfig(ticket.config))].slice(0, LITERAL_CREDENTIALS_MAX).concat(SIGNING_SECRET);
  const interactions: Interaction[] = [];
  const timing = (begunAt: number) => ({
    attempt: ticket.attempt,
    atMs: begunAt - startedAt,
    durationMs: clock.now() - begunAt,
    mocked: true as const,
  });
  const next = (isSideRequest: boolean) => nextMock(state, ticket.attempt, mocks, isSideRequest);
  const ports = rehearsalPorts({
    ticket,
    lookups,
    clock,
    signer,
    installed,
    nextMock: () => next(false),
    record: (call, begunAt) => {
      const shown = { arguments: shownJson(call.arguments, hidden), answer: shownJson(call.answer, hidden) };
      interactions.push({ ...call, ...shown, ...timing(begunAt) });
    },
  });
  const outcome = await runTicket(ticket, {
    ...ports,
    tokens,
    secrets: hidden,
    bounds,
    now: clock.now,
    startTimer: clock.startTimer,
    allowLoopback: installed.allowLoopback,
    fetch: rehearsalFetch({
      ticket,
      clock,
      hidden,
      nextMock: (asked) => next(isTokenRequest(asked) || isFileRequest(ticket, asked)),
      record: (request, begunAt) => void interactions.push({ ...request, ...timing(begunAt) }),
    }),
    // The rehearsal's own memory limit, so that it never waits for real runs.
    fileMemory: fileMemory(),
    signing: async (by) => ({ ok: true, secrets: "own" in by || lookups.signs ? [SIGNING_SECRET] : [] }),
    publicUrl: lookups.publicUrl,
    receiptUrl: async () => RECEIPT_URL,
    unsubscribe: {
      // The config and the template already contain the placeholder.
      marker: () => UNSUBSCRIBE_PLACEHOLDER,
      insertedMarker: () => UNSUBSCRIBE_PLACEHOLDER,
      url: async () => (lookups.publicUrl !== null && lookups.signs ? UNSUBSCRIBE_PLACEHOLDER : null),
    },
    template: lookups.template,
    suppressed: lookups.suppressed,
    findAccount: lookups.account,
    connection: connectionOpener(lookups, hidden, bounds),
  });
  return { outcome: normalizeSecretNames(outcome, hidden), interactions };
}

/** The address of a receipt in a rehearsed push message. No device can use it. */
const RECEIPT_URL = "https://engine.example/v1/receipts/rehearsal";

/**
 * Returns the next mock; null: the request gets the usual answer. If the attempt has a single mock, only the action's
 * own call gets it; requests for tokens and files get usual answers.
 */
function nextMock(
  { mocksUsed }: RehearsalState,
  attempt: number,
  mocks: AttemptMocks | null,
  isSideRequest: boolean,
): MockAnswer | null {
  if (mocks === null) return null;
  if (!Array.isArray(mocks)) return isSideRequest ? null : mocks;
  const count = mocksUsed.get(attempt) ?? 0;
  mocksUsed.set(attempt, count + 1);
  return mocks[Math.min(count, mocks.length - 1)] ?? null;
}

function connectionOpener(lookups: Lookups, hidden: string[], bounds: BoundSecret[]): RunnerContext["connection"] {
  return async (name, provider) => {
    const found = await lookups.account(name, provider);
    if (!found.ok) return found;
    const { connection, generated } = await openPlaceholderAccount(found.account);
    hidden.push(...generated);
    bounds.push(...(await lookups.bounds(Object.values(found.account.credentials))));
    return { ok: true, connection };
  };
}

/**
 * Replaces the secrets in an outcome. A placeholder of a secret is shown in one spelling, even if a URL has encoded it.
 */
function normalizeSecretNames(
  outcome: RehearsedAttempt["outcome"],
  hidden: readonly string[],
): RehearsedAttempt["outcome"] {
  if (!outcome.ok) {
    const { details, ...error } = outcome.error;
    const message = shownText(error.message, hidden);
    // redaction changes only texts
    const more = details === undefined ? {} : { details: redactJson(details, hidden) as JsonObject };
    return { ...outcome, error: { ...error, message, ...more } };
  }
  const events = outcome.events.map(({ type, payload }) => ({ type, payload: shownJson(payload, hidden) }));
  return { ...outcome, result: shownJson(outcome.result, hidden), events };
}

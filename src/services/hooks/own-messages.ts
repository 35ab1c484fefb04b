// Own messages: selects the messages of a callback that runs of the tenant have sent, and that are new.
import { reportName, storedReports } from "#catalog/reports/message-reports.ts";
import { isOwnMessage, type SentRun } from "#policy/inbound/callbacks/owned-message.ts";
import type { ProviderMessage } from "#policy/inbound/callbacks/provider-message.ts";
import { CALLBACK_AHEAD_MS, CALLBACK_EXECUTIONS_MAX, MESSAGE_AGE_MS } from "#schema/limits/inbound/callbacks.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { runName, type FoundRun } from "./sent-runs.ts";
import { isFresh } from "./verify-hook.ts";

/** What the messages of one callback have in common. */
export type MessageSource = {
  readonly tenant: string;
  /** The provider, or "receipt" for the receipts of devices. */
  readonly provider: string;
  readonly actionType: string;
  /** The name of the connection, and its id. */
  readonly connection: readonly [name: string, id: string] | null;
  readonly isSameMessage: (sent: string, reported: string) => boolean;
};

/** A message and the run that has sent it. `run`: null if the message names only the execution. */
export type OwnMessage = {
  readonly message: ProviderMessage;
  readonly run: SentRun | null;
  readonly execution: string;
};

/** Returns the reason of a message that no run has sent. DocuSign's messages are envelopes. */
export function foreignReason({ provider }: Pick<MessageSource, "provider">): string {
  return provider === "docusign" ? "foreign_envelope" : "foreign_message";
}

/** Returns why a message cannot be used; null if it can. */
export function unusable(
  { reference, event, fault, at }: ProviderMessage,
  source: Pick<MessageSource, "provider">,
  now: number,
): string | null {
  if (reference === null) return foreignReason(source);
  if (event === null) return "not_an_event";
  if (fault !== null) return fault;
  return isFresh(at, now, { pastMs: MESSAGE_AGE_MS, futureMs: CALLBACK_AHEAD_MS }) ? null : "too_old";
}

/**
 * Removes the messages that an earlier callback has brought. A callback with one message is always applied again, since
 * the execution itself recognizes the event.
 */
export async function withoutStored(
  { db }: Pick<Deps, "db">,
  { tenant }: MessageSource,
  messages: readonly ProviderMessage[],
  repeated: (message: ProviderMessage) => void,
): Promise<readonly ProviderMessage[]> {
  if (messages.length < 2) return messages;
  const keyOf = (message: ProviderMessage) => namedRun(message).map((each) => ({ ...each, id: message.id }));
  const seen = new Set(await storedReports(db, tenant, messages.flatMap(keyOf)));
  return messages.filter((message) => {
    const [key] = keyOf(message);
    const name = key === undefined ? message.id : reportName(key);
    const isRepeated = seen.has(name);
    if (isRepeated) repeated(message);
    seen.add(name);
    return !isRepeated;
  });
}

/** Limits the number of executions that one callback reaches. The provider sends the remaining messages again. */
export function withinReach(
  messages: readonly ProviderMessage[],
  postponed: (message: ProviderMessage) => void,
): readonly ProviderMessage[] {
  const reached = new Set<string>();
  return messages.filter((message) => {
    const execution = message.reference?.execution ?? "";
    if (reached.size < CALLBACK_EXECUTIONS_MAX) reached.add(execution);
    if (!reached.has(execution)) postponed(message);
    return reached.has(execution);
  });
}

export function namedRun({
  reference,
}: ProviderMessage): readonly { readonly execution: string; readonly run: string }[] {
  if (reference === null || reference.run === null) return [];
  return [{ execution: reference.execution, run: reference.run }];
}

const notOurs = { code: "not_found", message: "The message names no run that has sent it." } as const;

/** Finds the run of the message. A message that names only an execution has no run. */
export function ownedRun(
  message: ProviderMessage,
  runs: ReadonlyMap<string, FoundRun>,
  source: MessageSource,
): Result<OwnMessage> {
  const { reference, messageId } = message;
  if (reference === null) return refuse(notOurs);
  const { execution, run, attempt } = reference;
  if (run === null) return { ok: true, value: { message, run: null, execution } };
  const found = runs.get(runName({ execution, run })) ?? refuse(notOurs);
  if (!found.ok) return found;
  const { actionType, isSameMessage, connection } = source;
  const provider = connection === null ? null : source.provider;
  const about = { reference: { attempt }, messageId, provider, actionType, isSameMessage, connection };
  if (found.value === null || !isOwnMessage(found.value, about)) return refuse(notOurs);
  return { ok: true, value: { message, run: found.value, execution } };
}

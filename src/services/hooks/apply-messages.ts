// Applies the messages of a verified callback: finds the run of each, adds suppressions, sends events to executions, and
// stores the reports. Each step is repeatable, because the provider repeats a callback that was not answered.
import { storeReports } from "#catalog/reports/message-reports.ts";
import type { SentRun } from "#policy/inbound/callbacks/owned-message.ts";
import { payloadOf, type ProviderMessage } from "#policy/inbound/callbacks/provider-message.ts";
import { reportRank } from "#policy/inbound/callbacks/report-rank.ts";
import { ID_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { CALLBACK_EXECUTIONS_AT_ONCE, REPORTS_PER_STATEMENT } from "#schema/limits/inbound/callbacks.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { MessageReport } from "#schema/reports/report.ts";
import { mayPass, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { Reply } from "#schema/engine/cell.ts";
import { inSlices } from "../cells/in-slices.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { sendEvent } from "../executions/control-execution.ts";
import { sha256 } from "../hash.ts";
import { addSuppression } from "../suppressions/add-suppression.ts";
import {
  foreignReason,
  namedRun,
  ownedRun,
  unusable,
  withinReach,
  withoutStored,
  type MessageSource,
  type OwnMessage,
} from "./own-messages.ts";
import { findSentRuns } from "./sent-runs.ts";

export type AppliedMessage = {
  readonly message: ProviderMessage;
  /** True if the execution has accepted the event. */
  readonly applied: boolean;
  /** True if an earlier callback has brought this message. Its event is not sent again. */
  readonly repeated: boolean;
  /** True if the message is part of the run's delivery status, whether or not the execution uses its event. */
  readonly recorded: boolean;
  /** Why the execution has received no event, or has not accepted it; null if it has. */
  readonly reason: string | null;
  /** Why the provider must send the message again; null if it need not. */
  readonly undecided: Refusal | null;
};

const nothing = { applied: false, repeated: false, recorded: false, reason: null, undecided: null } as const;

/** Applies the messages, and returns one answer for each in the same order. Throws if the catalog does not answer. */
export async function applyMessages(
  deps: Deps,
  source: MessageSource,
  messages: readonly ProviderMessage[],
): Promise<readonly AppliedMessage[]> {
  const answers = new Map<ProviderMessage, AppliedMessage>();
  const answer = (message: ProviderMessage, reason: string | null, more: Partial<AppliedMessage> = {}) =>
    void answers.set(message, { message, ...nothing, reason, ...more });
  const usable = messages.filter((message) => {
    const reason = unusable(message, source, deps.now());
    if (reason !== null) answer(message, reason);
    return reason === null;
  });
  const fresh = await withoutStored(deps, source, usable, (message) => answer(message, null, { repeated: true }));
  const reached = withinReach(fresh, (message) => answer(message, "too_many", { undecided: tooManyExecutions }));
  const runs = await findSentRuns(deps, source.tenant, reached.flatMap(namedRun));
  const work = reached.flatMap((message): OwnMessage[] => {
    const found = ownedRun(message, runs, source);
    if (found.ok) return [found.value];
    answer(message, found.refusal.code === "not_found" ? foreignReason(source) : found.refusal.code, {
      undecided: mayPass(found.refusal) ? found.refusal : null,
    });
    return [];
  });
  const isSingle = messages.length === 1;
  await inSlices(
    [...Map.groupBy(work, ({ execution }) => execution).values()],
    CALLBACK_EXECUTIONS_AT_ONCE,
    async (ofExecution) => {
      for (const each of ofExecution.toSorted((a, b) => a.message.at - b.message.at)) {
        const sent = await applyOne(deps, source, each);
        answer(each.message, sent.ok ? null : sent.refusal.code, {
          applied: sent.ok,
          undecided: !sent.ok && isRepeatable(sent.refusal, isSingle) ? sent.refusal : null,
        });
      }
    },
  );
  const decided = work.filter(({ message }) => answers.get(message)?.undecided === null);
  const stored = await storeDecided(deps, source.tenant, decided);
  const recorded = new Set(stored);
  return messages.flatMap((message) => {
    const given = answers.get(message);
    return given === undefined ? [] : [{ ...given, recorded: recorded.has(message) }];
  });
}

const tooManyExecutions = {
  code: "unavailable",
  message: "The callback reaches too many executions for one request.",
  hint: "Send the same callback again. Applied messages are not applied again.",
  retryAfterS: 1,
} as const;

/** A full buffer of one execution does not make the provider repeat all messages of a callback. */
function isRepeatable(refusal: Refusal, isSingle: boolean): boolean {
  if (refusal.code === "event_buffer_full") return isSingle;
  return mayPass(refusal) || refusal.code === "not_configured";
}

/** Adds the suppression that the message requires, and sends the event. */
async function applyOne(deps: Deps, source: MessageSource, work: OwnMessage): Promise<Result<unknown>> {
  try {
    await suppress(deps, source, work);
    return await send(deps, source, work);
  } catch (cause) {
    deps.log({ level: "error", event: "callback_not_delivered", execution: work.execution, message: String(cause) });
    return refuse({ code: "unavailable", message: "The engine cannot reach the execution of this callback." });
  }
}

async function suppress(
  deps: Deps,
  { tenant, connection, actionType }: MessageSource,
  work: OwnMessage,
): Promise<void> {
  const { suppression, recipient, reference, at } = work.message;
  if (suppression === null || recipient === null || reference === null) return;
  const channel = actionType === "sms" ? "sms" : "email";
  const { execution, run } = reference;
  const source = {
    execution,
    at,
    ...(run === null ? {} : { run }),
    ...(connection === null ? {} : { connection: connection[0] }),
  };
  const added = await addSuppression(deps, tenant, { channel, address: recipient, reason: suppression, source });
  if (!added.ok) deps.log({ level: "warn", event: "suppression_not_added", tenant, reason: added.refusal.code });
}

async function send(
  deps: Deps,
  source: MessageSource,
  { message, run, execution }: OwnMessage,
): Promise<Result<Reply>> {
  const { event, isSent, id, reference } = message;
  if (event === null || !isSent) return refuse(notSent);
  if (run?.isEnded === true) return refuse(ended);
  const sender = source.connection === null ? source.provider : `${source.provider}/${source.connection[0]}`;
  const caller: TenantCaller = { actor: { kind: "engine", id: sender }, tenant: source.tenant, scopes: ["write"] };
  const origin = { action: run?.action ?? "", run: reference?.run ?? "", attempt: attemptOf(message, run) ?? 1 };
  return sendEvent(deps, caller, {
    execution,
    id: id.length <= ID_CHARS_MAX ? id : `report/${await sha256(id)}`,
    type: event,
    payload: payloadOf(message, origin),
    source: sender,
    correlationId: null,
    key: null,
    dryRun: false,
    ...(run === null ? {} : { incarnation: run.incarnation }),
  });
}

const notSent = {
  code: "event_not_accepted",
  message: "The result event of the action has reported the same.",
} as const;
const ended = { code: "execution_final", message: "The execution has ended." } as const;

function attemptOf({ reference }: ProviderMessage, run: SentRun | null): number | null {
  return reference?.attempt ?? run?.attempt ?? null;
}

/** Stores the reports, and returns the messages that are stored now. */
async function storeDecided(
  deps: Deps,
  tenant: string,
  work: readonly OwnMessage[],
): Promise<readonly ProviderMessage[]> {
  const withReports = work.flatMap((each) => {
    const report = reportOf(tenant, each);
    return report === null ? [] : [{ report, message: each.message }];
  });
  const reports = withReports.map(({ report }) => report);
  const now = deps.now();
  const request = timeOrderedId("dlv", now, deps.randomBytes(10));
  for (let at = 0; at < reports.length; at += REPORTS_PER_STATEMENT)
    await storeReports(deps.db, reports.slice(at, at + REPORTS_PER_STATEMENT), { now, request });
  return withReports.map(({ message }) => message);
}

/** Returns the report to store; null if the message names no run, or if its event is no part of the delivery status. */
function reportOf(tenant: string, { message, run, execution }: OwnMessage): MessageReport | null {
  const { event: kind, id, at, recipient, messageId, code, reason, reference } = message;
  const rank = kind === null ? null : reportRank(kind, at);
  if (kind === null || rank === null || run === null || reference === null || reference.run === null) return null;
  const { incarnation, definition } = run;
  const about = {
    tenant,
    execution,
    run: reference.run,
    id,
    incarnation,
    definition,
    attempt: attemptOf(message, run),
  };
  return { ...about, kind, at, rank, recipient, messageId, code, reason };
}

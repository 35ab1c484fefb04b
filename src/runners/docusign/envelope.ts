// Sends documents for signature: makes a DocuSign envelope from a template, marked with the execution it belongs to, so
// that what the people do with it comes back as events (services/receive-docusign.ts).
import type { Json, JsonObject } from "#schema/json.ts";
import { attemptMs } from "#schema/defaults.ts";
import { openAccount, withToken } from "../core/account.ts";
import { uuidFrom } from "../core/bytes.ts";
import type { Failure } from "../core/classify.ts";
import { docusignAccount, type DocusignAccount } from "./account.ts";
import { envelopeOf } from "./envelope-body.ts";
import { docusignEnvelopeConfig, type DocusignEnvelopeConfig } from "./envelope-config.ts";
import { understood } from "./errors.ts";
import { answered, send, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import { textAt, valueAt } from "../core/json-pointer.ts";
import { failed, succeeded } from "../core/outcomes.ts";
import type { Runner, RunnerContext } from "../core/runner.ts";

/** DocuSign forgets a transaction id after this. */
const TRANSACTION_KEPT_MS = 7 * 24 * 60 * 60_000;

export const docusignEnvelope: Runner<DocusignEnvelopeConfig> = {
  type: "docusign_envelope",
  config: docusignEnvelopeConfig,
  permissions: ["docusign:send"],
  repeats: { mode: "provider", windowMs: TRANSACTION_KEPT_MS },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { templateId } = config;
    const opened = await openAccount(context, config.connection, "docusign", []);
    if (!opened.ok) return failed(opened.failure, span(), { templateId });
    const { connection } = opened;
    const account = docusignAccount(connection, context);
    if (!account.ok) return failed(account, span(), { templateId });
    const transactionId = await uuidFrom(`${context.ticket.tenant}/${context.ticket.idempotencyKey}`);
    const metadata = { templateId, transactionId };
    const body = envelopeOf(config, transactionId, connection, context);
    if (!body.ok) return failed(body, span(), metadata);
    const call: Call = (method, path, json) => request(account, method, path, json, context);
    const earlier = await sentEarlier(call, transactionId, context);
    if (!earlier.ok) return failed(understood(earlier, context.now()), span(), metadata);
    const answer = earlier.envelope === null ? await call("POST", "/envelopes", body.envelope) : null;
    if (answer?.ok === false) return failed(understood(answer, context.now()), span(), metadata);
    const data = answer?.data ?? earlier.envelope;
    const envelopeId = textAt(data, "/envelopeId");
    if (envelopeId === null) return failed(unreadable(answer), span(), metadata);
    const status = textAt(data, "/status") ?? config.status;
    const statusDateTime = textAt(data, "/statusDateTime") ?? textAt(data, "/statusChangedDateTime");
    const uri = textAt(data, "/uri") ?? textAt(data, "/envelopeUri") ?? `/envelopes/${envelopeId}`;
    const result = { envelopeId, status, statusDateTime, uri };
    const type = config.status === "sent" ? "envelope_sent" : "envelope_created";
    const payload = { ...result, templateId, actionId: context.ticket.action };
    return succeeded({ result, events: [{ type, payload }] }, span(), {
      ...metadata,
      ...(earlier.envelope === null ? {} : { foundAgain: true }),
    });
  },
};

/** The envelope may be there: the next attempt looks for it before it makes another. */
function unreadable(answer: HttpAnswer | null): Failure {
  const message = "DocuSign answered without an envelopeId";
  const error = { type: "unknown_error", message, retryable: true, code: "answer_unreadable" };
  return { error: answer === null ? error : { ...error, details: answered(answer) } };
}

type Called = HttpAnswer | HttpRefusal;
type Call = (method: "GET" | "POST", path: string, json: JsonObject | null) => Promise<Called>;

function request(
  { url, secrets, token }: DocusignAccount,
  method: "GET" | "POST",
  path: string,
  json: JsonObject | null,
  context: RunnerContext,
): Promise<Called> {
  const call = (bearer: string): Promise<Called> => {
    const headers = new Headers({
      Authorization: `Bearer ${bearer}`,
      Accept: "application/json",
      // DocuSign reads the body's transactionId; whoever stands in between may read this.
      "Idempotency-Key": context.ticket.idempotencyKey,
    });
    if (json !== null) headers.set("Content-Type", "application/json");
    const body = json === null ? null : JSON.stringify(json);
    return send({ method, url: url + path, headers, body, secrets: [...secrets, bearer] }, context);
  };
  return withToken({ token }, call, (answer) => !answer.ok && answer.answered?.status === 401);
}

type Earlier = { readonly ok: true; readonly envelope: JsonObject | null } | (HttpRefusal & { readonly ok: false });

/**
 * An attempt that was cut off may have left an envelope behind. DocuSign's documentation tells how to ask for it by its
 * transaction id, and does not promise what a second envelope under the same id becomes: so it is asked.
 */
async function sentEarlier(call: Call, transactionId: string, { ticket }: RunnerContext): Promise<Earlier> {
  if (ticket.attempt === 1 && !ticket.possiblyRepeated) return { ok: true, envelope: null };
  const answer = await call("GET", `/envelopes?transaction_ids=${transactionId}`, null);
  if (answer.ok) return { ok: true, envelope: envelopeIn(answer.data) };
  // Not knowing is no reason to send a second one; that there is no such id is what was to be found out.
  const saysNone = answer.error.type === "malformed_request" || answer.error.type === "not_found";
  return saysNone ? { ok: true, envelope: null } : answer;
}

function envelopeIn(data: Json): JsonObject | null {
  for (const list of ["/envelopes", "/envelopeTransactionStatuses"]) {
    const found = valueAt(data, `${list}/0`);
    if (found !== undefined && textAt(found, "/envelopeId") !== null) return found as JsonObject; // it has a field
  }
  return null;
}

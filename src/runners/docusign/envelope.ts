// DocuSign envelope runner: creates an envelope and sends it for signature. The envelope contains its execution's id,
// so that callbacks become events (services/hooks/receive-docusign.ts).
import type { JsonObject } from "#schema/json.ts";
import { attemptMs } from "#schema/defaults.ts";
import { deriveUuid } from "../core/bytes.ts";
import { openDocusign, type Call } from "./client.ts";
import { ownDocumentsIn } from "./documents.ts";
import { buildContents } from "./envelope-contents.ts";
import { withDocuments } from "./loaded-documents.ts";
import { incompleteNote, unreadableFailure, type HttpAnswer } from "../http/call.ts";
import type { Failure } from "../core/classify.ts";
import type { JsonWithFiles } from "../core/json-body.ts";
import { buildEnvelope } from "./envelope-body.ts";
import { docusignEnvelopeConfig, type DocusignEnvelopeConfig } from "./envelope-config.ts";
import { docusignFailure } from "./errors.ts";
import { readCreatedEnvelope, findEarlierEnvelope } from "./earlier-envelope.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner, RunnerContext } from "../core/runner.ts";

/** DocuSign keeps a transaction id for seven days. */
const TRANSACTION_KEPT_MS = 7 * 24 * 60 * 60_000;

export const docusignEnvelope: Runner<DocusignEnvelopeConfig> = {
  type: "docusign_envelope",
  config: docusignEnvelopeConfig,
  calls: [
    "/documents/*/url",
    "/compositeTemplates/*/document/url",
    "/compositeTemplates/*/inlineTemplates/*/documents/*/url",
  ],
  permissions: ["docusign:send"],
  repeats: { mode: "provider", windowMs: TRANSACTION_KEPT_MS },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const templateId = config.templateId ?? null;
    const opened = await openDocusign(config.connection, context);
    if (!opened.ok) return failureOutcome(opened.failure, span(), { templateId });
    const { connection, call } = opened;
    const transactionId = await deriveUuid(`${context.ticket.tenant}/${context.ticket.idempotencyKey}`);
    const metadata = { templateId, transactionId };
    const body = buildEnvelope(config, transactionId, connection, context);
    if (!body.ok) return failureOutcome(body, span(), metadata);
    const earlier = await findEarlierEnvelope(call, transactionId, context);
    if (!earlier.ok) return failureOutcome(earlier.failure, span(), metadata);
    const created = earlier.envelope === null ? await createEnvelope(call, config, body.envelope, context) : null;
    if (created?.ok === false) return failureOutcome(created.failure, span(), metadata);
    // `answer` is null if an earlier attempt created the envelope; nothing is then sent now.
    const answer = created?.answer ?? null;
    const envelope = answer === null ? earlier.envelope : await readCreatedEnvelope(answer, call, transactionId);
    const envelopeId = textAt(envelope, "/envelopeId");
    if (answer !== null && envelopeId === null) {
      return failureOutcome(unreadableFailure("DocuSign's answer has no envelopeId", answer), span(), metadata);
    }
    const status = textAt(envelope, "/status") ?? config.status;
    const statusDateTime = textAt(envelope, "/statusDateTime") ?? textAt(envelope, "/statusChangedDateTime");
    const uri = textAt(envelope, "/uri") ?? textAt(envelope, "/envelopeUri") ?? `/envelopes/${envelopeId}`;
    const result = { envelopeId, status, statusDateTime, uri };
    const type = config.status === "sent" ? "envelope_sent" : "envelope_created";
    const payload = { ...result, templateId, actionId: context.ticket.action };
    const note = answer === null ? {} : incompleteNote(answer);
    return successOutcome({ result: { ...result, ...note }, events: [{ type, payload }] }, span(), {
      ...metadata,
      ...(answer === null ? { foundAgain: true } : {}),
    });
  },
};

type CreateResult =
  | { readonly ok: true; readonly answer: HttpAnswer }
  | { readonly ok: false; readonly failure: Failure };

/** Creates the envelope. The documents are in memory only during this call. */
async function createEnvelope(
  call: Call,
  config: DocusignEnvelopeConfig,
  envelope: JsonObject,
  context: RunnerContext,
): Promise<CreateResult> {
  const created = await withDocuments(ownDocumentsIn(config), context, async (loaded): Promise<CreateResult> => {
    // serialization removes undefined fields
    const whole = { ...buildContents(config, loaded), ...envelope } as JsonWithFiles;
    const answer = await call("POST", "/envelopes", whole);
    return answer.ok ? { ok: true, answer } : { ok: false, failure: docusignFailure(answer, context.now()) };
  });
  return created.ok || "failure" in created ? created : { ok: false, failure: created };
}

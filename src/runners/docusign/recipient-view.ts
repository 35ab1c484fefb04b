// DocuSign signing page runner: creates an embedded signing URL for one person. The URL is valid for one use within a
// few minutes. It is a credential, so lists redact it (wire/short-lived.ts).
import { attemptMs } from "#schema/defaults.ts";
import type { JsonObject } from "#schema/json.ts";
import { toInstant } from "#schema/values.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner, RunnerContext } from "../core/runner.ts";
import { openDocusign } from "./client.ts";
import { docusignFailure } from "./errors.ts";
import { isPlainLoopback, recipientViewConfig, type RecipientViewConfig } from "./recipient-view-config.ts";

/** How long the result shows the URL as valid, in ms. DocuSign's documentation promises "a couple of minutes". */
const VIEW_KEPT_MS = 5 * 60_000;

export const docusignRecipientView: Runner<RecipientViewConfig> = {
  type: "docusign_recipient_view",
  config: recipientViewConfig,
  permissions: ["docusign:view"],
  // A repeat creates another URL for the same person. It sends no e-mail and does not change the envelope.
  repeats: { mode: "harmless" },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { envelopeId, clientUserId, connection } = config;
    const metadata = { envelopeId };
    const loopbackFailure = loopbackRefusal(config, context);
    if (loopbackFailure !== null) return failureOutcome(loopbackFailure, span(), metadata);
    const opened = await openDocusign(connection, context);
    if (!opened.ok) return failureOutcome(opened.failure, span(), metadata);
    const answer = await opened.call("POST", `/envelopes/${envelopeId}/views/recipient`, requestOf(config), true);
    if (!answer.ok) return failureOutcome(docusignFailure(answer, context.now()), span(), metadata);
    const url = textAt(answer.data, "/url");
    if (url === null) return failureOutcome(missingAddressFailure(answer.status), span(), metadata);
    // The validity is counted from the request, not from the answer, so that an expired URL is never shown as valid.
    const result = { envelopeId, clientUserId, url, expiresAt: toInstant(startedAt + VIEW_KEPT_MS) };
    const payload = { ...result, actionId: context.ticket.action };
    return successOutcome({ result, events: [{ type: "recipient_view_created", payload }] }, span(), metadata);
  },
};

/** Refuses loopback pages outside local development. A definition may contain such pages. */
function loopbackRefusal(config: RecipientViewConfig, { allowLoopback }: RunnerContext): Failure | null {
  if (allowLoopback) return null;
  const { returnUrl, pingUrl = null, frameAncestors = [], messageOrigins = [] } = config;
  const pages: readonly (readonly [string, string | null])[] = [
    ["returnUrl", returnUrl],
    ["pingUrl", pingUrl],
    ...frameAncestors.map((page, n) => [`frameAncestors.${n}`, page] as const),
    ...messageOrigins.map((page, n) => [`messageOrigins.${n}`, page] as const),
  ];
  const loopback = pages.find(([, page]) => page !== null && isPlainLoopback(page));
  if (loopback === undefined) return null;
  return configurationFailure(
    `${loopback[0]}: must be an https: address; loopback addresses are for local development only`,
    "page_refused",
  );
}

/**
 * The failure of an answer without a URL. The answer is not stored, because it may contain the URL in another field. A
 * retry is harmless.
 */
function missingAddressFailure(status: number): Failure {
  const message = "DocuSign's answer has no url";
  const details = { status };
  return {
    error: { type: "unknown_error", message, retryable: true, code: "answer_unreadable", effect: "none", details },
  };
}

function requestOf(config: RecipientViewConfig): JsonObject {
  const { name: userName, ...fields } = config;
  return JSON.parse(
    JSON.stringify({ ...fields, userName, connection: undefined, envelopeId: undefined }),
  ) as JsonObject; // JSON.stringify removes undefined fields
}

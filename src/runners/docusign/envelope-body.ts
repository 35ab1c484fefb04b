// DocuSign envelope bodies: build the envelope without its contents. The engine adds custom fields that identify the
// execution, and the URL for callbacks.
import type { JsonObject } from "#schema/json.ts";
import { credential, setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { EXECUTION_FIELD, KEY_FIELD, type DocusignEnvelopeConfig } from "./envelope-config.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";

type Failed = Failure & { readonly ok: false };

/** Builds the envelope without its contents, which are loaded later. */
export function buildEnvelope(
  config: DocusignEnvelopeConfig,
  transactionId: string,
  connection: OpenConnection,
  { ticket }: RunnerContext,
): { readonly ok: true; readonly envelope: JsonObject } | Failed {
  const { emailSubject, emailBlurb, emailSettings, brandId, allowReassign, status, notification } = config;
  const { execution, idempotencyKey, tenant } = ticket;
  if ((config.customFields?.[EXECUTION_FIELD] ?? execution) !== execution) {
    const message = `customFields.${EXECUTION_FIELD}: the engine sets this field to ${execution} for callbacks; use another field for your own id`;
    return { ok: false, ...configurationFailure(message, "execution_id_taken") };
  }
  const callbacks = eventNotification(config, connection, tenant);
  if (!callbacks.ok) return callbacks;
  const fields = { ...config.customFields, [EXECUTION_FIELD]: execution, [KEY_FIELD]: idempotencyKey };
  const hiddenField = ([name, value]: [string, string]) => ({ name, value, show: "false", required: "false" });
  const envelope = {
    status,
    transactionId,
    emailSubject,
    emailBlurb,
    emailSettings,
    brandId,
    allowReassign,
    customFields: { textCustomFields: Object.entries(fields).map(hiddenField) },
    notification,
    eventNotification: callbacks.notification,
  };
  return { ok: true, envelope: JSON.parse(JSON.stringify(envelope)) as JsonObject }; // JSON.stringify removes undefined fields
}

const CALLBACKS = ["delivered", "completed", "declined", "voided"];

/**
 * Returns the settings with which DocuSign sends callbacks. They need the engine's public URL from the connection;
 * without it no callbacks are requested.
 */
function eventNotification(
  { status, recipientEvents = [] }: DocusignEnvelopeConfig,
  connection: OpenConnection,
  tenant: string,
): { readonly ok: true; readonly notification: JsonObject | undefined } | Failed {
  const publicUrl = setting(connection, "publicUrl");
  if (publicUrl === "") return { ok: true, notification: undefined };
  if (credential(connection, "connectHmacKey") === "") {
    const message = `the connection ${connection.name} has a publicUrl but no connectHmacKey, so callbacks could not be verified`;
    return { ok: false, ...configurationFailure(message, "connect_hmac_key_missing") };
  }
  // If the envelope is sent now, this action's own event reports the sending. If it is a draft, only DocuSign's
  // callback reports when it is sent.
  const statuses = status === "created" ? ["sent", ...CALLBACKS] : CALLBACKS;
  const notification = {
    url: `${publicUrl.replace(/\/+$/, "")}/v1/hooks/docusign/${tenant}/${connection.name}`,
    deliveryMode: "SIM",
    events: [...statuses.map((each) => `envelope-${each}`), ...recipientEvents.map((each) => `recipient-${each}`)],
    eventData: { version: "restv2.1", format: "json", includeData: ["custom_fields", "recipients"] },
    requireAcknowledgment: "true",
    loggingEnabled: "true",
    includeHMAC: "true",
  };
  return { ok: true, notification };
}

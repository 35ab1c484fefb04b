// DocuSign Connect messages: reads an envelope's status from either of DocuSign's JSON formats, and converts it to an
// event. In one format ("SIM") each message is an event; in the older one it is the envelope itself. Every field may be
// missing, because the signature proves only who sent the message.
import { z } from "zod";
import type { JsonObject } from "#schema/json.ts";
import {
  ENVELOPE_IDS_CHARS_MAX,
  ENVELOPE_RECIPIENTS_LISTED_MAX,
  MESSAGE_EXCERPT_CHARS_MAX,
} from "#schema/limits/outgoing/responses.ts";

export type EnvelopeMessage = {
  readonly envelopeId: string;
  /** The event as DocuSign names it, such as "envelope-completed". */
  readonly event: string;
  /** When DocuSign created the message, in epoch ms; NaN if the message does not say. */
  readonly generatedAt: number;
  /** The recipient's id, for a message about one recipient; null for a message about the envelope. */
  readonly recipientId: string | null;
  /** The execution's id from the envelope's custom fields; null if the envelope was not created by an execution. */
  readonly execution: string | null;
  /** The run's id from the envelope's custom fields; null if they do not contain it. */
  readonly run: string | null;
  readonly payload: JsonObject;
};

const text = z.string().nullish().catch(null);
const field = z.looseObject({ name: text, value: text });
const person = z.looseObject({
  recipientId: text,
  clientUserId: text,
  name: text,
  email: text,
  roleName: text,
  status: text,
  signedDateTime: text,
  declinedReason: text,
});
const envelope = z.looseObject({
  envelopeId: text,
  status: text,
  statusChangedDateTime: text,
  completedDateTime: text,
  declinedDateTime: text,
  voidedDateTime: text,
  voidedReason: text,
  customFields: z
    .looseObject({ textCustomFields: z.array(field).nullish().catch(null) })
    .nullish()
    .catch(null),
  /**
   * The recipients as DocuSign lists them: an object with one list for each kind (signers, carbonCopies, …), and with
   * counts and other fields.
   */
  recipients: z.record(z.string(), z.unknown()).nullish().catch(null),
});
const message = envelope.extend({
  event: text,
  generatedDateTime: text,
  data: z
    .looseObject({ envelopeId: text, recipientId: text, envelopeSummary: envelope.nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** Parses the body. Returns null if it is not a DocuSign message. */
export function readEnvelopeMessage(body: string): EnvelopeMessage | null {
  const parsed = message.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const { data, event, generatedDateTime, ...whole } = parsed.data;
  const about = data?.envelopeSummary ?? whole;
  const envelopeId = data?.envelopeId ?? about.envelopeId ?? null;
  const status = about.status ?? null;
  const eventName = event ?? (status === null ? null : `envelope-${status.toLowerCase()}`);
  if (envelopeId === null || eventName === null || !ID.test(envelopeId)) return null;
  const recipient = eventName.startsWith("recipient-") ? (data?.recipientId ?? "") : "";
  const recipientId =
    ID.test(recipient) && envelopeId.length + recipient.length <= ENVELOPE_IDS_CHARS_MAX ? recipient : null;
  const fields = about.customFields?.textCustomFields ?? [];
  const fieldValue = (name: string) => fields.find((each) => each.name === name)?.value ?? null;
  const execution = fieldValue("executionId");
  return {
    envelopeId,
    event: eventName,
    generatedAt: Date.parse(generatedDateTime ?? about.statusChangedDateTime ?? ""),
    recipientId,
    execution,
    run: runIn(execution, fieldValue("idempotencyKey")),
    payload: {
      ...payloadOf(envelopeId, eventName, about),
      ...(recipientId === null ? {} : { recipient: recipientIn(about, recipientId) }),
    },
  };
}

/** Returns the run's id. The idempotency key of a run is `<execution>/<run>`. */
function runIn(execution: string | null, idempotencyKey: string | null): string | null {
  const [, owner, run] = /^([^/]+)\/(\d{1,9}\.\d{1,6})$/.exec(idempotencyKey ?? "") ?? [];
  return owner === execution ? (run ?? null) : null;
}

const ID = /^[A-Za-z0-9-]{1,64}$/;

function payloadOf(envelopeId: string, event: string, about: z.infer<typeof envelope>): JsonObject {
  const people = peopleOf(about.recipients ?? {});
  const { completedDateTime, declinedDateTime, voidedDateTime, voidedReason } = about;
  return {
    envelopeId,
    // An event about a recipient contains no envelope status, because the status of the envelope may differ from that
    // of the recipient.
    status: about.status?.toLowerCase() ?? (event.startsWith("recipient-") ? null : event.replace(/^envelope-/, "")),
    completedAt: completedDateTime ?? null,
    declinedAt: declinedDateTime ?? null,
    voidedAt: voidedDateTime ?? null,
    declinedReason: truncated(people.find(({ declinedReason }) => declinedReason)?.declinedReason),
    voidedReason: truncated(voidedReason),
    recipients: people.slice(0, ENVELOPE_RECIPIENTS_LISTED_MAX).map(personFields),
  };
}

/**
 * Returns the recipient from the whole message; the payload contains only some recipients. If the message lists none,
 * only the id is returned.
 */
function recipientIn({ recipients }: z.infer<typeof envelope>, recipientId: string): JsonObject {
  const found = peopleOf(recipients ?? {}).find((recipient) => recipient.recipientId === recipientId);
  return { recipientId, clientUserId: truncated(found?.clientUserId), ...personFields(found) };
}

function personFields(recipient: z.infer<typeof person> | undefined) {
  return {
    name: truncated(recipient?.name),
    email: truncated(recipient?.email),
    roleName: truncated(recipient?.roleName),
    status: truncated(recipient?.status),
    signedAt: truncated(recipient?.signedDateTime),
    declinedReason: truncated(recipient?.declinedReason),
  };
}

function peopleOf(recipients: { readonly [kind: string]: unknown }): z.infer<typeof person>[] {
  const lists = Object.values(recipients).filter((list) => Array.isArray(list));
  return lists.flat().flatMap((entry) => {
    const parsed = person.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

function truncated(recipient: string | null | undefined): string | null {
  return recipient ? recipient.slice(0, MESSAGE_EXCERPT_CHARS_MAX) : null;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

// DocuSign Connect messages: an envelope's status in either of its JSON formats (one message per event, "SIM", and the
// older one that is the envelope itself), converted to an event. Parsed defensively: only the signature is known to be
// right.
import { z } from "zod";
import type { JsonObject } from "#schema/json.ts";
import { HOOK_IDS_CHARS_MAX, RECIPIENTS_TOLD_MAX, SAID_CHARS_MAX } from "#schema/limits/runners.ts";

export type EnvelopeNews = {
  readonly envelopeId: string;
  /** "envelope-completed", as DocuSign names it. */
  readonly event: string;
  /** NaN if absent. */
  readonly generatedAt: number;
  /** The recipient, for a message about one person; null if it is about the envelope. */
  readonly recipientId: string | null;
  /** From the envelope's custom fields; null if it has none of ours. */
  readonly execution: string | null;
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
  /** Lists by kind (signers, carbonCopies, …) among numbers and other values. */
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

/** null: not a DocuSign message. */
export function readEnvelopeNews(body: string): EnvelopeNews | null {
  const parsed = message.safeParse(jsonOf(body));
  if (!parsed.success) return null;
  const { data, event, generatedDateTime, ...whole } = parsed.data;
  const about = data?.envelopeSummary ?? whole;
  const envelopeId = data?.envelopeId ?? about.envelopeId ?? null;
  const status = about.status ?? null;
  const what = event ?? (status === null ? null : `envelope-${status.toLowerCase()}`);
  if (envelopeId === null || what === null || !ID.test(envelopeId)) return null;
  const said = what.startsWith("recipient-") ? (data?.recipientId ?? "") : "";
  const recipientId = ID.test(said) && envelopeId.length + said.length <= HOOK_IDS_CHARS_MAX ? said : null;
  const fields = about.customFields?.textCustomFields ?? [];
  return {
    envelopeId,
    event: what,
    generatedAt: Date.parse(generatedDateTime ?? about.statusChangedDateTime ?? ""),
    recipientId,
    execution: fields.find(({ name }) => name === "executionId")?.value ?? null,
    payload: {
      ...payloadOf(envelopeId, what, about),
      ...(recipientId === null ? {} : { recipient: recipientIn(about, recipientId) }),
    },
  };
}

const ID = /^[A-Za-z0-9-]{1,64}$/;

function payloadOf(envelopeId: string, event: string, about: z.infer<typeof envelope>): JsonObject {
  const people = peopleOf(about.recipients ?? {});
  const { completedDateTime, declinedDateTime, voidedDateTime, voidedReason } = about;
  return {
    envelopeId,
    // One person's status is not the envelope's.
    status: about.status?.toLowerCase() ?? (event.startsWith("recipient-") ? null : event.replace(/^envelope-/, "")),
    completedAt: completedDateTime ?? null,
    declinedAt: declinedDateTime ?? null,
    voidedAt: voidedDateTime ?? null,
    declinedReason: short(people.find(({ declinedReason }) => declinedReason)?.declinedReason),
    voidedReason: short(voidedReason),
    recipients: people.slice(0, RECIPIENTS_TOLD_MAX).map(told),
  };
}

/** Searches all of them, however many the payload lists; only the id is known if the message lists no people. */
function recipientIn({ recipients }: z.infer<typeof envelope>, recipientId: string): JsonObject {
  const found = peopleOf(recipients ?? {}).find((each) => each.recipientId === recipientId);
  return { recipientId, clientUserId: short(found?.clientUserId), ...told(found) };
}

function told(each: z.infer<typeof person> | undefined) {
  return {
    name: short(each?.name),
    email: short(each?.email),
    roleName: short(each?.roleName),
    status: short(each?.status),
    signedAt: short(each?.signedDateTime),
    declinedReason: short(each?.declinedReason),
  };
}

function peopleOf(recipients: { readonly [kind: string]: unknown }): z.infer<typeof person>[] {
  const lists = Object.values(recipients).filter((list) => Array.isArray(list));
  return lists.flat().flatMap((each) => {
    const parsed = person.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
}

function short(said: string | null | undefined): string | null {
  return said ? said.slice(0, SAID_CHARS_MAX) : null;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

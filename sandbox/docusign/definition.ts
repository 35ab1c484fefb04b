// Envelope definitions: the envelopes that the DocuSign imitation accepts. The recipients come from template roles,
// from the envelope's own documents, or from several layers of templates under one id.
import { z } from "zod";

const field = z.looseObject({ name: z.string(), value: z.string() });
const role = z.looseObject({
  roleName: z.string(),
  name: z.string(),
  email: z.email(),
  clientUserId: z.string().optional(),
});
const person = z.looseObject({
  recipientId: z.string(),
  name: z.string(),
  email: z.email(),
  roleName: z.string().optional(),
  clientUserId: z.string().optional(),
});
const people = z.looseObject({ signers: z.array(person).optional(), carbonCopies: z.array(person).optional() });
const document = z.looseObject({ documentId: z.string(), name: z.string(), documentBase64: z.base64() });
const inline = z.looseObject({ documents: z.array(document).optional(), recipients: people.optional() });
const composite = z.looseObject({
  serverTemplates: z.array(z.looseObject({ sequence: z.string(), templateId: z.string() })).optional(),
  inlineTemplates: z.array(inline).optional(),
  document: document.optional(),
});

export const definition = z.looseObject({
  status: z.enum(["sent", "created"]),
  templateId: z.string().min(1).optional(),
  templateRoles: z.array(role).optional(),
  documents: z.array(document).optional(),
  recipients: people.optional(),
  compositeTemplates: z.array(composite).optional(),
  emailSubject: z.string().optional(),
  transactionId: z.string().optional(),
  customFields: z.looseObject({ textCustomFields: z.array(field).optional() }).optional(),
  eventNotification: z.looseObject({ url: z.url() }).optional(),
});
export type Definition = z.infer<typeof definition>;
export type Recipient = {
  readonly recipientId: string;
  readonly name: string;
  readonly email: string;
  readonly roleName?: string | undefined;
  readonly clientUserId?: string | undefined;
};

export function templatesOf({ templateId, compositeTemplates = [] }: Definition): string[] {
  const layered = compositeTemplates.flatMap(({ serverTemplates = [] }) =>
    serverTemplates.map((each) => each.templateId),
  );
  return templateId === undefined ? layered : [templateId, ...layered];
}

/**
 * Returns DocuSign's error for an incomplete envelope. Returns null if the envelope is complete, or if it is a draft
 * that is not sent yet.
 */
export function incompleteError(envelope: Definition): string | null {
  const { status, documents = [], compositeTemplates = [], emailSubject } = envelope;
  if (status === "created" || templatesOf(envelope).length > 0) return null;
  const ownDocuments = [
    ...documents,
    ...compositeTemplates.flatMap(({ document: one, inlineTemplates = [] }) => [
      ...(one === undefined ? [] : [one]),
      ...inlineTemplates.flatMap((each) => each.documents ?? []),
    ]),
  ];
  const isComplete = ownDocuments.length > 0 && recipientsOf(envelope).length > 0 && emailSubject !== undefined;
  return isComplete
    ? null
    : "The Envelope is not Complete. A Complete Envelope Requires Documents, Recipients, Tabs, and a Subject Line.";
}

export function recipientsOf({ templateRoles = [], recipients, compositeTemplates = [] }: Definition): Recipient[] {
  const roles = templateRoles.map((each, n) => ({ ...each, recipientId: String(n + 1) }));
  const layered = compositeTemplates.flatMap(({ inlineTemplates = [] }) =>
    inlineTemplates.flatMap((each) => peopleIn(each.recipients)),
  );
  const all = [...roles, ...peopleIn(recipients), ...layered];
  return [...new Map(all.map((each) => [each.recipientId, each])).values()];
}

function peopleIn(recipients: z.infer<typeof people> | undefined): Recipient[] {
  return [...(recipients?.signers ?? []), ...(recipients?.carbonCopies ?? [])];
}

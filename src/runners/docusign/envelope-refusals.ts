// DocuSign envelope checks: find config errors that DocuSign would refuse or silently ignore, before anything is sent.
// Drafts are checked as well. A template in a draft counts as valid.
import type { CompositeTemplate, OwnDocument } from "./documents.ts";
import type { CarbonCopy, Signer } from "./people.ts";
import { documentRefusals, peopleRefusals } from "./own-refusals.ts";
import { isTemplate, isSameText, refusal, type Refusal } from "./refusal.ts";

/** A role of a template. In a draft, a recipient may have `role` instead of `roleName`. */
type Role = {
  readonly roleName?: unknown;
  readonly role?: unknown;
  readonly email?: unknown;
  readonly name?: unknown;
  readonly routingOrder?: unknown;
};
export type Envelope = {
  readonly templateId?: string | undefined;
  readonly recipients?: readonly Role[] | undefined;
  readonly templateRoles?: readonly Role[] | undefined;
  readonly documents?: readonly OwnDocument[] | undefined;
  readonly signers?: readonly Signer[] | undefined;
  readonly carbonCopies?: readonly CarbonCopy[] | undefined;
  readonly compositeTemplates?: readonly CompositeTemplate[] | undefined;
  readonly emailSubject?: string | undefined;
  readonly status?: string | undefined;
};

export function envelopeRefusals(envelope: Envelope): Refusal[] {
  const contentRefusals = contentFieldRefusals(envelope);
  if (contentRefusals.length > 0) return contentRefusals;
  return [
    ...roleRefusals(envelope),
    ...documentRefusals(envelope),
    ...peopleRefusals(envelope),
    ...(envelope.compositeTemplates ?? []).flatMap(compositeRefusals),
  ];
}

const CONTENT_FIELDS = ["templateId", "documents", "compositeTemplates"] as const;
/**
 * The config fields that contain people. For each field: the kind of envelope that it needs, and the field to use in
 * the other kind.
 */
const PEOPLE = {
  recipients: { belongsTo: "templateId", instead: "signers or carbonCopies" },
  templateRoles: { belongsTo: "templateId", instead: "signers or carbonCopies" },
  signers: { belongsTo: "documents", instead: "templateRoles" },
  carbonCopies: { belongsTo: "documents", instead: "templateRoles, if the template has a role for a copy" },
} as const;

function contentFieldRefusals(envelope: Envelope): Refusal[] {
  const [way, other] = CONTENT_FIELDS.filter((name) => envelope[name] !== undefined);
  if (way === undefined)
    return [refusal(["templateId"], "is missing: an envelope needs templateId, documents or compositeTemplates")];
  if (other !== undefined) {
    const message = `${way} and ${other} would create two envelopes: combine templates and documents in compositeTemplates`;
    return [refusal([other], message)];
  }
  return Object.entries(PEOPLE).flatMap(([field, { belongsTo, instead }]) => {
    const isSet = envelope[field as keyof typeof PEOPLE] !== undefined; // Object.entries lists the keys of PEOPLE
    if (!isSet || belongsTo === way) return [];
    const where = way === "compositeTemplates" ? "inlineTemplates[].recipients, with their roleName" : instead;
    return [refusal([field], `is only for ${belongsTo}; with ${way}, write people in ${where}`)];
  });
}

/**
 * Checks roles that several people have. These people need a routingOrder, which decides whether they sign in turn or
 * at the same time.
 */
function roleRefusals({ recipients = [], templateRoles = [] }: Envelope): Refusal[] {
  const seen = new Map<string, Role>();
  for (const role of [...recipients, ...templateRoles]) {
    const name = String(role.roleName ?? role.role).toLowerCase();
    const first = seen.get(name);
    seen.set(name, first ?? role);
    if (first === undefined || isTemplate(name)) continue;
    if (first.routingOrder === undefined || role.routingOrder === undefined) {
      const message = `two people have the role ${name}: give each of them a routingOrder (equal numbers sign at the same time), or remove one person`;
      return [refusal(["templateRoles"], message)];
    }
    if (isSameText(first.email, role.email) && isSameText(first.name, role.name))
      return [refusal(["templateRoles"], `the role ${name} contains ${String(role.email)} twice: remove one of them`)];
  }
  return [];
}

function compositeRefusals(composite: CompositeTemplate, at: number): Refusal[] {
  const { serverTemplates = [], inlineTemplates = [], document } = composite;
  const path = ["compositeTemplates", at];
  const replacedIndex = inlineTemplates.findIndex(({ documents = [] }) => documents.length > 0);
  const hasAny = serverTemplates.length > 0 || document !== undefined || replacedIndex !== -1;
  const layers = [
    ...serverTemplates.map(({ sequence }, n) => ({ sequence, path: [...path, "serverTemplates", n, "sequence"] })),
    ...inlineTemplates.map(({ sequence }, n) => ({ sequence, path: [...path, "inlineTemplates", n, "sequence"] })),
  ];
  const duplicate = layers.find(({ sequence }, n) => layers.findIndex((each) => each.sequence === sequence) < n);
  return [
    ...(hasAny ? [] : [refusal(path, "has no document: add serverTemplates, a document or inline documents")]),
    ...(document !== undefined && replacedIndex !== -1
      ? [refusal([...path, "inlineTemplates", replacedIndex, "documents"], DOCUMENT_REPLACES)]
      : []),
    ...(duplicate === undefined || isTemplate(duplicate.sequence)
      ? []
      : [
          refusal(
            duplicate.path,
            `the sequence ${duplicate.sequence} is given twice: each sequence must be unique, because it orders the templates`,
          ),
        ]),
  ];
}

const DOCUMENT_REPLACES =
  "the composite template's document replaces these documents: move these documents to a separate composite template";

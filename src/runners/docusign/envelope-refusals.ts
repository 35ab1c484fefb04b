// What DocuSign would refuse of an envelope, or quietly leave out, said before anything is sent and with what to do
// instead. It also looks at drafts, in which templates stand where values will be: those are let pass.
import type { CompositeTemplate, OwnDocument } from "./documents.ts";
import type { CarbonCopy, Signer } from "./people.ts";
import { documentRefusals, peopleRefusals } from "./own-refusals.ts";
import { isOpen, isSame, refusal, type Refusal } from "./refusal.ts";

/** In a draft a recipient is looked at before it has been turned into a role. */
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
  const wrongWay = wayRefusals(envelope);
  if (wrongWay.length > 0) return wrongWay;
  return [
    ...roleRefusals(envelope),
    ...documentRefusals(envelope),
    ...peopleRefusals(envelope),
    ...(envelope.compositeTemplates ?? []).flatMap(compositeRefusals),
  ];
}

const WAYS = ["templateId", "documents", "compositeTemplates"] as const;
/** Which fields speak of people, and for which way of making an envelope. */
const PEOPLE = {
  recipients: { goes: "templateId", instead: "signers or carbonCopies" },
  templateRoles: { goes: "templateId", instead: "signers or carbonCopies" },
  signers: { goes: "documents", instead: "templateRoles" },
  carbonCopies: { goes: "documents", instead: "templateRoles, where the template has a role that gets a copy" },
} as const;

function wayRefusals(envelope: Envelope): Refusal[] {
  const [way, other] = WAYS.filter((name) => envelope[name] !== undefined);
  if (way === undefined)
    return [refusal(["templateId"], "is missing: an envelope is made of templateId, documents or compositeTemplates")];
  if (other !== undefined) {
    const message = `${way} and ${other} make two envelopes: put templates and documents together in compositeTemplates`;
    return [refusal([other], message)];
  }
  return Object.entries(PEOPLE).flatMap(([field, { goes, instead }]) => {
    const isGiven = envelope[field as keyof typeof PEOPLE] !== undefined; // its own entries
    if (!isGiven || goes === way) return [];
    const where = way === "compositeTemplates" ? "inlineTemplates[].recipients, with their roleName" : instead;
    return [refusal([field], `goes with ${goes}; with ${way} people stand in ${where}`)];
  });
}

/** Several people in one role are taken in turn or at once, and only the order says which. */
function roleRefusals({ recipients = [], templateRoles = [] }: Envelope): Refusal[] {
  const seen = new Map<string, Role>();
  for (const role of [...recipients, ...templateRoles]) {
    const name = String(role.roleName ?? role.role).toLowerCase();
    const first = seen.get(name);
    seen.set(name, first ?? role);
    if (first === undefined || isOpen(name)) continue;
    if (first.routingOrder === undefined || role.routingOrder === undefined) {
      const message =
        `the role ${name} is given twice: give each of its people a routingOrder, the same where they sign at the same ` +
        `time, or leave one of them out`;
      return [refusal(["templateRoles"], message)];
    }
    if (isSame(first.email, role.email) && isSame(first.name, role.name))
      return [
        refusal(["templateRoles"], `the role ${name} has ${String(role.email)} in it twice: leave one of them out`),
      ];
  }
  return [];
}

function compositeRefusals(composite: CompositeTemplate, at: number): Refusal[] {
  const { serverTemplates = [], inlineTemplates = [], document } = composite;
  const path = ["compositeTemplates", at];
  const shadowed = inlineTemplates.findIndex(({ documents = [] }) => documents.length > 0);
  const hasAny = serverTemplates.length > 0 || document !== undefined || shadowed !== -1;
  const layers = [
    ...serverTemplates.map(({ sequence }, n) => ({ sequence, path: [...path, "serverTemplates", n, "sequence"] })),
    ...inlineTemplates.map(({ sequence }, n) => ({ sequence, path: [...path, "inlineTemplates", n, "sequence"] })),
  ];
  const twice = layers.find(({ sequence }, n) => layers.findIndex((each) => each.sequence === sequence) < n);
  return [
    ...(hasAny ? [] : [refusal(path, "has no document: give it serverTemplates, a document or inline documents")]),
    ...(document !== undefined && shadowed !== -1
      ? [refusal([...path, "inlineTemplates", shadowed, "documents"], DOCUMENT_WINS)]
      : []),
    ...(twice === undefined || isOpen(twice.sequence)
      ? []
      : [refusal(twice.path, `the sequence ${twice.sequence} is given twice: it says what lies over what`)]),
  ];
}

const DOCUMENT_WINS =
  "the composite template's document takes their place: give them a composite template of their own";

// DocuSign document checks: find errors in the tenant's own documents, their recipients and tabs that DocuSign would
// refuse.
import {
  unusedNumbers,
  extensionOf,
  ownDocumentsIn,
  PDF_BASE64,
  type CompositeTemplate,
  type OwnDocument,
} from "./documents.ts";
import type { CarbonCopy, Signer } from "./people.ts";
import { isTemplate, isSameText, refusal, type Path, type Refusal } from "./refusal.ts";
import { tabRefusals } from "./tabs.ts";

type EnvelopePart = {
  readonly documents?: readonly OwnDocument[] | undefined;
  readonly signers?: readonly Signer[] | undefined;
  readonly carbonCopies?: readonly CarbonCopy[] | undefined;
  readonly compositeTemplates?: readonly CompositeTemplate[] | undefined;
  readonly emailSubject?: string | undefined;
  readonly status?: string | undefined;
};

export function documentRefusals({ documents, compositeTemplates = [] }: EnvelopePart): Refusal[] {
  const placed = [
    ...(documents ?? []).map((document, n) => ({ document, path: ["documents", n] as Path })),
    ...compositeTemplates.flatMap((composite, n) => documentsOfComposite(composite, ["compositeTemplates", n])),
  ];
  const withId = placed.filter(({ document: { documentId } }) => documentId !== undefined && !isTemplate(documentId));
  const idAt = (n: number) => String(withId[n]?.document.documentId);
  const duplicate = withId.find((_, n) => withId.findIndex((_other, index) => idAt(index) === idAt(n)) < n);
  return [
    ...(duplicate === undefined
      ? []
      : [refusal([...duplicate.path, "documentId"], `document ${duplicate.document.documentId} is given twice`)]),
    ...placed.flatMap(({ document, path }) => fileTypeRefusals(document, path)),
  ];
}

function documentsOfComposite({ document, inlineTemplates = [] }: CompositeTemplate, path: Path) {
  const own = document === undefined ? [] : [{ document, path: [...path, "document"] }];
  const inline = inlineTemplates.flatMap(({ documents = [] }, n) =>
    documents.map((each, index) => ({ document: each, path: [...path, "inlineTemplates", n, "documents", index] })),
  );
  return [...own, ...inline];
}

/**
 * Refuses a document whose file type is unknown. DocuSign would treat it as a PDF, and fail for any other format.
 * Fetched documents are checked when they are loaded.
 */
function fileTypeRefusals(document: OwnDocument, path: Path): Refusal[] {
  const { name, content } = document;
  if (
    content === undefined ||
    extensionOf(document) !== null ||
    content.startsWith(PDF_BASE64) ||
    isTemplate(name) ||
    isTemplate(content)
  )
    return [];
  return [refusal([...path, "fileExtension"], `is missing: ${name} has no extension and is not a PDF`)];
}

export function peopleRefusals(envelope: EnvelopePart): Refusal[] {
  const { documents, compositeTemplates = [], emailSubject, status = "sent" } = envelope;
  if (documents === undefined && compositeTemplates.length === 0) return [];
  const hasTemplate = compositeTemplates.some(({ serverTemplates = [] }) => serverTemplates.length > 0);
  const lacksSubject = emailSubject === undefined && status === "sent" && !hasTemplate;
  const lists = recipientsOf(envelope);
  const hasNoRecipients = documents !== undefined && lists.length === 0 && status === "sent";
  return [
    ...(hasNoRecipients
      ? [refusal(["signers"], "is missing: documents need at least one person who signs or gets a copy")]
      : []),
    ...(lacksSubject ? [refusal(["emailSubject"], "is missing: only a template has its own subject")] : []),
    ...idRefusals(lists),
    ...tabsRefusals(envelope, lists, hasTemplate),
  ];
}

type PlacedPerson = { readonly person: Signer; readonly path: Path };

/** Lists all recipients with their paths in the config. Fields that only signers have are optional. */
function recipientsOf({ signers = [], carbonCopies = [], compositeTemplates = [] }: EnvelopePart): PlacedPerson[] {
  const placePeople = (people: readonly Signer[], path: Path): PlacedPerson[] =>
    people.map((person, n) => ({ person, path: [...path, n] }));
  const inline = compositeTemplates.flatMap(({ inlineTemplates = [] }, c) =>
    inlineTemplates.flatMap(({ recipients }, n) => {
      const path = ["compositeTemplates", c, "inlineTemplates", n, "recipients"];
      return [
        ...placePeople(recipients?.signers ?? [], [...path, "signers"]),
        ...placePeople(recipients?.carbonCopies ?? [], [...path, "carbonCopies"]),
      ];
    }),
  );
  return [...placePeople(signers, ["signers"]), ...placePeople(carbonCopies, ["carbonCopies"]), ...inline];
}

/**
 * Checks recipient ids. The same id in several composite templates must name the same person, and an id must be unique
 * within a list.
 */
function idRefusals(people: readonly PlacedPerson[]): Refusal[] {
  const firstById = new Map<string, PlacedPerson>();
  for (const placed of people) {
    const { recipientId, email, name } = placed.person;
    if (recipientId === undefined || isTemplate(recipientId) || isTemplate(email) || isTemplate(name)) continue;
    const first = firstById.get(String(recipientId));
    firstById.set(String(recipientId), first ?? placed);
    if (first === undefined) continue;
    const isOtherPerson = !isSameText(first.person.email, email) || !isSameText(first.person.name, name);
    if (!isOtherPerson && !isInSameList(first.path, placed.path)) continue;
    const message = `recipient ${recipientId} is already ${first.person.email}: give ${email} another recipientId`;
    return [refusal([...placed.path, "recipientId"], message)];
  }
  return [];
}

function isInSameList(one: Path, other: Path): boolean {
  return one.slice(0, -2).join("/") === other.slice(0, -2).join("/");
}

function tabsRefusals(envelope: EnvelopePart, people: readonly PlacedPerson[], hasTemplate: boolean): Refusal[] {
  const own = ownDocumentsIn(envelope).map(({ documentId }) => documentId);
  // If the document ids are not all known, tabs are not checked against them. Unknown are the ids of a template's own
  // documents, and ids that are templates.
  const isKnown = !hasTemplate && !own.some(isTemplate);
  const next = unusedNumbers(own);
  const documents = isKnown ? new Set(own.map((id) => String(id ?? next()))) : null;
  return people.flatMap(({ person, path }) =>
    tabRefusals(person.tabs, documents).map((each) => refusal([...path, "tabs", ...each.path], each.message)),
  );
}

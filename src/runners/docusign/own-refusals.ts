// DocuSign document checks: find errors in the tenant's own documents, their recipients and tabs that DocuSign would
// refuse.
import {
  counter,
  extensionOf,
  ownDocumentsIn,
  PDF_BASE64,
  type CompositeTemplate,
  type OwnDocument,
} from "./documents.ts";
import type { CarbonCopy, Signer } from "./people.ts";
import { isOpen, isSame, refusal, type Path, type Refusal } from "./refusal.ts";
import { tabRefusals } from "./tabs.ts";

type Own = {
  readonly documents?: readonly OwnDocument[] | undefined;
  readonly signers?: readonly Signer[] | undefined;
  readonly carbonCopies?: readonly CarbonCopy[] | undefined;
  readonly compositeTemplates?: readonly CompositeTemplate[] | undefined;
  readonly emailSubject?: string | undefined;
  readonly status?: string | undefined;
};

export function documentRefusals({ documents, compositeTemplates = [] }: Own): Refusal[] {
  const placed = [
    ...(documents ?? []).map((document, n) => ({ document, path: ["documents", n] as Path })),
    ...compositeTemplates.flatMap((composite, n) => placedIn(composite, ["compositeTemplates", n])),
  ];
  const given = placed.filter(({ document: { documentId } }) => documentId !== undefined && !isOpen(documentId));
  const idAt = (n: number) => String(given[n]?.document.documentId);
  const twice = given.find((_, n) => given.findIndex((_other, at) => idAt(at) === idAt(n)) < n);
  return [
    ...(twice === undefined
      ? []
      : [refusal([...twice.path, "documentId"], `document ${twice.document.documentId} is given twice`)]),
    ...placed.flatMap(({ document, path }) => kindRefusals(document, path)),
  ];
}

function placedIn({ document, inlineTemplates = [] }: CompositeTemplate, path: Path) {
  const own = document === undefined ? [] : [{ document, path: [...path, "document"] }];
  const inline = inlineTemplates.flatMap(({ documents = [] }, n) =>
    documents.map((each, at) => ({ document: each, path: [...path, "inlineTemplates", n, "documents", at] })),
  );
  return [...own, ...inline];
}

/**
 * Refuses a document whose file type is unknown: DocuSign treats it as a PDF and fails for any other format. Fetched
 * documents are checked when they are loaded.
 */
function kindRefusals(document: OwnDocument, path: Path): Refusal[] {
  const { name, content } = document;
  if (
    content === undefined ||
    extensionOf(document) !== null ||
    content.startsWith(PDF_BASE64) ||
    isOpen(name) ||
    isOpen(content)
  )
    return [];
  return [refusal([...path, "fileExtension"], `is missing: ${name} has no extension and is not a PDF`)];
}

export function peopleRefusals(envelope: Own): Refusal[] {
  const { documents, compositeTemplates = [], emailSubject, status = "sent" } = envelope;
  if (documents === undefined && compositeTemplates.length === 0) return [];
  const hasTemplate = compositeTemplates.some(({ serverTemplates = [] }) => serverTemplates.length > 0);
  const noSubject = emailSubject === undefined && status === "sent" && !hasTemplate;
  const lists = listsOf(envelope);
  const nobody = documents !== undefined && lists.length === 0 && status === "sent";
  return [
    ...(nobody
      ? [refusal(["signers"], "is missing: documents need at least one person who signs or gets a copy")]
      : []),
    ...(noSubject ? [refusal(["emailSubject"], "is missing: only a template has its own subject")] : []),
    ...idRefusals(lists),
    ...tabsRefusals(envelope, lists, hasTemplate),
  ];
}

type Placed = { readonly person: Signer; readonly path: Path };

/** Lists all recipients with their paths in the config. Fields that only signers have are optional. */
function listsOf({ signers = [], carbonCopies = [], compositeTemplates = [] }: Own): Placed[] {
  const at = (people: readonly Signer[], path: Path): Placed[] =>
    people.map((person, n) => ({ person, path: [...path, n] }));
  const inline = compositeTemplates.flatMap(({ inlineTemplates = [] }, c) =>
    inlineTemplates.flatMap(({ recipients }, n) => {
      const path = ["compositeTemplates", c, "inlineTemplates", n, "recipients"];
      return [
        ...at(recipients?.signers ?? [], [...path, "signers"]),
        ...at(recipients?.carbonCopies ?? [], [...path, "carbonCopies"]),
      ];
    }),
  );
  return [...at(signers, ["signers"]), ...at(carbonCopies, ["carbonCopies"]), ...inline];
}

/**
 * Checks recipient ids: the same id in several composite templates must be the same person, and an id must be unique
 * within a list.
 */
function idRefusals(people: readonly Placed[]): Refusal[] {
  const known = new Map<string, Placed>();
  for (const placed of people) {
    const { recipientId, email, name } = placed.person;
    if (recipientId === undefined || isOpen(recipientId) || isOpen(email) || isOpen(name)) continue;
    const first = known.get(String(recipientId));
    known.set(String(recipientId), first ?? placed);
    if (first === undefined) continue;
    const isOther = !isSame(first.person.email, email) || !isSame(first.person.name, name);
    if (!isOther && !isBeside(first.path, placed.path)) continue;
    const message = `recipient ${recipientId} is already ${first.person.email}: give ${email} another recipientId`;
    return [refusal([...placed.path, "recipientId"], message)];
  }
  return [];
}

function isBeside(one: Path, other: Path): boolean {
  return one.slice(0, -2).join("/") === other.slice(0, -2).join("/");
}

function tabsRefusals(envelope: Own, people: readonly Placed[], hasTemplate: boolean): Refusal[] {
  const own = ownDocumentsIn(envelope).map(({ documentId }) => documentId);
  // A template's own documents, and ids that are templates, are unknown, so tabs are not checked against them.
  const isKnown = !hasTemplate && !own.some(isOpen);
  const next = counter(own);
  const documents = isKnown ? new Set(own.map((id) => String(id ?? next()))) : null;
  return people.flatMap(({ person, path }) =>
    tabRefusals(person.tabs, documents).map((each) => refusal([...path, "tabs", ...each.path], each.message)),
  );
}

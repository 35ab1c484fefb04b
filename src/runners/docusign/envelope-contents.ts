// DocuSign envelope contents: builds the template with its roles, or the documents with their people, or both. Missing
// document and recipient ids are assigned.
import { unusedNumbers, ownDocumentsIn, type CompositeTemplate, type OwnDocument } from "./documents.ts";
import type { DocusignEnvelopeConfig } from "./envelope-config.ts";
import type { LoadedDocuments } from "./loaded-documents.ts";
import type { CarbonCopy, Signer } from "./people.ts";

type Person = Signer | CarbonCopy;
type People = {
  readonly signers?: readonly Signer[] | undefined;
  readonly carbonCopies?: readonly CarbonCopy[] | undefined;
};

export function buildContents(config: DocusignEnvelopeConfig, loaded: LoadedDocuments) {
  const { templateId, recipients = [], templateRoles = [], documents = [], compositeTemplates } = config;
  if (templateId !== undefined) return { templateId, templateRoles: [...recipients, ...templateRoles] };
  const written = buildersFor(loaded, documentIds(ownDocumentsIn(config)), recipientIds(peopleIn(config)));
  return compositeTemplates === undefined
    ? { documents: documents.map(written.document), recipients: written.people(config) }
    : { compositeTemplates: compositeTemplates.map(written.composite) };
}

function peopleIn({ compositeTemplates, ...own }: DocusignEnvelopeConfig): readonly People[] {
  if (compositeTemplates === undefined) return [own];
  return compositeTemplates.flatMap(({ inlineTemplates = [] }) =>
    inlineTemplates.map(({ recipients }) => recipients ?? {}),
  );
}

function documentIds(documents: readonly OwnDocument[]): ReadonlyMap<OwnDocument, string> {
  const next = unusedNumbers(documents.map(({ documentId }) => documentId));
  return new Map(documents.map((document) => [document, document.documentId ?? next()]));
}

/** Assigns recipient ids. The same person in several composite templates gets the same id. */
function recipientIds(lists: readonly People[]): ReadonlyMap<Person, string> {
  const peopleByList = lists.map(({ signers = [], carbonCopies = [] }) => [...signers, ...carbonCopies]);
  const next = unusedNumbers(peopleByList.flat().map(({ recipientId }) => recipientId));
  const ids = new Map<Person, string>();
  const idByPerson = new Map<string, string>();
  for (const list of peopleByList) {
    const idsInList = new Set<string>();
    for (const person of list) {
      const { email, name, roleName = "", routingOrder = "", clientUserId = "" } = person;
      const key = JSON.stringify([email, name, roleName, routingOrder, clientUserId].map((each) => each.toLowerCase()));
      const id = person.recipientId ?? (idsInList.has(key) ? undefined : idByPerson.get(key)) ?? next();
      idsInList.add(key);
      idByPerson.set(key, idByPerson.get(key) ?? id);
      ids.set(person, id);
    }
  }
  return ids;
}

function buildersFor(
  loaded: LoadedDocuments,
  documentIdOf: ReadonlyMap<OwnDocument, string>,
  recipientIdOf: ReadonlyMap<Person, string>,
) {
  const document = (each: OwnDocument) => ({
    documentId: documentIdOf.get(each),
    name: each.name,
    ...loaded.get(each),
    transformPdfFields: each.transformPdfFields,
  });
  const person = <P extends Person>(each: P) => ({ ...each, recipientId: recipientIdOf.get(each) });
  const people = ({ signers, carbonCopies }: People) => ({
    signers: signers?.map(person),
    carbonCopies: carbonCopies?.map(person),
  });
  const composite = ({ compositeTemplateId, serverTemplates, inlineTemplates, document: own }: CompositeTemplate) => ({
    compositeTemplateId,
    serverTemplates,
    inlineTemplates: inlineTemplates?.map(({ sequence, documents, recipients }) => ({
      sequence,
      documents: documents?.map(document),
      recipients: recipients === undefined ? undefined : people(recipients),
    })),
    document: own === undefined ? undefined : document(own),
  });
  return { document, people, composite };
}

// DocuSign documents: the config schema of the tenant's own documents and of composite templates, which combine
// templates with documents.
import { z } from "zod";
import { oneLine } from "../core/mailbox.ts";
import { fileSourceFields, fileSourceIssue } from "../http/file-source.ts";
import { carbonCopies, signers } from "./people.ts";
import { flag, positiveNumber } from "./docusign-text.ts";

export const DOCUMENTS_MAX = 50;

const document = z.strictObject({
  /** The id that tabs refer to. Default: a number from 1. */
  documentId: positiveNumber.optional(),
  name: oneLine.min(1).max(255),
  /** The file type, which a PDF does not need. Default: the extension in the name. */
  fileExtension: z
    .string()
    .regex(/^[A-Za-z0-9]{1,8}$/, { message: "must be an extension such as pdf or docx" })
    .optional(),
  ...fileSourceFields,
  /** True: the form fields of the PDF become tabs. */
  transformPdfFields: flag.optional(),
});
export const ownDocument = document.superRefine((source, context) => {
  const issue = fileSourceIssue(source);
  if (issue !== null) context.addIssue({ code: "custom", path: [issue[0]], message: issue[1] });
});
export type OwnDocument = z.infer<typeof document>;
export const documents = z.array(ownDocument).min(1).max(DOCUMENTS_MAX);

const serverTemplate = z.strictObject({ sequence: positiveNumber, templateId: z.string().min(1).max(100) });
const inlineTemplate = z.strictObject({
  sequence: positiveNumber,
  documents: documents.optional(),
  recipients: z.strictObject({ signers: signers.optional(), carbonCopies: carbonCopies.optional() }).optional(),
});

export const compositeTemplate = z.strictObject({
  compositeTemplateId: oneLine.min(1).max(100).optional(),
  serverTemplates: z.array(serverTemplate).max(DOCUMENTS_MAX).optional(),
  inlineTemplates: z.array(inlineTemplate).max(DOCUMENTS_MAX).optional(),
  /** This document replaces the templates' documents. The templates' tabs and roles apply to this document. */
  document: ownDocument.optional(),
});
export type CompositeTemplate = z.infer<typeof compositeTemplate>;
export const compositeTemplates = z.array(compositeTemplate).min(1).max(DOCUMENTS_MAX);

/** The beginning of a PDF file in base64: "%PDF" without its last two bits. */
export const PDF_BASE64 = "JVBER";

/** Returns the file type that the config sets, or else the extension in the name; null if the config has neither. */
export function extensionOf({ name, fileExtension }: Pick<OwnDocument, "name" | "fileExtension">): string | null {
  return fileExtension ?? extensionIn(name);
}

export function extensionIn(name: string): string | null {
  return /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** Returns all documents of the envelope, in the order in which they are numbered. */
export function ownDocumentsIn({
  documents = [],
  compositeTemplates = [],
}: {
  readonly documents?: readonly OwnDocument[] | undefined;
  readonly compositeTemplates?: readonly CompositeTemplate[] | undefined;
}): OwnDocument[] {
  const composed = compositeTemplates.flatMap(({ document, inlineTemplates = [] }) => [
    ...(document === undefined ? [] : [document]),
    ...inlineTemplates.flatMap(({ documents: inline = [] }) => inline),
  ]);
  return [...documents, ...composed];
}

/** Returns a function. Each of its calls returns the next number, from 1 on, that is not in `usedNumbers`. */
export function unusedNumbers(usedNumbers: readonly (string | undefined)[]): () => string {
  const used = new Set(usedNumbers.map(String));
  let last = 0;
  return () => {
    do last++;
    while (used.has(String(last)));
    return String(last);
  };
}

// DocuSign documents: the tenant's own documents in an envelope, and templates combined with documents (composite
// templates).
import { z } from "zod";
import { oneLine } from "../core/mailbox.ts";
import { fileSourceFields, fileSourceIssue } from "../http/file-source.ts";
import { carbonCopies, signers } from "./people.ts";
import { flag, number } from "./docusign-text.ts";

export const DOCUMENTS_MAX = 50;

const document = z.strictObject({
  /** The id used by tabs; numbered from 1 by default. */
  documentId: number.optional(),
  name: oneLine.min(1).max(255),
  /** For other files than PDF; default: the extension in the name. */
  fileExtension: z
    .string()
    .regex(/^[A-Za-z0-9]{1,8}$/, { message: "must be an extension such as pdf or docx" })
    .optional(),
  ...fileSourceFields,
  /** Whether the PDF's own form fields become tabs. */
  transformPdfFields: flag.optional(),
});
export const ownDocument = document.superRefine((source, context) => {
  const issue = fileSourceIssue(source);
  if (issue !== null) context.addIssue({ code: "custom", path: [issue[0]], message: issue[1] });
});
export type OwnDocument = z.infer<typeof document>;
export const documents = z.array(ownDocument).min(1).max(DOCUMENTS_MAX);

const serverTemplate = z.strictObject({ sequence: number, templateId: z.string().min(1).max(100) });
const inlineTemplate = z.strictObject({
  sequence: number,
  documents: documents.optional(),
  recipients: z.strictObject({ signers: signers.optional(), carbonCopies: carbonCopies.optional() }).optional(),
});

export const compositeTemplate = z.strictObject({
  compositeTemplateId: oneLine.min(1).max(100).optional(),
  serverTemplates: z.array(serverTemplate).max(DOCUMENTS_MAX).optional(),
  inlineTemplates: z.array(inlineTemplate).max(DOCUMENTS_MAX).optional(),
  /** Replaces the templates' own documents; their tabs and roles apply to it. */
  document: ownDocument.optional(),
});
export type CompositeTemplate = z.infer<typeof compositeTemplate>;
export const compositeTemplates = z.array(compositeTemplate).min(1).max(DOCUMENTS_MAX);

/** "%PDF" in base64, except for its last two bits. */
export const PDF_BASE64 = "JVBER";

/** As given, or as in the name; null if unknown. */
export function extensionOf({ name, fileExtension }: Pick<OwnDocument, "name" | "fileExtension">): string | null {
  return fileExtension ?? extensionIn(name);
}

export function extensionIn(name: string): string | null {
  return /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** All of them, in the order of their numbers. */
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

/** Returns unused numbers, starting at 1. */
export function counter(taken: readonly (string | undefined)[]): () => string {
  const asked = new Set(taken.map(String));
  let last = 0;
  return () => {
    do last++;
    while (asked.has(String(last)));
    return String(last);
  };
}

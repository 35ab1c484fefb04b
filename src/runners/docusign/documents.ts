// The tenant's own documents in an envelope, and templates and documents put together (composite templates).
import { z } from "zod";
import { oneLine } from "../core/mailbox.ts";
import { fileSourceFields, fileSourceIssue } from "../http/file-source.ts";
import { carbonCopies, signers } from "./people.ts";
import { flag, number } from "./words.ts";

export const DOCUMENTS_MAX = 50;

const document = z.strictObject({
  /** How tabs call it; counted from 1 where it is left out. */
  documentId: number.optional(),
  name: oneLine.min(1).max(255),
  /** Of what is no PDF; without it, the one that the name has. */
  fileExtension: z
    .string()
    .regex(/^[A-Za-z0-9]{1,8}$/, { message: "an extension such as pdf or docx" })
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
  /** Takes the place of the templates' own documents; their tabs and roles lie over it. */
  document: ownDocument.optional(),
});
export type CompositeTemplate = z.infer<typeof compositeTemplate>;
export const compositeTemplates = z.array(compositeTemplate).min(1).max(DOCUMENTS_MAX);

/** "%PDF" in base64, but for its last two bits. */
export const PDF_BASE64 = "JVBER";

/** As it is given, or as the name has it; null where neither says. */
export function extensionOf({ name, fileExtension }: Pick<OwnDocument, "name" | "fileExtension">): string | null {
  return fileExtension ?? extensionIn(name);
}

export function extensionIn(name: string): string | null {
  return /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** All of them, in the order in which they are numbered. */
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

/** Gives the numbers from 1 that nobody has asked for. */
export function counter(taken: readonly (string | undefined)[]): () => string {
  const asked = new Set(taken.map(String));
  let last = 0;
  return () => {
    do last++;
    while (asked.has(String(last)));
    return String(last);
  };
}

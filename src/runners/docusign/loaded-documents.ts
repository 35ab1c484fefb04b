// DocuSign document loading: the bytes of an envelope's documents, from the config or fetched for this attempt.
// DocuSign needs each one's file type; by default the first bytes determine it.
import { configurationFailure } from "../core/classify.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { FileRefusal } from "../http/file-source.ts";
import { withFiles, type LoadedFile } from "../http/files.ts";
import { extensionIn, extensionOf, PDF_BASE64, type OwnDocument } from "./documents.ts";

/** Document fields besides the name: text is base64 already. */
export type LoadedDocument = { readonly documentBase64: string | Uint8Array; readonly fileExtension: string };
export type LoadedDocuments = ReadonlyMap<OwnDocument, LoadedDocument>;

/** They are released when `use` ends. */
export async function withDocuments<T>(
  documents: readonly OwnDocument[],
  context: RunnerContext,
  use: (loaded: LoadedDocuments) => Promise<T>,
): Promise<T | FileRefusal> {
  return withFiles({ files: documents, field: "documents" }, context, async (files) => {
    const loaded = new Map<OwnDocument, LoadedDocument>();
    for (const [n, document] of documents.entries()) {
      const fileExtension = kindOf(document, files[n]);
      if (fileExtension === null) return unknownKind(n, document);
      loaded.set(document, { documentBase64: document.content ?? files[n]?.bytes ?? "", fileExtension });
    }
    return use(loaded);
  });
}

function kindOf(document: OwnDocument, file: LoadedFile | undefined): string | null {
  const said = extensionOf(document);
  if (said !== null) return said;
  if (document.content !== undefined) return document.content.startsWith(PDF_BASE64) ? "pdf" : null;
  const isPdf = file !== undefined && new TextDecoder().decode(file.bytes.subarray(0, PDF.length)) === PDF;
  return isPdf ? "pdf" : extensionIn(file?.filename ?? "");
}

const PDF = "%PDF";

function unknownKind(n: number, { name }: OwnDocument): FileRefusal {
  const message = `documents.${n}.fileExtension: is missing: ${name} has no extension and is not a PDF; nothing was sent`;
  return { ok: false, ...configurationFailure(message, "document_kind_unknown") };
}

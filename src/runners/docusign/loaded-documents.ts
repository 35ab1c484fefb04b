// DocuSign document loading: loads the bytes of an envelope's documents, and determines the file type of each document,
// which DocuSign requires.
import { configurationFailure } from "../core/classify.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { FileRefusal } from "../http/file-source.ts";
import { withFiles, type LoadedFile } from "../http/files.ts";
import { extensionIn, extensionOf, PDF_BASE64, type OwnDocument } from "./documents.ts";

/** The document fields that depend on the file. If `documentBase64` is a text, it is base64 already. */
export type LoadedDocument = { readonly documentBase64: string | Uint8Array; readonly fileExtension: string };
export type LoadedDocuments = ReadonlyMap<OwnDocument, LoadedDocument>;

/** Loads the documents, calls `use` with them, and releases the documents' memory afterwards. */
export async function withDocuments<T>(
  documents: readonly OwnDocument[],
  context: RunnerContext,
  use: (loaded: LoadedDocuments) => Promise<T>,
): Promise<T | FileRefusal> {
  return withFiles({ files: documents, field: "documents" }, context, async (files) => {
    const loaded = new Map<OwnDocument, LoadedDocument>();
    for (const [n, document] of documents.entries()) {
      const fileExtension = fileTypeOf(document, files[n]);
      if (fileExtension === null) return unknownFileType(n, document);
      loaded.set(document, { documentBase64: document.content ?? files[n]?.bytes ?? "", fileExtension });
    }
    return use(loaded);
  });
}

function fileTypeOf(document: OwnDocument, file: LoadedFile | undefined): string | null {
  const fileType = extensionOf(document);
  if (fileType !== null) return fileType;
  if (document.content !== undefined) return document.content.startsWith(PDF_BASE64) ? "pdf" : null;
  const isPdf = file !== undefined && new TextDecoder().decode(file.bytes.subarray(0, PDF.length)) === PDF;
  return isPdf ? "pdf" : extensionIn(file?.filename ?? "");
}

const PDF = "%PDF";

function unknownFileType(n: number, { name }: OwnDocument): FileRefusal {
  const message = `documents.${n}.fileExtension: is missing: ${name} has no extension and is not a PDF; nothing was sent`;
  return { ok: false, ...configurationFailure(message, "document_kind_unknown") };
}

// E-mail attachments: load an e-mail's files and determine their names and types.
import { withFiles, type LoadedFile } from "../http/files.ts";
import type { FileRefusal } from "../http/file-source.ts";
import type { Attachment, EmailConfig } from "./config.ts";
import type { RunnerContext } from "../core/runner.ts";

const MIB = 1024 * 1024;

/**
 * The total file size per provider. SendGrid accepts messages of 30 MB, Resend 40 MB and Cloudflare 25 MiB (5 MiB
 * without a verified address), each in base64, which adds a third.
 */
const FILES_MAX: { readonly [provider in EmailConfig["provider"]]: number } = {
  sendgrid: 20 * MIB,
  resend: 25 * MIB,
  cloudflare: 18 * MIB,
};

/** Loads the attachments, calls `use` with them, and releases their memory afterwards. */
export function withAttachments<T>(
  { provider, attachments = [] }: EmailConfig,
  context: RunnerContext,
  use: (attachments: readonly Attachment[]) => Promise<T>,
): Promise<T | FileRefusal> {
  const ask = { files: attachments, field: "attachments", bytesMax: FILES_MAX[provider], limitOf: provider };
  return withFiles(ask, context, (files) => use(files.map((file, n) => attachmentOf(file, attachments[n] ?? {}))));
}

type AttachmentConfig = Partial<NonNullable<EmailConfig["attachments"]>[number]>;

function attachmentOf({ bytes, filename, type }: LoadedFile, written: AttachmentConfig): Attachment {
  return {
    filename: written.filename ?? filename ?? "attachment",
    bytes,
    type: written.type ?? type ?? "application/octet-stream",
    contentId: written.contentId ?? null,
  };
}

/** Returns true if attachments are fetched in each attempt, because a retry may then send other content. */
export function hasFetchedFiles({ attachments = [] }: EmailConfig): boolean {
  return attachments.some(({ content }) => content === undefined);
}

// E-mail attachments: fetched if necessary, and named.
import { withFiles, type LoadedFile } from "../http/files.ts";
import type { FileRefusal } from "../http/file-source.ts";
import type { Attachment, EmailConfig } from "./config.ts";
import type { RunnerContext } from "../core/runner.ts";

const MIB = 1024 * 1024;

/**
 * SendGrid accepts 30 MB and Cloudflare 25 MiB (5 MiB without a verified address) for the whole message, Resend 40 MB,
 * each in base64, which makes four bytes of three plus line breaks. This much is left for the files.
 */
const FILES_MAX: { readonly [provider in EmailConfig["provider"]]: number } = {
  sendgrid: 20 * MIB,
  resend: 25 * MIB,
  cloudflare: 18 * MIB,
};

/** The files are available while `use` runs. */
export function withAttachments<T>(
  { provider, attachments = [] }: EmailConfig,
  context: RunnerContext,
  use: (attachments: readonly Attachment[]) => Promise<T>,
): Promise<T | FileRefusal> {
  const ask = { files: attachments, field: "attachments", bytesMax: FILES_MAX[provider], limitOf: provider };
  return withFiles(ask, context, (files) => use(files.map((file, n) => named(file, attachments[n] ?? {}))));
}

type Written = Partial<NonNullable<EmailConfig["attachments"]>[number]>;

function named({ bytes, filename, type }: LoadedFile, written: Written): Attachment {
  return {
    filename: written.filename ?? filename ?? "attachment",
    bytes,
    type: written.type ?? type ?? "application/octet-stream",
    contentId: written.contentId ?? null,
  };
}

/** Whether a later attempt may fetch other content. */
export function isFetched({ attachments = [] }: EmailConfig): boolean {
  return attachments.some(({ content }) => content === undefined);
}

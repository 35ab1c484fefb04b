// An e-mail's files: fetched where they have to be, and named.
import { withFiles, type LoadedFile } from "../http/files.ts";
import type { FileRefusal } from "../http/file-source.ts";
import type { Attachment, EmailConfig } from "./config.ts";
import type { RunnerContext } from "../core/runner.ts";

const MIB = 1024 * 1024;

/**
 * SendGrid takes 30 MB and Cloudflare 25 MiB (5 MiB to those who have not verified their address) for the whole message,
 * Resend 40 MB, each in base64, which makes four bytes of three and breaks lines. So much is left for the files.
 */
const FILES_MAX: { readonly [provider in EmailConfig["provider"]]: number } = {
  sendgrid: 20 * MIB,
  resend: 25 * MIB,
  cloudflare: 18 * MIB,
};

/** The files are there as long as `use` takes, and no longer. */
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

/** Whether another attempt may find something else where this one looked. */
export function isFetched({ attachments = [] }: EmailConfig): boolean {
  return attachments.some(({ content }) => content === undefined);
}

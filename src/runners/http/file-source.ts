// File sources: open a message's file from the config, a URL or the bucket, without reading it. This file also defines
// the config fields of a file.
import { z } from "zod";
import {
  classifyStatus,
  configurationFailure,
  networkFailure,
  parseRetryAfter,
  type Failure,
} from "../core/classify.ts";
import { decodeBase64 } from "../core/bytes.ts";
import { oneLine } from "../core/mailbox.ts";
import type { RunnerContext } from "../core/runner.ts";
import { secretsOf, USER_AGENT } from "./call.ts";
import { describeError, describeReceiver } from "./call-description.ts";
import { egressRefusal } from "#schema/egress/egress.ts";
import { fileNameIn, nameInPath, mediaType } from "./file-name.ts";
import { absoluteUrl, headersOf, requestHeaders } from "./request.ts";

/** The config fields of a file. `fileSourceIssue` checks their combination. */
export const fileSourceFields = {
  /** The file in base64. */
  content: z.base64().min(1).optional(),
  /** The file's URL. The file is fetched in each attempt, with the checks of every outbound call. */
  url: absoluteUrl.optional(),
  /** Headers of the request to `url`. */
  headers: requestHeaders.optional(),
  /** A file of the tenant in the bucket that is bound as ATTACHMENTS. */
  r2: z.strictObject({ key: oneLine.min(1).max(900) }).optional(),
};

export type FileSource = {
  readonly content?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: z.infer<typeof requestHeaders> | undefined;
  readonly r2?: { readonly key: string } | undefined;
};

/** Returns a finding if the combination of the fields is invalid; null if it is valid. */
export function fileSourceIssue({
  content,
  url,
  headers,
  r2,
}: FileSource): readonly [field: string, reason: string] | null {
  const sources = [content, url, r2].filter((way) => way !== undefined).length;
  if (sources !== 1) return ["content", 'exactly one of "content" (base64), "url" and "r2" must be set'];
  return headers !== undefined && url === undefined ? ["headers", "are only allowed together with url"] : null;
}

export type OpenFile = {
  readonly ok: true;
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /**
   * The response of a fetched file. The reference is kept until the body is read, because Node releases the body of an
   * unreferenced response.
   */
  readonly answer?: Response;
  /** The length that the source announces, in bytes; null if it is unknown. */
  readonly bytes: number | null;
  readonly filename: string | null;
  readonly type: string | null;
  /** Values to redact from messages about this file. */
  readonly secrets: readonly string[];
};
export type FileRefusal = Failure & { readonly ok: false };

/** Opens the source. `place` is the field of the file in messages, such as "attachments.0". */
export async function openFile(
  source: FileSource,
  place: string,
  context: Pick<RunnerContext, "fetch" | "files" | "allowLoopback" | "now" | "signal">,
): Promise<OpenFile | FileRefusal> {
  if (source.url !== undefined) return openUrl(source.url, source, place, context);
  if (source.r2 !== undefined) return openStored(source.r2.key, place, context);
  const body = decodeBase64(source.content ?? "");
  if (body === null) return misconfigured(`${place}.content: not base64`, "file_invalid");
  return { ok: true, body, bytes: body.byteLength, filename: null, type: null, secrets: [] };
}

async function openUrl(
  url: string,
  { headers: own }: FileSource,
  place: string,
  context: Pick<RunnerContext, "fetch" | "allowLoopback" | "now" | "signal">,
): Promise<OpenFile | FileRefusal> {
  const refusal = egressRefusal(url, context);
  if (refusal !== null) return misconfigured(`${place}.url: ${refusal}`, "egress_refused");
  const address = new URL(url);
  const headers = headersOf(own, { Accept: "*/*", "User-Agent": USER_AGENT });
  const secrets = secretsOf({ headers }, address);
  const target = `${place}: ${describeReceiver("GET", address, secrets)}`;
  try {
    const { signal } = context;
    const response = await context.fetch(address.href, {
      method: "GET",
      headers,
      body: null,
      redirect: "manual",
      signal,
    });
    if (WHOLE_FILE_STATUSES.has(response.status)) return openAnswer(response, address, secrets);
    void response.body?.cancel().catch(() => undefined);
    return refusalOf(response, target, context.now());
  } catch (error) {
    if (context.signal.aborted) throw error;
    return notSent(networkFailure(target, describeError(error, secrets), "none"), "file_unavailable");
  }
}

/**
 * The statuses whose body is the whole file. After 204 and 205, the file is empty. Other successes return a part of the
 * file, or another text.
 */
const WHOLE_FILE_STATUSES = new Set([200, 203, 204, 205]);

function openAnswer(response: Response, address: URL, secrets: readonly string[]): OpenFile {
  const { headers } = response;
  const length = headers.get("content-length");
  // The announced length is used only for uncompressed content, because the length of compressed content differs.
  const isPlain = length !== null && /^\d+$/.test(length) && !headers.has("content-encoding");
  return {
    ok: true,
    body: response.body ?? new Uint8Array(0),
    answer: response,
    bytes: isPlain ? Number(length) : null,
    filename: fileNameIn(headers.get("content-disposition")) ?? nameInPath(address.pathname),
    type: mediaType(headers.get("content-type")),
    secrets,
  };
}

function refusalOf({ status, headers }: Response, target: string, now: number): FileRefusal {
  const [retryAfter, location] = [headers.get("retry-after"), headers.get("location")];
  if (status === 202) {
    const error = {
      type: "service_unavailable",
      message: `${target} answered 202: the file is not ready yet`,
    } as const;
    const retryAfterMs = parseRetryAfter(retryAfter, now) ?? 0;
    return notSent({ error: { ...error, retryable: true }, retryAfterMs }, "file_unavailable");
  }
  const failure = classifyStatus({ status, target, retryAfter, location, body: "", now });
  if (failure.error.retryable) return notSent(failure, "file_unavailable");
  return notSent(failure, status === 404 || status === 410 ? "file_not_found" : "file_refused");
}

async function openStored(
  key: string,
  place: string,
  { files }: Pick<RunnerContext, "files">,
): Promise<OpenFile | FileRefusal> {
  if (files === undefined)
    return misconfigured(`${place}.r2: no bucket is configured for this Worker`, "files_not_bound");
  try {
    const found = await files.read(key);
    if (found === null) {
      const message = `${place}.r2: there is no file ${key}; nothing was sent`;
      return { ok: false, error: { type: "not_found", message, retryable: false, code: "file_not_found" } };
    }
    const filename = fileNameIn(found.disposition) ?? nameInPath(key);
    return { ok: true, body: found.body, bytes: found.bytes, filename, type: mediaType(found.type), secrets: [] };
  } catch (error) {
    const message = `${place}.r2: the bucket did not answer: ${describeError(error, [])}`;
    const type = "service_unavailable";
    return notSent({ error: { type, message, retryable: true } }, "file_unavailable");
  }
}

export function misconfigured(message: string, code: string): FileRefusal {
  return { ok: false, ...configurationFailure(message, code) };
}

/** The failure of a file. It occurs before the message is sent, so its effect is "none". */
export function notSent({ error, retryAfterMs }: Failure, code: string): FileRefusal {
  const fileError = { ...error, code, message: `${error.message}; nothing was sent`, effect: "none" } as const;
  return { ok: false, error: fileError, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

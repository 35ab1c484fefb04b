// Message files: open, measure and read the files of a message, within the memory limit. If a file fails, the attempt
// fails before the message is sent.
import {
  FILES_BYTES_MAX,
  FILES_FETCHED_MAX,
  FILES_UNRESERVED_BYTES,
  FILES_WITHIN_MS,
} from "#schema/limits/outgoing/files.ts";
import type { RunnerContext } from "../core/runner.ts";
import { describeError } from "./call-description.ts";
import { readFile } from "./file-bytes.ts";
import { fileMemory, type FileMemory, type FileReservation } from "../core/file-memory.ts";
import { misconfigured, notSent, openFile, type FileRefusal, type FileSource, type OpenFile } from "./file-source.ts";

export type LoadedFile = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * The name in the answer's header or in the URL; null if neither has a name. A name in the config takes precedence.
   */
  readonly filename: string | null;
  readonly type: string | null;
};

export type FilesAsk = {
  readonly files: readonly FileSource[];
  /** The config's field that contains the files, such as "attachments". Messages name it. */
  readonly field: string;
  /** The limit of all files together and the provider that sets it. Default: FILES_BYTES_MAX. */
  readonly bytesMax?: number;
  readonly limitOf?: string;
};

type Context = Pick<RunnerContext, "fetch" | "files" | "fileMemory" | "allowLoopback" | "now" | "signal" | "ticket">;
type Loaded = { readonly ok: true; readonly files: readonly LoadedFile[] } | FileRefusal;

/** The file memory that all runs of the isolate share. */
const isolateMemory = fileMemory();

/**
 * Loads the files, calls `use` with them, and then releases their memory, because other messages may wait for memory.
 */
export async function withFiles<T>(
  ask: FilesAsk,
  context: Context,
  use: (files: readonly LoadedFile[]) => Promise<T>,
): Promise<T | FileRefusal> {
  const reservations: FileReservation[] = [];
  try {
    const loaded = await loadInTime(ask, context, { memory: context.fileMemory ?? isolateMemory, reservations });
    return loaded.ok ? await use(loaded.files) : loaded;
  } finally {
    for (const reservation of reservations) reservation.release();
  }
}

type MemoryUse = { readonly memory: FileMemory; readonly reservations: FileReservation[] };

async function loadInTime(ask: FilesAsk, context: Context, memoryUse: MemoryUse): Promise<Loaded> {
  const fetched = ask.files.filter(({ content }) => content === undefined).length;
  if (fetched > FILES_FETCHED_MAX) {
    const message = `${ask.field}: ${fetched} files to fetch; the limit is ${FILES_FETCHED_MAX} (FILES_FETCHED_MAX)`;
    return misconfigured(message, "too_many_files");
  }
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(), FILES_WITHIN_MS);
  const signal = AbortSignal.any([context.signal, tooLong.signal]);
  const opened: OpenFile[] = [];
  try {
    return await load(ask, { ...context, signal }, memoryUse, opened);
  } catch (error) {
    if (signal.aborted) return timeLimitFailure(ask.field, opened.length);
    throw error;
  } finally {
    clearTimeout(timer);
    for (const { body } of opened) if (!(body instanceof Uint8Array) && !body.locked) void body.cancel().catch(ignored);
  }
}

async function load(
  ask: FilesAsk,
  context: Context,
  { memory, reservations }: MemoryUse,
  opened: OpenFile[],
): Promise<Loaded> {
  const { files, field, bytesMax = FILES_BYTES_MAX } = ask;
  const tooLarge = (size: string) => tooLargeFor(ask, size, bytesMax);
  for (const [n, source] of files.entries()) {
    const file = await openFile(source, `${field}.${n}`, context);
    if (!file.ok) return file;
    opened.push(file);
  }
  const announced = opened.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  if (announced > bytesMax) return tooLarge(`${announced} bytes`);
  const needed = opened.some(({ bytes }) => bytes === null) ? bytesMax : announced;
  const { tenant, timeoutMs } = context.ticket;
  if (needed > FILES_UNRESERVED_BYTES) {
    const reservation = await memory.reserve({ tenant, bytes: needed, expiresInMs: timeoutMs }, context);
    if (reservation === null) return memoryFailure(field);
    reservations.push(reservation);
  }
  const loaded: LoadedFile[] = [];
  let left = bytesMax;
  for (const [n, file] of opened.entries()) {
    const read = await readOne(file, { place: `${field}.${n}`, left }, context.signal);
    if (read === "too_large") return tooLarge(`more than ${bytesMax} bytes`);
    if (!read.ok) return read;
    left -= read.bytes.byteLength;
    loaded.push({ bytes: read.bytes, filename: file.filename, type: file.type });
  }
  for (const reservation of reservations) reservation.shrink(bytesMax - left);
  return { ok: true, files: loaded };
}

/** `place`: the config field of the file, for messages. `left`: the number of bytes that the file may have. */
type FilePosition = { readonly place: string; readonly left: number };
type Bytes = { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> } | FileRefusal | "too_large";

async function readOne(file: OpenFile, { place, left }: FilePosition, signal: AbortSignal): Promise<Bytes> {
  const { body, bytes, secrets } = file;
  const whole = (all: Uint8Array<ArrayBuffer>): Bytes =>
    all.byteLength > 0
      ? { ok: true, bytes: all }
      : misconfigured(`${place}: the file is empty; nothing was sent`, "file_empty");
  if (body instanceof Uint8Array) return whole(body);
  try {
    const read = await readFile(body, { bytes, bytesMax: left }, signal);
    switch (read.kind) {
      case "read":
        return whole(read.bytes);
      case "too_large":
        return bytes === null ? "too_large" : cutOffFailure(place, `more than the ${bytes} bytes announced`);
      case "short":
        return cutOffFailure(place, `${read.bytes} of ${bytes} bytes arrived`);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return cutOffFailure(place, describeError(error, secrets));
  }
}

function tooLargeFor({ field, limitOf }: FilesAsk, size: string, bytesMax: number): FileRefusal {
  const whose = bytesMax < FILES_BYTES_MAX && limitOf !== undefined ? `the limit of ${limitOf}` : "FILES_BYTES_MAX";
  return misconfigured(
    `${field}: ${size} in total; the limit is ${bytesMax} (${whose}); nothing was sent`,
    "files_too_large",
  );
}

function cutOffFailure(place: string, how: string): FileRefusal {
  const error = { type: "network_error", message: `${place}: the file was cut off: ${how}`, retryable: true } as const;
  return notSent({ error }, "file_unavailable");
}

function memoryFailure(field: string): FileRefusal {
  const message = `${field}: the files of other messages use all memory for files`;
  return notSent({ error: { type: "service_unavailable", message, retryable: true } }, "files_busy");
}

function timeLimitFailure(field: string, opened: number): FileRefusal {
  const message = `${field}: not all files arrived in time (at most ${FILES_WITHIN_MS} ms, within the attempt's own limit); ${opened} arrived`;
  return notSent({ error: { type: "timeout", message, retryable: true } }, "file_timeout");
}

function ignored(): void {
  // the stream has failed already, so it need not be canceled
}

// File reads: read an opened file up to a limit. If the file's length is known, the file is read into one buffer of
// that length, so that no byte is in memory twice.
import { concat } from "../core/bytes.ts";

export type ReadFile =
  | { readonly kind: "read"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "too_large" }
  | { readonly kind: "short"; readonly bytes: number };

/**
 * Reads the file. Throws the stream's error or the signal's reason. In every case the stream is canceled or at its end
 * afterwards.
 */
export async function readFile(
  body: ReadableStream<Uint8Array>,
  { bytes, bytesMax }: { readonly bytes: number | null; readonly bytesMax: number },
  signal: AbortSignal,
): Promise<ReadFile> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return bytes === null
      ? await readAll(reader, bytesMax, signal)
      : await readInto(new Uint8Array(bytes), reader, signal);
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readInto(whole: Uint8Array<ArrayBuffer>, reader: Reader, signal: AbortSignal): Promise<ReadFile> {
  for (let at = 0; ;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) return at === whole.byteLength ? { kind: "read", bytes: whole } : { kind: "short", bytes: at };
    if (at + value.byteLength > whole.byteLength) return { kind: "too_large" };
    whole.set(value, at);
    at += value.byteLength;
  }
}

async function readAll(reader: Reader, bytesMax: number, signal: AbortSignal): Promise<ReadFile> {
  const parts: Uint8Array[] = [];
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) return { kind: "read", bytes: concat(...parts) };
    bytes += value.byteLength;
    if (bytes > bytesMax) return { kind: "too_large" };
    parts.push(value);
  }
}

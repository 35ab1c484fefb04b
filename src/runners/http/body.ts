// Reading an answer's body: at most so many bytes, never past the deadline, and never leaving a connection open.

type CappedBody = { readonly text: string; readonly truncated: boolean };

/** Throws what the stream or the signal throws; in every case the stream is cancelled or at its end. */
export async function readCapped(response: Response, bytesMax: number, signal: AbortSignal): Promise<CappedBody> {
  if (response.body === null) return { text: "", truncated: false };
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  // Cancelling ends a read that hangs; some runtimes stop watching the fetch's signal once headers are there.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (!isTextual(response)) return { text: "", truncated: false };
    return await read(reader, { bytesMax, bytesDeclared: declaredLength(response) }, signal);
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { bytesMax, bytesDeclared }: { readonly bytesMax: number; readonly bytesDeclared: number | null },
  signal: AbortSignal,
): Promise<CappedBody> {
  const decoder = new TextDecoder();
  let text = "";
  let room = bytesMax;
  for (;;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) return { text: text + decoder.decode(), truncated: false };
    // Half a character at the cut is left out, not shown as a question mark.
    if (value.byteLength > room)
      return { text: text + decoder.decode(value.subarray(0, room), { stream: true }), truncated: true };
    text += decoder.decode(value, { stream: true });
    room -= value.byteLength;
    // Asking once more only to hear that this was all costs as much as the whole of a short body.
    if (bytesMax - room === bytesDeclared) return { text: text + decoder.decode(), truncated: false };
  }
}

/** Of the bytes that come out of the stream: what is decoded on the way has another length. */
function declaredLength({ headers }: Response): number | null {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? null : Number(length);
}

/** Pictures and archives are not kept: a run's history is for reading. */
function isTextual(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "text/plain";
  return /^text\/|json|[/+]xml\b|x-www-form-urlencoded|javascript|charset=/i.test(type);
}

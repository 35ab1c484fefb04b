// Streamed responses: writes a body piece by piece as the client reads, so that the whole body is never in memory.
import { PREVIEW_CHUNK_CHARS } from "#schema/limits/planning/previews.ts";

export function streamResponse(parts: Iterable<string>, headers: { readonly [name: string]: string }): Response {
  const rest = parts[Symbol.iterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      let chunk = "";
      for (let part = rest.next(); ; part = rest.next()) {
        if (part.done !== true) chunk += part.value;
        if (part.done !== true && chunk.length < PREVIEW_CHUNK_CHARS) continue;
        if (chunk.length > 0) controller.enqueue(encoder.encode(chunk));
        if (part.done === true) controller.close();
        return;
      }
    },
  });
  return new Response(body, { headers });
}

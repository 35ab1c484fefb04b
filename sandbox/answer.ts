// Responses: turn a scripted step into what the client receives: a status, a body, a delay, or a broken connection.
import { bodiless, type Step } from "./script.ts";

export async function answer(step: Step, fallbackBody: object): Promise<Response> {
  if (step.delayMs) await scheduler.wait(step.delayMs);
  const status = step.status ?? 200;
  const headers = new Headers(step.headers);
  if (step.drop) return dropped(status, headers);
  if (bodiless.includes(status)) return new Response(null, { status, headers });
  const body = step.body ?? JSON.stringify(fallbackBody);
  if (!headers.has("Content-Type")) headers.set("Content-Type", typeOf(body));
  return new Response(body, { status, headers });
}

/**
 * A Worker cannot close a connection before its headers: throwing gives a 500, and a body of unknown length that errors
 * looks like a complete, empty 200. A body shorter than its Content-Length is noticed. In workerd, `fetch` resolves and
 * reading the body rejects with "Network connection lost."; Node reports "terminated", curl exits with 18. A client
 * that never reads the body sees an ordinary response. "identity" prevents compression, which would use chunks instead
 * of the length and hide the break. (For a refused connection, call a port without a listener.)
 */
function dropped(status: number, headers: Headers): Response {
  const { readable, writable } = new FixedLengthStream(1024);
  const writer = writable.getWriter();
  void breakOff(writer);
  headers.set("Content-Encoding", "identity");
  return new Response(readable, { status, headers });
}

async function breakOff(writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  try {
    await writer.write(new TextEncoder().encode('{"ok":'));
    await writer.close();
  } catch {
    // The stream refuses to close before the promised length; that refusal is the intended break.
  }
}

function typeOf(body: string): string {
  try {
    JSON.parse(body);
    return "application/json";
  } catch {
    return "text/plain; charset=utf-8";
  }
}

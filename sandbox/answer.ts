// Scripted answers: turns a step of a script into a response. A step sets the status, body, headers and delay, or
// breaks the connection.
import { statusesWithoutBody, type Step } from "./script.ts";

export async function answer(step: Step, fallbackBody: object): Promise<Response> {
  if (step.delayMs) await scheduler.wait(step.delayMs);
  const status = step.status ?? 200;
  const headers = new Headers(step.headers);
  if (step.drop) return truncatedResponse(status, headers);
  if (statusesWithoutBody.includes(status)) return new Response(null, { status, headers });
  const body = step.body ?? JSON.stringify(fallbackBody);
  if (!headers.has("Content-Type")) headers.set("Content-Type", typeOf(body));
  return new Response(body, { status, headers });
}

/**
 * Returns a response whose body ends before its Content-Length, which clients notice as a broken connection. In
 * workerd, `fetch` resolves and reading the body rejects with "Network connection lost."; Node reports "terminated",
 * and curl exits with 18. A client that does not read the body sees an ordinary response. A Worker cannot break the
 * connection earlier: an exception gives a 500, and a failing body of unknown length looks like a complete, empty 200.
 * "identity" prevents compression, which would send chunks without a length. To test a refused connection, call a port
 * without a listener.
 */
function truncatedResponse(status: number, headers: Headers): Response {
  const { readable, writable } = new FixedLengthStream(1024);
  const writer = writable.getWriter();
  void sendTruncated(writer);
  headers.set("Content-Encoding", "identity");
  return new Response(readable, { status, headers });
}

async function sendTruncated(writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  try {
    await writer.write(new TextEncoder().encode('{"ok":'));
    await writer.close();
  } catch {
    // The stream refuses to close before the promised length. That refusal breaks the connection, as the script
    // demands.
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

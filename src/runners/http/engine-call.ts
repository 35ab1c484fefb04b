// Engine calls: HTTP calls of the engine outside a run, to a token endpoint or for a connection test. The checks and
// limits of a runner's calls apply to them.
import type { OutboundAnswer, OutboundCall } from "#schema/provider/outbound.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { send } from "./call.ts";
import type { RunnerContext } from "../core/runner.ts";
import { guardPorts } from "../core/guarded-ports.ts";

export async function callOut(
  { timeoutMs, headers, bounds, ...call }: OutboundCall,
  context: Pick<RunnerContext, "fetch" | "now" | "allowLoopback">,
): Promise<OutboundAnswer> {
  const { fetch } = guardPorts(context, bounds);
  const timed = { ...context, fetch, signal: AbortSignal.timeout(timeoutMs), ticket: { timeoutMs } };
  const answer = await send(
    { ...call, reads: true, answerBytesMax: ANSWER_BYTES_MAX, headers: new Headers(headers) },
    timed,
  );
  if (answer.ok) return { ok: true, status: answer.status, data: answer.data };
  const { error, retryAfterMs, answered } = answer;
  const said = { status: answered?.status ?? null, data: answered?.data ?? null };
  return { ok: false, error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...said };
}

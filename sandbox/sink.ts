// Sink: records any request, and answers with success unless a script sets another answer. It is the simplest endpoint,
// and the imitated providers work in the same way.
import { answer } from "./answer.ts";
import type { SandboxEnv } from "./env.ts";
import { receive } from "./receive.ts";

export async function sink(request: Request, env: SandboxEnv): Promise<Response> {
  const { id, step } = await receive(request, env);
  const ok = (step?.status ?? 200) < 400;
  return answer(step ?? {}, { ok, receiptId: `receipt-${id}` });
}

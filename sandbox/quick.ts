// Quick endpoint: a target for throughput benches. It records nothing and calls nothing. The query sets the shares of
// failures and delays.
import { z } from "zod";
import { answer } from "./answer.ts";
import { parseQuery } from "./problem.ts";
import type { Step } from "./script.ts";

export const quickSchema = z.strictObject({
  status: z.coerce.number().int().min(200).max(599).default(200),
  share: z.coerce.number().min(0).max(1).default(1),
  delayMs: z.coerce.number().int().min(0).max(600_000).default(0),
  slowShare: z.coerce.number().min(0).max(1).default(1),
});

const hints = {
  status: "A whole number from 200 to 599.",
  share: "A number from 0 to 1: how many requests get the status.",
  delayMs: "Whole milliseconds from 0 to 600000.",
  slowShare: "A number from 0 to 1: how many responses are delayed.",
};

export async function quick(request: Request): Promise<Response> {
  const query = parseQuery(quickSchema, request, hints);
  if (!query.ok) return query.response;
  // Each request gets new random numbers, so a retry under the same key can succeed.
  const step = quickStep(query.value, { status: Math.random(), delay: Math.random() });
  return answer(step, { ok: (step.status ?? 200) < 400 });
}

/** `draws`: random numbers from 0 to below 1. */
export const quickStep = (query: z.infer<typeof quickSchema>, draws: { status: number; delay: number }): Step => ({
  status: draws.status < query.share ? query.status : 200,
  delayMs: draws.delay < query.slowShare ? query.delayMs : 0,
});

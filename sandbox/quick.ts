// Quick endpoint: a target for throughput benches. It records nothing and calls nothing. The query parameters set the
// shares of failing and of delayed requests.
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
  share: "A number from 0 to 1: the share of requests that get the status.",
  delayMs: "Whole milliseconds from 0 to 600000.",
  slowShare: "A number from 0 to 1: the share of responses that are delayed.",
};

export async function quick(request: Request): Promise<Response> {
  const query = parseQuery(quickSchema, request, hints);
  if (!query.ok) return query.response;
  // Each request draws new random numbers. A retry under the same idempotency key can therefore succeed.
  const step = quickStep(query.value, { status: Math.random(), delay: Math.random() });
  return answer(step, { ok: (step.status ?? 200) < 400 });
}

/** `draws`: random numbers from 0 (inclusive) to 1 (exclusive). */
export const quickStep = (query: z.infer<typeof quickSchema>, draws: { status: number; delay: number }): Step => ({
  status: draws.status < query.share ? query.status : 200,
  delayMs: draws.delay < query.slowShare ? query.delayMs : 0,
});

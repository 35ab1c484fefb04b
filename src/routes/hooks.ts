// Provider callbacks: receives what providers report about messages. The request has no API key: its signature is
// verified with the connection's secret. The body is read raw because the signature covers its bytes, and only after the
// sender's rate limit is checked.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentCallback } from "#wire/reports/present-callback.ts";
import { admitCallback, findProvider, receiveCallback } from "#services/hooks/receive-callback.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerProblem, type HttpRefusal } from "./http/problem.ts";
import { requestHead, readRaw } from "./http/raw-body.ts";

export const hooks = new OpenAPIHono<AppEnv>().post("/v1/hooks/:provider/:tenant/:connection", async (c) => {
  const { provider: name, tenant, connection } = c.req.param();
  const known = findProvider(name);
  if (!known.ok) return answerProblem(c, known.refusal);
  const provider = known.value;
  const head = requestHead(c);
  const refusal = admitCallback(c.var.deps, { provider, tenant, connection, head });
  if (refusal !== null) return answerProblem(c, refusal);
  const raw = await readRaw(c.req.raw, provider.bodyBytesMax);
  if (!raw.ok) return answerProblem(c, withHint(raw.refusal, provider.bodyHint));
  const request = { ...head, body: raw.bytes };
  const result = await receiveCallback(c.var.deps, { provider, tenant, connection, request });
  return answer(c, result, (applied) => presentCallback(provider.name, applied));
});

function withHint(refusal: HttpRefusal, hint: string): HttpRefusal {
  return refusal.code === "body_too_large" ? { ...refusal, hint } : refusal;
}

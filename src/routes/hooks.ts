// Provider callbacks: receives signed messages from DocuSign. The request has no API key: its signature is verified
// with the connection's secret. The body is read raw because the signature covers its bytes, and only after the
// sender's rate limit is checked.
import { OpenAPIHono } from "@hono/zod-openapi";
import { admitCallback, receiveDocusign } from "#services/hooks/receive-docusign.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerProblem, type HttpRefusal } from "./http/problem.ts";
import { requestHead, readRaw } from "./http/raw-body.ts";

export const hooks = new OpenAPIHono<AppEnv>().post("/v1/hooks/docusign/:tenant/:connection", async (c) => {
  const { tenant, connection } = c.req.param();
  const head = requestHead(c);
  const refusal = admitCallback(c.var.deps, { tenant, connection, head });
  if (refusal !== null) return answerProblem(c, refusal);
  const raw = await readRaw(c.req.raw);
  if (!raw.ok) return answerProblem(c, withHint(raw.refusal));
  const request = { ...head, body: raw.bytes };
  const result = await receiveDocusign(c.var.deps, { tenant, connection, request });
  return answer(c, result, (received) => received);
});

function withHint(refusal: HttpRefusal): HttpRefusal {
  if (refusal.code !== "body_too_large") return refusal;
  return { ...refusal, hint: "Configure DocuSign Connect to omit the documents from its messages." };
}

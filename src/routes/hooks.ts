// Provider callbacks: receives what providers report about messages. The request has no API key: its signature is
// verified with the connection's secret. The body is read raw because the signature covers its bytes, and only after the
// sender's rate limit is checked.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentCallback } from "#wire/reports/present-callback.ts";
import { admitCallback, findProvider, receiveCallback } from "#services/hooks/receive-callback.ts";
import { admitReceipt, receiptEvents, receiveReceipt } from "#services/hooks/receipts.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerProblem, type HttpRefusal } from "./http/problem.ts";
import { requestHead, readRaw } from "./http/raw-body.ts";

export const hooks = new OpenAPIHono<AppEnv>()
  .post("/v1/hooks/:provider/:tenant/:connection", async (c) => {
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
  })
  // A page's service worker calls this from any origin, and reads only the status.
  .post("/v1/receipts/:token", async (c) => {
    c.header("Access-Control-Allow-Origin", "*");
    const refusal = admitReceipt(c.var.deps, requestHead(c).sender);
    if (refusal !== null) return answerProblem(c, refusal);
    const event = receiptEvents.find((each) => each === (c.req.query("event") ?? "received"));
    if (event === undefined) return answerProblem(c, unknownReceiptEvent);
    const result = await receiveReceipt(c.var.deps, { token: c.req.param("token"), event });
    return answer(c, result, ({ applied, recorded, reason }) => ({ received: true, applied, recorded, event, reason }));
  });

const unknownReceiptEvent = {
  code: "invalid_input",
  message: "The parameter event must be received or opened.",
  errors: [{ pointer: "?event", code: "invalid", message: "must be received or opened" }],
} as const;

function withHint(refusal: HttpRefusal, hint: string): HttpRefusal {
  return refusal.code === "body_too_large" ? { ...refusal, hint } : refusal;
}

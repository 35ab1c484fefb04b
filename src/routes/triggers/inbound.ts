// Trigger URLs: receives deliveries from outside services. The request has no API key: its URL contains a token, and a
// signature proves the sender. The body is read raw because the signature covers its bytes, and only after the token
// and the rate limit are checked.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentReceived } from "#wire/triggers/present.ts";
import type { Json } from "#schema/json.ts";
import { handshakeFor } from "#services/triggers/handshake.ts";
import { admitRequest, receiveHook } from "#services/triggers/receive-hook.ts";
import type { AppContext, AppEnv } from "../http/context.ts";
import { answerProblem } from "../http/problem.ts";
import { requestHead, readRaw } from "../http/raw-body.ts";

export const inbound = new OpenAPIHono<AppEnv>()
  .post("/hooks/:token", async (c) => {
    const { deps } = c.var;
    const head = requestHead(c);
    const hook = await admitRequest(deps, c.req.param("token"), head);
    if (!hook.ok) return answerProblem(c, hook.refusal);
    const raw = await readRaw(c.req.raw);
    if (!raw.ok) return answerProblem(c, raw.refusal);
    const received = await receiveHook(deps, hook.value, { ...head, body: raw.bytes });
    if (!received.ok) return answerProblem(c, received.refusal);
    switch (received.value.kind) {
      case "taken":
        return c.json(presentReceived(received.value.deliveries), 202);
      case "echo":
        return c.json(received.value.body as Exclude<Json, readonly Json[]>); // An echo of a signature scheme is an object, a text or a number, never a list.
      case "unsupported":
        return answerProblem(c, unsupportedContent);
    }
  })
  .options("/hooks/:token", async (c) => {
    const origin = c.req.header("WebHook-Request-Origin") ?? null;
    const allowed = await handshakeFor(c.var.deps, c.req.param("token"), origin);
    if (allowed === null) return refusePreflight(c);
    const headers = { "WebHook-Allowed-Origin": allowed.origin, "WebHook-Allowed-Rate": String(allowed.rate) };
    return c.body(null, 200, { ...headers, Allow: "POST" });
  });

/** Refuses a preflight. The response does not show whether the trigger allows other origins or none at all. */
function refusePreflight(c: AppContext): Response {
  const message = "The address of a trigger accepts POST requests only, and no browser preflight.";
  return answerProblem(c, { code: "method_not_allowed", message }, { Allow: "POST" });
}

const unsupportedContent = {
  code: "unsupported_media_type",
  message: "Triggers do not accept this Content-Type.",
  hint: "Send JSON, a form (application/x-www-form-urlencoded), XML or text. A trigger for CloudEvents accepts CloudEvents.",
} as const;

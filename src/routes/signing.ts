// Webhook signing keys: reads and rotates the keys with which receivers verify a tenant's webhooks.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentRotated, presentSigning, presentSigningKeys } from "#wire/signing/present.ts";
import * as shape from "#wire/signing/shape.ts";
import * as query from "#wire/query.ts";
import { getSigning, getSigningKeys, type EndpointAsk } from "#services/signing/signing-keys.ts";
import { rotateSigning } from "#services/signing/rotate-signing.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { answerOncePerKey } from "./http/idempotency-key.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Signing";

const read = endpoint("getSigning", {
  method: "get",
  path: "/v1/signing",
  tag,
  summary: "Get webhook signing keys",
  request: { query: query.plainQuery },
  answer: shape.signing,
});

const readKeys = endpoint("getSigningKeys", {
  method: "get",
  path: "/v1/signing-keys",
  tag,
  summary: "Get a receiver's signing key",
  description:
    "A receiver is an address (`url`) or a name that actions give it (`endpoint`). Its keys are derived from the Worker's SIGNING_KEY and never stored, so every receiver has keys before the first call.",
  request: { query: shape.signingKeysQuery },
  answer: shape.signingKeys,
});

const rotate = endpoint("rotateSigningKeys", {
  method: "post",
  path: "/v1/signing-keys/rotate",
  tag,
  summary: "Rotate webhook signing keys",
  description:
    "Without `url` and `endpoint`, rotates the keys of all receivers. If the tenant has one key for all receivers, each receiver gets its own key. The old and the new key both sign until the overlap ends. The rotation takes effect within 30 seconds.",
  request: { query: query.changeQuery, body: jsonBody(shape.rotateSigningBody) },
  answer: shape.rotatedSigning,
});

export const signing = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(read, async (c) => answer(c, await getSigning(c.var.deps, c.var.caller), presentSigning))
  .openapi(readKeys, async (c) => {
    const { url, endpoint: name = "" } = c.req.valid("query");
    const receiver: EndpointAsk = url === undefined ? { endpoint: name } : { url };
    return answer(c, await getSigningKeys(c.var.deps, c.var.caller, receiver), presentSigningKeys);
  })
  .openapi(rotate, async (c) => {
    const { url = null, endpoint: name = null, overlap, reason = null } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const of: EndpointAsk | null = url !== null ? { url } : name !== null ? { endpoint: name } : null;
    const input = { of, overlap, reason, dryRun };
    const result = await answerOncePerKey(c, input, (deps) => rotateSigning(deps, c.var.caller, input));
    return answer(c, result, (rotated) => presentRotated(rotated, dryRun));
  });

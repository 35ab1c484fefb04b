// API keys: creates, lists and revokes a tenant's keys. Only the response that creates a key contains its secret.
import { z } from "zod";
import { createKeyBody, createdKey, key, signingSecret, type ApiCreatedKey } from "#wire/keys/shape.ts";
import { presentKey } from "#wire/keys/present.ts";
import * as query from "#wire/query.ts";
import { createKey, type CreatedKey, listKeys, revokeKey } from "#services/caller/keys.ts";
import { getSigningSecret } from "#services/signing/signing-keys.ts";
import type { Deps } from "#services/deps.ts";
import { answer } from "./http/answer.ts";
import { answerOncePerKey } from "./http/idempotency-key.ts";
import { crudRoutes } from "./http/crud.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";

const tag = "Tenants and keys";

const create = endpoint("createKey", {
  method: "post",
  path: "/v1/keys",
  tag,
  summary: "Create an API key",
  description:
    "The secret is shown once. A repeated request with the same Idempotency-Key returns the key without its secret.",
  request: { query: query.changeQuery, body: jsonBody(createKeyBody) },
  answer: createdKey,
  status: 201,
});

const signing = endpoint("getSigningSecret", {
  method: "get",
  path: "/v1/signing-secret",
  tag,
  summary: "Get the tenant-wide signing key",
  description:
    "Returns the key of a tenant that has one signing key for all receivers. With such a key, each receiver can forge messages to the others. If each receiver has its own key, the answer is `not_found`: use `GET /v1/signing-keys`.",
  request: { query: query.plainQuery },
  answer: signingSecret,
});

export const keys = crudRoutes({
  tag,
  path: "/v1/keys/{id}",
  params: z.object({ id: z.string().min(1).max(100) }),
  list: {
    id: "listKeys",
    summary: "List API keys",
    query: query.pageQuery,
    run: listKeys,
    answer: key,
    present: presentKey,
  },
  remove: {
    id: "revokeKey",
    summary: "Revoke an API key",
    description: "The key stops working everywhere within 30 seconds.",
    run: revokeKey,
    answer: key,
    present: presentKey,
  },
})
  .openapi(create, async (c) => {
    const { dryRun } = c.req.valid("query");
    const { name, scopes, expiresAt, actor } = c.req.valid("json");
    const expiry = expiresAt === undefined ? null : Date.parse(expiresAt);
    const input = { name, scopes, expiresAt: expiry, actor: actor ?? null, dryRun };
    const change = (deps: Deps) => createKey(deps, c.var.caller, input);
    const result = await answerOncePerKey(c, input, change, (created) => ({ ...created, secret: null }));
    return answer(c, result, (created) => presentCreated(created, dryRun), dryRun ? 200 : 201);
  })
  .openapi(signing, async (c) =>
    answer(c, await getSigningSecret(c.var.deps, c.var.caller), ({ secret, previous }) => ({
      secret,
      previous: [...previous],
    })),
  );

function presentCreated({ key, secret }: CreatedKey, dryRun: boolean): ApiCreatedKey {
  const shown = { key: presentKey(key), secret };
  if (secret !== null || dryRun) return shown;
  const note =
    "An earlier request with this Idempotency-Key created the API key. The secret was shown only in that response and is not stored.";
  return { ...shown, note };
}

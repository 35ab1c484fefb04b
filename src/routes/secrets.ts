// Secrets: sets, restricts, lists, deletes and re-encrypts a tenant's secrets. No response contains a value.
import { z } from "zod";
import { presentSecret } from "#wire/secrets/present.ts";
import * as shape from "#wire/secrets/shape.ts";
import * as query from "#wire/query.ts";
import { bindSecret, deleteSecret, listSecrets, setSecret } from "#services/secrets/secrets.ts";
import { reencryptSecrets } from "#services/secrets/reencrypt-secrets.ts";
import { answer } from "./http/answer.ts";
import { answerOncePerKey } from "./http/idempotency-key.ts";
import { crudRoutes } from "./http/crud.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";

const tag = "Secrets";
const params = z.object({ name: shape.secretNameText });

const set = endpoint("setSecret", {
  method: "put",
  path: "/v1/secrets/{name}",
  tag,
  summary: "Set a secret",
  description: "Runs use the new value within 30 seconds. Until then they may use the previous value.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.setSecretBody) },
  answer: shape.changedSecret,
});

const bind = endpoint("bindSecret", {
  method: "patch",
  path: "/v1/secrets/{name}",
  tag,
  summary: "Restrict a secret to hosts",
  description: "The change takes effect within 30 seconds.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.bindSecretBody) },
  answer: shape.changedSecret,
});

const reencrypt = endpoint("reencryptSecrets", {
  method: "post",
  path: "/v1/secrets/reencrypt",
  tag,
  summary: "Re-encrypt secrets with the newest key",
  description:
    "Each request re-encrypts one page of secrets. With the root key and no tenant, the secrets of all tenants are re-encrypted.",
  request: { query: query.pageQueryWith({ dryRun: query.changeQuery.shape.dryRun }) },
  answer: shape.reencryptedSecrets,
});

export const secrets = crudRoutes({
  tag,
  path: "/v1/secrets/{name}",
  params,
  list: {
    id: "listSecrets",
    summary: "List secrets",
    query: query.pageQuery,
    run: listSecrets,
    answer: shape.secret,
    present: presentSecret,
  },
  remove: {
    id: "deleteSecret",
    summary: "Delete a secret",
    description: "Runs that use the deleted secret fail with `invalid_configuration`.",
    run: deleteSecret,
    answer: shape.changedSecret,
    present: (deleted, dryRun) => ({ ...presentSecret(deleted), dryRun }),
  },
})
  .openapi(set, async (c) => {
    const { dryRun } = c.req.valid("query");
    const { value, hosts } = c.req.valid("json");
    const input = { name: c.req.valid("param").name, value, hosts, dryRun };
    const result = await setSecret(c.var.deps, c.var.caller, input);
    return answer(c, result, (stored) => ({ ...presentSecret(stored), dryRun }));
  })
  .openapi(bind, async (c) => {
    const { hosts, reason = null } = c.req.valid("json");
    const input = { ...c.req.valid("param"), hosts, reason, dryRun: c.req.valid("query").dryRun };
    const result = await bindSecret(c.var.deps, c.var.caller, input);
    return answer(c, result, (bound) => ({ ...presentSecret(bound), dryRun: input.dryRun }));
  })
  .openapi(reencrypt, async (c) => {
    const { cursor = null, limit, dryRun } = c.req.valid("query");
    const input = { cursor, limit, dryRun };
    const result = await answerOncePerKey(c, input, (deps) => reencryptSecrets(deps, c.var.installationCaller, input));
    return answer(c, result, (done) => ({ ...done, dryRun }));
  });

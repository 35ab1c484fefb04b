// Signers: reads and reconciles the addresses from which a tenant sends transactions. A signer is identified by its
// chain and its address.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentReconciled, presentSigner } from "#wire/signers/present.ts";
import * as shape from "#wire/signers/shape.ts";
import * as query from "#wire/query.ts";
import { getSigner, reconcileSigner } from "#services/signers/signers.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Signers";
const params = shape.signerParams;

const read = endpoint("getSigner", {
  method: "get",
  path: "/v1/signers/{chain}/{address}",
  tag,
  summary: "Get a signer's nonces",
  description:
    "Shows the nonces that the engine has stored, without querying the chain. A dry run of `reconcile` queries the chain.",
  request: { params, query: query.plainQuery },
  answer: shape.signer,
});

const reconcile = endpoint("reconcileSigner", {
  method: "post",
  path: "/v1/signers/{chain}/{address}/reconcile",
  tag,
  summary: "Reconcile a signer now",
  description:
    "Queries the chain, sends missing transactions again, fills a missing nonce, and reports transactions that are permanently lost. A waiting transaction never gets a second nonce. It is safe to repeat the request.",
  request: { params, query: query.changeQuery, body: jsonBody(shape.reconcileBody) },
  answer: shape.reconciledSigner,
});

export const signers = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(read, async (c) => answer(c, await getSigner(c.var.deps, c.var.caller, c.req.valid("param")), presentSigner))
  .openapi(reconcile, async (c) => {
    const { reason, connection = null } = c.req.valid("json");
    const input = { ...c.req.valid("param"), connection, reason, dryRun: c.req.valid("query").dryRun };
    return answer(c, await reconcileSigner(c.var.deps, c.var.caller, input), presentReconciled);
  });

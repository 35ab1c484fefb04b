// Prices: reads and sets the cost of one attempt, from which runs and metrics compute their costs.
import { OpenAPIHono } from "@hono/zod-openapi";
import * as shape from "#wire/prices/shape.ts";
import * as value from "#schema/values.ts";
import * as query from "#wire/query.ts";
import { getPrices, pricesTag, setPrices, type PricesView } from "#services/actions/prices.ts";
import { answer, answerPut, setTag } from "./http/answer.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import type { AppEnv } from "./http/context.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Prices";

const read = endpoint("getPrices", {
  method: "get",
  path: "/v1/prices",
  tag,
  summary: "Get prices",
  request: { query: query.plainQuery },
  answer: shape.prices,
});

const set = endpoint("setPrices", {
  method: "put",
  path: "/v1/prices",
  tag,
  summary: "Set prices",
  description: "Replaces all prices. The new prices apply within 30 seconds.",
  request: { query: query.changeQuery, body: jsonBody(shape.setPricesBody) },
  answer: shape.changedPrices,
});

export const prices = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(read, async (c) => {
    const found = await getPrices(c.var.deps, c.var.caller);
    if (found.ok && found.value !== null) setTag(c, await pricesTag(found.value));
    return answer(c, found, presentPrices);
  })
  .openapi(set, async (c) => {
    const { currency, prices: amounts } = c.req.valid("json");
    const { dryRun } = c.req.valid("query");
    const write = (precondition: Precondition) =>
      setPrices(c.var.deps, c.var.caller, { currency, amounts, precondition, dryRun });
    return answerPut(c, write, (row) => ({ ...presentPrices(row), dryRun }), 200);
  });

function presentPrices(row: PricesView | null): shape.ApiPrices {
  if (row === null) return { currency: null, prices: {}, updatedAt: null };
  return { currency: row.currency, prices: { ...row.amounts }, updatedAt: value.toInstant(row.updatedAt) };
}

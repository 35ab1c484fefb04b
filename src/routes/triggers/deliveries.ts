// Trigger deliveries: lists, reads and replays the deliveries of a trigger.
import { OpenAPIHono } from "@hono/zod-openapi";
import { presentDelivery, presentReplayed, presentSummary, presentAcceptedDelivery } from "#wire/triggers/present.ts";
import * as query from "#wire/query.ts";
import { getDelivery, listDeliveries, replayDeliveries, replayDelivery } from "#services/triggers/deliveries.ts";
import { answer } from "../http/answer.ts";
import { answerOncePerKey } from "../http/idempotency-key.ts";
import type { AppEnv } from "../http/context.ts";
import { refuseInvalid } from "../http/refuse-invalid.ts";
import * as declarations from "./declarations.ts";

export const deliveries = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(declarations.deliveries, async (c) => {
    const { cursor = null, limit, status = null, deliveryId = null } = c.req.valid("query");
    const input = { ref: c.req.valid("param").ref, status, deliveryId, cursor, limit };
    return answer(c, await listDeliveries(c.var.deps, c.var.caller, input), query.presentPage(presentSummary));
  })
  .openapi(declarations.delivery, async (c) => {
    return answer(c, await getDelivery(c.var.deps, c.var.caller, c.req.valid("param")), presentDelivery);
  })
  .openapi(declarations.replay, async (c) => {
    const { reason = null } = c.req.valid("json");
    const input = { ...c.req.valid("param"), reason, dryRun: c.req.valid("query").dryRun };
    const replayed = await answerOncePerKey(c, input, (deps) => replayDelivery(deps, c.var.caller, input));
    return answer(c, replayed, presentAcceptedDelivery);
  })
  .openapi(declarations.replayAll, async (c) => {
    const { status, limit, reason = null } = c.req.valid("json");
    const input = { ref: c.req.valid("param").ref, status, limit, reason, dryRun: c.req.valid("query").dryRun };
    const replayed = await answerOncePerKey(c, input, (deps) => replayDeliveries(deps, c.var.caller, input));
    return answer(c, replayed, presentReplayed);
  });

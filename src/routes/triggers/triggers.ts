// Triggers: creates, reads, changes and deletes triggers, which start executions or send them events.
import {
  presentPolled,
  presentChangedTrigger,
  presentTrigger,
  presentTriggerInList,
  presentTriggerInUse,
  presentWithAddress,
} from "#wire/triggers/present.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import { accept, type Result } from "#schema/refusal.ts";
import * as shape from "#wire/triggers/shape.ts";
import { rotateSecret, rotateToken, switchTrigger } from "#services/triggers/change-trigger-status.ts";
import {
  createTrigger,
  deleteTrigger,
  getTrigger,
  listTriggers,
  tokenOf,
  type TriggerRowView,
} from "#services/triggers/triggers.ts";
import { triggerWarnings, withWarnings } from "#services/triggers/check-trigger.ts";
import { pollNow } from "#services/triggers/poll-now.ts";
import { putTrigger, triggerTag, updateTrigger } from "#services/triggers/update-trigger.ts";
import { answer, answerPut } from "../http/answer.ts";
import { answerOncePerKey } from "../http/idempotency-key.ts";
import type { AppContext } from "../http/context.ts";
import { crudRoutes } from "../http/crud.ts";
import { answerProblem } from "../http/problem.ts";
import * as declarations from "./declarations.ts";

export const triggers = crudRoutes({
  tag: declarations.tag,
  path: "/v1/triggers/{ref}",
  params: declarations.params,
  list: {
    id: "listTriggers",
    summary: "List triggers",
    query: declarations.listQuery,
    run: (deps, caller, { filters: { state, enabled, ...others }, ...page }) => {
      const filters = { ...others, enabled: enabled === undefined ? undefined : enabled === "true" };
      return listTriggers(deps, caller, { ...page, filters, withState: state === "true" });
    },
    answer: shape.triggerInList,
    present: presentTriggerInList,
  },
  get: {
    id: "getTrigger",
    summary: "Get a trigger",
    run: getTrigger,
    tag: triggerTag,
    answer: shape.triggerInUse,
    present: presentTriggerInUse,
  },
  remove: {
    id: "deleteTrigger",
    summary: "Delete a trigger",
    description:
      "After the deletion the name can be used again. The trigger's address returns 410, and its deliveries are deleted.",
    run: deleteTrigger,
    answer: shape.triggerView,
    present: presentTrigger,
  },
})
  .openapi(declarations.create, async (c) => {
    const { dryRun } = c.req.valid("query");
    const input = { body: c.req.valid("json"), dryRun };
    const result = await answerOncePerKey(c, input, (deps) => createTrigger(deps, c.var.caller, input));
    return answerWithAddress(c, result, dryRun ? 200 : 201);
  })
  .openapi(declarations.address, async (c) => {
    const found = await getTrigger(c.var.deps, c.var.caller, { ref: c.req.valid("param").ref });
    if (!found.ok) return answerProblem(c, found.refusal);
    const token = await tokenOf(c.var.deps, c.var.caller, found.value);
    return answer(c, token, (text) => ({ url: hookUrl(c, text) }));
  })
  .openapi(declarations.enable, async (c) => {
    const { reason = null } = c.req.valid("json");
    const input = { ref: c.req.valid("param").ref, reason, enabled: true, dryRun: c.req.valid("query").dryRun };
    const switched = await answerOncePerKey(c, input, (deps) => switchTrigger(deps, c.var.caller, input));
    return answer(c, switched, presentTrigger);
  })
  .openapi(declarations.disable, async (c) => {
    const { reason = null } = c.req.valid("json");
    const input = { ref: c.req.valid("param").ref, reason, enabled: false, dryRun: c.req.valid("query").dryRun };
    const switched = await answerOncePerKey(c, input, (deps) => switchTrigger(deps, c.var.caller, input));
    return answer(c, switched, presentTrigger);
  })
  .openapi(declarations.poll, async (c) => {
    const { reason = null } = c.req.valid("json");
    const input = { ref: c.req.valid("param").ref, reason, dryRun: c.req.valid("query").dryRun };
    const polled = await answerOncePerKey(c, input, (deps) => pollNow(deps, c.var.caller, input));
    return answer(c, polled, presentPolled);
  })
  .openapi(declarations.rotateToken, async (c) => {
    const { overlapMs, reason = null } = c.req.valid("json");
    const input = { ref: c.req.valid("param").ref, overlapMs, reason, dryRun: c.req.valid("query").dryRun };
    const rotated = await answerOncePerKey(c, input, (deps) => rotateToken(deps, c.var.caller, input));
    return answerWithAddress(c, rotated, 200);
  })
  .openapi(declarations.rotateSecret, async (c) => {
    const { secret, overlapMs, reason = null } = c.req.valid("json");
    const input = { ref: c.req.valid("param").ref, secret, overlapMs, reason, dryRun: c.req.valid("query").dryRun };
    const rotated = await answerOncePerKey(c, input, (deps) => rotateSecret(deps, c.var.caller, input));
    return answer(c, rotated, presentTrigger);
  })
  .openapi(declarations.putByName, async (c) => {
    const { dryRun, position = null, reason = null } = c.req.valid("query");
    const sent = { ref: c.req.valid("param").ref, body: c.req.valid("json"), position, reason, dryRun };
    const write = async (precondition: Precondition) => {
      const put = await putTrigger(c.var.deps, c.var.caller, { ...sent, precondition });
      if (!put.ok) return put;
      return accept({ ...put.value, view: await withWarnings(c.var.deps, c.var.caller, put.value.view) });
    };
    return answerPut(c, write, presentChangedTrigger, dryRun ? 200 : 201);
  })
  .openapi(declarations.update, async (c) => {
    const { dryRun, position = null, reason = null } = c.req.valid("query");
    const change = { ref: c.req.valid("param").ref, patch: c.req.valid("json"), position, reason, dryRun };
    const updated = await updateTrigger(c.var.deps, c.var.caller, change);
    if (!updated.ok) return answerProblem(c, updated.refusal);
    const changed = await withWarnings(c.var.deps, c.var.caller, updated.value);
    return answer(c, accept(changed), presentChangedTrigger);
  });

/**
 * Adds the trigger's URL to the response. The URL is computed for each response, so that no stored response contains
 * it.
 */
async function answerWithAddress(c: AppContext, result: Result<TriggerRowView>, status: 200 | 201): Promise<Response> {
  if (!result.ok) return answerProblem(c, result.refusal);
  const warnings = await triggerWarnings(c.var.deps, c.var.caller, result.value.settings);
  if (result.value.kind !== "webhook")
    return answer(c, result, (view) => presentWithAddress(view, null, warnings), status);
  const token = await tokenOf(c.var.deps, c.var.caller, result.value);
  return answer(c, token, (text) => presentWithAddress(result.value, hookUrl(c, text), warnings), status);
}

function hookUrl(c: AppContext, token: string): string {
  return `${new URL(c.req.url).origin}/hooks/${token}`;
}

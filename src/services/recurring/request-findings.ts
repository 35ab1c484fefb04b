// Findings about a request that its schema has refused: what the schema does not check, so that one answer contains
// everything that is wrong.
import { z } from "zod";
import type { Finding } from "#schema/refusal.ts";
import { anyObject } from "#schema/values.ts";
import type { Deps } from "../deps.ts";
import { cronFindings } from "./recurring-spec.ts";
import { resolveAction } from "./resolve-action.ts";

const text = z.string().trim().min(1).optional().catch(undefined);
const readable = z.object({
  cron_expr: text,
  provider: text,
  action_type: text,
  payload: anyObject.optional().catch(undefined),
});

/** Returns the findings about the cron expression and the provider of a body, as far as the body has them. */
export async function requestFindings(deps: Deps, tenant: string, body: unknown): Promise<readonly Finding[]> {
  const parsed = readable.safeParse(body);
  if (!parsed.success) return [];
  const { cron_expr: cron, provider, action_type: actionType = "action", payload = {} } = parsed.data;
  const findings = cron === undefined ? [] : cronFindings(cron);
  if (provider === undefined) return findings;
  const resolved = await resolveAction(deps, tenant, { provider, actionType, payload });
  return resolved.ok || resolved.finding.pointer !== "/provider" ? findings : [...findings, resolved.finding];
}

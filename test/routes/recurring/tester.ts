// A tenant with recurring actions, and a clock that the test advances.
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { catalog, projection } from "#test/support/catalog.ts";

export const PATH = "/v1/recurring";
export const digest = {
  namespace: "notifications",
  cron_expr: "0 9 * * MON-FRI",
  timezone: "US/Eastern",
  provider: "webhook",
  action_type: "send_digest",
  payload: { url: "https://example.com/{{ execution.variables.execution_time }}" },
  metadata: { team: "mail" },
  dedup_key: null,
  description: "Weekday morning digest",
  labels: { team: "engineering" },
  ends_at: null,
  enabled: true,
};

export async function here() {
  const made = api({ actionTypes, configFindings });
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    made.ask(method, path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  const create = async (over: object = {}) => (await must(201, ask("POST", PATH, { ...digest, ...over }))).body;
  /** Advances the clock, runs the alarms that are due, and applies the projections. */
  const until = async (instant: string) => {
    made.world.clock.now = Date.parse(instant);
    await made.recurring.ring();
    const rows = made.recurring.news.splice(0);
    const told = { recurring: rows.map(({ row }) => row), audit: rows.flatMap(({ audit }) => audit ?? []) };
    await applyProjections(catalog(), [projection(told)]);
  };
  const fetchRoot = (method: string, path: string, body: unknown) => made.ask(method, path, { body });
  return { ...made, ...owner, ask, create, until, fetchRoot };
}

export const next = "2026-11-18T14:00:00Z";

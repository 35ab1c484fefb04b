// An action that is tried out, and then carried out, through the real Worker: what the test said is what the provider
// gets, attempt by attempt; and the test itself reached nobody and left nothing behind.
import { afterEach, expect, test, vi } from "vitest";
import { bindings, engine, PROVIDER, provider, type Call } from "./engine.ts";
import type { Parsed } from "#test/support/api.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });
afterEach(() => vi.unstubAllGlobals());

const SECRET = "canary-of-the-crm";
const action = {
  actionId: "tell",
  type: "webhook",
  config: {
    url: `${PROVIDER}/orders/{{ message.payload.id }}`,
    query: { by: "{{ previousState }}" },
    headers: { Authorization: "Bearer {{ secrets.crm_token }}", "X-State": "{{ currentState }}" },
    payload: { id: "{{ message.payload.id }}", to: "{{ execution.variables.to }}", note: "{{ secrets.crm_token }}!" },
  },
  retryPolicy: { maxAttempts: 3, baseDelay: 1, jitter: "none" },
};
const message = { type: "paid", payload: { id: 17 } };
const variables = { to: "ada" };

const definition = {
  kind: "machine",
  name: "order",
  initial: "open",
  states: { open: { on: { paid: "paid" } }, paid: { on: { "action.tell.ok": "done" } }, done: { type: "final" } },
  actions: [{ ...action, triggerState: "paid" }],
};

/** What a test and a provider both see; who it is for and when it was signed differ. */
const asked = ({ url, headers, body }: { url: string; headers: Headers; body: unknown }) => ({
  url,
  body,
  authorization: headers.get("authorization"),
  state: headers.get("x-state"),
  type: headers.get("content-type"),
});
const sent = ({ url, headers, body }: Call) => {
  const shown = JSON.stringify({ ...asked({ url: url.href, headers, body: JSON.parse(body) }) });
  return JSON.parse(shown.replaceAll(SECRET, "[secret crm_token]"));
};

test("what would be sent is what is sent", async () => {
  const outside = provider(({ attempt }) => new Response("{}", { status: attempt < 3 ? 503 : 200 }));
  const here = await engine(definition);
  await here.must(200, "PUT", "/v1/secrets/crm_token", { body: { value: SECRET } });
  const context = { message, variables, previousState: "open", currentState: "paid" };
  const mocks = [{ status: 503 }, { status: 503 }, { status: 200 }];
  const body = { action: { ...action, triggerState: "paid" }, context, mocks };
  const told = await here.must(200, "POST", "/v1/actions/test", { body });
  expect(told).toMatchObject({ success: true, wouldTakeMs: 3 });
  expect(outside.calls).toEqual([]);
  expect(JSON.stringify(told)).not.toContain(SECRET);
  expect((await here.must(200, "GET", "/v1/executions")).data).toEqual([]);
  expect((await here.must(200, "GET", "/v1/actions")).data).toEqual([]);

  const execution = await here.start("order", { variables });
  await here.must(200, "POST", `/v1/executions/${execution}/events`, { body: message });
  await here.reaches(execution, "completed");
  const rehearsed = told.interactions.map(({ url, headers, body: shown }: Parsed) =>
    asked({ url, headers: new Headers(headers), body: shown }),
  );
  expect(outside.calls.map(sent)).toEqual(rehearsed);
  const [run] = await here.runs(execution);
  expect(run.attempts.map(({ error }: Parsed) => error?.message ?? null)).toEqual(
    told.result.attempts.map(({ error }: Parsed) => error?.message ?? null),
  );
});

// A tenant that has one of each thing the API is about.
import { insertTask } from "#catalog/tasks/tasks.ts";
import { api, must, shop } from "#test/support/api.ts";
import { deadLetter } from "#test/support/dead-letter.ts";

/** By the first step of an address: what stands for its parameters. */
type Names = Record<string, Record<string, string>>;
export type World = Awaited<ReturnType<typeof oneOfEach>>;

export async function oneOfEach() {
  const chain = { latest: 0, pending: 0, final: 0 };
  const nothing = { resend: [], released: [], gap: null, check: [], mined: [], lost: [] };
  const made = api({ maintainAddress: async () => ({ ok: true, chain, ...nothing }) });
  const owner = await shop(made);
  const { body } = await must(
    201,
    made.ask("POST", "/v1/executions", { key: owner.key, body: { definition: "order" } }),
  );
  const lone = { type: "webhook", config: { url: "https://example.com" } };
  const dispatched = await must(201, made.ask("POST", "/v1/actions", { key: owner.key, body: lone }));
  const kept = await must(201, made.ask("POST", "/v1/keys", { key: owner.key, body: { name: "n", scopes: ["read"] } }));
  const session = await must(201, made.ask("POST", "/v1/sessions", { key: owner.key, body: {} }));
  await must(201, made.ask("POST", "/v1/templates", { key: owner.key, body: { name: "welcome", text: "Welcome" } }));
  await must(200, made.ask("PUT", "/v1/secrets/crm_api_token", { key: owner.key, body: { value: "the-token" } }));
  const account = { name: "mail", provider: "sendgrid", credentials: { apiKey: "not_set" } };
  await must(201, made.ask("POST", "/v1/connections", { key: owner.key, body: account }));
  const wallet = { name: "wallet", provider: "evm", credentials: { privateKey: "wallet_key" } };
  await must(200, made.ask("PUT", "/v1/secrets/wallet_key", { key: owner.key, body: { value: "the-key" } }));
  await must(201, made.ask("POST", "/v1/connections", { key: owner.key, body: wallet }));
  const channel = { name: "ops", channel: { kind: "webhook", config: { url: "https://ops.example.com" } } };
  const alerts = await must(201, made.ask("POST", "/v1/alert-channels", { key: owner.key, body: channel }));
  await must(200, made.ask("PUT", "/v1/secrets/hook_key", { key: owner.key, body: { value: "the-hook-key" } }));
  const knock = {
    verify: { scheme: "token", header: "X-Knock", secret: "hook_key" },
    target: { kind: "start", definition: "order" },
  };
  const trigger = { name: "knocks", kind: "webhook", ...knock, when: { var: "request.query.go" } };
  const hook = await must(201, made.ask("POST", "/v1/triggers", { key: owner.key, body: trigger }));
  await must(
    202,
    made.ask("POST", new URL(hook.body.url).pathname, { key: null, body: {}, headers: { "X-Knock": "the-hook-key" } }),
  );
  const now = Date.now();
  const never = { priority: null, escalatedAt: null, escalatedFrom: null, closedAt: null, closedBy: null };
  const closing = { ...never, reason: null, delivery: null, result: null, closedByVerified: null };
  const task = {
    tenant: owner.tenant,
    id: "tsk_1.1.0",
    execution: body.execution.id,
    run: "1.0",
    action: "ask",
    incarnation: now,
  };
  await insertTask(made.world.db, {
    ...task,
    ...closing,
    status: "open",
    title: "Approve it",
    assignee: null,
    dueAt: null,
    createdAt: now,
    updatedAt: now,
    body: { description: null, payload: null, form: null },
  });
  const address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  const nonce = { key: "exe_1/1.0", blockMs: 2_000, chainNonce: 0, gap: null };
  await made.world.signer(owner.tenant, 8453, address).reserve(nonce);
  const enrolled = { journey: "wedding", execution: "exe_none", found: [], isGone: false, dryRun: false };
  await made.world.subject(`${owner.tenant}/couple-17`).enroll({ ...enrolled, reentry: "once" });
  const suppressed = { suppressions: [{ channel: "email", address: "ada@example.com" }] };
  await must(200, made.ask("POST", "/v1/suppressions", { key: owner.key, body: suppressed }));
  await must(201, made.ask("PUT", "/v1/calendars/ch", { key: owner.key, body: { dates: ["2026-12-25"] } }));
  const nights = { kind: "quiet_hours", types: ["webhook"], window: { from: "08:00", to: "21:00", timezone: "UTC" } };
  await must(201, made.ask("PUT", "/v1/policies/nights", { key: owner.key, body: nights }));
  const all = { key: owner.key, body: { filter: { type: "sms" } } };
  const begun = await must(202, made.ask("POST", "/v1/dead-letters/retry-all", all));
  const digest = {
    cron_expr: "0 9 * * *",
    provider: "webhook",
    action_type: "x",
    payload: { url: "https://e.example" },
  };
  const recurring = await must(201, made.ask("POST", "/v1/recurring", { key: owner.key, body: digest }));
  const letter = await deadLetter(made, owner);
  const names: Names = {
    "dead-letters": { id: letter.id },
    operations: { id: begun.body.operation.id, part: "1" },
    recurring: { id: recurring.body.recurring_id },
    tasks: { id: task.id },
    connections: { ref: "mail" },
    triggers: { ref: "knocks", id: "trd_1" },
    actions: { id: dispatched.body.action.id },
    "alert-channels": { ref: alerts.body.id },
    executions: { id: body.execution.id },
    worker: { id: body.execution.id },
    execution: { journeyInstanceId: body.execution.id, queueItemId: `${letter.execution}.${letter.run}` },
    definitions: { ref: "pooled-order", version: "1" },
    keys: { id: kept.body.key.id },
    sessions: { id: session.body.id },
    signers: { chain: "base", address },
    tenants: { id: owner.tenant },
    subjects: { key: "couple-17" },
    templates: { ref: "welcome" },
    calendars: { ref: "ch" },
    secrets: { name: "crm_api_token" },
    policies: { ref: "nights" },
    suppressions: { channel: "email", address: "ada@example.com" },
  };
  return { made, owner, names };
}

/** The address with what is there in it, and of what is not there the parameter's name. */
export function addressIn(names: Names, path: string): string {
  const filled = names[path.split("/")[2] ?? ""] ?? {};
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => filled[name] ?? name);
}

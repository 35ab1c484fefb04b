// Alerts through the whole Worker: a failure reaches the tenant's channels once, whatever is told twice, and a channel
// that fails raises nothing more.
import { expect, test } from "vitest";
import { listDeadLetters } from "#catalog/dead-letters.ts";
import { openDb } from "#catalog/db.ts";
import { cellPort, meterPort, subjectPort } from "#entrypoints/ports.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { deadLetterId } from "#schema/ids.ts";
import { ALERT_FRESH_MS } from "#schema/limits/upkeep/alert-throttle.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { failuresIn, raiseAlerts } from "#services/alerts/raise-alerts.ts";
import type { Parsed } from "#test/support/api.ts";
import { projection, runRow } from "#test/support/catalog.ts";
import { bindings, chain, engine, hook, provider, PROVIDER, until, type Call, type Engine } from "./engine.ts";
import { deliver } from "./queues.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });

const MINUTE = 60_000;
/** What people write becomes data of an alert, and must stay that. */
const NASTY = "{{ secrets.none }} <!channel> <b>";

/** Its only action is refused for good; then it waits for a person. */
const order = {
  ...chain("order", ["charge"]),
  states: { charge: { on: { "action.charge.ok": "done" } }, done: { type: "final" } },
  actions: [hook("charge", { triggerState: "charge", priority: 95 })],
};

function world(refused: readonly string[] = ["/charge"]) {
  const { calls } = provider(({ url }) => new Response("{}", { status: refused.includes(url.pathname) ? 401 : 200 }));
  return { to: (path: string): readonly Call[] => calls.filter(({ url }) => url.pathname === path) };
}

function channelTo(here: Engine, path: string, more: object = {}): Promise<Parsed> {
  const channel = { kind: "webhook", config: { url: `${PROVIDER}${path}` } };
  return here.must(201, "POST", "/v1/alert-channels", { body: { name: path.slice(1), channel, ...more } });
}

const alertsOf = async (here: Engine): Promise<Parsed[]> =>
  (await here.must(200, "GET", "/v1/executions?namespace=alerts")).data;

/** The row of a dead letter, as its execution told it. */
function deadRow(here: Engine, definition: string): Promise<RunRow> {
  return until(`a dead letter of ${definition}`, async () => {
    const page = await listDeadLetters(openDb(bindings.DB), here.tenant, { definition }, null, 1);
    return (page.ok && page.value.data[0]) || null;
  });
}

const tellAgain = async (row: RunRow): Promise<void> => {
  const { explicitAcks, retryMessages } = await deliver("projections", [projection({ runs: [row] })]);
  expect([explicitAcks, retryMessages]).toEqual([["0"], []]);
};

/** To a consumer that remembers nothing of what it sent: the cell has to. */
async function tellToAnother(row: RunRow): Promise<void> {
  const forgotten = Date.now() + 2 * ALERT_FRESH_MS;
  const lines: object[] = [];
  const asked: string[] = [];
  const deps = {
    now: () => forgotten,
    randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
    db: openDb(bindings.DB),
    cell: (name: string) => {
      asked.push(name);
      return cellPort(bindings)(name);
    },
    meter: meterPort(bindings),
    subject: subjectPort(bindings),
    keyLimits: () => null as never, // no start has a limit
    background: (work: Promise<unknown>) => void work,
    actionTypes,
    configFindings,
    bindings: { services: [], databases: [] },
    installation: { backlogs: async () => [], publicUrl: null, missingBindings: () => [] },
    log: (line: object) => void lines.push(line),
  };
  const untold = await raiseAlerts(deps, failuresIn([projection({ runs: [row] })], Date.now()));
  expect([untold.size, asked.length, lines]).toMatchObject([0, 1, [{ event: "alert" }]]);
}

test("a critical failure arrives once, signed with the key of its action, though it is told three times", async () => {
  const { to } = world();
  const here = await engine(order);
  const other = await engine();
  const channel = await channelTo(here, "/ops");
  await channelTo(other, "/others");
  const execution = await here.start("order", { correlationId: NASTY });
  const call = await until("the alert", () => to("/ops")[0] ?? null);
  const [alert] = await until("the alert in the list", async () => {
    const found = await alertsOf(here);
    return found[0]?.status === "completed" ? found : null;
  });
  expect(alert).toMatchObject({ namespace: "alerts", correlationId: channel.id, definition: { name: "$alert" } });
  expect(call.key).toContain(alert.id);
  expect(JSON.parse(call.body)).toMatchObject({
    type: "escapement.alert",
    test: false,
    severity: "critical",
    code: "action_failed",
    title: naming("[critical]", "charge", "order"),
    count: 1,
    failures: [{ execution, run: "1.0", correlationId: NASTY, error: { type: "authentication_failed" } }],
    look: [
      "/v1/dead-letters?definition=order&action=charge",
      `/v1/dead-letters/${deadLetterId(execution, "1.0")}`,
      `/v1/executions/${execution}`,
    ],
  });
  const row = await deadRow(here, "order");
  await tellAgain(row);
  await tellToAnother(row);
  expect([to("/ops").length, to("/others").length]).toEqual([1, 0]);
  expect([(await alertsOf(here)).length, (await alertsOf(other)).length]).toEqual([1, 0]);
});

test("alike failures within the throttle are one alert that lists them, and later ones another", async () => {
  const { to } = world();
  const here = await engine();
  await channelTo(here, "/ops", { severities: ["warning"] });
  // Whole stretches of the past: no test may hang on where in one of them it runs.
  const start = Math.floor(Date.now() / (5 * MINUTE)) * 5 * MINUTE - 10 * MINUTE;
  const dead = (execution: string, at: number): RunRow => {
    const run = { status: "failed", deadLetter: true, finishedAt: start + at, errorType: "timeout" } as const;
    return runRow({ tenant: here.tenant, execution, ...run, error: "slow" });
  };
  const told = [dead("exe_1", 1_000), dead("exe_2", 4 * MINUTE), dead("exe_3", 6 * MINUTE)];
  await deliver("projections", [projection({ runs: told })]);
  await deliver("projections", [projection({ runs: [dead("exe_4", 2 * MINUTE)] })]);
  await until("two alerts", () => (to("/ops").length === 2 ? true : null));
  const said = to("/ops").map(({ body }) => JSON.parse(body).failures.map((each: Parsed) => each.execution));
  expect(said.toSorted()).toEqual([["exe_1", "exe_2"], ["exe_3"]]);
  await until("both in the list", async () => ((await alertsOf(here)).length === 2 ? true : null));
});

test("an alert that cannot be sent is a dead letter, and raises no other", async () => {
  const { to } = world(["/charge", "/ops"]);
  const here = await engine(order);
  await channelTo(here, "/ops", { severities: ["critical", "high", "warning"], throttle: 0 });
  await here.start("order");
  const row = await deadRow(here, "$alert");
  expect(row).toMatchObject({ namespace: "alerts", action: "alert", errorType: "authentication_failed" });
  await tellAgain(row);
  await tellAgain(await deadRow(here, "order"));
  // What would have been raised by now goes out before this one.
  await tellAgain({ ...row, definition: "order", execution: "exe_later" });
  await until("the later one", () => (to("/ops").length > 1 ? true : null));
  const told = to("/ops").map(({ body }) => JSON.parse(body).definition);
  expect(told).toEqual(["order", "order"]);
});

test("an execution that ends badly is told to Slack and by e-mail, each in its own markup", async () => {
  const { to } = world();
  const lost = {
    ...order,
    name: "lost",
    states: { charge: { on: { "action.charge.failed": "gone" } }, gone: { type: "final", outcome: "failed" } },
  };
  const here = await engine(lost);
  await here.must(200, "PUT", "/v1/secrets/account", { body: { value: `${PROVIDER}/slack-hook` } });
  for (const [name, field] of [
    ["slack", "webhookUrl"],
    ["sendgrid", "apiKey"],
  ] as const) {
    const body = { name, provider: name, credentials: { [field]: "account" } };
    await here.must(201, "POST", "/v1/connections", { body });
  }
  const mail = { provider: "sendgrid", from: "engine@example.com", to: "ada@example.com" };
  for (const [kind, config] of [
    ["slack", {}],
    ["email", mail],
  ] as const) {
    const body = { name: kind, channel: { kind, config }, severities: ["high"], definitions: ["lost"] };
    await here.must(201, "POST", "/v1/alert-channels", { body });
  }
  await here.start("lost", { correlationId: NASTY });
  const slack = await until("Slack's", () => to("/slack-hook")[0] ?? null);
  expect(JSON.parse(slack.body).text).toMatch(/^\*\[high\] [^\n]*\blost\b[^\n]*\*\n/);
  expect(slack.body).toContain("{{ secrets.none }} &lt;!channel&gt; &lt;b&gt;");
  const letter = await until("the mail", () => to("/v3/mail/send")[0] ?? null);
  const { subject, content } = JSON.parse(letter.body);
  expect(subject).toMatch(namingPattern("[high]", "lost"));
  expect(content.map(({ type }: Parsed) => type)).toEqual(["text/plain", "text/html"]);
  expect(content[0].value).toContain(NASTY);
  expect(content[1].value).toContain("{{ secrets.none }} &lt;!channel&gt; &lt;b&gt;");
});

test("a test alert goes out through the channel, and its action tells whether it arrived", async () => {
  const { to } = world();
  const here = await engine();
  const { id } = await channelTo(here, "/ops", { enabled: false });
  const { action } = await here.must(200, "POST", `/v1/alert-channels/${id}/test`);
  await here.reaches(action, "completed");
  const [call] = to("/ops");
  expect(JSON.parse(call?.body ?? "")).toMatchObject({ test: true, title: expect.stringMatching(/^Test: /) });
});

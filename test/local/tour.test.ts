// Test of the documentation's commands: runs the commands of README, tutorial, guides and examples in a shell, and
// compares each answer with the page.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOrCreateVars } from "../../scripts/dev-vars.ts";
import { host, type Host } from "../../scripts/host.ts";
import { seed } from "../../scripts/seed.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Json = Record<string, unknown> & { readonly data: readonly Record<string, unknown>[] };
/** The output lines of each block of commands. */
let answers: readonly { readonly block: string; readonly lines: readonly string[] }[] = [];
let engine: Host;
/** In this order, because later pages use what earlier ones created. */
const pages = [
  ...["docs/tutorial.md", "docs/guides/send-email.md", "docs/guides/receive-webhook.md", "docs/guides/run-journey.md"],
  ...["docs/guides/repair-dead-letter.md", "README.md", "examples/README.md"],
];
const root = join(import.meta.dirname, "../..");
const state = mkdtempSync(join(tmpdir(), "tour-"));

beforeAll(async () => {
  // The keys are created as `npm start` does it.
  const vars = readOrCreateVars(join(state, ".dev.vars"));
  engine = await host({ stateDir: state, port: 0, sandboxPort: 0, vars, quiet: true });
  const { engineUrl, sandboxUrl } = engine;
  const example = join(root, "examples", "lease-notice.json");
  await seed({ engineUrl, sandboxUrl, rootKey: vars["ROOT_KEY"] ?? "", keyFile: join(state, "demo-key"), example });
  answers = await typed(pages.flatMap((page) => commandsIn(page)));
}, 180_000);

afterAll(async () => {
  await engine?.dispose();
  rmSync(state, { recursive: true, force: true });
});

/** Lengthens each `sleep` by a second, because other tests run at the same time. */
const PATIENCE = "sleep() { command sleep $(($1 + 1)); }\n";

/** Returns the blocks of commands that a user types while the engine runs. Blocks that begin with npm are left out. */
function commandsIn(page: string): readonly string[] {
  const blocks = text(page).matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, block = ""]) => (/^np[mx] /.test(block) ? [] : [block]));
}

/** Runs all blocks in one shell, so that later blocks know the variables of earlier ones. */
async function typed(blocks: readonly string[]): Promise<typeof answers> {
  const mark = "--- and then ---";
  const { PORT, SANDBOX_PORT } = { PORT: portOf(engine.engineUrl), SANDBOX_PORT: portOf(engine.sandboxUrl) };
  const script = [PATIENCE, ...blocks].join(`\necho; echo '${mark}'\n`);
  const shell = spawn("bash", ["-c", script], {
    cwd: root,
    env: { ...process.env, PORT, SANDBOX_PORT, STATE_DIR: state },
  });
  let said = "";
  shell.stdout.on("data", (part) => (said += String(part)));
  shell.stderr.on("data", (part) => (said += String(part)));
  await new Promise((resolve) => shell.once("close", resolve));
  const parts = said.split(mark);
  expect(parts).toHaveLength(blocks.length + 1);
  return blocks.map((block, n) => ({ block, lines: (parts[n + 1] ?? "").split("\n").filter((line) => line !== "") }));
}

function portOf(url: string): string {
  return new URL(url).port;
}

/** Returns the JSON answers of the block that contains the words. */
function answersTo(words: string): readonly Json[] {
  const found = answers.filter(({ block }) => block.includes(words));
  expect(found.map(({ block }) => block)).toHaveLength(1);
  return (found[0]?.lines ?? []).flatMap((line) => objectsIn(line));
}

function linesOf(command: string): readonly string[] {
  return answers.find(({ block }) => block.includes(command))?.lines ?? [];
}

/** Returns the lines of the first block of a page that contains the words. */
function shownIn(page: string, words: string): readonly string[] {
  const blocks = [...text(page).matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  return (blocks.find((block) => block.includes(words)) ?? "").split("\n").filter((line) => line !== "");
}

/** Removes times and offsets, which differ in each run. */
function timeless(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line
      .replaceAll(/\d\d:\d\d:\d\d\.\d\d\d/g, "…")
      .replaceAll(/\d{4}-\d\d-\d\dT/g, "")
      .trimEnd(),
  );
}

function text(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** Splits a line into JSON objects, because the sandbox ends its answer without a line break. */
function objectsIn(line: string): readonly Json[] {
  return line
    .replaceAll("}{", "}\n{")
    .split("\n")
    .map((text) => JSON.parse(text) as Json);
}

describe("the tutorial", () => {
  test("creates, starts and changes an execution, and the timer follows its variable", () => {
    expect(answersTo("cat > $STATE/lease.json")).toMatchObject([{ definition: { name: "lease" }, created: true }]);
    expect(answersTo('"id":"exe_ada"').at(-1)).toMatchObject({
      status: "waiting",
      states: ["notice"],
      wakeAt: "2027-06-30T07:00:00.000Z",
      runs: { ok: 1 },
      waitingFor: [
        { for: "timer", timer: "notice/after/endOfNotice", at: "2027-06-30T07:00:00.000Z" },
        { for: "event", types: ["notice.withdrawn"] },
      ],
    });
    expect(timeless(linesOf("journal exe_ada"))).toEqual(timeless(shownIn("docs/tutorial.md", "tell_landlord due")));
    expect(answersTo("_control/requests?path=/sink/landlord")).toMatchObject([
      {
        requests: [
          {
            headers: { "idempotency-key": "exe_ada/2.0", "webhook-id": "exe_ada/2.0" },
            body: '{"who":"Ada","leavesOn":"2027-06-30"}',
          },
        ],
      },
    ]);
    const moved = { timer: "notice/after/endOfNotice", from: "2027-06-30T07:00:00.000Z" };
    expect(answersTo("exe_ada/patch")).toMatchObject([{ timersMoved: [{ ...moved, to: "2027-09-30T07:00:00.000Z" }] }]);
  });

  test("shows a failing call: four requests with one key and one body; the error for a mistyped event suggests the right one", () => {
    const [, , , runs, keys] = answersTo('"id":"exe_bob"');
    expect(runs?.data).toMatchObject([{ status: "ok", attempt: 4, attempts: [{}, {}, {}, { error: null }] }]);
    expect(keys).toMatchObject({ keys: [{}, { key: "exe_bob/2.0", requests: 4, bodies: 1, firstId: 2 }], total: 2 });
    const hint = naming("notice.received");
    expect(answersTo("notice.recieved")).toMatchObject([{ code: "event_unknown", status: 422, hint }]);
  });

  test("sends an e-mail and applies a limit that the connection received later", () => {
    expect(answersTo("secrets/sendgrid_key")).toMatchObject([
      { name: "sendgrid_key", version: 1 },
      { name: "mail", provider: "sendgrid" },
      { template: { name: "welcome", version: 1 }, created: true, hints: [] },
      { definition: { name: "welcome-email", version: 1 }, created: true },
    ]);
    const result = { messageId: "sendgrid-6", recipients: ["grace@example.com"], provider: "sendgrid" };
    expect(answersTo('"id":"exe_grace"').at(-1)?.data).toMatchObject([{ status: "ok", result }]);
    const [asked] = answersTo("requests?path=/sendgrid/*");
    expect(asked).toMatchObject({ requests: [{ headers: { authorization: "Bearer SG.play-money" } }] });
    const delivery = { status: "bounced", event: "email_bounced" };
    expect(answersTo("Idempotency-Key: bounced").at(-1)?.data).toMatchObject([{ delivery }]);
    const held = answersTo('mail -d \'{"rateLimit"');
    expect(held[0]).toMatchObject({ name: "mail", rateLimit: { perMinute: 6, burst: 1 } });
    const why = { reason: "rate_limited", connection: "mail" };
    expect(held.at(-1)?.data).toMatchObject([{ status: "scheduled", attempt: 0, held: why }]);
  });

  test("retries a dead letter with corrected data under the same key", () => {
    expect(answersTo('"actionId": "payout"').at(-1)?.data).toMatchObject([
      { actionId: "payout", attempts: 1, error: { code: "http_400" }, recoverable: true, manualReviewRequired: true },
    ]);
    const [, again, bank] = answersTo('"account":"4711"');
    expect(again).toMatchObject({ standing: "sent_again" });
    const key = expect.stringMatching(/\/1\.0$/);
    const [wrong, right] = [
      { key, body: '{"account":"0815","amount":42}' },
      { key, body: '{"account":"4711","amount":42}' },
    ];
    expect(bank).toMatchObject({ requests: [wrong, right], total: 2 });
  });
});

test("the first page shows an example and its journal", () => {
  const [, definition = ""] = /```json[^\n]*\n([\s\S]*?)^```$/m.exec(text("README.md")) ?? [];
  const { $schema: _editors, ...example } = JSON.parse(text("examples/parcel.json")) as Json;
  expect(JSON.parse(definition)).toEqual(example);
  const journal = linesOf("journal exe_17").filter((line) => /^\d+\.\d+ /.test(line));
  expect(timeless(journal)).toEqual(timeless(shownIn("README.md", "run_retry")));
});

describe("an order that could not be shipped and was refunded", () => {
  test("has ended after three calls", () => {
    const [, , , order, keys] = answersTo('"id":"exe_order2"');
    expect(order).toMatchObject({
      status: "completed",
      states: ["refunded"],
      waitingFor: [],
      runs: { ok: 2, failed: 1 },
    });
    expect(keys).toMatchObject({
      keys: [{ key: "exe_order2/1.0" }, { key: "exe_order2/3.0" }, { key: "exe_order2/5.0" }],
      total: 3,
    });
  });

  test("is skipped by retry-all of its definition, with a reason", () => {
    const [listed, dry] = answersTo("retry-all?dryRun=true");
    expect(listed?.data).toMatchObject([{ id: "dl_order2.3.0", actionId: "ship", handled: true }]);
    const says = naming("action.ship.failed", "refunding", "refunded");
    expect(dry).toMatchObject({
      matching: 0,
      skipped: { handled: 1 },
      sample: { of: 1, items: [{ id: "dl_order2.3.0", outcome: "skipped", reason: "handled", says }] },
    });
    const [, operations, keys] = answersTo('"reason":"the carrier is back"');
    expect(operations?.data).toMatchObject([
      { status: "done", progress: { matched: 1, released: 0, skipped: { handled: 1 }, refused: {}, remaining: 0 } },
    ]);
    expect(keys).toMatchObject({ total: 3 });
    expect(answersTo("$SHIPMENT/retry")).toMatchObject([
      { code: "run_not_startable", status: 409, detail: says, hint: expect.stringContaining('"force": true') },
    ]);
  });
});

test("a journey lists its messages and times, and which of them move with a date", () => {
  const calendar = answers.find(({ block }) => block.includes("preview?format=csv"))?.lines ?? [];
  expect(calendar[1]).toMatch(/^subject,at,local,timezone,dst,action,/);
  expect(calendar.slice(2, 4)).toEqual([
    expect.stringMatching(/^ada-and-bob,2030-03-04T08:00:00.000Z,2030-03-04T09:00:00\+01:00,Europe\/Zurich,none,hold,/),
    expect.stringMatching(/^ada-and-bob,2030-03-04T08:00:00.000Z,.*,timeline,1,email,timeline,ok,/),
  ]);
  expect(calendar.join("\n")).not.toContain(",failed,");
  const [, explained, patched, subject] = answersTo('"id":"exe_couple1"');
  expect(explained).toMatchObject({
    status: "waiting",
    next: { kind: "timer_fired", about: { timer: "signed/timeout" } },
  });
  const from = "2030-04-20T07:00:00.000Z";
  expect(patched).toMatchObject({ timersMoved: [{ from, to: "2030-07-20T07:00:00.000Z" }, {}] });
  expect(subject).toMatchObject({ key: "couple-1", journeys: [{ journey: "wedding", reentry: "after_finish" }] });
});

test("a recurring e-mail states its next time, and is sent at once on request", () => {
  const [made] = answersTo('"cron_expr"');
  expect(made).toMatchObject({ in_words: naming("9:00", "ET"), enabled: true });
  const dispatched = { outcome: "dispatched", reason: "triggered" };
  expect(answersTo("$REC/trigger")).toMatchObject([{ occurrence: dispatched }, { history: [dispatched] }]);
});

test("the other examples answer as shown", () => {
  const order = answersTo('"id":"exe_order1"');
  expect(order.at(-1)).toMatchObject({ execution: { id: "exe_order1" } });
  const errors = [
    { pointer: "/variables/email", code: "required", hint: expect.any(String) },
    { pointer: "/variables/emial", code: "unknown_field", hint: naming("email") },
  ];
  expect(answersTo('"emial"')).toMatchObject([{ code: "variables_invalid", status: 422, errors }]);
  expect(answersTo("Idempotency-Key: invoice-17")[1]).toMatchObject({ execution: { placement: "pooled" } });
});

test("a worker process is kept running, and is stopped only after its desired state was read", () => {
  const [made, started, waiting, asked] = answersTo('"id":"exe_worker"');
  expect([made, started]).toMatchObject([
    { created: true },
    { execution: { id: "exe_worker", state: "TryingToStart" } },
  ]);
  expect(waiting).toMatchObject({
    status: "waiting",
    state: "TryingToStart",
    reason: expect.any(String),
    actionStatus: { inProgress: false, actionName: "start", succeeded: true, failed: false, retries: 0 },
    desired: { value: { configPath: "/etc/benthos-2.yaml", shutdownRequested: false }, revision: 1 },
    observed: { value: null, revision: 0, at: null },
  });
  expect(asked).toMatchObject({ requests: [{ body: '{"configPath":"/etc/benthos-2.yaml"}' }] });
  expect(answersTo('"processRunning":true').at(-1)).toMatchObject({ state: "Running", reason: expect.any(String) });
  expect(answersTo("-H 'If-Match")).toMatchObject([
    { execution: { desired: { value: { shutdownRequested: true }, revision: 2 } } },
    { status: 412, code: "revision_mismatch", details: { revision: 2 } },
  ]);
  const [, ended, keys] = answersTo('"processRunning":false');
  expect(ended).toMatchObject({ status: "completed", state: "Stopping", reason: expect.any(String) });
  expect(keys).toMatchObject({ total: 2 });
});

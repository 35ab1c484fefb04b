// The wedding of the examples, three couples, one whose date six weeks before is past, one who moves their day, one on the
// day on which the clocks change: what is previewed is what the real engine then sends, row for row. The clock is moved by the test.
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it, onTestFinished, vi } from "vitest";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import type { AssumedInput } from "#schema/virtual/assumptions.ts";
import type { Parsed } from "#test/support/api.ts";
import couples from "../../../examples/wedding/couples.json";
import journey from "../../../examples/wedding/journey.json";
import { engine, PROVIDER, provider, until, type Engine } from "../engine.ts";

vi.setConfig({ testTimeout: 120_000 });

const START = Date.parse(couples.startAt);
const HORIZON = START + 200 * 24 * 60 * 60_000;

type Life = {
  readonly id: string;
  readonly execution: string;
  given: readonly (AssumedInput & { at: number | object })[];
};

it("sends what was previewed, row for row", async () => {
  setClock(START);
  onTestFinished(() => void vi.useRealTimers());
  const { calls } = provider(({ url }) => {
    if (url.hostname.includes("twilio")) return Response.json({ sid: "SM1", status: "queued" }, { status: 201 });
    return url.hostname.includes("sendgrid") ? new Response(null, { status: 202 }) : Response.json({ ok: true });
  });
  const studio = await open();
  const subjects = couples.subjects.map((each) => ({
    ...each,
    variables: { ...each.variables, calendarUrl: `${PROVIDER}/calendar` },
  }));
  const asked = { subjects, startAt: couples.startAt, until: new Date(HORIZON).toISOString() };
  const { rows, ends } = await studio.must(200, "POST", "/v1/definitions/wedding/preview", { body: asked });
  expect(ends.filter(({ refused, cut }: Parsed) => refused !== null || cut !== "until")).toEqual([]);
  expect(calls).toEqual([]);

  const lives: Life[] = [];
  for (const { id, execution, variables, given = [] } of subjects as unknown as Couple[]) {
    await studio.start("wedding", { id: execution, variables });
    const instants = given.map((each) =>
      typeof each.at === "string" ? { ...each, at: START + lengthMs(each.at) } : each,
    );
    lives.push({ id, execution, given: instants as Life["given"] });
  }
  await live(studio, lives);

  const executed = await Promise.all(lives.map((couple) => rowsOf(studio, couple)));
  const byRow = (a: readonly string[], b: readonly string[]) => a.join().localeCompare(b.join());
  const foretold = rows.filter(({ status }: Parsed) => status !== "scheduled");
  expect(executed.flat().toSorted(byRow)).toEqual(
    foretold
      .map(({ subject, action, at, status, reason }: Parsed) => [subject, action, at, status, String(reason)])
      .toSorted(byRow),
  );
  // The timeline of one goes out at once, that of another on the morning of the day on which an hour is missing.
  const timelines = rows.filter(({ action }: Parsed) => action === "timeline");
  expect(timelines.map(({ subject, local }: Parsed) => `${subject} ${local}`)).toEqual([
    "ada-and-bob 2030-03-04T09:00:00",
    "eve-and-fay 2030-03-31T09:00:00",
    "cem-and-dora 2030-07-13T09:00:00",
  ]);
});

type Couple = { id: string; execution: string; variables: JsonObject; given?: readonly AssumedInput[] };

function setClock(now: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
}

async function open(): Promise<Engine> {
  const studio = await engine();
  await studio.must(200, "PUT", "/v1/secrets/mail_key", { body: { value: "SG.the-key-of-the-studio" } });
  await studio.must(200, "PUT", "/v1/secrets/text_token", { body: { value: "the-token-of-the-studio" } });
  await studio.must(200, "PUT", "/v1/secrets/text_sid", { body: { value: `AC${"1".repeat(32)}` } });
  const mail = { provider: "sendgrid", credentials: { apiKey: "mail_key" }, settings: { from: "studio@example.com" } };
  const credentials = { accountSid: "text_sid", authToken: "text_token" };
  const text = { provider: "twilio", credentials, settings: { from: "+41445201234" } };
  await studio.must(201, "POST", "/v1/connections", { body: { name: "mail", ...mail } });
  await studio.must(201, "POST", "/v1/connections", { body: { name: "text", ...text } });
  // The clock passes the retention of the couples that end first, and their histories are read at the end.
  await studio.must(201, "POST", "/v1/definitions", { body: { ...journey, retention: "P1Y" } });
  return studio;
}

/** From instant to instant: what comes to somebody, or is due by itself. */
async function live(studio: Engine, lives: readonly Life[]): Promise<void> {
  for (;;) {
    const states = await Promise.all(lives.map(({ execution }) => rested(studio, execution)));
    // What has ended only waits to be forgotten.
    const wakes = states.map((state) => (isFinalStatus(state.status) ? null : nextWake(state, Date.now())) ?? Infinity);
    lives.forEach((couple, n) => meet(couple, states[n]));
    const comes = lives.map(({ given }) =>
      Math.min(Infinity, ...given.map(({ at }) => (typeof at === "number" ? at : Infinity))),
    );
    const next = Math.min(...wakes, ...comes);
    if (next > HORIZON) return;
    setClock(Math.max(next, Date.now()));
    for (const [n, couple] of lives.entries()) {
      if ((wakes[n] ?? Infinity) <= next) await runDurableObjectAlarm(studio.stub(couple.execution));
      if ((comes[n] ?? Infinity) <= next) await come(studio, couple, next);
    }
  }
}

/** With nothing under way: the clock stands still meanwhile. */
async function rested(studio: Engine, execution: string): Promise<ExecutionState> {
  return until(`${execution} rests`, async () => {
    const found = await studio.cell(execution).read(execution);
    if (!found.ok) throw new Error(found.refusal.message);
    const state = found.value;
    return state.runs.some(({ status }) => status === "queued" || status === "running") ? null : state;
  });
}

/** What is to come after a node was reached. */
function meet(couple: Life, state: ExecutionState | undefined): void {
  couple.given = couple.given.map((each) => {
    const { at } = each;
    if (typeof at === "number" || state === undefined || !("reached" in at)) return each;
    const { reached, after } = at as { reached: string; after: string };
    return state.position.states.includes(reached) ? { ...each, at: Date.now() + lengthMs(after) } : each;
  });
}

async function come(studio: Engine, couple: Life, now: number): Promise<void> {
  const due = couple.given.filter(({ at }) => typeof at === "number" && at <= now);
  couple.given = couple.given.filter((each) => !due.includes(each));
  for (const { event, payload = null, patch } of due) {
    const path = `/v1/executions/${couple.execution}`;
    if (event !== undefined) await studio.must(200, "POST", `${path}/events`, { body: { type: event, payload } });
    else await studio.must(200, "POST", `${path}/patch`, { body: { variables: patch } });
  }
}

/** When each of its runs was sent off, or found not to be wanted, and how it ended. */
async function rowsOf(studio: Engine, { id, execution }: Life): Promise<readonly (readonly string[])[]> {
  const journal = await studio.journal(execution);
  const runs = journal.filter(({ kind }) => kind === "run_created");
  return runs.flatMap(({ run, action }) => {
    const own = journal.filter((entry) => entry.run === run);
    const held = own.findLastIndex(({ kind }) => kind === "run_held");
    const sent = own.slice(held + 1).find(({ kind, attempt }) => kind === "run_dispatched" && attempt === 1);
    const ended = own.findLast(({ kind }) => /^run_(ok|failed|skipped)$/.test(kind));
    const at = sent ?? (ended?.kind === "run_skipped" ? ended : undefined);
    if (at === undefined || ended === undefined) return [];
    return [[id, action, at.at, ended.kind.slice(4), String(ended.reason ?? null)]];
  });
}

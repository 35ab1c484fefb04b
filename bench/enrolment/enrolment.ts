// Forecast accuracy: forecasts the enrolment of a long list, then enrols the list in a real engine under a connection's
// rate. It compares the forecast with the calls that the sandbox received and the platform usage that was counted.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { createClient, type Client } from "../../src/client/client.ts";
import { billOf } from "../../src/policy/forecast/platform.ts";
import type { PlatformCounts } from "../../src/schema/virtual/forecast.ts";
import { host } from "../../scripts/host.ts";
import { pause } from "../drive.ts";
import { usage } from "../meter.ts";
import { newStateDir } from "../state.ts";
import { clock } from "../clock.ts";

export type EnrolmentScale = {
  readonly count: number;
  readonly perSecond: number;
  readonly rate: number;
  readonly placement: "own" | "pooled";
};
export type EnrolmentRow = {
  readonly what: string;
  readonly forecast: number;
  readonly measured: number;
  /** The allowed relative difference between forecast and measurement. */
  readonly within: number;
};

/** docs/guides/forecast.md states this accuracy for platform usage. */
const PLATFORM_BOUND = 0.15;
const PART = 1_000;
/**
 * The connection may send this many seconds of calls at once. Without a burst, a busy machine would leave slots of the
 * rate limit unused.
 */
const BURST_SECONDS = 10;
const FAILING = 0.05;
const PATHS = { mail: "/sink/enrolment/mail", after: "/sink/enrolment/after" };
const received = z.object({ requests: z.array(z.object({ id: z.number(), at: z.number() })), total: z.number() });
const counts = ["objectRows", "objectRequests", "queueMessages", "catalogRows"] as const;
const billed = z.object({ bill: z.record(z.enum(counts), z.number()), by: z.record(z.string(), z.number()) });

export async function measureEnrolment(
  { count, perSecond, rate, placement }: EnrolmentScale,
  say: (line: string) => void,
): Promise<readonly EnrolmentRow[]> {
  const rootKey = `root-${randomBytes(8).toString("hex")}`;
  const vars = {
    ROOT_KEY: rootKey,
    ALLOW_LOOPBACK: "true",
    SECRETS_KEYS: `k1:${randomBytes(32).toString("base64url")}`,
  };
  const main = join(import.meta.dirname, "metered.ts");
  const { engineUrl, sandboxUrl, dispose } = await host({
    stateDir: newStateDir(),
    quiet: process.env["LOUD"] === undefined,
    vars,
    main,
  });
  try {
    const client = await newTenant(engineUrl, rootKey);
    await client.connections.create({
      name: "crm",
      provider: "http",
      baseUrl: sandboxUrl,
      rateLimit: { perSecond: rate, burst: BURST_SECONDS * rate },
    });
    await client.definitions.create(journey(sandboxUrl, placement));
    const control = (method: string, path: string, body?: object) => tell(sandboxUrl, method, path, body);
    const script = { path: PATHS.after, ratio: { share: FAILING, step: { status: 503 } } };
    await control("PUT", "/_control/scripts", script);
    const said = await client.definitions.forecast("enrolled", {
      subjects: [{ variables: { customer: "one" } }],
      count,
      perSecond,
      shares: { after: [{ share: FAILING, outcome: { error: { type: "service_unavailable" } } }] },
    });
    say(`forecast: ${JSON.stringify({ ...said, times: said.times.length })}`);

    const { operation } = await client.subjects.openEnrolment("enrolled", { perSecond });
    await upload(client, operation.id, count);
    const { bill: before } = billed.parse(await get(`${engineUrl}/_bill`));
    const cpuMs = usage()?.cpuMs ?? 0;
    const begun = Date.now();
    await client.subjects.startEnrolment(operation.id);
    const completed = async (): Promise<number> => (await client.operations.get(operation.id)).progress.released;
    await allThrough(client, count, async () => say(`${await completed()} enrolled`));
    const { bill, by } = billed.parse(await get(`${engineUrl}/_bill`));
    const spent = spentBetween(before, bill);
    say(`counted: ${JSON.stringify(by)}`);
    say(`processor time: ${(((usage()?.cpuMs ?? 0) - cpuMs) / count).toFixed(1)} ms each`);
    const [mail, after] = [await arrivals(control, PATHS.mail), await arrivals(control, PATHS.after)];
    const attemptsOf = (type: string): number =>
      said.attempts.filter((each) => each.type === type).reduce((sum, each) => sum + each.attempts, 0);
    const end = Math.max(...mail, ...after);
    return [
      line("executions completed", said.executions.byStatus["completed"] ?? 0, count, 0.05),
      line("calls through the connection", attemptsOf("api_call"), mail.length, 0.05),
      line("calls of the other node, with repeats", attemptsOf("webhook"), after.length, 0.05),
      line("seconds until the last has left", secondsAfter(said.startAt, said.lastAt), (end - begun) / 1_000, 0.1),
      line("platform rows", rowsOf(said.platform), rowsOf(spent), PLATFORM_BOUND),
      line("platform dollars", said.platform.dollars, billOf(spent).dollars, PLATFORM_BOUND),
    ];
  } finally {
    await dispose();
  }
}

function line(what: string, forecast: number, measured: number, within: number): EnrolmentRow {
  return { what, forecast, measured, within };
}

type Counted = z.infer<typeof billed>["bill"];

function spentBetween(before: Counted, after: Counted): PlatformCounts {
  const spentOn = (what: keyof PlatformCounts): number => (after[what] ?? 0) - (before[what] ?? 0);
  return {
    objectRows: spentOn("objectRows"),
    objectRequests: spentOn("objectRequests"),
    queueMessages: spentOn("queueMessages"),
    catalogRows: spentOn("catalogRows"),
  };
}

function rowsOf({ objectRows, catalogRows }: PlatformCounts): number {
  return objectRows + catalogRows;
}

export function enrolmentBlock(
  { count, perSecond, rate, placement }: EnrolmentScale,
  rows: readonly EnrolmentRow[],
): string {
  const lines = rows.map(({ what, forecast, measured, within }) => {
    const off = measured === 0 ? 0 : (forecast - measured) / measured;
    const verdict = Math.abs(off) <= within ? "met   " : "MISSED";
    const figures = [forecast, measured].map((each) => each.toFixed(each < 1_000 ? 1 : 0).padStart(10)).join("");
    return `  ${verdict} ${what.padEnd(40)}${figures}  ${(off * 100).toFixed(1).padStart(6)} % (within ${within * 100} %)`;
  });
  return [
    `forecast: ${count} ${placement} enrolments at ${perSecond} a second, through a connection of ${rate} a second`,
    ...lines,
  ].join("\n");
}

function journey(
  sandboxUrl: string,
  placement: EnrolmentScale["placement"],
): Parameters<Client["definitions"]["create"]>[0] {
  const payload = { customer: "{{ execution.variables.customer }}" };
  return {
    kind: "journey",
    name: "enrolled",
    placement,
    initial: "mail",
    subject: { var: "execution.variables.customer" },
    nodes: {
      mail: {
        type: "api_call",
        config: { service: "crm", endpoint: "sink/enrolment/mail", method: "POST", payload },
        next: "after",
      },
      after: {
        type: "webhook",
        config: { url: `${sandboxUrl}${PATHS.after}`, payload },
        retry: { maxAttempts: 5, backoffStrategy: "fixed", baseDelay: 2_000, jitter: "none" },
      },
    },
  };
}

async function newTenant(engineUrl: string, rootKey: string): Promise<Client> {
  const root = createClient({ baseUrl: engineUrl, key: rootKey, tenant: "bench" });
  await createClient({ baseUrl: engineUrl, key: rootKey }).tenants.create({ id: "bench", name: "bench" });
  const { secret } = await root.keys.create({ name: "bench", scopes: ["read", "write", "operate", "admin"] });
  return createClient({ baseUrl: engineUrl, key: secret ?? "" });
}

/** Waits until no execution is live, and then until the lists have been updated. */
async function allThrough(client: Client, count: number, look: () => Promise<void>): Promise<void> {
  const end = clock() + GIVE_UP_MS;
  const isSeen = usage() !== null;
  for (let looks = 0; clock() < end; looks++) {
    await pause(LOOK_MS);
    if (isSeen && usage() === null) throw new Error("the runtime has died: it may have had no files left");
    const isOver = await lookAgain(async () => {
      if (looks % 10 === 0) await look();
      const [operation] = (await client.operations.list({ limit: 1 })).data;
      if (operation?.status !== "done") return false;
      const statuses = ["active", "waiting"] as const;
      const live = await Promise.all(statuses.map((status) => client.executions.list({ status, limit: 1 })));
      return live.every(({ data }) => data.length === 0);
    });
    if (isOver) return pause(QUIET_MS);
  }
  throw new Error(`not all of ${count} were through in time`);
}

/**
 * Treats a failed status request as "not complete", because a busy host may not answer. A lasting error ends the wait
 * at GIVE_UP_MS.
 */
async function lookAgain(look: () => Promise<boolean>): Promise<boolean> {
  return look().catch(() => false);
}

const [LOOK_MS, QUIET_MS, GIVE_UP_MS] = [2_000, 8_000, 60 * 60_000];

async function upload(client: Client, list: string, count: number): Promise<void> {
  for (let from = 0, part = 1; from < count; from += PART, part++) {
    const customers = Array.from({ length: Math.min(PART, count - from) }, (_, n) => `c-${from + n}`);
    await client.subjects.appendPart(list, part, { lines: customers.map((customer) => ({ variables: { customer } })) });
  }
}

type Control = (method: string, path: string, body?: object) => Promise<unknown>;

async function arrivals(control: Control, path: string): Promise<readonly number[]> {
  const all: number[] = [];
  for (let after = 0; ;) {
    const query = `path=${encodeURIComponent(path)}&after=${after}&limit=5000`;
    const { requests } = received.parse(await control("GET", `/_control/requests?${query}`));
    const last = requests.at(-1);
    if (last === undefined) return all;
    for (const { at } of requests) all.push(at);
    after = last.id;
  }
}

async function tell(origin: string, method: string, path: string, body?: object): Promise<unknown> {
  const sent = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetch(`${origin}${path}`, { method, ...sent });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function get(url: string): Promise<unknown> {
  return tell("", "GET", url);
}

function secondsAfter(from: string, at: string | null): number {
  return at === null ? 0 : (Date.parse(at) - Date.parse(from)) / 1_000;
}

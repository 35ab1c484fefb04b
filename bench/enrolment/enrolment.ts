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
import { readUsage } from "../meter.ts";
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
  readonly maxDifference: number;
};

/** docs/guides/forecast.md states this accuracy for platform usage. */
const PLATFORM_ACCURACY = 0.15;
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

type Print = (line: string) => void;

export async function measureEnrolment(scale: EnrolmentScale, print: Print): Promise<readonly EnrolmentRow[]> {
  const rootKey = `root-${randomBytes(8).toString("hex")}`;
  const vars = {
    ROOT_KEY: rootKey,
    ALLOW_LOOPBACK: "true",
    SECRETS_KEYS: `k1:${randomBytes(32).toString("base64url")}`,
  };
  const { engineUrl, sandboxUrl, dispose } = await host({
    stateDir: newStateDir(),
    quiet: process.env["LOUD"] === undefined,
    vars,
    main: join(import.meta.dirname, "metered.ts"),
  });
  try {
    const client = await newTenant(engineUrl, rootKey);
    const control: Control = (method, path, body) => callJson(sandboxUrl, method, path, body);
    await prepareJourney({ client, sandboxUrl, control }, scale);
    const forecast = await forecastEnrolment(client, scale);
    print(`forecast: ${JSON.stringify({ ...forecast, times: forecast.times.length })}`);
    const measured = await enrolList({ client, engineUrl, control }, scale, print);
    return compare(forecast, measured, scale.count);
  } finally {
    await dispose();
  }
}

type Setup = { readonly client: Client; readonly sandboxUrl: string; readonly control: Control };

/** Creates the rate-limited connection and the journey, and lets a share of the second node's calls fail. */
async function prepareJourney(
  { client, sandboxUrl, control }: Setup,
  { rate, placement }: EnrolmentScale,
): Promise<void> {
  await client.connections.create({
    name: "crm",
    provider: "http",
    baseUrl: sandboxUrl,
    rateLimit: { perSecond: rate, burst: BURST_SECONDS * rate },
  });
  await client.definitions.create(journey(sandboxUrl, placement));
  const script = { path: PATHS.after, ratio: { share: FAILING, step: { status: 503 } } };
  await control("PUT", "/_control/scripts", script);
}

function forecastEnrolment(client: Client, { count, perSecond }: EnrolmentScale) {
  return client.definitions.forecast("enrolled", {
    subjects: [{ variables: { customer: "one" } }],
    count,
    perSecond,
    shares: { after: [{ share: FAILING, outcome: { error: { type: "service_unavailable" } } }] },
  });
}

type Forecast = Awaited<ReturnType<typeof forecastEnrolment>>;
type EnrolmentResult = {
  readonly mailArrivals: readonly number[];
  readonly afterArrivals: readonly number[];
  /** From the start of the enrolment to the last call. */
  readonly seconds: number;
  readonly platform: PlatformCounts;
};

/** Enrols the list, and measures the calls, the duration and the platform usage. */
async function enrolList(
  { client, engineUrl, control }: Omit<Setup, "sandboxUrl"> & { readonly engineUrl: string },
  { count, perSecond }: EnrolmentScale,
  print: Print,
): Promise<EnrolmentResult> {
  const { operation } = await client.subjects.openEnrolment("enrolled", { perSecond });
  await uploadList(client, operation.id, count);
  const { bill: billBefore } = billed.parse(await getJson(`${engineUrl}/_bill`));
  const cpuMsBefore = readUsage()?.cpuMs ?? 0;
  const startedAt = Date.now();
  await client.subjects.startEnrolment(operation.id);
  const enrolled = async (): Promise<number> => (await client.operations.get(operation.id)).progress.released;
  await waitUntilComplete(client, count, async () => print(`${await enrolled()} enrolled`));
  const { bill, by } = billed.parse(await getJson(`${engineUrl}/_bill`));
  const cpuMs = (readUsage()?.cpuMs ?? 0) - cpuMsBefore;
  print(`counted: ${JSON.stringify(by)}`);
  print(`processor time: ${(cpuMs / count).toFixed(1)} ms each`);
  const mailArrivals = await readArrivals(control, PATHS.mail);
  const afterArrivals = await readArrivals(control, PATHS.after);
  const seconds = (Math.max(...mailArrivals, ...afterArrivals) - startedAt) / 1_000;
  return { mailArrivals, afterArrivals, seconds, platform: spentBetween(billBefore, bill) };
}

function compare(forecast: Forecast, measured: EnrolmentResult, count: number): readonly EnrolmentRow[] {
  const attemptsOf = (type: string): number =>
    forecast.attempts.filter((each) => each.type === type).reduce((sum, each) => sum + each.attempts, 0);
  const { mailArrivals, afterArrivals, seconds, platform } = measured;
  return [
    rowOf("executions completed", forecast.executions.byStatus["completed"] ?? 0, count, 0.05),
    rowOf("calls through the connection", attemptsOf("api_call"), mailArrivals.length, 0.05),
    rowOf("calls of the other node, with repeats", attemptsOf("webhook"), afterArrivals.length, 0.05),
    rowOf("seconds until the last call", secondsAfter(forecast.startAt, forecast.lastAt), seconds, 0.1),
    rowOf("platform rows", rowsOf(forecast.platform), rowsOf(platform), PLATFORM_ACCURACY),
    rowOf("platform dollars", forecast.platform.dollars, billOf(platform).dollars, PLATFORM_ACCURACY),
  ];
}

function rowOf(what: string, forecast: number, measured: number, within: number): EnrolmentRow {
  return { what, forecast, measured, maxDifference: within };
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
  const lines = rows.map(({ what, forecast, measured, maxDifference: within }) => {
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
        retryPolicy: { maxAttempts: 5, backoffStrategy: "fixed", baseDelay: 2_000, jitter: "none" },
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
async function waitUntilComplete(client: Client, count: number, look: () => Promise<void>): Promise<void> {
  const end = clock() + GIVE_UP_MS;
  const isSeen = readUsage() !== null;
  for (let looks = 0; clock() < end; looks++) {
    await pause(LOOK_MS);
    if (isSeen && readUsage() === null) throw new Error("the runtime has died: it may have had no files left");
    const isOver = await falseOnError(async () => {
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
async function falseOnError(look: () => Promise<boolean>): Promise<boolean> {
  return look().catch(() => false);
}

const [LOOK_MS, QUIET_MS, GIVE_UP_MS] = [2_000, 8_000, 60 * 60_000];

async function uploadList(client: Client, list: string, count: number): Promise<void> {
  for (let from = 0, part = 1; from < count; from += PART, part++) {
    const customers = Array.from({ length: Math.min(PART, count - from) }, (_, n) => `c-${from + n}`);
    await client.subjects.appendPart(list, part, { lines: customers.map((customer) => ({ variables: { customer } })) });
  }
}

type Control = (method: string, path: string, body?: object) => Promise<unknown>;

async function readArrivals(control: Control, path: string): Promise<readonly number[]> {
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

async function callJson(origin: string, method: string, path: string, body?: object): Promise<unknown> {
  const sent = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetch(`${origin}${path}`, { method, ...sent });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function getJson(url: string): Promise<unknown> {
  return callJson("", "GET", url);
}

function secondsAfter(from: string, at: string | null): number {
  return at === null ? 0 : (Date.parse(at) - Date.parse(from)) / 1_000;
}

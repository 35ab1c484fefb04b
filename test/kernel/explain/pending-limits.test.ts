// The limits that a run has still to pass: predicted where the definition determines them, and otherwise left out.
import { describe, expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import type { LimitPlace } from "#schema/key-limits/calls.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import type { Wait } from "#schema/engine/explanation.ts";
import { compile } from "#kernel/programs/compile.ts";
import { go, journey } from "../programs/journey/drive-journey.ts";
import { day, driveProgram, hour, T0, type Drive } from "#test/support/drive.ts";

const crm = { service: "crm", endpoint: "/x" };
const call = (more: object = {}) => ({ type: "api_call", config: crm, ...more });
const office = { days: "MON-FRI", from: "09:00", to: "17:00" };
const caps = { few: { max: 3, per: "P7D" }, daily: { max: 1, calendar: "day", over: "skip" } } as const;
const about = { subject: { var: "execution.variables.who" }, caps, windows: { office } } as const;
const variables = { who: "ada", zone: "UTC" };

function waitsOf(t: Drive, now = T0): readonly Wait[] {
  const { program, state, entries: recent } = t;
  return explain({ program, state, now, suspended: false, recent, quarantined: null }).waits;
}
const first = (t: Drive, now = T0) => waitsOf(t, now)[0] as Extract<Wait, { for: "run" }>; // the waits in this file are of runs
/** The subject is Ada. */
function started(nodes: Parameters<typeof journey>[0]["nodes"]): Drive {
  const definition = journey({ nodes, variables, ...about });
  return driveProgram([compile(definition), compile(definition)], 0, { subject: { key: "ada", until: T0 } }).start();
}
const scheduled = (more: object, delay: object): Drive => started({ b: call({ delay, ...more }) });

describe("a run that is due later", () => {
  test("meets its window, which is open then, or holds it until it opens, or opens too late for it", () => {
    const window = { window: "office" };
    const { meets } = first(scheduled(window, { offset: "P1D" }));
    expect(meets).toEqual([{ limit: "window", window: office, would: "pass", until: null, timezone: "UTC" }]);
    // On Saturday, held until Monday.
    expect(first(scheduled(window, { offset: "P5D" })).meets).toMatchObject([
      { would: "hold", until: T0 + 7 * day - (T0 % day) + 9 * hour },
    ]);
    const validUntil = { validUntil: "2026-01-11T00:00:00Z" };
    expect(first(scheduled({ ...window, ...validUntil }, { offset: "P5D" })).meets).toMatchObject([
      { would: "skip", until: null },
    ]);
  });

  test("goes where its window says, once it does", () => {
    const t = scheduled({ window: "office" }, { offset: "P5D" });
    const [met] = first(t).meets ?? [];
    const [held] = waitsOf(t.tickAt(5 * day), T0 + 5 * day);
    expect(held).toMatchObject({ for: "window", until: met?.limit === "window" ? met.until : null, meets: [] });
  });

  test("has the cap of its subject, and the account that it uses", () => {
    expect(first(scheduled({ cap: "few" }, { offset: "P1D" }))).toMatchObject({
      meets: [{ limit: "cap", cap: "few", subject: "ada", max: 3, per: "P7D", over: "wait" }],
      account: { type: "api_call", config: { service: "crm" } },
    });
    expect(first(scheduled({ cap: "daily" }, { offset: "P1D" })).meets).toEqual([
      { limit: "cap", cap: "daily", subject: "ada", max: 1, per: null, over: "skip" },
    ]);
    const nobody = go({ nodes: { b: call({ delay: { offset: "P1D" }, cap: "few" }) }, variables, ...about }).start();
    expect(first(nobody).meets).toMatchObject([{ limit: "cap", subject: null }]);
  });

  test("has the cap of another subject, if the cap names one", () => {
    const caps = { few: { max: 3, per: "P7D", subject: "account {{ execution.variables.who }}" } };
    const b = call({ delay: { offset: "P1D" }, cap: "few" });
    expect(first(go({ nodes: { b }, variables, caps }).start()).meets).toMatchObject([
      { limit: "cap", cap: "few", subject: "account ada" },
    ]);
  });

  test("is not guessed at: a zone that is broken, an account that is worked out, an answer that may cost no more", () => {
    const broken = { ...office, timezone: { throw: "x" } };
    expect(first(scheduled({ window: broken }, { offset: "P1D" })).meets).toEqual([]);
    const worked = scheduled({ config: { ...crm, service: "{{ execution.variables.who }}" } }, { offset: "P1D" });
    expect(first(worked)).not.toHaveProperty("account");
    const list = Array.from({ length: 20_000 }, (_, n) => n);
    const looks = { none: [{ var: "execution.variables.list" }, { "<": [{ var: "" }, 0] }] };
    const condition = { and: [looks, looks, looks, looks] };
    const dear = call({ delay: { offset: "P1D" }, window: "office", condition });
    const nodes = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`n${n}`, dear]));
    const waits = waitsOf(go({ nodes, initial: Object.keys(nodes), variables: { list }, ...about }).start());
    expect(waits[0]).toMatchObject({ meets: [{ limit: "window" }] });
    expect(waits.at(-1)).toMatchObject({ meets: [] });
  });
});

describe("a run that is on its way", () => {
  test("has the limits that apply again, and none once it is claimed", () => {
    const begun = () =>
      started({ a: { type: "delay", for: "PT1S", next: "b" }, b: call({ cap: "few", window: "office" }) }).tickAt(
        1_000,
      );
    const t = begun();
    expect(first(t, T0 + 1_000)).toMatchObject({ status: "queued", meets: [{ limit: "window" }, { limit: "cap" }] });
    t.claim("b");
    expect(first(t, T0 + 1_000)).toMatchObject({ status: "running", meets: [] });
    const again = begun().miss("b");
    expect(first(again, T0 + 1_000)).toMatchObject({
      status: "retry",
      meets: [{ limit: "window" }],
      account: { config: { service: "crm" } },
    });
  });
});

describe("limits by key", () => {
  const who = { var: "execution.variables.who" };
  const limit = [
    { name: "mails", key: who, concurrency: 2 },
    { key: { "+": [who, 1] }, throttle: { max: 1, per: "PT1M" } },
  ];

  test("a run that is due later has its limits by key, with its keys if they can be evaluated", () => {
    const [named] = limit;
    const t = scheduled({ limit: named === undefined ? [] : [named], cap: "few" }, { offset: "P1D" });
    expect(first(t).meets).toMatchObject([
      { limit: "key", name: "mails", key: "ada", concurrency: 2 },
      { limit: "cap", cap: "few" },
    ]);
    expect(first(scheduled({ limit }, { offset: "P1D" })).meets).toMatchObject([
      { limit: "key", name: "mails", key: null },
      { limit: "key", key: null, throttle: { max: 1, per: "PT1M" } },
    ]);
  });

  test("a run that a limit holds says which, for which key, and how many runs are before it", () => {
    const t = started({ b: call({ limit: limit.slice(0, 1), cap: "few" }) }).claim("b");
    const until = T0 + hour;
    const places: LimitPlace[] = [
      { name: "other", since: T0, stage: "turn", ahead: 0 },
      { name: "mails", since: T0, stage: "line", ahead: 3 },
    ];
    const held: Hold = { reason: "limit_concurrency", until, connection: null, places };
    const error = { type: "rate_limit", message: "", retryable: true };
    t.settle("b", { ok: false, error, held, startedAt: T0, endedAt: T0 });
    expect(waitsOf(t)[0]).toMatchObject({
      for: "limit",
      by: "limit_concurrency",
      limit: "mails",
      key: "ada",
      ahead: 3,
      meets: [{ limit: "cap" }],
      until,
    });
    const { runs } = t.state;
    const bare = { reason: "limit_throttle", until, connection: null } as const;
    t.become({ ...t.state, runs: runs.map((run) => ({ ...run, held: bare })) });
    expect(waitsOf(t)[0]).toMatchObject({ for: "limit", by: "limit_throttle", limit: null, key: null, ahead: null });
    t.become({ ...t.state, runs: runs.map(({ limits: _limits, ...run }) => ({ ...run, held })) });
    expect(waitsOf(t)[0]).toMatchObject({ limit: "mails", key: null });
  });
});

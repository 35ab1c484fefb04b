// Tests of the report, its tables and the progress line, from counted events.
import { describe, expect, it, test } from "vitest";
import { planLoad } from "#policy/advice/load-plan.ts";
import { loadConfig } from "#schema/load.ts";
import { startsOf } from "../../scripts/load/drive.ts";
import { progressLine } from "../../scripts/load/progress.ts";
import { formatReport, buildReport } from "../../scripts/load/report.ts";
import { add, concurrencyAt, openTally, samplesOf } from "../../scripts/load/tally.ts";
import { naming } from "#test/support/matchers/naming.ts";

const planned = planLoad(
  { type: "webhook", config: { url: "http://127.0.0.1:8788/sink/a" } },
  loadConfig.parse({ concurrency: 4, duration: 4_000, rampUpTime: 3_000, scenarios: ["steady", "bad_config"] }),
);
if (!planned.ok) throw new Error(JSON.stringify(planned.findings));
const { plan } = planned;

/** Builds four seconds of ten requests each: eight are accepted, and seven of those end after half a second. */
function counted() {
  const tally = openTally(["steady", "bad_config"]);
  for (let n = 0; n < 40; n++) {
    const second = tally.second(n * 100);
    const isBad = n % 5 === 4;
    const scenario = tally.scenario(isBad ? "bad_config" : "steady");
    scenario.requests += 1;
    second.requests += 1;
    scenario.dispatchMs.push(n + 1);
    second.times.push(n + 1);
    if (isBad) {
      add(scenario.answers, "422 action_invalid");
      continue;
    }
    const at = n * 100;
    scenario.accepted += 1;
    scenario.followed += 1;
    add(second.accepted, "steady");
    add(second.followed, "steady");
    second.dispatched += 1;
    if (n % 10 === 0) continue;
    scenario.endMs.push(500);
    add(scenario.ends, "ok");
    tally.ended.push({ scenario: "steady", acceptedAt: at, endedAt: at + 500, isDelayed: false });
  }
  return tally;
}

const ran = { plan, url: "http://127.0.0.1:8787", load: "l1", loadMs: 4_000, allMs: 5_000, open: 4, notes: ["a note"] };

describe("the samples", () => {
  const samples = samplesOf(counted(), plan.stages, 4_000);
  it("are the whole seconds of the load, each with its stage's concurrency", () => {
    expect(samples.map(({ second, concurrency, requests }) => [second, concurrency, requests])).toEqual([
      [0, 1, 10],
      [1, 2, 10],
      [2, 3, 10],
      [3, 4, 10],
    ]);
    expect(samplesOf(counted(), plan.stages, 3_900)).toHaveLength(3);
  });

  it("have a backlog of accepted actions that have not finished", () => {
    let backlog = 0;
    for (const { dispatched, finished, backlog: shown } of samples) {
      backlog += dispatched - finished;
      expect(shown).toBe(backlog);
    }
    expect(samples.map(({ p95 }) => p95)).toEqual([10, 20, 30, 40]);
  });

  test.each([
    [-1, 0],
    [0, 1],
    [1_999, 2],
    [9_999, 4],
  ])("at %d ms, the stages allow %d requests at once", (ms, concurrency) =>
    expect(concurrencyAt(plan.stages, ms)).toBe(concurrency),
  );
});

it("each worker starts with its stage", () => expect(startsOf(plan.stages)).toEqual([0, 1_000, 2_000, 3_000]));

describe("the report", () => {
  const report = buildReport({ ...ran, tally: counted() });
  it("counts by scenario and in total", () => {
    expect(report.scenarios.map(({ name, requests, accepted }) => [name, requests, accepted])).toEqual([
      ["steady", 32, 32],
      ["bad_config", 8, 0],
    ]);
    expect(report.total).toMatchObject({
      requests: 40,
      accepted: 32,
      acceptedPerSecond: 8,
      followed: 32,
      ended: 28,
      finishedPerSecond: 6.25,
      ends: { ok: 28 },
      answers: { "422 action_invalid": 8 },
      surprises: {},
      dispatchMs: { p50: 20, p90: 36, p95: 38, p99: 40, max: 40 },
      endMs: { p50: 500, p90: 500, p95: 500, p99: 500, max: 500 },
    });
    expect(report.scenarios[1]?.endMs).toEqual({ p50: null, p90: null, p95: null, p99: null, max: null });
  });

  it("prints the tables, the unexpected results and the bottlenecks", () => {
    const lines = formatReport(report);
    expect(lines[0]).toEqual(naming("webhook", "4.0", 4, "http://127.0.0.1:8787"));
    expect(lines.find((line) => line.startsWith("  total"))?.split(/\s{2,}/)).toEqual([
      ...["", "total", "40", "32", "8.0", "0", "20", "36", "38", "40", "40", "0"],
    ]);
    expect(lines.findLast((line) => line.includes("bad_config"))).toEqual(
      naming("bad_config", 8, "422 action_invalid"),
    );
    expect(report.bottlenecks).toEqual([]);
    expect(lines.slice(-3)).toEqual([naming(4, 1), "a note", expect.any(String)]);
  });

  it("prints unexpected results in capitals", () => {
    const tally = counted();
    add(tally.scenario("steady").surprises, "answered 500 internal_error", 2);
    expect(formatReport(buildReport({ ...ran, tally })).join("\n")).toMatch(
      /^.*\bsteady\b.*\b2\b.*\banswered 500 internal_error\b/m,
    );
  });
});

describe("the progress line", () => {
  test.each([
    [0, "░░░░░░░░░░░░░░░░░░░░░░░░ 0/4 s", [1, 32]],
    [2_000, "████████████░░░░░░░░░░░░ 2/4 s", [3, 32, "8/s"]],
    [9_000, "████████████████████████ 9/4 s", [32]],
  ])("after %d ms", (ms, bar, named) => {
    const [shown, ...figures] = progressLine(counted(), plan, ms, false).split(" · ");
    expect([shown, figures.join()]).toEqual([bar, naming(...named)]);
  });

  it("of a load that was stopped early", () => {
    const [shown, ...figures] = progressLine(counted(), plan, 2_000, true).split(" · ");
    expect([shown, figures.join()]).toEqual(["████████████████████████ 2/4 s", naming(32)]);
  });

  it("counts unexpected results", () => {
    const tally = counted();
    add(tally.scenario("steady").surprises, "answered 500", 3);
    expect(progressLine(tally, plan, 1_000, false)).toEqual(naming(3));
  });
});

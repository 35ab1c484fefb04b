// Virtual runs of a reconciler.
import { describe, expect, test } from "vitest";
import { action, minute, second, T0 } from "#test/support/drive.ts";
import { reconciler, type Written } from "../programs/reconciler/drive-reconciler.ts";
import { worker } from "../programs/reconciler/worker.ts";
import { play } from "./played.ts";

const up = { running: true, configValid: true };
const of = (written: Written, more: Parameters<typeof play>[1] = {}) =>
  play(reconciler(written), { until: T0 + 60 * minute, ...more });

describe("a virtual run of a reconciler", () => {
  test("accepts observed and desired state, and lists both as assumptions", () => {
    const given = [
      { at: 1_500, observed: up },
      { at: "PT10M", desired: { shutdownRequested: true } },
      { at: "PT11M", observed: { running: false } },
    ] as const;
    const run = of(worker, { given: [...given], assume: { actions: { start: { takes: 200 } } } });
    const [start, ...stops] = run.actions;
    expect(start).toMatchObject({ action: "start", status: "ok", at: T0 + second });
    // Its rules stop it again and again until an observation shows that it has stopped.
    expect(stops[0]).toMatchObject({ action: "stop", at: T0 + 10 * minute + 2 * second });
    expect(stops.at(-1)?.at).toBeLessThanOrEqual(T0 + 11 * minute);
    expect([run.status, run.states, run.notTaken]).toEqual(["completed", ["Stopping"], []]);
    expect(run.finishedAt).toBe(T0 + 11 * minute + second);
  });

  test("gives up after the tries that are assumed to fail", () => {
    const run = of(worker, { assume: { actions: { start: { outcome: "failed" } } } });
    expect([run.status, run.states]).toEqual(["failed", ["Failed"]]);
    expect(run.actions[0]).toMatchObject({ action: "start", attempts: 4, status: "failed" });
  });

  test("has an assumed collector, which is not among its actions", () => {
    const collected: Written = {
      states: { A: { rules: [{ when: { var: "observed.go" }, target: "B" }] }, B: { type: "final" } },
      actions: [action("look")],
      collector: { action: "look", every: "PT1M" },
    };
    const looks = [{ result: { go: 0 } }, { result: { go: 1 } }];
    const run = of(collected, { assume: { actions: { look: looks.slice(0, 1) } } });
    expect([run.status, run.cut, run.actions]).toEqual(["waiting", "until", []]);
    const other = of(collected, { assume: { actions: { look: looks[1] ?? {} } } });
    expect([other.status, other.finishedAt]).toEqual(["completed", T0 + second]);
  });

  test("rests if nothing changes, and is not stepped again", () => {
    const run = of({ states: { A: { rules: [{ when: { var: "observed.go" }, target: "B" }] }, B: {} } });
    expect([run.restsAt, run.cut, run.waitsFor]).toEqual([T0 + second, null, ["execution.patched"]]);
  });

  test("has no branches to force", () => {
    expect(() => of({ states: { A: {} } }, { assume: { branches: { A: "B" } } })).not.toThrow();
  });
});

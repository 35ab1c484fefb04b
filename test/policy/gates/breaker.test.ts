import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admit, closedBreaker, learn, tally, type Breaker } from "#policy/gates/breaker.ts";
import type { BreakerTerms } from "#schema/gate.ts";

const T = 1_000_000;
const terms: BreakerTerms = { failureRatio: 0.5, windowMs: 10_000, minimumCalls: 4, openMs: 30_000, halfOpenProbes: 1 };

function after(calls: string, from: Breaker = closedBreaker, at = T, stepMs = 0): Breaker {
  return [...calls].reduce((breaker, call, n) => learn(breaker, terms, call === "+", false, at + n * stepMs), from);
}

describe("closed", () => {
  test.each<[string, string]>([
    ["", "closed"],
    ["---", "closed"],
    ["----", "open"],
    ["+-+-", "open"],
    ["+-++-", "closed"],
    ["++++++----", "closed"],
    ["++++++------", "open"],
    ["--++", "closed"],
    ["--++-", "open"],
  ])("after %s it is %s", (calls, kind) => {
    expect(after(calls).kind).toBe(kind);
  });

  test("what is older than the window does not count", () => {
    expect(after("---", closedBreaker, T, 4_000).kind).toBe("closed");
    const old = after("---");
    expect(after("-", old, T + 9_000).kind).toBe("open");
    expect(after("-", old, T + 11_000).kind).toBe("closed");
  });

  test("counts of one slice are kept together, so that the size does not grow with the traffic", () => {
    const breaker = after("+".repeat(1_000), closedBreaker, T, 100);
    expect(breaker.kind === "closed" && breaker.slices.length).toBeLessThanOrEqual(11);
    expect(breaker.kind === "closed" && tally(breaker.slices, terms, T + 99_900)).toMatchObject({ failed: 0 });
  });

  test("lets everybody pass", () => {
    expect(admit(closedBreaker, terms, 0, T).verdict).toEqual({ kind: "pass" });
  });
});

describe("open", () => {
  const open = after("----");

  test("turns away until its time, and lets the others come after the first", () => {
    const untils: number[] = [];
    let breaker = open;
    for (let n = 0; n < 3; n++) {
      const asked = admit(breaker, terms, 0, T + 1);
      breaker = asked.breaker;
      untils.push(asked.verdict.kind === "held" ? asked.verdict.until - T : 0);
    }
    expect(untils).toEqual([30_000, 31_020, 31_040]);
  });

  test("learns nothing from calls that began before", () => {
    expect(after("+++", open)).toBe(open);
  });

  test("lets one probe through when its time is over, and has the others wait for it", () => {
    const probe = admit(open, terms, 0, T + 30_000);
    expect(probe.verdict).toEqual({ kind: "probe" });
    const other = admit(probe.breaker, terms, 1, T + 30_000);
    expect(other.verdict).toEqual({ kind: "held", until: T + 31_000 });
    expect(admit(other.breaker, terms, 1, T + 30_000).verdict).toEqual({ kind: "held", until: T + 31_020 });
  });
});

describe("half open", () => {
  const halfOpen = admit(after("----"), terms, 0, T + 30_000).breaker;

  test("closes when the probe does well, with a clean sheet", () => {
    expect(learn(halfOpen, terms, true, true, T + 31_000)).toBe(closedBreaker);
  });

  test("opens again when it does not", () => {
    expect(learn(halfOpen, terms, false, true, T + 31_000)).toEqual({ kind: "open", until: T + 61_000, turnedAway: 0 });
  });

  test("learns from probes only", () => {
    expect(learn(halfOpen, terms, false, false, T + 31_000)).toBe(halfOpen);
  });

  test("with several probes, closes when all did well and gives no more than it says", () => {
    const three = { ...terms, halfOpenProbes: 3 };
    const one = learn(halfOpen, three, true, true, T);
    expect(one).toMatchObject({ kind: "half_open", succeeded: 1 });
    expect(admit(one, three, 1, T).verdict.kind).toBe("probe");
    expect(admit(one, three, 2, T).verdict.kind).toBe("held");
    expect(learn(learn(one, three, true, true, T), three, true, true, T).kind).toBe("closed");
  });
});

test("whatever happens, a half-open breaker has no more probes out than it says", () => {
  const events = fc.array(fc.tuple(fc.constantFrom("ask", "ok", "fail", "lost"), fc.integer({ min: 0, max: 20_000 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 4 }), (happened, halfOpenProbes) => {
      const limited = { ...terms, halfOpenProbes };
      let [breaker, probing, now] = [closedBreaker as Breaker, 0, T];
      for (const [what, afterMs] of happened) {
        now += afterMs;
        if (what === "ask") {
          const asked = admit(breaker, limited, probing, now);
          breaker = asked.breaker;
          if (asked.verdict.kind === "probe") probing += 1;
        } else {
          const wasProbe = probing > 0;
          if (wasProbe) probing -= 1;
          if (what !== "lost") breaker = learn(breaker, limited, what === "ok", wasProbe, now);
        }
        expect(probing).toBeLessThanOrEqual(halfOpenProbes);
      }
    }),
  );
});

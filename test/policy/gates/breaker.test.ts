import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  admitCall,
  closedBreaker,
  recordCall,
  shiftBreaker,
  tallyCalls,
  type Breaker,
  type EndedCall,
} from "#policy/gates/breaker.ts";
import type { BreakerLimits } from "#schema/gate.ts";

const T = 1_000_000;
const terms: BreakerLimits = {
  failureRatio: 0.5,
  windowMs: 10_000,
  minimumCalls: 4,
  openMs: 30_000,
  halfOpenProbes: 1,
};

const call = (isOk: boolean, isProbe = false, begunAt = T): EndedCall => ({
  begunAt,
  isProbe,
  outcome: isOk ? "ok" : "failed",
});

function after(calls: string, from: Breaker = closedBreaker, at = T, stepMs = 0): Breaker {
  return [...calls].reduce((breaker, sign, n) => recordCall(breaker, terms, call(sign === "+"), at + n * stepMs), from);
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

  test("calls before the window do not count", () => {
    expect(after("---", closedBreaker, T, 4_000).kind).toBe("closed");
    const old = after("---");
    expect(after("-", old, T + 9_000).kind).toBe("open");
    expect(after("-", old, T + 11_000).kind).toBe("closed");
  });

  test("calls of one slice are counted together, so that the size does not grow with the traffic", () => {
    const breaker = after("+".repeat(1_000), closedBreaker, T, 100);
    expect(breaker.kind === "closed" && breaker.slices.length).toBeLessThanOrEqual(11);
    expect(breaker.kind === "closed" && tallyCalls(breaker.slices, terms, T + 99_900)).toMatchObject({ failed: 0 });
  });

  test("a refused request counts neither as success nor as failure", () => {
    const three = after("---");
    expect(recordCall(three, terms, { ...call(true), outcome: "refused" }, T)).toBe(three);
  });

  test("ignores calls that began before it opened and end after it closed again", () => {
    const again = recordCall(
      admitCall(after("----"), terms, 0, T + 30_000).breaker,
      terms,
      call(true, true, T + 30_000),
      T + 31_000,
    );
    const old = [1, 2, 3, 4].reduce(
      (breaker, n) => recordCall(breaker, terms, call(false, false, T - n), T + 32_000),
      again,
    );
    expect(old).toEqual({ kind: "closed", slices: [], since: T + 31_000 });
    const fresh = [1, 2, 3, 4].reduce(
      (breaker) => recordCall(breaker, terms, call(false, false, T + 31_000), T + 32_000),
      again,
    );
    expect(fresh.kind).toBe("open");
  });

  test("admits every call", () => {
    expect(admitCall(closedBreaker, terms, 0, T).verdict).toEqual({ kind: "pass" });
  });
});

describe("open", () => {
  const open = after("----");

  test("rejects calls until its time, and spreads the return times of all after the first", () => {
    const untils: number[] = [];
    let breaker = open;
    for (let n = 0; n < 3; n++) {
      const asked = admitCall(breaker, terms, 0, T + 1);
      breaker = asked.breaker;
      untils.push(asked.verdict.kind === "held" ? asked.verdict.until - T : 0);
    }
    expect(untils).toEqual([30_000, 31_020, 31_040]);
  });

  test("ignores calls that began before it opened", () => {
    expect(after("+++", open)).toBe(open);
  });

  test("admits one probe when its time is over, and holds the other calls", () => {
    const probe = admitCall(open, terms, 0, T + 30_000);
    expect(probe.verdict).toEqual({ kind: "probe" });
    const other = admitCall(probe.breaker, terms, 1, T + 30_000);
    expect(other.verdict).toEqual({ kind: "held", until: T + 31_000 });
    expect(admitCall(other.breaker, terms, 1, T + 30_000).verdict).toEqual({ kind: "held", until: T + 31_020 });
  });
});

describe("half open", () => {
  const halfOpen = admitCall(after("----"), terms, 0, T + 30_000).breaker;
  const probe = (isOk: boolean, begunAt = T + 30_000) => call(isOk, true, begunAt);

  test("closes after a successful probe, with empty counts", () => {
    expect(recordCall(halfOpen, terms, probe(true), T + 31_000)).toEqual({
      kind: "closed",
      slices: [],
      since: T + 31_000,
    });
  });

  test("opens again after a failed probe", () => {
    expect(recordCall(halfOpen, terms, probe(false), T + 31_000)).toEqual({
      kind: "open",
      until: T + 61_000,
      turnedAway: 0,
    });
  });

  test("counts probes only", () => {
    expect(recordCall(halfOpen, terms, call(false), T + 31_000)).toBe(halfOpen);
    expect(recordCall(halfOpen, terms, call(true, false, T + 30_500), T + 31_000)).toBe(halfOpen);
  });

  test("ignores a probe of an earlier outage that ends late", () => {
    expect(recordCall(halfOpen, terms, probe(false, T + 29_000), T + 31_000)).toBe(halfOpen);
    expect(recordCall(halfOpen, terms, probe(true, T + 29_000), T + 31_000)).toBe(halfOpen);
  });

  test("closes if the provider refuses the probe's request, because it is available", () => {
    expect(recordCall(halfOpen, terms, { ...probe(true), outcome: "refused" }, T + 31_000).kind).toBe("closed");
  });

  test("without a stored start accepts every probe", () => {
    const old: Breaker = { kind: "half_open", succeeded: 0, turnedAway: 0 };
    expect(recordCall(old, terms, probe(true, 0), T).kind).toBe("closed");
  });

  test("with several probes closes after all have succeeded and admits no more than configured", () => {
    const three = { ...terms, halfOpenProbes: 3 };
    const one = recordCall(halfOpen, three, probe(true), T);
    expect(one).toMatchObject({ kind: "half_open", succeeded: 1 });
    expect(admitCall(one, three, 1, T).verdict.kind).toBe("probe");
    expect(admitCall(one, three, 2, T).verdict.kind).toBe("held");
    expect(recordCall(recordCall(one, three, probe(true), T), three, probe(true), T).kind).toBe("closed");
  });
});

test("spreads the return times of rejected calls", () => {
  let breaker = after("----");
  const untils = Array.from({ length: 40_000 }, () => {
    const asked = admitCall(breaker, terms, 0, T + 1);
    breaker = asked.breaker;
    return asked.verdict.kind === "held" ? asked.verdict.until : 0;
  });
  const counts = Map.groupBy(untils, (until) => until);
  expect([...counts.values()].every((those) => those.length <= 2)).toBe(true);
  expect(untils.every((until) => until <= T + 31_000 + 600_000)).toBe(true);
});

describe("after the clock was set back, shifts", () => {
  test.each<[string, Breaker, Breaker]>([
    [
      "a closed breaker with its counts",
      { kind: "closed", slices: [{ at: 20, calls: 1, failed: 1 }], since: 15 },
      { kind: "closed", slices: [{ at: 10, calls: 1, failed: 1 }], since: 5 },
    ],
    ["a breaker that never opened", closedBreaker, closedBreaker],
    ["an open breaker", { kind: "open", until: 20, turnedAway: 3 }, { kind: "open", until: 10, turnedAway: 3 }],
    [
      "a half-open breaker",
      { kind: "half_open", succeeded: 1, turnedAway: 2, since: 20 },
      { kind: "half_open", succeeded: 1, turnedAway: 2, since: 10 },
    ],
    [
      "a half-open breaker without a stored start",
      { kind: "half_open", succeeded: 1, turnedAway: 2 },
      { kind: "half_open", succeeded: 1, turnedAway: 2 },
    ],
  ])("%s", (_what, breaker, moved) => {
    expect(shiftBreaker(breaker, -10)).toEqual(moved);
  });
});

test("in random traffic never has more probes in progress than configured", () => {
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
          const asked = admitCall(breaker, limited, probing, now);
          breaker = asked.breaker;
          if (asked.verdict.kind === "probe") probing += 1;
        } else {
          const wasProbe = probing > 0;
          if (wasProbe) probing -= 1;
          if (what !== "lost") breaker = recordCall(breaker, limited, call(what === "ok", wasProbe, now), now);
        }
        expect(probing).toBeLessThanOrEqual(halfOpenProbes);
      }
    }),
  );
});

// Computations in parts: running one without pauses, and making one of synchronous work.
import { expect, test } from "vitest";
import { computeAtOnce, type Computation } from "#kernel/computing/computation.ts";
import { inParts } from "#kernel/computing/in-parts.ts";
import { runPart, charge, countUncharged, type Work } from "#kernel/computing/work.ts";
import { COMPUTATION_PAUSE_UNITS } from "#schema/limits/isolates/computations.ts";

/** The cost of each part, and the result. */
function driven<T>(computation: Computation<T>): { readonly parts: readonly number[]; readonly value: T } {
  const parts: number[] = [];
  for (;;) {
    const next = computation.next();
    if (next.done === true) return { parts, value: next.value };
    parts.push(next.value);
  }
}

function sumUpTo(work: Work, count: number, cost: number): { readonly sum: number; readonly used: number } {
  let sum = 0;
  for (let n = 0; n < count; n++) {
    sum += runPart(work, () => {
      charge(work, cost);
      return n;
    });
  }
  return { sum, used: work.used };
}

test("a computation gives the same result to each driver", () => {
  expect(computeAtOnce(inParts((work) => sumUpTo(work, 10, 1)))).toEqual({ sum: 45, used: 10 });
});

test("work is paused after so many units, and what was computed by then is not computed again", () => {
  const made: number[] = [];
  const { parts, value } = driven(
    inParts((work) => {
      for (let n = 0; n < 5; n++) runPart(work, () => (charge(work, COMPUTATION_PAUSE_UNITS), made.push(n)));
      return work.used;
    }),
  );
  expect(made).toEqual([0, 1, 2, 3, 4]);
  expect(value).toBe(5 * COMPUTATION_PAUSE_UNITS);
  expect(parts.map((units) => Math.floor(units / COMPUTATION_PAUSE_UNITS))).toEqual([1, 1, 1, 1, 1, 0]);
});

test("parts inside a part are kept until it is done, and forgotten then", () => {
  const made: string[] = [];
  const said = (work: Work, name: string): string =>
    runPart(work, () => {
      charge(work, 1);
      made.push(name);
      return name;
    });
  const whole = (work: Work) => [
    runPart(work, () => [said(work, "a"), said(work, "b")]),
    runPart(work, () => [said(work, "c"), said(work, "d")]),
  ];
  const { parts, value } = driven(inParts((work) => ({ whole: whole(work), used: work.used }), 1));
  expect(value).toEqual({
    whole: [
      ["a", "b"],
      ["c", "d"],
    ],
    used: 4,
  });
  expect(made).toEqual(["a", "b", "c", "d"]);
  expect(parts.length).toBe(5);
});

test("what takes time without being paid for brings the pause nearer, and costs nothing", () => {
  const twice = (work: Work) => {
    for (let n = 0; n < 2; n++) runPart(work, () => countUncharged(work, 10));
    return work.used;
  };
  const { parts, value } = driven(inParts(twice, 10));
  expect([parts.length, value]).toEqual([3, 0]);
});

test("a part that fails fails each time, and those before it stay", () => {
  const made: string[] = [];
  const work = inParts((each) => {
    runPart(each, () => made.push("first"));
    try {
      runPart(each, () => {
        runPart(each, () => charge(each, 1));
        throw new Error("no");
      });
    } catch {
      return runPart(each, () => "went on");
    }
    return "unreached";
  }, 1);
  expect(computeAtOnce(work)).toBe("went on");
  expect(made).toEqual(["first"]);
  expect(() =>
    computeAtOnce(
      inParts(() => {
        throw new Error("broken");
      }),
    ),
  ).toThrow("broken");
});

test("what catches a pause without knowing is paused all the same", () => {
  const swallowing = inParts((work) => {
    try {
      runPart(work, () => charge(work, 1));
    } catch {
      // the library catches the pause
    }
    return runPart(work, () => "done");
  }, 1);
  expect(computeAtOnce(swallowing)).toBe("done");
  const swallowed = inParts((work) => {
    try {
      runPart(work, () => charge(work, 1));
    } catch {
      return "lost";
    }
    return "done";
  }, 1);
  expect(computeAtOnce(swallowed)).toBe("done");
});

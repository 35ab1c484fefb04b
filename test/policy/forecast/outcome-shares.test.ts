// Tests the spread of assumed outcomes over the attempts.
import { expect, test } from "vitest";
import { openOutcomeShares } from "#policy/forecast/outcome-shares.ts";

const failing = { error: { type: "timeout" } };
const slow = { takes: "PT5S" };

function counted(shares: Parameters<typeof openOutcomeShares>[0], action: string, count: number) {
  const outcomeFor = openOutcomeShares(shares);
  const outcomes = Array.from({ length: count }, () => outcomeFor(action, 1));
  return [failing, slow, null].map((one) => outcomes.filter((each) => each === one).length);
}

test("the assumed share fails exactly and evenly; the other attempts have no assumed outcome", () => {
  const shares = {
    mail: [
      { share: 0.05, outcome: failing },
      { share: 0.2, outcome: slow },
    ],
  };
  expect(counted(shares, "mail", 1_000)).toEqual([50, 200, 750]);
  expect(counted(shares, "call", 10)).toEqual([0, 0, 10]);
  const outcomeFor = openOutcomeShares(shares);
  const places = Array.from({ length: 200 }, () => outcomeFor("mail", 1)).flatMap((each, n) =>
    each === failing ? [n] : [],
  );
  const gaps = places.slice(1).map((place, n) => place - (places[n] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(40);
});

test("other actions use the shares of *, and attempts are counted separately", () => {
  const outcomeFor = openOutcomeShares({ "*": [{ share: 0.5, outcome: failing }] });
  const firsts = Array.from({ length: 10 }, () => outcomeFor("mail", 1));
  const seconds = Array.from({ length: 10 }, () => outcomeFor("mail", 2));
  expect([firsts, seconds].map((each) => each.filter((one) => one === failing).length)).toEqual([5, 5]);
});

// What an explanation says of each thing in it. Record it again with `npx vitest run --project node test/golden/sentences -u`.
import { expect, test } from "vitest";
import { emptyPrediction } from "#kernel/explain/predict-next.ts";
import { addSentences } from "#policy/advice/explanation/sentences.ts";
import type { Explanation } from "#schema/engine/explanation.ts";
import { lineCases, nextCases, notDoneCases } from "#test/policy/advice/explanation/next-cases.ts";
import { empty } from "#test/policy/advice/explanation/sentences-of.ts";
import { waitCases } from "#test/policy/advice/explanation/wait-cases.ts";

const told = (part: Partial<Explanation>) => addSentences({ ...empty, ...part });
const notNow: Explanation["notNow"] = [
  { event: "early", would: "kept", code: null },
  { event: "late", would: "refused", code: "event_too_late" },
  { event: "other", would: "refused", code: null },
];

test("what an explanation says", async () => {
  const parts: { readonly [part: string]: readonly string[] } = {
    "in one line": lineCases.map(([part]) => told(part).says),
    "what comes next": nextCases.map(([part]) => told({ next: { ...emptyPrediction("time"), ...part } }).next.says),
    ...saidOf(waitCases, ([wait, , , about]) => told({ waits: [wait], ...about }).waits[0]?.says),
    ...saidOf(notDoneCases, ([not]) => told({ notDone: [not] }).notDone[0]?.says),
    "an event that is not for now": told({ notNow }).notNow.map(({ says }) => says),
  };
  const text = Object.entries(parts).map(([part, lines]) => `# ${part}\n${lines.map((line) => `${line}\n`).join("")}`);
  await expect(text.join("\n")).toMatchFileSnapshot("./explanation.txt");
});

function saidOf<Case>(cases: { readonly [test: string]: readonly Case[] }, say: (one: Case) => string | undefined) {
  return Object.fromEntries(Object.entries(cases).map(([what, list]) => [what, list.map((one) => say(one) ?? "")]));
}

// Advice: what is recommended, and what to do about a failure. Record it again with
// `npx vitest run --project node test/golden/sentences -u`.
import { expect, test } from "vitest";
import { planLoad } from "#policy/advice/load-plan.ts";
import { recommend } from "#policy/advice/recommend.ts";
import { fixesByCode, fixFor } from "#policy/advice/suggested-fix.ts";
import { fixesByType, fixOfUnknownType } from "#policy/advice/fix/by-type.ts";
import { loadConfig } from "#schema/load.ts";
import { rehearsed, rehearsedCases } from "#test/policy/advice/rehearsed-cases.ts";
import { repeatCases, safetyIn } from "#test/policy/advice/repeat-cases.ts";
import { adviceIn, lateCase, signerCases } from "#test/policy/advice/signer-cases.ts";

const text = (title: string, lines: readonly string[]): string => `# ${title}\n${lines.map((l) => `${l}\n`).join("")}`;

test("what is advised", async () => {
  const repeats = repeatCases.map((each) => `${each[0]}: ${safetyIn(each).why}`);
  const signers = [...signerCases, lateCase].flatMap((each) => adviceIn(each).map((said) => `${each[0]}: ${said}`));
  const recommended = rehearsedCases.flatMap(([what, over, action]) =>
    recommend(rehearsed(over, action)).map(({ code, message, hint }) => `${what}: ${code}: ${message}\n  ${hint}`),
  );
  const parts = [
    text("whether a dead letter can be sent again", repeats),
    text("a signer's transactions", signers),
    text("after a rehearsal", recommended),
    text("a load plan's notes", loadNotes()),
  ];
  await expect(parts.join("\n")).toMatchFileSnapshot("./advice.txt");
});

test("what to do about a failure", async () => {
  const { suggestedFix } = fixFor({ errorType: "timeout", code: null, reason: "time_budget_spent" });
  const of = (fixes: typeof fixesByCode) => Object.entries(fixes).map(([code, fix]) => `${code}: ${fix?.suggestedFix}`);
  const parts = [
    text("by code", of(fixesByCode)),
    text("by type", of(fixesByType)),
    text("otherwise", [fixOfUnknownType.suggestedFix, suggestedFix]),
  ];
  await expect(parts.join("\n")).toMatchFileSnapshot("./fixes.txt");
});

function loadNotes(): readonly string[] {
  const url = "http://127.0.0.1:8788/sink";
  const actions = [
    { type: "delay", config: {} },
    { type: "email", config: {} },
    { type: "contract_call", config: {} },
    { type: "webhook", config: { url: "https://example.com" } },
    { type: "webhook", config: { url }, dedupKey: "order-{{ n }}" },
    { type: "webhook", config: { url }, delay: "PT1M" },
  ];
  return [0, 1_000].flatMap((rampUpTime) =>
    actions.flatMap((action) => {
      const planned = planLoad(action, loadConfig.parse({ concurrency: 1, duration: 5_000, rampUpTime }));
      return planned.ok ? planned.plan.notes.map((note) => `${action.type}: ${note}`) : [];
    }),
  );
}

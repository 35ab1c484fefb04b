// An assumption of each kind, as previews show it. Record it again with `npx vitest run --project node test/golden/sentences -u`.
import { expect, test } from "vitest";
import type { Assumption } from "#schema/virtual/expected-actions.ts";
import { assumptionSays } from "#wire/preview/assumption.ts";

const assumptions: readonly Assumption[] = [
  ...(["succeeds", "fails", "retried", "archived"] as const).map((kind) => ({ kind, of: "mail" })),
  { kind: "event", of: "paid" },
  { kind: "patched", of: "date, name" },
  { kind: "observed", of: "" },
  { kind: "desired", of: "replicas" },
  { kind: "silence", of: "asked" },
  { kind: "silence", of: "" },
  ...(["paused", "resumed", "canceled"] as const).map((kind) => ({ kind, of: "" }) as const),
  ...(["task", "child"] as const).flatMap((kind) =>
    (["completed", "canceled", "failed"] as const).map((as) => ({ kind, of: "approve", as })),
  ),
];

test("what an assumption says", async () => {
  const lines = assumptions.map((each) => `${JSON.stringify(each)}\n  ${assumptionSays(each)}\n`);
  await expect(lines.join("")).toMatchFileSnapshot("./assumptions.txt");
});

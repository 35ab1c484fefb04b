// What starts itself for ever, through the real Worker: it is stopped at a depth that has a name, and hears why.
import { expect, test } from "vitest";
import { CHILD_DEPTH_MAX } from "#schema/limits/executions.ts";
import { engine } from "../engine.ts";
import { childOf, parent } from "./family.ts";

test("an execution that starts itself for ever, and waits, is stopped by the limit and hears of it", async () => {
  const here = await engine(parent({ definition: "endless" }, { name: "endless" }));
  const outermost = await here.start("endless");
  const chain = [outermost];
  for (let depth = 1; depth <= CHILD_DEPTH_MAX; depth += 1) {
    const started = await childOf(here, chain.at(-1) ?? "");
    expect((await here.read(started)).parent).toMatchObject({ execution: chain.at(-1), waits: true, depth });
    chain.push(started);
  }
  await here.reaches(chain.at(-1) ?? "", "failed");
  const [refused] = await here.runs(chain.at(-1) ?? "");
  expect(refused).toMatchObject({
    status: "failed",
    attempt: 1,
    error: { type: "invalid_configuration", code: "limit_exceeded" },
  });
  expect(refused.error.message).toContain("CHILD_DEPTH_MAX");
  // Each tells the one above it.
  await here.reaches(outermost, "failed");
});

import { expect, it } from "vitest";
import { chain, engine, provider, until } from "#test/flows/engine.ts";
import { meter } from "./meter.ts";

const tally = (lines: readonly string[]) => Object.entries(Object.groupBy(lines, (l) => l.slice(0, 45))).map(([k, v]) => `${k} x${v!.length}`);

it("pooled", async () => {
  provider();
  const { must } = await engine(chain("one", ["a"], { placement: "pooled" }));
  const m = await meter();
  const all = async (count: number) => {
    for (let i = 0; i < count; i += 100) await must(200, "POST", "/v1/executions/batch", { body: { executions: Array.from({ length: 100 }, () => ({ definition: "one" })) } });
  };
  const done = (n: number) => until("list", async () => {
    let cursor = "", sum = 0;
    for (;;) { const p = await must(200, "GET", `/v1/executions?status=completed&limit=200${cursor}`); sum += p.data.length; if (!p.nextCursor) break; cursor = `&cursor=${p.nextCursor}`; }
    return sum === n ? true : null; }, 20000);
  await all(200); await done(200);
  await scheduler.wait(500);
  console.log("cold", m.bill, tally(m.lines)); m.reset();
  await all(200); await done(400);
  await scheduler.wait(500);
  console.log("warm", m.bill, tally(m.lines)); m.reset();
  await Promise.all(Array.from({ length: 200 }, () => must(201, "POST", "/v1/executions", { body: { definition: "one" } })));
  await done(600);
  await scheduler.wait(500);
  console.log("warm single", m.bill, tally(m.lines)); m.reset();
}, 60000);

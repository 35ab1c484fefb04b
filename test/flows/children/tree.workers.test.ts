// The tree around an execution, through the real Worker: those above and below it as they are now, page by page, whatever
// the lists know of them.
import { expect, test } from "vitest";
import { engine, until, type Engine } from "../engine.ts";
import { child, childOf, parent } from "./family.ts";

const many = (count: number, type = "child") => ({
  kind: "machine",
  name: "many",
  initial: "work",
  concurrency: count,
  states: { work: { on: { end: "done" } }, done: { type: "final" } },
  actions: Array.from({ length: count }, (_, n) => ({
    actionId: `begin${n}`,
    type: "start_execution",
    triggerState: "work",
    config: { definition: type, wait: n % 2 === 0, onCancel: "leave" },
  })),
});
type Node = { execution: string; parent: string | null; depth: number; status: string; asOf: string };
const tree = (here: Engine, execution: string, query = "") =>
  here.must(200, "GET", `/v1/executions/${execution}/tree${query}`);
const begun = (here: Engine, execution: string, count: number) =>
  until("all have begun", async () => {
    const runs = await here.runs(execution);
    return runs.filter(({ result }) => result !== null).length === count ? runs : null;
  });

test("shows who is above and who is below, where each stands, and for what it waits", async () => {
  const here = await engine(
    child(),
    parent({}, { name: "middle" }),
    parent({ definition: "middle" }, { name: "outer" }),
  );
  const outer = await here.start("outer");
  const middle = await childOf(here, outer);
  const inner = await childOf(here, middle);
  await until("the innermost is there", async () => ((await here.read(inner)).status === "waiting" ? true : null));
  const { above, data, nextCursor, lists } = await tree(here, middle);
  expect(above).toMatchObject([
    { execution: outer, parent: null, depth: -1, definition: { name: "outer" }, asOf: "now" },
  ]);
  expect(data).toMatchObject([
    { execution: middle, parent: outer, depth: 0, startedBy: { action: "begin", waits: true }, status: "waiting" },
    { execution: inner, parent: middle, depth: 1, states: ["working"], waitingFor: [{ for: "event" }], cut: false },
  ]);
  expect([nextCursor, lists]).toEqual([null, "read"]);
  expect((await tree(here, outer)).data.map(({ depth }: Node) => depth)).toEqual([0, 1, 2]);
  await here.must(200, "POST", `/v1/executions/${outer}/cancel`, { body: {} });
  await here.reaches(inner, "canceled");
  expect((await tree(here, outer)).data.map(({ status }: Node) => status)).toEqual([
    "canceled",
    "canceled",
    "canceled",
  ]);
});

test("comes page by page: each once, before its children, and none left out", async () => {
  const here = await engine(child(), parent(), many(5, "parent"));
  const execution = await here.start("many");
  const runs = await begun(here, execution, 5);
  const kids: string[] = runs.map(({ result }) => result.execution);
  for (const kid of kids) await childOf(here, kid);
  const whole: Node[] = (await tree(here, execution)).data;
  expect(whole).toHaveLength(11);
  expect(whole.filter(({ depth }) => depth === 1).map(({ execution: id }) => id)).toEqual(kids.toSorted());
  for (const limit of [1, 2, 3, 10]) {
    const paged: Node[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await tree(here, execution, `?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(limit);
      expect(page.above).toEqual([]);
      paged.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(paged.map(({ execution: id }) => id)).toEqual(whole.map(({ execution: id }) => id));
  }
  const at = new Map(whole.map(({ execution: id }, n) => [id, n]));
  expect(whole.every(({ execution: id, parent: up }) => up === null || Number(at.get(up)) < Number(at.get(id)))).toBe(
    true,
  );
});

test("of another tenant is not there, and neither are its children", async () => {
  const [here, other] = [await engine(child(), parent()), await engine()];
  const execution = await here.start("parent");
  await childOf(here, execution);
  await other.must(404, "GET", `/v1/executions/${execution}/tree`);
  await here.must(404, "GET", "/v1/executions/exe_nobody/tree");
});

test("refuses a cursor that it has not given out, and a page that is too large", async () => {
  const here = await engine(child());
  const execution = await here.start("child");
  const refused = await here.must(400, "GET", `/v1/executions/${execution}/tree?cursor=zzz`);
  expect(refused.errors).toMatchObject([{ code: "invalid_cursor" }]);
  await here.must(400, "GET", `/v1/executions/${execution}/tree?limit=51`);
});

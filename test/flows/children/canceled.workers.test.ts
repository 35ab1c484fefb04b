// A parent that is canceled, or fails, through the real Worker: its children are canceled, left or waited for, whatever is
// lost on the way.
import { expect, test } from "vitest";
import { bindings, engine, until, type Engine } from "../engine.ts";
import { replace } from "../queues.ts";
import { child, childOf, later, noted, parent } from "./family.ts";

const cancel = (here: Engine, execution: string, body: object = {}) =>
  here.must(200, "POST", `/v1/executions/${execution}/cancel`, { body });
const finish = (here: Engine, execution: string) =>
  here.must(200, "POST", `/v1/executions/${execution}/events`, { body: { type: "finish" } });

test.each([
  ["own", "own"],
  ["pooled", "pooled"],
  ["own", "pooled"],
])("a child (%s) is canceled with its parent (%s), and both say so", async (theirs, placement) => {
  const here = await engine(child({ placement: theirs }), parent({}, { placement }));
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  expect((await here.read(execution)).children).toEqual([
    { run: expect.any(String), action: "begin", execution: started, onCancel: "cancel", stopping: false },
  ]);
  await cancel(here, execution, { reason: "ordered twice" });
  expect((await here.reaches(started, "canceled")).reason).toBe("parent_canceled");
  expect(await noted(here, execution, "child_settled")).toMatchObject({ execution: started, found: "canceled" });
  expect(await here.read(execution)).not.toHaveProperty("children");
});

test("a child is canceled with a parent that fails", async () => {
  const here = await engine(child(), parent());
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  await here.must(200, "POST", `/v1/executions/${execution}/events`, { body: { type: "give_up" } });
  await here.reaches(execution, "failed");
  expect((await here.reaches(started, "canceled")).reason).toBe("parent_failed");
});

test("children of children are canceled, too", async () => {
  const here = await engine(
    child(),
    parent({}, { name: "middle" }),
    parent({ definition: "middle" }, { name: "outer" }),
  );
  const execution = await here.start("outer");
  const middle = await childOf(here, execution);
  const inner = await childOf(here, middle);
  await cancel(here, execution);
  for (const each of [middle, inner]) await here.reaches(each, "canceled");
});

test("a child that is to be left goes on, and its parent names it", async () => {
  const here = await engine(child(), parent({ onCancel: "leave" }));
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  await cancel(here, execution);
  expect(await noted(here, execution, "children_left")).toMatchObject({ children: [{ execution: started }] });
  await finish(here, started);
  await here.reaches(started, "completed");
  expect(await noted(here, started, "parent_notified")).toMatchObject({ refused: "execution_final" });
});

test("a child that is to be waited for: the parent is ending until it has ended, and says for whom it waits", async () => {
  const here = await engine(child(), parent({ onCancel: "wait" }));
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  const answer = await cancel(here, execution, { reason: "ordered twice" });
  expect(answer.execution).toMatchObject({
    status: "waiting",
    ending: { as: "canceled", reason: "ordered twice" },
    waitingFor: [{ for: "child", action: "begin", execution: started }],
  });
  const explained = await here.must(200, "GET", `/v1/executions/${execution}/explain`);
  expect(explained.waits).toMatchObject([{ for: "children", how: "awaited", execution: started }]);
  const late = await here.must(409, "POST", `/v1/executions/${execution}/events`, { body: { type: "give_up" } });
  expect(late).toMatchObject({ code: "execution_final", detail: expect.any(String) });
  await finish(here, started);
  expect((await here.reaches(execution, "canceled")).reason).toBe("ordered twice");
  await here.reaches(started, "completed");
  await until("the audit log says it once", async () => {
    const audit = await here.must(200, "GET", `/v1/audit?target=${execution}`);
    return audit.data.filter(({ verb }: { verb: string }) => verb === "execution.cancel").length === 1 ? true : null;
  });
});

test("whoever waits for a child no longer cancels again, and says what becomes of it", async () => {
  const here = await engine(child(), parent({ onCancel: "wait" }));
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  await cancel(here, execution);
  expect((await cancel(here, execution)).execution.status).toBe("waiting");
  expect((await cancel(here, execution, { children: "cancel" })).execution.status).toBe("canceled");
  await here.reaches(started, "canceled");
});

test("a parent that is paused holds none of its children, and cancels them all the same", async () => {
  const here = await engine(
    child({ states: { working: { on: { go: "on" } }, on: { on: { finish: "done" } }, done: { type: "final" } } }),
    parent(),
  );
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  await here.must(200, "POST", `/v1/executions/${execution}/pause`);
  await here.must(200, "POST", `/v1/executions/${started}/events`, { body: { type: "go" } });
  expect((await here.read(started)).states).toEqual(["on"]);
  await cancel(here, execution);
  await here.reaches(started, "canceled");
});

test("a message that is lost is sent again by the parent's alarm, after its object went down as well", async () => {
  const here = await engine(child(), parent());
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  const lost: unknown[] = [];
  const restore = replace(
    bindings.ACTIONS,
    "sendBatch",
    async (_real, batch) => void lost.push(...(batch as Iterable<unknown>)),
  );
  await cancel(here, execution);
  await until("the message is lost", () => (lost.length > 0 ? lost : null));
  restore();
  expect((await here.read(started)).status).toBe("waiting");
  expect((await here.read(execution)).children).toMatchObject([{ execution: started, stopping: true }]);
  await here.must(409, "DELETE", `/v1/executions/${execution}`);
  await later(here, execution, 61_000);
  await here.reaches(started, "canceled");
  await noted(here, execution, "child_settled");
  await here.must(200, "DELETE", `/v1/executions/${execution}`);
});

test("a child that has ended by then is let go of, and stays as it ended", async () => {
  const here = await engine(child(), parent());
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  const restore = replace(bindings.ACTIONS, "sendBatch", async () => {});
  await finish(here, started);
  await cancel(here, execution);
  restore();
  await later(here, execution, 61_000);
  expect(await noted(here, execution, "child_settled")).toMatchObject({ found: "ended" });
  expect((await here.read(started)).status).toBe("completed");
});

test("a dry run says what would become of them", async () => {
  const here = await engine(child(), parent());
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  const path = `/v1/executions/${execution}/cancel?dryRun=true`;
  const { entries } = await here.must(200, "POST", path, { body: {} });
  const stopped = entries.find(({ kind }: { kind: string }) => kind === "children_stopped");
  expect(stopped).toMatchObject({ children: [{ execution: started }] });
  expect((await here.read(started)).status).toBe("waiting");
});

// One execution starting another and waiting for it, through the real Worker: started once, heard of once, nothing lost.
import { expect, test } from "vitest";
import { bindings, engine, hook, provider, until, type Engine } from "./engine.ts";
import { later } from "./children/family.ts";
import { replace } from "./queues.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const parent = (name: string, more: object = {}) => ({
  kind: "machine",
  name,
  initial: "starting",
  states: {
    starting: { on: { "action.begin.ok": "waiting", "action.begin.failed": "refused" } },
    waiting: {
      on: {
        child_completed: { target: "done", assign: { child: { var: "message.payload" } } },
        child_failed: "refused",
        child_canceled: { target: "refused", assign: { child: { var: "message.payload" } } },
      },
    },
    done: { type: "final" },
    refused: { type: "final", outcome: "failed" },
  },
  actions: [
    {
      actionId: "begin",
      type: "start_execution",
      triggerState: "starting",
      config: { definition: "child", variables: { answer: 42 }, wait: true, ...more },
    },
  ],
});

const child = (more: object = {}) => ({
  kind: "machine",
  name: "child",
  initial: "working",
  states: { working: { on: { finish: "done" } }, done: { type: "final" } },
  ...more,
});
const quick = (more: object = {}) => child({ initial: "done", states: { done: { type: "final" } }, ...more });

async function childOf(here: Engine, execution: string): Promise<string> {
  return until("the child has begun", async () => (await here.runs(execution))[0]?.result?.execution ?? null);
}

test.each([
  ["own", "own"],
  ["pooled", "pooled"],
])("a parent (%s) hears of its child's end (%s)", async (placement, theirs) => {
  const here = await engine(child({ placement: theirs }), { ...parent("parent"), placement });
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  const found = await here.read(started);
  expect(found).toMatchObject({ variables: { answer: 42 }, parent: { execution, action: "begin" } });
  await here.must(200, "POST", `/v1/executions/${started}/events`, { body: { type: "finish" } });
  const ended = await here.reaches(execution, "completed");
  expect(ended.variables.child).toMatchObject({
    execution: started,
    status: "completed",
    actionId: "begin",
    variables: { answer: 42 },
  });
  const [run] = await here.runs(execution);
  expect(run).toMatchObject({ lane: "queue", status: "ok" });
  await until("the child knows", async () => {
    const told = (await here.journal(started)).find(({ kind }) => kind === "parent_notified");
    return told?.refused === null ? told : null;
  });
});

test("nobody but the engine says that a child has ended; then the engine does, and is heard", async () => {
  const here = await engine(child(), parent("parent"));
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  const path = `/v1/executions/${execution}/events`;
  const payload = { execution: started, status: "completed", variables: { answer: 0 } };
  await here.must(400, "POST", path, { body: { type: "child_completed", payload } });
  // Its id alone would have the real news taken for a repeat.
  await here.must(400, "POST", path, { body: { type: "anything", id: `child/${started}` } });
  await here.must(200, "POST", `/v1/executions/${started}/events`, { body: { type: "finish" } });
  expect((await here.reaches(execution, "completed")).variables.child).toMatchObject({ variables: { answer: 42 } });
});

test("a child that has ended before its parent waits is heard of all the same", async () => {
  const here = await engine(quick(), parent("parent"));
  await here.reaches(await here.start("parent"), "completed");
});

test("a canceled child is told of as canceled", async () => {
  const here = await engine(child(), parent("parent"));
  const execution = await here.start("parent");
  await here.must(200, "POST", `/v1/executions/${await childOf(here, execution)}/cancel`);
  expect((await here.reaches(execution, "failed")).variables.child).toMatchObject({ status: "canceled" });
});

test("a message that is lost is sent again by the child's alarm", async () => {
  const here = await engine(child(), parent("parent"));
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  const lost: unknown[] = [];
  const restore = replace(
    bindings.ACTIONS,
    "sendBatch",
    async (_real, batch) => void lost.push(...(batch as Iterable<unknown>)),
  );
  await here.must(200, "POST", `/v1/executions/${started}/events`, { body: { type: "finish" } });
  await until("the message is lost", () => (lost.length > 0 ? lost : null));
  restore();
  expect((await here.read(execution)).status).toBe("waiting");
  await later(here, started, 61_000);
  await here.reaches(execution, "completed");
});

test("a parent that has ended keeps no child from resting", async () => {
  const here = await engine(child(), parent("parent"));
  const execution = await here.start("parent");
  const started = await childOf(here, execution);
  await here.must(200, "POST", `/v1/executions/${execution}/cancel`);
  await here.must(200, "POST", `/v1/executions/${started}/events`, { body: { type: "finish" } });
  await until("the child knows", async () => {
    const told = (await here.journal(started)).find(({ kind }) => kind === "parent_notified");
    return told?.refused === "execution_final" ? told : null;
  });
});

test("an unknown definition is the run's failure, and says which", async () => {
  const here = await engine(parent("parent", { definition: "nobody" }));
  const execution = await here.start("parent");
  await here.reaches(execution, "failed");
  const [run] = await here.runs(execution);
  expect(run).toMatchObject({ status: "failed", attempt: 1, error: { type: "not_found" } });
  expect(run.error.message).toContain("nobody");
});

test("such an action cannot ask for the direct lane", async () => {
  const here = await engine();
  const [begin] = parent("parent").actions;
  const body = { ...parent("parent"), actions: [{ ...begin, lane: "direct" }] };
  const refused = await here.must(422, "POST", "/v1/definitions", { body });
  expect(refused.errors).toMatchObject([{ pointer: "/actions/0/lane", code: "lane_not_possible" }]);
});

test("an event sent by one execution reaches the other, once", async () => {
  const says = {
    kind: "machine",
    name: "says",
    initial: "saying",
    states: {
      saying: { on: { "action.say.ok": "said", "action.say.failed": "lost" } },
      said: { type: "final" },
      lost: { type: "final", outcome: "failed" },
    },
    actions: [
      {
        actionId: "say",
        type: "send_event",
        triggerState: "saying",
        config: { execution: "{{ execution.variables.to }}", type: "finish", eventId: "finish-1" },
      },
    ],
  };
  const here = await engine(
    child({
      states: { working: { on: { finish: "again" } }, again: { on: { finish: "done" } }, done: { type: "final" } },
    }),
    says,
  );
  const to = await here.start("child");
  for (const _time of [1, 2]) await here.reaches(await here.start("says", { variables: { to } }), "completed");
  expect((await here.read(to)).states).toEqual(["again"]);
  const gone = await here.start("says", { variables: { to: "exe_nobody" } });
  await here.reaches(gone, "failed");
  expect((await here.runs(gone))[0]).toMatchObject({ error: { type: "not_found", code: "not_found" } });
});

test("what failed a child is handled by the parent that took it, and no bulk retry sends it again", async () => {
  const { calls } = provider(() => new Response("no such address", { status: 422 }));
  const ship = hook("ship", { triggerState: "working", retryPolicy: { maxAttempts: 1 }, onExhausted: "fail" });
  const states = { working: { on: { "action.ship.ok": "done" } }, done: { type: "final" } };
  const here = await engine(child({ states, actions: [ship] }), parent("parent"));
  const execution = await here.start("parent");
  expect((await here.reaches(execution, "failed")).states).toEqual(["refused"]);
  const started = await childOf(here, execution);
  const [letter] = await until("its dead letter is handled", async () => {
    const { data } = await here.must(200, "GET", "/v1/dead-letters?handled=true");
    return data.length === 1 ? data : null;
  });
  const shown = await here.must(200, "GET", `/v1/dead-letters/${letter.id}`);
  const handledBy = { event: "child_failed", state: "refused", parent: execution };
  expect(shown).toMatchObject({ execution: started, standing: "handled", handledBy });
  const refused = await here.must(409, "POST", `/v1/dead-letters/${letter.id}/retry`, { body: {} });
  expect(refused.detail).toMatch(namingPattern(execution, "child_failed", "refused"));
  const dry = await here.must(200, "POST", "/v1/dead-letters/retry-all?dryRun=true", { body: { filter: {} } });
  expect(dry).toMatchObject({ matching: 0, skipped: { handled: 1 } });
  expect(calls).toHaveLength(1);
});

// Restarting, through the real Worker: what an execution has made is not made again, and everything says from where it goes on.
import { expect, test } from "vitest";
import { engine, hook, provider, until, type Engine } from "../engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

const order = {
  kind: "machine",
  name: "order",
  variables: { address: "nowhere" },
  initial: "label",
  states: {
    label: { on: { "action.print.ok": { target: "ship", assign: { label: { var: "message.payload.result" } } } } },
    ship: { on: { "action.send.ok": "done", "action.send.failed": "lost" } },
    lost: { on: { again: "ship" } },
    done: { type: "final" },
  },
  actions: [
    hook("print", { triggerState: "label" }),
    hook("send", {
      triggerState: "ship",
      retryPolicy: { maxAttempts: 1 },
      config: { url: "https://provider.example.com/send/{{ execution.variables.address }}" },
    }),
  ],
};
/** The address is not known at first. */
const shop = () =>
  provider(({ url }) =>
    url.pathname.endsWith("/nowhere") ? new Response("who?", { status: 422 }) : Response.json({ ok: true }),
  );
const lost = async (here: Engine) => {
  const execution = await here.start("order");
  await until("it is lost", async () => ((await here.read(execution)).states[0] === "lost" ? true : null));
  return execution;
};
const restart = (here: Engine, execution: string, body: object, status = 201, headers = {}) =>
  here.must(status, "POST", `/v1/executions/${execution}/restart`, { body, headers });

test("an execution goes on where another one was, with other variables, and repeats nothing", async () => {
  const { calls } = shop();
  const here = await engine(order);
  const execution = await lost(here);
  await here.must(200, "POST", `/v1/executions/${execution}/cancel`, { body: {} });
  const body = { from: { state: "label" }, variables: { address: "home" }, reason: "wrong address" };
  const answer = await restart(here, execution, body);
  const { id } = answer.execution;
  expect(answer).toMatchObject({
    restartOf: { execution, from: { state: "label" } },
    madeIsWhole: true,
    repeated: false,
  });
  expect(answer.made).toMatchObject([
    { run: "1.0", action: "print", key: `${execution}/1.0`, known: true, reused: true, because: null },
  ]);
  const ended = await here.reaches(id, "completed");
  expect(ended).toMatchObject({ restartOf: { execution }, variables: { address: "home" } });
  expect(ended.variables.label).toEqual((await here.read(execution)).variables.label);
  expect(ended.variables.label).toBeTypeOf("object");
  expect(calls.map(({ url }) => url.pathname)).toEqual(["/print", "/send/nowhere", "/send/home"]);
  expect(calls.at(-1)?.key).toContain(id);
  const [begun, ...rest] = await here.journal(id);
  expect(begun).toMatchObject({
    kind: "started",
    restartOf: execution,
    place: { state: "label" },
    reason: "wrong address",
  });
  expect(rest.find(({ kind }) => kind === "run_reused")).toMatchObject({
    action: "print",
    of: { execution, run: "1.0" },
  });
  const [printed] = await here.runs(id);
  expect(printed).toMatchObject({ action: "print", status: "ok", reason: "result_reused", attempt: 0 });
  const row = await until("the audit has it", async () => {
    const { data } = await here.must(200, "GET", `/v1/audit?target=${execution}`);
    return data.find(({ verb }: { verb: string }) => verb === "execution.restart") ?? null;
  });
  expect(row).toMatchObject({ reason: "wrong address" });
});

test("what is to be done again is done again, under a key of its own", async () => {
  const { calls } = shop();
  const here = await engine(order);
  const execution = await lost(here);
  const body = { from: { state: "label" }, variables: { address: "home" }, repeat: ["print"], cancel: true };
  const answer = await restart(here, execution, body);
  expect(answer.made).toMatchObject([{ action: "print", reused: false, because: "repeat_requested" }]);
  await here.reaches(answer.execution.id, "completed");
  expect((await here.read(execution)).status).toBe("canceled");
  const keys = calls.filter(({ url }) => url.pathname === "/print").map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

test("one that has not ended is refused, and says what to do; a dry run changes nothing", async () => {
  shop();
  const here = await engine(order);
  const execution = await lost(here);
  const refused = await restart(here, execution, { from: { state: "ship" } }, 409);
  expect([refused.code, refused.errors?.[0]?.hint ?? refused.hint ?? refused.detail]).toEqual([
    "execution_live",
    naming('"cancel": true'),
  ]);
  const dry = await here.must(200, "POST", `/v1/executions/${execution}/restart?dryRun=true`, {
    body: { from: { state: "label" }, variables: { address: "home" }, cancel: true },
  });
  expect(dry).toMatchObject({ dryRun: true, made: [{ action: "print", reused: true }] });
  expect(dry.entries.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(["started", "run_reused", "run_created"]),
  );
  expect((await here.read(execution)).status).toBe("waiting");
  expect((await here.must(200, "GET", "/v1/executions?definition=order")).data.length).toBeLessThanOrEqual(1);
});

test("the same request under the same key is one restart; another one under it is refused", async () => {
  const { calls } = shop();
  const here = await engine(order);
  const execution = await lost(here);
  const body = { from: { state: "label" }, variables: { address: "home" }, cancel: true };
  const headers = { "Idempotency-Key": "again-1" };
  const first = await restart(here, execution, body, 201, headers);
  await here.reaches(first.execution.id, "completed");
  const second = await restart(here, execution, body, 200, headers);
  expect(second).toMatchObject({ repeated: true, execution: { id: first.execution.id } });
  await restart(here, execution, { ...body, from: { state: "ship" } }, 422, headers);
  expect(calls.map(({ url }) => url.pathname).toSorted()).toEqual(["/print", "/send/home", "/send/nowhere"]);
});

test("bad places are named, and cancel nothing", async () => {
  shop();
  const here = await engine(order);
  const execution = await lost(here);
  const cancel = { cancel: true };
  const wrong = await restart(here, execution, { from: { state: "shipp" }, ...cancel }, 400);
  expect(wrong.errors).toMatchObject([{ pointer: "/from/state", hint: naming("ship") }]);
  await restart(here, execution, { from: { node: "ship" }, ...cancel }, 400);
  await restart(here, execution, { from: { state: "ship" }, version: 9, ...cancel }, 404);
  await restart(here, execution, { from: {} }, 400);
  // Nothing was canceled for it.
  expect((await here.read(execution)).status).toBe("waiting");
  await restart(here, "exe_nobody", { from: { state: "ship" } }, 404);
  const other = await engine();
  await restart(other, execution, { from: { state: "ship" } }, 404);
});

test("another version goes on where the earlier one was", async () => {
  shop();
  const here = await engine(order);
  const execution = await lost(here);
  const states = {
    ...order.states,
    ship: { on: { "action.send.ok": "thanks", "action.send.failed": "lost" } },
    thanks: { type: "final" },
  };
  await here.must(201, "POST", "/v1/definitions", { body: { ...order, states } });
  const body = { from: { state: "ship" }, variables: { address: "home" }, version: 2, cancel: true };
  const { execution: next } = await restart(here, execution, body);
  expect((await here.reaches(next.id, "completed")).states).toEqual(["thanks"]);
});

test("a journey that takes everybody once takes one up again", async () => {
  const { calls } = shop();
  const here = await engine({
    kind: "journey",
    name: "welcome",
    subject: { var: "execution.variables.who" },
    reentry: "once",
    initial: "greet",
    nodes: {
      greet: { type: "webhook", config: { url: "https://provider.example.com/greet" }, next: "remind" },
      remind: { type: "delay", for: "P1D", next: "thank" },
      thank: { type: "webhook", config: { url: "https://provider.example.com/thank" } },
    },
  });
  const execution = await here.start("welcome", { variables: { who: "ada" } });
  await until("it waits", async () => ((await here.read(execution)).states[0] === "remind" ? true : null));
  const { execution: next } = await restart(here, execution, { from: { node: "thank" }, cancel: true });
  expect((await here.reaches(next.id, "completed")).journey).toMatchObject({
    completedNodes: ["greet", "thank"],
    skippedNodes: ["remind"],
  });
  expect(calls.map(({ url }) => url.pathname)).toEqual(["/greet", "/thank"]);
  await here.must(409, "POST", "/v1/executions", { body: { definition: "welcome", variables: { who: "ada" } } });
});

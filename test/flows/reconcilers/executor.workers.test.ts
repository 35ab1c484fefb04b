// What the async action executor promises, by the names its design gives these tests: one action at a time, a worker that is
// not asked while its action is under way, stuck actions found, and retries that wait longer each time.
import { describe, expect, it, vi } from "vitest";
import { until } from "../engine.ts";
import { A_TICK_AND_MORE_MS, benthos, GONE, GONE_REASON, RUNNING_REASON, RUNS, slowHost } from "./worker.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

// Waiting is by looking, so this is only for machines that are busy with something else.
vi.setConfig({ testTimeout: 60_000 });

describe("TestOneActionAtATime", () => {
  it("a second action is refused while one is in flight, and says which", async () => {
    const { host, release } = slowHost();
    const worker = await benthos({ host });
    await worker.when("start is in flight", ({ actionStatus }) => actionStatus.inProgress);
    const { status, body } = await worker.shop.ask("POST", `${worker.at}/run-now`, { body: { action: "stop" } });
    expect([status, body.code, body.detail]).toEqual([409, "action_queue_full", naming("start")]);
    expect(await worker.runs()).toHaveLength(1);
    release();
    await worker.when("start is done", ({ actionStatus }) => actionStatus.succeeded);
    expect(new Set(worker.asked())).toEqual(new Set(["/start"]));
  });
});

describe("TestWorkerBlockedDuringAction", () => {
  it("while an action is in flight no rule is looked at, and observations still arrive", async () => {
    const { host, release } = slowHost();
    const worker = await benthos({ host });
    await worker.when("start is in flight", ({ actionStatus }) => actionStatus.inProgress);
    for (let n = 1; n <= 10; n++) {
      const { execution } = await worker.observe({ ...RUNS, n });
      expect(execution).toMatchObject({ state: "TryingToStart", observed: { revision: n, value: { n } } });
      await worker.shop.must(200, "POST", `${worker.at}/poke`);
    }
    await scheduler.wait(A_TICK_AND_MORE_MS);
    await worker.shop.must(200, "POST", `${worker.at}/poke`);
    expect(await worker.decided()).toMatchObject([{ does: "emit", to: "start" }]);
    expect(await worker.read()).toMatchObject({
      state: "TryingToStart",
      actionStatus: { inProgress: true, actionName: "start", succeeded: false, failed: false, retries: 0 },
    });
    release();
    await worker.when("start is done", ({ actionStatus }) => actionStatus.succeeded);
    await worker.observe({ ...RUNS, n: 11 });
    await worker.when("it is running", ({ state }) => state === "Running");
  });
});

describe("TestActionTimeout", () => {
  it("an action without an answer fails when its time is up, and rules see that it did", async () => {
    const once = { maxAttempts: 1, backoffStrategy: "fixed", baseDelay: 0, jitter: "none" };
    const { host, release } = slowHost();
    const worker = await benthos({ host, start: { timeout: 300, retryPolicy: once } });
    const { actionStatus } = await worker.when("start has failed", (found) => found.actionStatus.failed);
    release();
    expect(actionStatus).toMatchObject({ inProgress: false, actionName: "start", retries: 0 });
    expect(actionStatus.errorMessage).toMatch(namingPattern("start", "300ms"));
    const [run] = await worker.runs();
    expect(run).toMatchObject({ status: "failed", error: { type: "timeout" } });
  });

  it("one that says nothing of it has five minutes, and four attempts a second, two and four apart", async () => {
    const worker = await benthos();
    const { body } = await worker.shop.must(200, "GET", "/v1/definitions/benthos");
    expect(body.actions).toMatchObject([
      { actionId: "start", timeout: 300_000, retryPolicy: "executor" },
      { actionId: "stop", timeout: 300_000, retryPolicy: "executor" },
    ]);
  });
});

describe("TestRetryBackoff", () => {
  it("four attempts, a second, two and four seconds apart; then it has failed, and its state says why", async () => {
    const worker = await benthos({ host: () => new Response("no", { status: 503 }) });
    await worker.when("start has failed", ({ actionStatus }) => actionStatus.failed);
    await worker.observe(GONE);
    const ended = await worker.when("it has given up", ({ status }) => status === "failed");
    expect(ended).toMatchObject({
      state: "Failed",
      actionStatus: { inProgress: false, failed: true, actionName: "start", retries: 3 },
    });
    expect(ended.reason).toMatch(namingPattern(3, "POST provider.example.com/start", 503));
    const journal = await worker.shop.journal(worker.id);
    const gaps = journal
      .filter(({ kind }) => kind === "run_retry")
      .map(({ at, dueAt }) => Date.parse(dueAt) - Date.parse(at));
    expect(gaps).toEqual([1_000, 2_000, 4_000]);
    const [run] = await worker.runs();
    expect(run).toMatchObject({ status: "failed", attempt: 4 });
  });

  it("between attempts it is in progress still, and what failed last is said", async () => {
    const worker = await benthos({ host: () => new Response("no", { status: 503 }) });
    await until("the first retry is waited for", async () =>
      (await worker.runs()).some(({ status }) => status === "retry") ? true : null,
    );
    const { actionStatus } = await worker.read();
    expect(actionStatus).toMatchObject({ inProgress: true, failed: false, actionName: "start" });
    await worker.shop.must(200, "POST", `${worker.at}/cancel`);
  });

  it("what no attempt can mend is not tried again", async () => {
    const worker = await benthos({ host: () => new Response("no", { status: 422 }) });
    const { actionStatus } = await worker.when("start has failed", (found) => found.actionStatus.failed);
    expect(actionStatus).toMatchObject({ failed: true, retries: 0 });
    expect(await worker.runs()).toMatchObject([{ status: "failed", attempt: 1 }]);
  });
});

describe("TestFullAsyncFlow", () => {
  it("started, watched, started again when it is gone, stopped, removed", async () => {
    const worker = await benthos();
    await worker.when("start is done", ({ actionStatus }) => actionStatus.succeeded);
    await worker.observe(RUNS);
    await worker.when("it is running", ({ state }) => state === "Running");
    await worker.observe(GONE);
    await until("it is started again", () => (worker.asked().length === 2 ? true : null));
    await worker.when("start is done again", ({ actionStatus }) => !actionStatus.inProgress);
    await worker.observe({ ...RUNS, again: true });
    await worker.when("it is running again", ({ state }) => state === "Running");
    await worker.desire({ shutdownRequested: true });
    await worker.when(
      "stop is done",
      ({ actionStatus }) => actionStatus.actionName === "stop" && actionStatus.succeeded,
    );
    await worker.observe({ ...GONE, again: true });
    const ended = await worker.when("it is over", ({ status }) => status === "completed");
    expect(ended).toMatchObject({ state: "Stopping", reason: GONE_REASON });
    expect(worker.asked()).toEqual(["/start", "/start", "/stop"]);
    const moves = (await worker.decided()).map(({ does, to }) => `${does} ${to}`);
    expect(moves).toEqual([
      ...["emit start", "target Running", "target TryingToStart", "emit start", "target Running"],
      ...["shutdown Stopping", "emit stop", "signal remove"],
    ]);
  });
});

it("who has said what is desired, and why, is in the audit log; what is observed is nobody's act", async () => {
  const worker = await benthos();
  await worker.observe(GONE);
  await worker.desire({ configPath: "/etc/other.yaml" });
  const found = await until("it is in the audit log", async () => {
    const { data } = await worker.shop.must(200, "GET", `/v1/audit?target=${worker.id}`);
    return data.length > 0 ? data : null;
  });
  expect(found).toMatchObject([{ verb: "execution.desire", target: worker.id, reason: "wanted" }]);
});

it("lists say in which state it is, and why", async () => {
  const worker = await benthos();
  await worker.observe(RUNS);
  const listed = await until("lists have it as running", async () => {
    const { data } = await worker.shop.must(200, "GET", "/v1/executions?definition=benthos");
    return data[0]?.states[0] === "Running" ? data : null;
  });
  expect(listed).toMatchObject([{ id: worker.id, reason: RUNNING_REASON }]);
});

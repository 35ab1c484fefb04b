// People steer an execution that is under way: pause, resume, cancel, patch, run-now; and timers that move by it.
import { expect, it } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { chain, engine, hook, PROVIDER, provider, until, type Call } from "./engine.ts";

/** Calls wait at it until it opens. */
function gate() {
  let isOpen = false;
  return {
    open: () => void (isOpen = true),
    pass: async (_call: Call) => {
      await until("the gate opens", () => (isOpen ? true : null));
      return Response.json({});
    },
  };
}

const approval = {
  kind: "machine",
  name: "approval",
  initial: "open",
  states: {
    open: { on: { approved: "notify" } },
    notify: { on: { "action.tell.ok": "done" } },
    done: { type: "final" },
  },
  actions: [hook("tell", { triggerState: "notify" })],
};

it("pause lets what is in flight finish, holds the rest, and resume goes on from there", async () => {
  const door = gate();
  const { calls } = provider(door.pass);
  const shop = await engine(chain("steps", ["one", "two"]));
  const id = await shop.start("steps");
  await until("the first call is out", () => (calls.length === 1 ? true : null));
  await shop.must(200, "POST", `/v1/executions/${id}/pause`, { body: { reason: "audit" } });
  door.open();
  await until("its outcome is in", async () => ((await shop.runs(id))[0].status === "ok" ? true : null));
  expect(await shop.read(id)).toMatchObject({ status: "paused", states: ["one"], reason: "audit" });
  expect(calls.length).toBe(1);
  await shop.must(200, "POST", `/v1/executions/${id}/resume`);
  expect((await shop.reaches(id, "completed")).states).toEqual(["done"]);
  expect(calls.map(({ url }) => url.pathname)).toEqual(["/one", "/two"]);
});

it("events that come while it is paused are taken on resume", async () => {
  provider();
  const shop = await engine(approval);
  const id = await shop.start("approval");
  await shop.must(200, "POST", `/v1/executions/${id}/pause`);
  const { execution } = await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "approved" } });
  expect(execution).toMatchObject({ status: "paused", eventsBuffered: 1 });
  await shop.must(200, "POST", `/v1/executions/${id}/resume`);
  await shop.reaches(id, "completed");
});

it("a timer that falls due while it is paused fires on resume", async () => {
  provider();
  const shop = await engine({
    kind: "machine",
    name: "nap",
    initial: "asleep",
    states: { asleep: { after: { "2000": "awake" } }, awake: { type: "final" } },
  });
  const id = await shop.start("nap");
  await shop.must(200, "POST", `/v1/executions/${id}/pause`);
  const { timers } = await shop.read(id);
  await until("its instant has passed", () => (Date.now() > Date.parse(timers[0].at) + 50 ? true : null));
  expect((await shop.must(200, "POST", `/v1/executions/${id}/poke`)).status).toBe("paused");
  const { execution } = await shop.must(200, "POST", `/v1/executions/${id}/resume`);
  expect(execution).toMatchObject({ status: "completed", states: ["awake"] });
});

it("cancel ends it at once; what is in flight is recorded, and moves nothing any more", async () => {
  const door = gate();
  const { calls } = provider(door.pass);
  const shop = await engine(chain("steps", ["one", "two"]));
  const id = await shop.start("steps");
  await until("the first call is out", () => (calls.length === 1 ? true : null));
  const { execution } = await shop.must(200, "POST", `/v1/executions/${id}/cancel`, {
    body: { reason: "changed our mind" },
  });
  expect(execution).toMatchObject({ status: "canceled", reason: "changed our mind" });
  door.open();
  await until("its outcome is in", async () => ((await shop.runs(id))[0].status === "ok" ? true : null));
  expect(await shop.read(id)).toMatchObject({ status: "canceled", states: ["one"] });
  expect((await shop.must(409, "POST", `/v1/executions/${id}/cancel`)).code).toBe("execution_final");
  expect(calls.length).toBe(1);
});

it("patching the date that a timer hangs on moves the timer, and it fires at its new instant", async () => {
  provider();
  const shop = await engine({
    kind: "machine",
    name: "wedding",
    initial: "planned",
    delays: {
      reminder: { anchor: { var: "execution.variables.date" }, offset: "-P42D" },
      year: { anchor: { var: "execution.variables.date" }, offset: "-P99Y", ifPast: "skip" },
      hall: { anchor: { var: "execution.variables.date" }, onMove: "keep" },
    },
    states: { planned: { after: { reminder: "reminded", hall: "reminded" } }, reminded: { type: "final" } },
    actions: [
      {
        actionId: "album",
        type: "webhook",
        triggerState: "planned",
        delay: "year",
        config: { url: "https://album.example" },
      },
    ],
  });
  const id = await shop.start("wedding", { variables: { date: "2099-06-12T09:00:00Z" } });
  const later = { variables: { date: "2180-06-12T09:00:00Z" } };
  const far = await shop.must(200, "POST", `/v1/executions/${id}/patch?dryRun=true`, { body: later });
  expect(far.notMoved).toEqual([{ kind: "timer", id: "planned/after/hall", action: null, reason: "keeps" }]);
  expect(far.reactivated).toMatchObject([
    { action: "album", dueAt: "2081-06-12T09:00:00.000Z", because: "already_past" },
  ]);
  const in42Days = new Date(Date.now() + 42 * 86_400_000 + 300);
  const variables = { date: in42Days.toISOString() };
  const preview = await shop.must(200, "POST", `/v1/executions/${id}/patch?dryRun=true`, { body: { variables } });
  const { timersMoved, notMoved, reactivated } = await shop.must(200, "POST", `/v1/executions/${id}/patch`, {
    body: { variables },
  });
  expect([preview.timersMoved, preview.notMoved, preview.reactivated]).toEqual([timersMoved, notMoved, reactivated]);
  expect([notMoved.map(({ id: of }: { id: string }) => of), reactivated]).toEqual([["planned/after/hall", "1.0"], []]);
  expect(timersMoved).toMatchObject([
    { from: "2099-05-01T09:00:00.000Z", to: new Date(in42Days.getTime() - 42 * 86_400_000).toISOString() },
  ]);
  const done = await shop.reaches(id, "completed");
  expect(Date.parse(done.finishedAt)).toBeGreaterThanOrEqual(Date.parse(timersMoved[0].to));
});

it("a node that was past comes back when its date is moved ahead, as a dry run says beforehand, and goes out then", async () => {
  const { calls } = provider();
  const call = { type: "webhook", config: { url: PROVIDER } };
  const date = { anchor: { var: "execution.variables.date" }, ifPast: "skip" };
  const shop = await engine({
    kind: "journey",
    name: "moved",
    initial: ["early", "waits"],
    delays: { date },
    nodes: {
      early: { ...call, delay: "date", next: "after" },
      // Its own instant is ahead, so it is not skipped with the node before it.
      after: { ...call, delay: { anchor: { var: "execution.createdAt" }, offset: "PT1S" } },
      waits: { type: "wait", for: [{ event: "over" }] },
    },
  });
  const id = await shop.start("moved", { variables: { date: "2020-06-12T09:00:00Z" } });
  await until("what follows it is done", () => (calls.length === 1 ? true : null));
  const soon = new Date(Date.now() + 4_000).toISOString();
  const patch = (query: string) =>
    shop.must(200, "POST", `/v1/executions/${id}/patch${query}`, { body: { variables: { date: soon } } });
  const foretold = await patch("?dryRun=true");
  const came = [{ action: "early", dueAt: soon, because: "already_past" }];
  expect(foretold.reactivated).toMatchObject(came);
  const lines = (entries: readonly Parsed[]) => entries.filter(({ kind }) => kind === "run_created").map(lineOf);
  const { reactivated } = await patch("");
  expect(reactivated).toEqual(foretold.reactivated);
  const again = { run: reactivated[0].run, action: "early", reactivated: "already_past" };
  expect(lines(foretold.would.entries)).toEqual([again]);
  expect(lines(await shop.journal(id)).at(-1)).toEqual(again);
  // It goes out, and what followed it does not go out again.
  await until("it has gone out", () => (calls.length === 2 ? true : null));
  await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "over" } });
  await shop.reaches(id, "completed");
  expect(calls.length).toBe(2);
});

function lineOf({ run, action, reactivated }: Parsed): object {
  return { run, action, ...(reactivated === undefined ? {} : { reactivated }) };
}

it("run-now brings a waiting retry forward", async () => {
  const { calls } = provider(({ attempt }) => new Response(null, { status: attempt === 1 ? 500 : 200 }));
  const retryPolicy = { backoffStrategy: "fixed", baseDelay: 3_600_000, jitter: "none" };
  const shop = await engine(chain("hourly", ["notify"], {}, { retryPolicy }));
  const id = await shop.start("hourly");
  await until("it waits for its retry", async () => ((await shop.runs(id))[0].status === "retry" ? true : null));
  await shop.must(200, "POST", `/v1/executions/${id}/run-now`, {
    body: { run: "1.0", reason: "customer is on the phone" },
  });
  await shop.reaches(id, "completed");
  expect(calls.map(({ key }) => key)).toEqual([`${id}/1.0`, `${id}/1.0`]);
});

it("a command sent twice under one key is one command, and each is in the audit log once", async () => {
  provider();
  const shop = await engine(approval);
  const id = await shop.start("approval");
  const pause = () => shop.ask("POST", `/v1/executions/${id}/pause`, { headers: { "Idempotency-Key": "p1" } });
  const answers = await Promise.all([pause(), pause(), pause()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.filter(({ body }) => body.repeated)).toHaveLength(2);
  expect((await shop.journal(id)).filter(({ kind }) => kind === "paused")).toHaveLength(1);
  const { data } = await until("the audit log knows", async () => {
    const page = await shop.must(200, "GET", `/v1/audit`);
    return page.data.some(({ verb }: Parsed) => verb === "execution.pause") ? page : null;
  });
  expect(data.filter(({ verb }: Parsed) => verb === "execution.pause")).toHaveLength(1);
});

it("many events at once are taken one after the other, each once", async () => {
  const shop = await engine({
    kind: "machine",
    name: "counter",
    variables: { n: 0 },
    initial: "open",
    states: { open: { on: { add: { assign: { n: { "+": [{ var: "execution.variables.n" }, 1] } } } } } },
  });
  const id = await shop.start("counter");
  const before = (await shop.journal(id)).length;
  const send = (n: number) =>
    shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "add", id: `e-${n % 40}` } });
  const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => send(n)));
  expect(answers.filter(({ repeated }) => repeated)).toHaveLength(40);
  expect((await shop.must(200, "GET", `/v1/executions/${id}`)).variables).toEqual({ n: 40 });
  const seqs = (await shop.journal(id)).slice(before).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(40);
});

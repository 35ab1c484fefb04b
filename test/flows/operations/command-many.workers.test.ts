// Many executions asked for the same through the real Worker: each once, whoever is not meant any more left alone, nothing lost when
// cells are away or the operation's object goes down, and stopped where too much goes wrong.
import { expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { OperationWork } from "#entrypoints/operation-work.ts";
import type { Parsed } from "#test/support/api.ts";
import { bindings, engine, provider, until, type Engine } from "../engine.ts";

const lease = (name: string, more: object = {}) => ({
  kind: "machine",
  name,
  placement: "pooled",
  initial: "open",
  states: {
    open: { on: { "prices.changed": "renewing", left: "gone" } },
    renewing: { on: { signed: "gone", spoiled: "spoiled" } },
    spoiled: {},
    gone: { type: "final" },
  },
  ...more,
});
const begin = async (here: Engine, body: object, headers: Record<string, string> = {}): Promise<Parsed> =>
  here.must(202, "POST", "/v1/operations", { body, headers });
const read = (here: Engine, id: string): Promise<Parsed> => here.must(200, "GET", `/v1/operations/${id}`);
const ends = (here: Engine, id: string): Promise<Parsed> =>
  until("its end", async () => {
    const operation = await read(here, id);
    return operation.finishedAt === null ? null : operation;
  });
const done = async (here: Engine, body: object): Promise<Parsed> =>
  ends(here, (await begin(here, { perSecond: 500, ...body })).operation.id);

/** So many of them, all in lists. */
async function open(here: Engine, definition: string, count: number, variables: object = {}): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => here.start(definition, { variables })));
  await listed(here, `definition=${definition}&limit=100`, (all) =>
    ids.every((id) => all.some((each) => each.id === id)),
  );
  return ids;
}
const listed = (here: Engine, filter: string, isSo: (all: Parsed[]) => boolean): Promise<Parsed[]> =>
  until(`lists know: ${filter}`, async () => {
    const { data } = await here.must(200, "GET", `/v1/executions?${filter}`);
    return isSo(data) ? data : null;
  });

/** Every slice waits until it may go on. */
function held() {
  const { control } = OperationWork.prototype;
  let [asked, open] = [false, false];
  const spy = vi.spyOn(OperationWork.prototype, "control").mockImplementation(async function (
    this: OperationWork,
    ...slice
  ) {
    asked = true;
    await until("it may go on", () => (open ? true : null));
    return control.apply(this, slice);
  });
  onTestFinished(() => spy.mockRestore());
  return { isAsked: () => asked, goOn: () => (open = true) };
}

test("an event reaches all that are meant, once each, and says by which operation it came", async () => {
  provider();
  const here = await engine(lease("lease"), lease("other", { placement: "own" }));
  const leases = await open(here, "lease", 7);
  const [stranger] = await open(here, "other", 1);
  const asked = {
    verb: "event",
    event: { type: "prices.changed", payload: { list: "2027" } },
    filter: { definition: "lease", state: "open" },
    perSecond: 500,
    reason: "prices of 2027",
  };
  const dry = await here.must(200, "POST", "/v1/operations?dryRun=true", { body: asked });
  expect(dry).toMatchObject({
    dryRun: true,
    matching: 7,
    estimatedSeconds: 1,
    byDefinition: { "lease@1": 7 },
    sample: { of: 7, outcomes: { done: 7 } },
  });
  expect(dry.sample.items[0]).toMatchObject({ outcome: "done", states: ["renewing"] });
  expect(dry.sample.items[0].entries).toEqual(expect.arrayContaining(["event_received", "moved"]));
  const key = { "Idempotency-Key": "prices" };
  const { operation } = await begin(here, asked, key);
  expect(operation).toMatchObject({
    of: "executions",
    verb: "event",
    status: "running",
    filter: { definition: "lease", state: "open" },
    asks: { event: { type: "prices.changed", payload: { list: "2027" } } },
    progress: { matched: 7 },
  });
  expect(await begin(here, asked, key)).toMatchObject({ repeated: true, operation: { id: operation.id } });
  const progress = { matched: 7, released: 7, skipped: {}, gone: 0, refused: {}, remaining: 0 };
  expect(await ends(here, operation.id)).toMatchObject({ status: "done", progress, stopped: null, trouble: null });
  for (const id of leases) {
    expect((await here.read(id)).states).toEqual(["renewing"]);
    const heard = (await here.journal(id)).filter(({ kind }) => kind === "event_received");
    expect(heard).toMatchObject([{ event: { id: operation.id }, actor: { kind: "key", operation: operation.id } }]);
  }
  expect((await here.read(String(stranger))).states).toEqual(["open"]);
  const audit = await here.must(200, "GET", `/v1/audit?target=${operation.id}`);
  expect(audit.data).toMatchObject([{ verb: "executions.event_all", reason: "prices of 2027" }]);
  const { data } = await here.must(200, "GET", "/v1/operations?verb=event");
  expect(data.map(({ id }: Parsed) => id)).toEqual([operation.id]);
});

test("pauses, resumes, patches and cancels; there is one row in the audit log for each operation, and none for each execution", async () => {
  provider();
  const here = await engine(lease("lease"));
  const ids = await open(here, "lease", 4);
  await here.must(200, "POST", `/v1/executions/${ids[0]}/pause`, { body: {} });
  await listed(here, "status=paused", (all) => all.length === 1);
  const filter = { definition: "lease" };
  expect((await done(here, { verb: "pause", filter, reason: "a freeze" })).progress).toMatchObject({
    matched: 4,
    released: 3,
    skipped: { paused: 1 },
  });
  const paused = await here.journal(String(ids[1]));
  expect(paused.at(-1)).toMatchObject({ kind: "paused", reason: "a freeze", actor: { operation: expect.any(String) } });
  await listed(here, "status=paused", (all) => all.length === 4);
  const patched = await done(here, { verb: "patch", variables: { list: "2027" }, filter: { status: "paused" } });
  expect(patched.progress).toMatchObject({ released: 4 });
  expect((await here.read(String(ids[2]))).variables).toEqual({ list: "2027" });
  expect((await done(here, { verb: "resume", filter })).progress).toMatchObject({ released: 4 });
  await listed(here, "status=waiting", (all) => all.length === 4);
  expect((await done(here, { verb: "cancel", filter })).progress).toMatchObject({ released: 4 });
  for (const id of ids) expect((await here.read(id)).status).toBe("canceled");
  const { data } = await here.must(200, "GET", "/v1/audit?limit=100");
  const verbs = data.map(({ verb }: Parsed) => verb).filter((verb: string) => verb.startsWith("execution"));
  const all = ["cancel", "patch", "pause", "resume"].map((verb) => `executions.${verb}_all`);
  expect(verbs.toSorted()).toEqual(["execution.pause", ...all]);
});

test("who has left, or stands elsewhere, when its turn comes is left alone, and said to be", async () => {
  provider();
  const here = await engine(lease("lease"));
  const ids = await open(here, "lease", 4);
  const filter = { definition: "lease", state: "open" };
  const turn = held();
  const { operation } = await begin(here, { verb: "patch", variables: { seen: true }, filter });
  await until("their turn", () => (turn.isAsked() ? true : null));
  const event = (id: string, type: string) => here.must(200, "POST", `/v1/executions/${id}/events`, { body: { type } });
  const [elsewhere, left] = [String(ids[1]), String(ids[2])];
  await event(elsewhere, "prices.changed");
  await event(left, "left");
  turn.goOn();
  const ended = await ends(here, operation.id);
  expect(ended.progress).toMatchObject({ matched: 4, released: 2, skipped: { no_longer_matching: 2 } });
  expect((await here.read(elsewhere)).variables).toEqual({});
  const { data } = await here.must(200, "GET", `/v1/operations/${operation.id}/troubles`);
  expect(data.map(({ execution, code }: Parsed) => `${code} ${execution}`).toSorted()).toEqual(
    [elsewhere, left].map((id) => `no_longer_matching ${id}`).toSorted(),
  );
});

test("cells that are away and an object that goes down lose nothing, and nobody is asked twice", async () => {
  provider();
  const here = await engine(lease("lease", { placement: "own" }));
  const ids = await open(here, "lease", 6);
  const event = { type: "prices.changed", payload: null };
  const { operation } = await begin(here, { verb: "event", event, filter: { definition: "lease" }, perSecond: 2 });
  const object = bindings.OPERATIONS.getByName(`${here.tenant}/${operation.id}`);
  await until("the first slice", async () => ((await read(here, operation.id)).progress.released > 0 ? true : null));
  await evict(object);
  for (const id of ids) await evict(here.stub(id));
  expect(await ends(here, operation.id)).toMatchObject({ status: "done", progress: { released: 6, remaining: 0 } });
  for (const id of ids) {
    const heard = (await here.journal(id)).filter(({ kind }) => kind === "event_received");
    expect(heard).toHaveLength(1);
  }
});

test("too many who say no stop it, and it says so", async () => {
  provider();
  const here = await engine(lease("lease"));
  await open(here, "lease", 8);
  const event = { type: "nobody.listens", payload: null };
  const stopAt = { failedShare: 0.5, after: 4 };
  const { operation } = await begin(here, {
    verb: "event",
    event,
    filter: { definition: "lease" },
    perSecond: 4,
    stopAt,
  });
  const stopped = await ends(here, operation.id);
  expect(stopped).toMatchObject({
    status: "stopped",
    stopAt,
    stopped: { why: "refused", failed: 4, of: 4 },
    estimatedEndAt: null,
    progress: { refused: { event_unknown: 4 }, remaining: 4 },
  });
  const refused = await here.ask("POST", `/v1/operations/${operation.id}/abort`, { body: {} });
  expect(refused.body.code).toBe("operation_final");
  const audit = await until("the audit log", async () => {
    const { data } = await here.must(200, "GET", `/v1/audit?target=${operation.id}`);
    return data.length === 2 ? data : null;
  });
  expect(audit).toMatchObject([{ verb: "operation.stop", actor: "engine:engine" }, { verb: "executions.event_all" }]);
});

test("those it has dealt with are looked after: where too many stand badly it goes no further", async () => {
  provider();
  // What it is told of spoils it at once.
  const states = { open: { on: { go: "spoiled" } }, spoiled: { on: { mended: "gone" } }, gone: { type: "final" } };
  const here = await engine(lease("fleet", { states }));
  await open(here, "fleet", 40);
  const { operation } = await begin(here, {
    verb: "event",
    event: { type: "go" },
    filter: { definition: "fleet" },
    perSecond: 1,
    stopAt: { failedShare: 0.3, after: 2, states: ["spoiled"] },
  });
  // Lists tell how they fare, a moment late: from then on it is looked at in time.
  await listed(
    here,
    "definition=fleet&limit=100",
    (all) => all.filter(({ states }) => states[0] === "spoiled").length > 1,
  );
  const { status, stopped, progress } = await ends(here, operation.id);
  expect([status, stopped.why]).toEqual(["stopped", "unhealthy"]);
  expect(progress.remaining).toBeGreaterThan(0);
}, 60_000);

test("dead letters of what is meant are sent again; who has none is told apart", async () => {
  let isDown = true;
  const { calls } = provider(() => (isDown ? new Response("down", { status: 503 }) : Response.json({})));
  const actions = [
    {
      actionId: "ask",
      type: "webhook",
      triggerState: "asking",
      config: { url: "https://crm.example.com" },
      retryPolicy: { maxAttempts: 1 },
    },
  ];
  const asking = { on: { "action.ask.ok": "gone", "action.ask.failed": "waits", spared: "idle" } };
  const waits = { on: { "action.ask.ok": "gone" } };
  const here = await engine(
    lease("shop", { initial: "asking", states: { asking, waits, idle: {}, gone: { type: "final" } }, actions }),
  );
  const ids = await open(here, "shop", 3);
  await listed(here, "definition=shop", (all) => all.every(({ states }) => states[0] === "waits"));
  isDown = false;
  const asked = { verb: "retry", action: "ask", filter: { definition: "shop", state: "waits" } };
  const dry = await here.must(200, "POST", "/v1/operations?dryRun=true", { body: asked });
  expect(dry).toMatchObject({ matching: 3, sample: { outcomes: { done: 3 } } });
  expect(await done(here, asked)).toMatchObject({ of: "executions", verb: "retry", progress: { released: 3 } });
  for (const id of ids) await here.reaches(id, "completed");
  await listed(here, "definition=shop&status=completed", (all) => all.length === 3);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(3);
  expect(
    (await done(here, { ...asked, action: "other", filter: { definition: "shop", status: "completed" } })).progress,
  ).toMatchObject({ matched: 3, skipped: { nothing_to_retry: 3 } });
});

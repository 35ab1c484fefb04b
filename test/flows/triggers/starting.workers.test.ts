// A webhook through the whole Worker: believed, mapped, kept, handed over, and known again when it comes twice.
import { describe, expect, test } from "vitest";
import { until } from "../engine.ts";
import { hooks, post, pushes } from "./hooks.ts";

test("a push starts an execution, and is answered with its id", async () => {
  const shop = await hooks({ ...pushes, namespace: "web" });
  const taken = await shop.pushed({ after: "c0ffee" }, { id: "72d3162e" });
  expect(taken).toMatchObject({ id: "trd_1", deliveryId: "72d3162e", status: "pending", duplicate: false });
  const execution = await shop.reaches(taken.execution, "waiting");
  expect(execution).toMatchObject({ variables: { commit: "c0ffee" }, namespace: "web" });
  expect(await shop.rests()).toMatchObject([{ id: "trd_1", status: "applied", execution: taken.execution, tries: 0 }]);
  const found = await until("lists know it", async () => {
    const listed = await shop.executions();
    return listed.length === 0 ? null : listed;
  });
  const startedBy = { trigger: shop.trigger.id, kind: "webhook" };
  expect(execution.startedBy).toEqual(startedBy);
  expect(found).toMatchObject([{ id: taken.execution, namespace: "web", startedBy }]);
  const read = await shop.must(200, "GET", `/v1/triggers/pushes/deliveries/trd_1`);
  expect(read.request).toMatchObject({ body: { after: "c0ffee" }, headers: { "x-github-event": "push" } });
  expect(JSON.stringify(read)).not.toContain("sha256=");
});

describe("what comes twice", () => {
  test("is answered the same, and starts nothing twice, also when both come at once", async () => {
    const shop = await hooks();
    const [one, two] = await Promise.all([1, 2].map(() => shop.pushed({ after: "a" }, { id: "same" })));
    expect([one.duplicate, two.duplicate].toSorted()).toEqual([false, true]);
    expect([two.id, two.execution]).toEqual([one.id, one.execution]);
    await shop.rests();
    const third = await shop.pushed({ after: "a" }, { id: "same" });
    expect(third).toMatchObject({ id: one.id, execution: one.execution, duplicate: true, status: "applied" });
    expect(await shop.deliveries()).toHaveLength(1);
  });

  test("28. One id, two triggers: two deliveries, two executions", async () => {
    const shop = await hooks();
    const other = await shop.must(201, "POST", "/v1/triggers", { body: { ...pushes, name: "others" } });
    const mine = await shop.pushed({ after: "a" }, { id: "one-id" });
    const theirs = await shop.pushed({ after: "a" }, { id: "one-id" }, other.url);
    expect(theirs).toMatchObject({ duplicate: false, deliveryId: "one-id" });
    expect(theirs.execution).not.toBe(mine.execution);
    for (const { execution } of [mine, theirs]) await shop.reaches(execution, "waiting");
  });

  test("29. Empty ping twice: without an id two are two, whatever they say", async () => {
    const shop = await hooks({ ...pushes, target: { kind: "start", definition: "deploy" } });
    const [one, two] = [await shop.pushed("", { id: null }), await shop.pushed("", { id: null })];
    expect([one, two]).toMatchObject([
      { deliveryId: null, duplicate: false },
      { deliveryId: null, duplicate: false },
    ]);
    expect(one.execution).not.toBe(two.execution);
    for (const { execution } of [one, two])
      expect((await shop.reaches(execution, "waiting")).variables).toEqual({ body: null });
  });
});

describe("an event", () => {
  const approvals = {
    ...pushes,
    name: "approvals",
    target: {
      kind: "event",
      execution: "{{ request.body.execution }}",
      type: "deploy.{{ request.body.verdict }}",
      payload: { by: "{{ request.body.by }}" },
    },
  };

  test("goes to a running execution, once", async () => {
    const shop = await hooks(approvals);
    const execution = await shop.start("deploy");
    const body = { execution, verdict: "approved", by: "ada" };
    const taken = await shop.pushed(body, { id: "e1" });
    expect(taken).toMatchObject({ execution, event: expect.stringMatching(/^trigger\/trg_/) });
    const done = await shop.reaches(execution, "completed");
    expect(done.variables).toMatchObject({ by: "ada" });
    const heard = (await shop.journal(execution)).filter(({ kind }) => kind === "event_received");
    expect(heard).toMatchObject([{ event: { id: taken.event, source: `trigger/${shop.trigger.id}` } }]);
  });

  test("that its execution does not want is failed, listed, and says why", async () => {
    const shop = await hooks(approvals);
    const execution = await shop.start("deploy");
    await shop.pushed({ execution, verdict: "doubted", by: "ada" });
    await shop.pushed({ execution: "exe_nowhere", verdict: "approved", by: "ada" });
    const [nowhere, doubted] = await shop.rests();
    expect(doubted).toMatchObject({ status: "failed", reason: { code: "event_unknown" } });
    expect(nowhere).toMatchObject({ status: "failed", reason: { code: "not_found" } });
    expect((await shop.must(200, "GET", "/v1/triggers/approvals")).state).toMatchObject({ pending: 0, stuck: 2 });
  });

  test("for whom it concerns reaches the execution that has its key, or the next one that comes", async () => {
    const purchase = {
      kind: "machine",
      name: "purchase",
      initial: "open",
      correlation: { key: { var: "execution.variables.order" } },
      states: { open: { on: { paid: "done" } }, done: { type: "final" } },
    };
    const target = { kind: "correlate", key: "{{ request.body.order }}", type: "paid" };
    const shop = await hooks({ ...pushes, name: "payments", target });
    await shop.must(201, "POST", "/v1/definitions", { body: purchase });
    const taken = await shop.pushed({ order: "o-1" }, { id: "p1" });
    expect(taken).toMatchObject({ execution: null, event: expect.stringMatching(/^trigger\/trg_/) });
    expect((await shop.pushed({ order: "o-1" }, { id: "p1" })).duplicate).toBe(true);
    const execution = await shop.start("purchase", { variables: { order: "o-1" } });
    await shop.reaches(execution, "completed");
    const { data } = await shop.must(200, "GET", "/v1/events?correlationKey=o-1");
    expect(data).toMatchObject([{ id: taken.event, source: `trigger/${shop.trigger.id}` }]);
  });

  test("and those of one execution arrive in the order in which they came", async () => {
    const counter = {
      kind: "machine",
      name: "counter",
      initial: "on",
      variables: { seen: [] },
      states: {
        on: {
          on: {
            n: { assign: { seen: { merge: [{ var: "execution.variables.seen" }, { var: "message.payload.n" }] } } },
          },
        },
      },
    };
    const target = {
      kind: "event",
      execution: "{{ request.body.execution }}",
      type: "n",
      payload: { n: "{{ request.body.n }}" },
    };
    const shop = await hooks({ ...pushes, target }, counter);
    const execution = await shop.start("counter");
    for (let n = 0; n < 12; n++) await shop.pushed({ execution, n });
    await shop.rests();
    expect((await shop.read(execution)).variables.seen).toEqual(Array.from({ length: 12 }, (_, n) => n));
  });
});

describe("a mapping", () => {
  test("that breaks leaves the delivery to be replayed, under its own id, when it is mended", async () => {
    const broken = { kind: "start", definition: "deploy", variables: { commit: "{{ request.body.head.sha }}" } };
    const shop = await hooks({ ...pushes, target: broken });
    for (const n of [1, 2, 3]) {
      const taken = await shop.pushed({ after: `c${n}` }, { id: `d${n}` });
      expect(taken).toMatchObject({ status: "unmappable", reason: { code: "template_failed" }, execution: null });
    }
    expect((await shop.must(200, "GET", "/v1/triggers/pushes")).state).toMatchObject({ stuck: 3 });
    const mended = { target: { variables: { commit: "{{ request.body.after }}" } } };
    await shop.must(200, "PATCH", "/v1/triggers/pushes", { body: mended });
    const path = "/v1/triggers/pushes/deliveries/trd_2/replay";
    const tried = await shop.must(200, "POST", `${path}?dryRun=true`, { body: {} });
    expect(tried).toMatchObject({ id: "trd_2", deliveryId: "d2", status: "pending" });
    expect(await shop.deliveries("?status=unmappable")).toHaveLength(3);
    const replayed = await shop.must(200, "POST", path, { body: { reason: "mended" } });
    expect(replayed.execution).toBe(tried.execution);
    expect((await shop.reaches(replayed.execution, "waiting")).variables).toEqual({ commit: "c2" });
    const rest = await shop.must(200, "POST", "/v1/triggers/pushes/replay", { body: { limit: 1 } });
    expect(rest).toMatchObject({ deliveries: [{ id: "trd_1" }], more: true });
    expect(await shop.must(200, "POST", "/v1/triggers/pushes/replay", { body: {} })).toMatchObject({
      deliveries: [{ id: "trd_3" }],
      more: false,
    });
    await shop.rests();
    expect((await shop.must(200, "GET", "/v1/triggers/pushes")).state).toMatchObject({ stuck: 0, pending: 0 });
    // Its sender comes again, and the delivery is the one it was.
    expect(await shop.pushed({ after: "c2" }, { id: "d2" })).toMatchObject({
      duplicate: true,
      execution: replayed.execution,
    });
    const again = await shop.must(409, "POST", path, { body: {} });
    expect(again).toMatchObject({ code: "delivery_not_replayable" });
  });

  test("ignores what its rule does not want, and drops what is older", async () => {
    const shop = await hooks({
      ...pushes,
      when: { "===": [{ var: "request.headers.x-github-event" }, "push"] },
      sequence: { value: { var: "request.body.v" }, by: { var: "request.body.repo" } },
    });
    const said = async (body: object, headers = {}) => (await shop.pushed({ after: "x", ...body }, { headers })).status;
    expect(await said({ v: 1 }, { "X-GitHub-Event": "ping" })).toBe("ignored");
    expect(await said({ v: 2, repo: "a" })).toBe("pending");
    expect(await said({ v: 1, repo: "a" })).toBe("outdated");
    expect(await said({ v: 1, repo: "b" })).toBe("pending");
    await shop.rests();
    expect(await shop.deliveries("?status=outdated")).toMatchObject([
      { reason: { code: "outdated" }, execution: null },
    ]);
  });
});

test("a greedy trigger's sender is asked to wait, and a quiet tenant's is not", async () => {
  const greedy = await hooks({ ...pushes, rateLimit: { perMinute: 60, burst: 5 } });
  const quiet = await hooks();
  const answers = await Promise.all(Array.from({ length: 30 }, () => greedy.push({ after: "x" })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]?.body).toMatchObject({ code: "rate_limited", retryable: true });
  expect(Number(refused[0]?.headers.get("Retry-After"))).toBeGreaterThan(0);
  const taken = await quiet.pushed({ after: "y" });
  await quiet.reaches(taken.execution, "waiting");
  expect((await post(quiet.url, { after: "z" })).status).toBe(202);
});

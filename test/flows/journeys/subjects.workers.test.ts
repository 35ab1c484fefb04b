// Subjects through the real Worker and real objects: journeys about the same one share a cap, and what is once is once.
import { expect, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { SubjectObject } from "../../../src/index.ts";
import { bindings, engine, PROVIDER, provider, until, type Engine } from "../engine.ts";

const journey = (name: string, more: object = {}) => ({
  kind: "journey",
  name,
  initial: "mail",
  subject: { var: "execution.variables.coupleId" },
  nodes: { mail: { type: "webhook", config: { url: `${PROVIDER}/${name}` } } },
  ...more,
});
const capped = (name: string, cap: object, next?: object) =>
  journey(name, {
    caps: { gentle: { max: 1, per: "P7D", ...cap } },
    nodes: {
      mail: {
        type: "webhook",
        config: { url: `${PROVIDER}/${name}` },
        cap: "gentle",
        ...(next ? { next: "after" } : {}),
      },
      ...(next ? { after: next } : {}),
    },
  });
const couple = { variables: { coupleId: "couple-1" } };
const paths = ({ calls }: ReturnType<typeof provider>) => calls.map(({ url }) => url.pathname);
const start = (here: Engine, definition: string, key?: string) =>
  here.ask("POST", "/v1/executions", {
    body: { definition, ...couple },
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  });

test("23 two journeys, one cap slot: one message goes out, and the other waits for the next slot", async () => {
  const sent = provider();
  const here = await engine(capped("wedding", { over: "wait" }), capped("reminders", { over: "wait" }));
  const both = await Promise.all(["wedding", "reminders"].map((name) => here.start(name, couple)));
  const held = await until("one is held", async () => {
    const runs = (await Promise.all(both.map((id) => here.read(id)))).flatMap(({ waitingFor }) => waitingFor);
    return runs.find((each: { held?: object }) => each.held) ?? null;
  });
  expect(held.held).toMatchObject({ reason: "cap", connection: null });
  await until("the other's message is out", () => (paths(sent).length > 0 ? true : null));
  const { caps } = await here.must(200, "GET", "/v1/subjects/couple-1");
  expect(caps).toMatchObject([{ cap: "gentle", max: 1, used: 1 }]);
  expect(Date.parse(caps[0].opensAt) - Date.now()).toBeGreaterThan(6.9 * 24 * 3_600_000);
  expect(paths(sent)).toHaveLength(1);
});

test("over: skip passes the step by as capped, and what comes after it goes on", async () => {
  const sent = provider();
  const after = { type: "webhook", config: { url: `${PROVIDER}/after` } };
  const here = await engine(capped("first", {}), capped("second", { over: "skip" }, after));
  await here.reaches(await here.start("first", couple), "completed");
  const second = await here.start("second", couple);
  await here.reaches(second, "completed");
  expect(paths(sent)).toEqual(["/first", "/after"]);
  expect(await here.runs(second)).toContainEqual(expect.objectContaining({ status: "skipped", reason: "capped" }));
});

test("other subjects have slots of their own, and so have other tenants", async () => {
  const sent = provider();
  const [here, there] = [await engine(capped("wedding", {})), await engine(capped("wedding", {}))];
  const ids = [await here.start("wedding", couple), await here.start("wedding", { variables: { coupleId: 2 } })];
  for (const id of ids) await here.reaches(id, "completed");
  await there.reaches(await there.start("wedding", couple), "completed");
  expect(paths(sent)).toHaveLength(3);
});

test("where the subject's object does not answer nothing goes out, and it goes when it does", async () => {
  const sent = provider();
  const here = await engine(capped("wedding", {}));
  const spy = vi.spyOn(SubjectObject.prototype, "takeSlot").mockRejectedValue(new Error("Network connection lost."));
  const id = await here.start("wedding", couple);
  await until("it is held", async () => {
    const { waitingFor } = await here.read(id);
    return waitingFor.find((each: { held?: { reason: string } }) => each.held?.reason === "unavailable") ?? null;
  });
  expect(sent.calls).toEqual([]);
  spy.mockRestore();
  const [{ id: run }] = await here.runs(id);
  await here.must(200, "POST", `/v1/executions/${id}/run-now`, { body: { run } });
  await here.reaches(id, "completed");
  expect(paths(sent)).toEqual(["/wedding"]);
});

test("26 once after retention: when its history is gone the subject is still refused, and another is taken", async () => {
  provider();
  const here = await engine(journey("wedding", { reentry: "once", retention: 1 }));
  const first = await here.must(201, "POST", "/v1/executions", {
    body: { definition: "wedding", ...couple },
    headers: { "Idempotency-Key": "k-1" },
  });
  const id = first.execution.id;
  // In between it is told by nobody: the cell has let go of it, and lists have not heard.
  await until("its history is gone", async () => {
    const { status, body } = await here.ask("GET", `/v1/executions/${id}`);
    return status === 200 && body.retired ? true : null;
  });
  await evict(bindings.SUBJECTS.getByName(`${here.tenant}/couple-1`));
  for (const key of ["k-2", "k-1"]) {
    const again = await start(here, "wedding", key);
    expect([again.status, again.body.code]).toEqual([409, "already_enrolled"]);
    expect(again.body.details).toMatchObject({ execution: id, subject: "couple-1", ended: "completed" });
  }
  await here.must(201, "POST", "/v1/executions", { body: { definition: "wedding", variables: { coupleId: "c-2" } } });
  const { journeys } = await here.must(200, "GET", "/v1/subjects/couple-1");
  expect(journeys).toMatchObject([
    { journey: "wedding", reentry: "once", enrolments: [{ execution: id, status: "completed" }] },
  ]);
});

test("two starts at once give one, and after_finish takes the subject again when it has ended", async () => {
  provider(() => new Promise(() => {}));
  const here = await engine(journey("wedding", { reentry: "after_finish" }));
  const answers = await Promise.all([start(here, "wedding"), start(here, "wedding"), start(here, "wedding")]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  const id = answers.find(({ status }) => status === 201)?.body.execution.id;
  await here.must(200, "POST", `/v1/executions/${id}/cancel`, { body: {} });
  await until("its subject has heard of that", async () => {
    const { journeys } = await here.must(200, "GET", "/v1/subjects/couple-1");
    return journeys[0].enrolments[0].status === "canceled" ? true : null;
  });
  expect((await start(here, "wedding")).status).toBe(201);
});

test("a start without a subject is refused, and says which rule wanted what", async () => {
  const here = await engine(journey("wedding"));
  const { body } = await here.ask("POST", "/v1/executions", { body: { definition: "wedding" } });
  expect(body).toMatchObject({ code: "invalid_input", errors: [{ pointer: "/variables", code: "no_subject" }] });
  expect(body.hint).toContain("execution.variables.coupleId");
});

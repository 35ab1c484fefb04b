// What definitions declare of their start and of their events holds whoever starts and sends, through the real Worker.
import { expect, test } from "vitest";
import { engine, until } from "./engine.ts";
import { fixFor } from "#policy/advice/suggested-fix.ts";
import { naming } from "#test/support/matchers/naming.ts";

const refund = {
  kind: "machine",
  name: "refund",
  variables: { noted: 0 },
  input: {
    type: "object",
    properties: { amount: { type: "integer", minimum: 1, description: "In cents." }, order: { type: "string" } },
    required: ["amount"],
    additionalProperties: false,
  },
  events: {
    approved: { type: "object", properties: { by: { type: "string", minLength: 1 } }, required: ["by"] },
    paid_out: { type: "object", properties: { reference: { type: "string" } }, required: ["reference"] },
  },
  initial: "asked",
  states: { asked: { on: { approved: "paying" } }, paying: { on: { paid_out: "done" } }, done: { type: "final" } },
};
const parent = (name: string, type: string, config: object) => ({
  kind: "machine",
  name,
  initial: "calling",
  states: {
    calling: { on: { "action.call.ok": "done", "action.call.failed": "refused" } },
    done: { type: "final" },
    refused: { type: "final", outcome: "failed" },
  },
  actions: [{ actionId: "call", type, triggerState: "calling", config }],
});
const starting = (variables: object) => parent("starter", "start_execution", { definition: "refund", variables });
const tooLittle = {
  status: 422,
  code: "variables_invalid",
  retryable: false,
  errors: [{ pointer: "/variables/amount", code: "too_small", message: naming(1), hint: "In cents." }],
};

test("a start is refused with the places in its body, tried or meant, with a key and without, and leaves nothing", async () => {
  const here = await engine(refund);
  const body = { definition: "refund", id: "exe_refund1", variables: { amount: 0 } };
  for (const headers of [{}, { "Idempotency-Key": "refund-1" }]) {
    const { id, ...unnamed } = body;
    const asked = "Idempotency-Key" in headers ? unnamed : { ...unnamed, id };
    for (const path of ["/v1/executions", "/v1/executions?dryRun=true"]) {
      expect(await here.must(422, "POST", path, { body: asked, headers })).toMatchObject(tooLittle);
    }
  }
  await here.must(404, "GET", "/v1/executions/exe_refund1");
  await here.must(201, "POST", "/v1/executions", { body: { ...body, variables: { amount: 5 } } });
  expect((await here.read("exe_refund1")).variables).toEqual({ noted: 0, amount: 5 });
});

test("in a batch each start is asked for itself", async () => {
  const here = await engine(refund);
  const of = (variables: object) => ({ definition: "refund", variables });
  const executions = [of({ amount: 5 }), of({ amount: 0 }), of({ amuont: 5 }), of({ amount: 7, order: "o1" })];
  const { results } = await here.must(200, "POST", "/v1/executions/batch", { body: { executions } });
  expect(results).toMatchObject([
    { ok: true },
    { ok: false, problem: { code: "variables_invalid", errors: tooLittle.errors } },
    {
      ok: false,
      problem: {
        errors: [
          { pointer: "/variables/amount", code: "required", message: naming("integer") },
          { pointer: "/variables/amuont", code: "unknown_field", hint: naming("amount") },
        ],
      },
    },
    { ok: true },
  ]);
});

test("a child whose variables do not fit is not started, and its parent hears which", async () => {
  const here = await engine(refund, starting({ amount: "{{ execution.variables.cents }}" }));
  const execution = await here.start("starter", { variables: { cents: "a lot" } });
  await here.reaches(execution, "failed");
  const [run] = await here.runs(execution);
  expect(run.error).toMatchObject({
    type: "invalid_configuration",
    code: "variables_invalid",
    message: naming("/variables/amount", "integer", "string", "In cents."),
  });
  const fine = await here.start("starter", { variables: { cents: 5 } });
  await here.reaches(fine, "completed");
});

test("an event is refused with the places in its body, early or not, and can be sent again as it should be", async () => {
  const here = await engine(refund);
  const execution = await here.start("refund", { variables: { amount: 5 } });
  const path = `/v1/executions/${execution}/events`;
  const refused = await here.must(422, "POST", path, { body: { id: "e1", type: "approved", payload: { by: "" } } });
  expect(refused).toMatchObject({
    code: "payload_invalid",
    errors: [{ pointer: "/payload/by", code: "too_small", message: naming(1) }],
  });
  expect(await here.must(422, "POST", path, { body: { type: "paid_out" } })).toMatchObject({
    code: "payload_invalid",
    errors: [{ pointer: "/payload", code: "invalid_type", message: naming("object", "null") }],
  });
  expect((await here.read(execution)).states).toEqual(["asked"]);
  await here.must(200, "POST", path, { body: { type: "paid_out", payload: { reference: "r" } } });
  await here.must(200, "POST", path, { body: { id: "e1", type: "approved", payload: { by: "Ada" } } });
  await here.reaches(execution, "completed");
});

test("what another execution sends is asked as well", async () => {
  const sender = parent("sender", "send_event", {
    execution: "{{ execution.variables.to }}",
    type: "approved",
    payload: { by: "{{ execution.variables.by }}" },
  });
  const here = await engine(refund, sender);
  const to = await here.start("refund", { variables: { amount: 5 } });
  const execution = await here.start("sender", { variables: { to, by: 7 } });
  await here.reaches(execution, "failed");
  expect((await here.runs(execution))[0].error).toMatchObject({ code: "payload_invalid", retryable: false });
  const dead = await until("its dead letter is listed", async () => {
    const { data } = await here.must(200, "GET", "/v1/dead-letters?definition=sender&handled=true");
    return data[0] ?? null;
  });
  const shown = await here.must(200, "GET", `/v1/dead-letters/${dead.id}`);
  const fix = fixFor({ errorType: null, code: "payload_invalid", reason: null });
  expect(shown.suggestedFix).toBe(fix.suggestedFix);
});

test("an execution keeps to what its own version declares", async () => {
  const here = await engine(refund);
  const old = await here.start("refund", { variables: { amount: 5 } });
  const { approved: _approved, ...events } = refund.events;
  await here.must(201, "POST", "/v1/definitions", { body: { ...refund, events } });
  const young = await here.start("refund", { variables: { amount: 5 } });
  const body = { type: "approved", payload: null };
  await here.must(422, "POST", `/v1/executions/${old}/events`, { body });
  await here.must(200, "POST", `/v1/executions/${young}/events`, { body });
});

test("what cannot be declared is refused when it is stored, and what is declared is shown", async () => {
  const here = await engine();
  const wrong = {
    ...refund,
    input: { typ: "object" },
    events: { approved: { $ref: "#/$defs/who" }, task_completed: {} },
  };
  expect(await here.must(200, "POST", "/v1/definitions/validate", { body: wrong })).toMatchObject({
    valid: false,
    findings: [
      { pointer: "/input/typ", code: "unknown_field", hint: naming("type") },
      { pointer: "/events/approved/$ref", code: "schema_ref_unknown" },
      { pointer: "/events/task_completed", code: "event_of_engine" },
    ],
  });
  const { input, ...rest } = wrong;
  expect((await here.must(422, "POST", "/v1/definitions", { body: rest })).errors).toMatchObject([
    { pointer: "/events/approved/$ref", code: "schema_ref_unknown" },
    { pointer: "/events/task_completed", code: "event_of_engine" },
  ]);
  expect(input).toEqual({ typ: "object" });
  await here.must(201, "POST", "/v1/definitions", { body: refund });
  const { body } = await here.must(200, "GET", "/v1/definitions/refund");
  expect(body).toMatchObject({ input: refund.input, events: refund.events });
});

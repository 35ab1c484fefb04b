// Steps that are methods of a bound Worker: the example shop-order.json with the Worker of examples/shop-worker, in both
// lanes, with a price, and as a test that calls nothing.
import { expect, test } from "vitest";
import order from "../../../examples/shop-order.json";
import { engine } from "../engine.ts";

const good = { variables: { items: ["book"], total: 20 } };

test.each(["auto", "queue"])("an order runs through the methods of its Worker (%s)", async (lane) => {
  const here = await engine({ ...order, lane });
  await here.must(200, "PUT", "/v1/prices", { body: { currency: "USD", prices: { worker: 0.5 } } });
  const id = await here.start("shop-order", good);
  expect((await here.reaches(id, "completed")).states).toEqual(["shipped"]);
  const runs = await here.runs(id);
  expect(runs).toMatchObject([
    { type: "worker", status: "ok", costEstimate: 0.5, result: { reservation: `res:${id}/1.0`, items: ["book"] } },
    { type: "worker", status: "ok", result: { payment: expect.stringContaining(`pay:${id}/`), total: 20 } },
    { type: "worker", status: "ok", result: { tracking: expect.any(String), reservation: `res:${id}/1.0` } },
  ]);
});

test("a refusal of a method is final, and the process receives its code", async () => {
  const here = await engine(order);
  const id = await here.start("shop-order", { variables: { items: ["car"], total: 20_000 } });
  expect((await here.reaches(id, "failed")).states).toEqual(["refused"]);
  const [, charged] = await here.runs(id);
  const error = { type: "malformed_request", code: "worker_card_declined", retryable: false };
  expect(charged).toMatchObject({ status: "failed", attempts: [{ error }] });
});

test("a test of an action shows the call, and makes none", async () => {
  const here = await engine();
  const config = { service: "shop", method: "charge", input: { total: 20_000 } };
  const body = { action: { actionId: "pay", type: "worker", config } };
  const tested = await here.must(200, "POST", "/v1/actions/test", { body });
  expect(tested).toMatchObject({
    success: true,
    result: { status: "ok", result: null, events: [{ type: "worker_called" }] },
    interactions: [
      {
        port: "worker",
        call: "charge",
        arguments: { service: "shop", method: "charge", input: { total: 20_000 }, context: { attempt: 1 } },
        answer: null,
        assumed: true,
        mocked: true,
      },
    ],
  });
});

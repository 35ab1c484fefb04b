// What a limit on starts costs: calls to the limit's object and to the cell. A definition without limits pays nothing.
import { expect, it } from "vitest";
import { engine, until } from "#test/flows/engine.ts";
import { openMeter } from "./meter.ts";

const meter = await openMeter();

const machine = (name: string, limit?: object) => ({
  kind: "machine",
  name,
  initial: "done",
  states: { done: { type: "final" } },
  ...(limit === undefined ? {} : { limit: [limit] }),
});
const perCustomer = { name: "per-customer", key: { var: "execution.variables.customer" }, concurrency: 2 };

it("a limited start costs two object requests more, and its release three; a start without limits pays nothing", async () => {
  const here = await engine(machine("plain"), machine("limited", perCustomer));
  const costOf = async (definition: string, customer: string) => {
    meter.reset();
    const id = await here.start(definition, { variables: { customer } });
    let looks = 0;
    await until("it has ended, and its limits have released it", async () => {
      looks += 1;
      const read = await here.cell(id).read(id);
      return read.ok && read.value.finishedAt !== null && (read.value.outbox ?? []).length === 0 ? read.value : null;
    });
    const { sqlRows, alarmsSet, objectCalls } = meter.bill;
    const startPlace =
      (await here
        .cell(id)
        .read(id)
        .then((read) => (read.ok ? read.value.startPlace : null))) ?? null;
    return { rows: sqlRows + alarmsSet, requests: objectCalls - looks, startPlace };
  };
  for (const definition of ["plain", "limited"]) await costOf(definition, "warm");
  const [plain, limited] = [await costOf("plain", "c-1"), await costOf("limited", "c-2")];
  console.log(`a limited start: ${JSON.stringify({ plain, limited })}`);
  // The start itself.
  expect(plain).toMatchObject({ requests: 1, startPlace: null });
  // It also asks the limit and gives the answer to the cell. The release reads the cell, calls the limit and confirms.
  expect(limited.requests - plain.requests).toBe(5);
  expect(limited.rows - plain.rows).toBeLessThanOrEqual(9);
});

// What a cap costs: one request to an object more for each message, and no row more than one.
import { expect, it } from "vitest";
import { engine, PROVIDER, provider, until } from "#test/flows/engine.ts";
import { openMeter } from "./meter.ts";

const meter = await openMeter();

const journey = (name: string, cap?: string) => ({
  kind: "journey",
  name,
  initial: "mail",
  subject: { var: "execution.variables.customer" },
  caps: { gentle: { max: 100, per: "P7D" } },
  nodes: { mail: { type: "webhook", config: { url: PROVIDER }, ...(cap === undefined ? {} : { cap }) } },
});

type Cost = { readonly rows: number; readonly requests: number };

it("a capped message costs one object request more, and no row more than one", async () => {
  provider();
  const here = await engine(journey("plain"), journey("capped", "gentle"));
  const costOf = async (definition: string, customer: string): Promise<Cost> => {
    meter.reset();
    const id = await here.start(definition, { variables: { customer } });
    let looks = 0;
    await until("it has ended, and its subject has heard of that", async () => {
      looks += 1;
      const read = await here.cell(id).read(id);
      return read.ok && read.value.finishedAt !== null && read.value.outbox?.length === 0 ? true : null;
    });
    const { sqlRows, alarmsSet, objectCalls } = meter.bill;
    return { rows: sqlRows + alarmsSet, requests: objectCalls - looks };
  };
  // What is made once, tables and all, is made for somebody else.
  for (const definition of ["plain", "capped"]) await costOf(definition, "warm");
  const [plain, capped] = [await costOf("plain", "c-1"), await costOf("capped", "c-2")];
  expect(capped.requests - plain.requests).toBe(1);
  expect(capped.rows - plain.rows).toBeLessThanOrEqual(1);
  console.log(`a capped message: ${JSON.stringify({ plain, capped })}`);
});

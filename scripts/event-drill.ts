// Event drill (`npm run drill:events`): starts many executions that wait for the same event, and sends it to all of them
// with one operation. Prints the duration and the rate, and checks that every execution received the event.
//   --count 10000       how many executions
//   --per-second 500    the operation's rate
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { createClient, type Client } from "../src/client/client.ts";
import { host } from "./host.ts";

const { values } = parseArgs({
  options: { count: { type: "string", default: "10000" }, "per-second": { type: "string", default: "500" } },
});
const COUNT = Number(values.count);
const PER_SECOND = Number(values["per-second"]);
const BATCH = 100;
const LOOK_MS = 500;
const filter = { definition: "drill", state: "waits" };

const rootKey = `root-${randomBytes(8).toString("hex")}`;
const { engineUrl, dispose } = await host({ persist: false, quiet: true, vars: { ROOT_KEY: rootKey } });
try {
  for (const [what, value] of await drill(await newTenant())) console.log(`  ${what.padEnd(36)} ${value}`);
} finally {
  await dispose();
}
process.exit();

async function drill(client: Client): Promise<readonly (readonly [what: string, value: string | number])[]> {
  await client.definitions.create({
    kind: "machine",
    name: "drill",
    placement: "pooled",
    initial: "waits",
    states: { waits: { on: { go: "told" } }, told: { on: { again: "waits" } } },
  });
  for (let from = 0; from < COUNT; from += BATCH) {
    const executions = Array.from({ length: Math.min(BATCH, COUNT - from) }, () => ({ definition: "drill" }));
    const { refused } = await client.executions.startMany({ executions });
    if (refused > 0) throw new Error(`${refused} were not started`);
  }
  const asked = { verb: "event", event: { type: "go" }, filter, perSecond: PER_SECOND } as const;
  await until("lists", async () => ((await client.operations.preview(asked)).matching === COUNT ? true : null));
  const begunAt = performance.now();
  const { operation } = await client.operations.start(asked);
  let firstAt = 0;
  const done = await until("the operation", async () => {
    const seen = await client.operations.get(operation.id);
    if (firstAt === 0 && seen.progress.released > 0) firstAt = performance.now();
    return seen.finishedAt === null ? null : seen;
  });
  const seconds = (performance.now() - begunAt) / 1_000;
  const heard = { ...asked, filter: { ...filter, state: "told" } };
  await until("all executions to receive it", async () =>
    (await client.operations.preview(heard)).matching === COUNT ? true : null,
  );
  return [
    ["executions", COUNT],
    ["progress", JSON.stringify(done.progress)],
    ["until the first event", `${((firstAt - begunAt) / 1_000).toFixed(1)} s`],
    ["in total", `${seconds.toFixed(1)} s, ${(COUNT / seconds).toFixed(0)} a second of ${PER_SECOND}`],
  ];
}

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  for (let looks = 0; ; looks++) {
    const found = await look();
    if (found !== null) return found;
    if (looks % 20 === 19) console.error(`… ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function newTenant(): Promise<Client> {
  await createClient({ baseUrl: engineUrl, key: rootKey }).tenants.create({ id: "drill", name: "drill" });
  const root = createClient({ baseUrl: engineUrl, key: rootKey, tenant: "drill" });
  const { secret } = await root.keys.create({ name: "drill", scopes: ["read", "payloads", "write", "operate"] });
  return createClient({ baseUrl: engineUrl, key: secret ?? "" });
}

// Tests that a key without the scope `payloads` reads no payload anywhere. One execution has a marked value in each place
// that a client can fill. Each GET endpoint of the API is then called with this key and with a key that may read payloads.
import { expect, it } from "vitest";
import { endpoints } from "#test/support/endpoints.ts";
import { hook, provider, until, worker, PROVIDER } from "../engine.ts";
import { hooks, pushes, type Hooks } from "../triggers/hooks.ts";

const MARK = "PLANTED";
const mark = (place: string): string => `${MARK}-${place}`;

const order = {
  kind: "machine",
  name: "order",
  initial: "open",
  states: {
    open: { on: { "action.send.ok": "asking" } },
    asking: { on: { note: { assign: { note: { var: "message.payload.text" } } }, task_completed: "failing" } },
    failing: {},
  },
  actions: [
    hook("send", {
      triggerState: "open",
      config: { url: `${PROVIDER}/send`, payload: { secret: "{{ execution.variables.secret }}" } },
    }),
    {
      actionId: "ask",
      type: "task",
      triggerState: "asking",
      config: { title: "Approve it", payload: { about: "{{ execution.variables.secret }}" } },
    },
    hook("fail", {
      triggerState: "failing",
      retryPolicy: { maxAttempts: 1 },
      config: { url: `${PROVIDER}/fail`, payload: { secret: "{{ execution.variables.secret }}" } },
    }),
  ],
};

const lamp = {
  kind: "reconciler",
  name: "lamp",
  initial: "Off",
  states: {
    Off: { rules: [{ when: { var: "observed.lit" }, target: "On", reason: "lit" }] },
    On: { rules: [{ when: { "!": [{ var: "observed.lit" }] }, target: "Off" }] },
  },
};

/** The parameters of the paths, by the noun in the path. */
type Names = { readonly [noun: string]: { readonly [name: string]: string } };

async function keyWith(shop: Hooks, scopes: readonly string[]): Promise<string> {
  return (await shop.must(201, "POST", "/v1/keys", { body: { name: "reader", scopes } })).secret;
}

/** Opens a tenant in which each place that a client can fill has a marked value. */
async function markedTenant() {
  provider(({ url }) =>
    url.pathname === "/fail"
      ? Response.json({ reason: mark("refusal") }, { status: 400 })
      : Response.json({ receipt: mark("receipt") }),
  );
  const shop = await hooks(pushes, order, lamp);
  const execution = await shop.start("order", { variables: { secret: mark("variable") } });
  const task = await until("the task", async () => {
    const { data } = await shop.must(200, "GET", `/v1/tasks?execution=${execution}`);
    return data[0] ?? null;
  });
  const note = { type: "note", payload: { text: mark("event") } };
  await shop.must(200, "POST", `/v1/executions/${execution}/events`, { body: note });
  await shop.must(200, "POST", `/v1/tasks/${task.id}/complete`, { body: { result: { answer: mark("decision") } } });
  const letter = await until("the dead letter", async () => {
    const { data } = await shop.must(200, "GET", "/v1/dead-letters");
    return data[0] ?? null;
  });
  const lone = { type: "webhook", config: { url: `${PROVIDER}/lone`, payload: { text: mark("config") } } };
  const { action } = await shop.must(201, "POST", "/v1/actions", { body: { ...lone, variables: { x: mark("lone") } } });
  await until("the action", async () =>
    (await shop.must(200, "GET", `/v1/actions/${action.id}`)).status === "ok" ? true : null,
  );
  const published = { type: "paid", correlationKey: "o-1", payload: { text: mark("published") }, keep: "PT1H" };
  await shop.must(202, "POST", "/v1/events", { body: published });
  const delivery = await shop.pushed({ after: mark("hook") });
  const bulb = await shop.start("lamp");
  const wanted = { value: { color: mark("desired") } };
  await shop.must(200, "PUT", `/v1/executions/${bulb}/desired`, { body: wanted });
  await shop.must(200, "PUT", `/v1/executions/${bulb}/observed`, { body: { value: { shade: mark("observed") } } });
  const names: Names = {
    triggers: { ref: shop.trigger.id, id: delivery.id },
    lamp: { id: bulb },
    executions: { id: execution },
    worker: { id: execution },
    execution: { journeyInstanceId: execution, queueItemId: `${execution}.${letter.run}` },
    tasks: { id: task.id },
    "dead-letters": { id: letter.id },
    actions: { id: action.id },
  };
  const textOf = async (path: string, key: string, noun = path.split("/")[2] ?? ""): Promise<string> => {
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => names[noun]?.[name] ?? "order");
    const response = await worker.fetch(`https://api.test${filled}`, { headers: { Authorization: `Bearer ${key}` } });
    return response.text();
  };
  return { shop, execution, bulb, textOf };
}

const reads = endpoints.filter(({ method, isGuarded }) => method === "GET" && isGuarded).map(({ path }) => path);
const ofReconciler = ["", "/journal", "/explain", "/desired", "/observed"].map((view) => `/v1/executions/{id}${view}`);

it("no GET endpoint shows a payload to a key that may only read, and the scope payloads shows all", async () => {
  const { shop, execution, textOf } = await markedTenant();
  const [readKey, wholeKey] = [await keyWith(shop, ["read"]), await keyWith(shop, ["read", "payloads"])];
  const textsFor = async (key: string) => [
    ...(await Promise.all(reads.map(async (path) => [path, await textOf(path, key)] as const))),
    ...(await Promise.all(ofReconciler.map(async (path) => [path, await textOf(path, key, "lamp")] as const))),
  ];
  const leaking = (await textsFor(readKey)).filter(([, text]) => text.includes(MARK));
  expect(leaking).toEqual([]);
  const whole = (await textsFor(wholeKey)).map(([, text]) => text).join(" ");
  const places = [
    ...["config", "decision", "desired", "event", "hook", "lone"],
    ...["observed", "published", "receipt", "refusal", "variable"],
  ];
  expect([...new Set(whole.match(new RegExp(`${MARK}-[a-z]+`, "g")))].toSorted()).toEqual(places.map(mark));
  const shown = JSON.parse(await textOf("/v1/executions/{id}", readKey));
  const { variables } = await shop.read(execution);
  expect(shown.variables).toEqual({ hidden: true, bytes: JSON.stringify(variables).length });
});

it("a live stream shows no payload to a key that may only read", async () => {
  const shop = await hooks();
  const readKey = await keyWith(shop, ["read"]);
  const execution = await shop.start("deploy");
  const headers = { Upgrade: "websocket", Authorization: `Bearer ${readKey}` };
  const { webSocket } = await worker.fetch(`https://api.test/v1/executions/${execution}/live`, { headers });
  const received: string[] = [];
  webSocket?.addEventListener("message", ({ data }) => void received.push(String(data)));
  webSocket?.accept();
  const approved = { type: "deploy.approved", payload: { by: mark("live") } };
  await shop.must(200, "POST", `/v1/executions/${execution}/events`, { body: approved });
  await until("the entry of the event", () => (received.some((text) => text.includes('"hidden":true')) ? true : null));
  expect(received.join(" ")).not.toContain(MARK);
});

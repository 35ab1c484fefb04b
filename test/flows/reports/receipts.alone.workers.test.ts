// Push messages through the whole Worker: the receipts of devices, and devices that are gone.
import { expect, test } from "vitest";
import { privateKeyPem } from "#test/support/docusign.ts";
import { setSecrets } from "../crm.ts";
import { bindings, engine, provider, until, worker, type Engine } from "../engine.ts";

Object.assign(bindings, { PUBLIC_URL: "https://api.test", SIGNING_KEY: btoa("s".repeat(32)) });

const pushing = {
  kind: "machine",
  name: "pushing",
  initial: "sending",
  states: {
    sending: { on: { push_received: "received", push_endpoint_gone: "gone" } },
    received: { on: { push_opened: "opened" } },
    opened: { type: "final" },
    gone: { type: "final" },
  },
  actions: [
    {
      actionId: "send",
      type: "push",
      triggerState: "sending",
      config: { provider: "fcm", token: "{{ execution.variables.device }}", data: { id: 7 }, receipt: true },
      retryPolicy: { maxAttempts: 1 },
    },
  ],
};

async function shopWithDevices() {
  const { calls } = provider(({ url, body }) => {
    if (url.host === "oauth2.googleapis.com") return Response.json({ access_token: "t", expires_in: 3600 });
    if (!body.includes("gone")) return Response.json({ name: "projects/p/messages/1" });
    const details = [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode: "UNREGISTERED" }];
    return Response.json({ error: { code: 404, message: "gone", status: "NOT_FOUND", details } }, { status: 404 });
  });
  const shop = await engine(pushing);
  await setSecrets(shop, { fcm_key: await privateKeyPem(), fcm_text: "bot@x.example", fcm_project: "project-p" });
  const credentials = { projectId: "fcm_project", clientEmail: "fcm_text", privateKey: "fcm_key" };
  await shop.must(201, "POST", "/v1/connections", { body: { name: "fcm", provider: "fcm", credentials } });
  return { shop, calls };
}

const start = (shop: Engine, device: string) => shop.start("pushing", { variables: { device } });
const post = async (url: string) => {
  const response = await worker.fetch(url, { method: "POST" });
  return { status: response.status, body: (await response.json()) as object }; // every answer is an object
};

test("the address in the message reports its arrival and its opening, once each", async () => {
  const { shop, calls } = await shopWithDevices();
  const id = await start(shop, "device-1");
  await until("the message is out", async () => ((await shop.runs(id))[0]?.status === "ok" ? true : null));
  const sent = calls.find(({ body }) => body.includes("receiptUrl"));
  const url: string = JSON.parse(sent?.body ?? "{}").message.data.receiptUrl;
  expect(url).toMatch(/^https:\/\/api\.test\/v1\/receipts\//);
  expect((await post(`${url}?event=read`)).status).toBe(400);
  expect((await post(url.replace(/.$/, (last) => (last === "A" ? "Q" : "A")))).status).toBe(401);
  expect((await post("https://api.test/v1/receipts/none")).status).toBe(401);
  expect(await post(url)).toEqual({
    status: 200,
    body: { received: true, applied: true, recorded: true, event: "received", reason: null },
  });
  await post(url);
  expect(await post(`${url}?event=opened`)).toMatchObject({ status: 200, body: { applied: true } });
  expect(await shop.reaches(id, "completed")).toMatchObject({ states: ["opened"] });
  expect((await shop.runs(id))[0].delivery).toMatchObject({ status: "opened", counts: { received: 1, opened: 1 } });
  expect(JSON.stringify([await shop.journal(id), await shop.runs(id)])).not.toContain(url);
});

test("a device that is gone is an event, and gets no further message", async () => {
  const { shop } = await shopWithDevices();
  const id = await start(shop, "gone-1");
  expect(await shop.reaches(id, "completed")).toMatchObject({ states: ["gone"] });
  expect((await shop.runs(id))[0]).toMatchObject({
    status: "failed",
    handled: true,
    error: { code: "subscription_gone" },
  });
  const found = await bindings.DB.prepare("SELECT channel, reasons FROM suppressions WHERE tenant = ?")
    .bind(shop.tenant)
    .all();
  expect(found.results).toMatchObject([{ channel: "push", reasons: expect.stringContaining("gone") }]);
});

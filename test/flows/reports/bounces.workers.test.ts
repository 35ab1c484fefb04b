// The bounce drill through the whole Worker: callbacks of SendGrid, Resend and Twilio reach the runs that sent the
// messages, under replay, disorder and forgery.
import { describe, expect, test } from "vitest";
import { referenceText, REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import { resendCallback, sendgridKeys, twilioCallback, type SignedCallback } from "./signed-callbacks.ts";
import { setSecrets } from "../crm.ts";
import { bindings, engine, provider, until, worker, type Call, type Engine } from "../engine.ts";

const HOOKS = "https://api.test";
const WHSEC = `whsec_${btoa("a secret of twenty-four b")}`;
const settings = { from: "shop@example.com", publicUrl: HOOKS };
const to = "ada@example.com";

const machine = (name: string, type: string, config: object) => ({
  kind: "machine",
  name,
  initial: "sending",
  variables: { heard: [] },
  states: {
    sending: { on: { [`${type}_delivered`]: "arrived", [`${type}_bounced`]: "returned", sms_undelivered: "returned" } },
    arrived: { on: { [`${type}_bounced`]: "returned", [`${type}_opened`]: "read" } },
    returned: { type: "final" },
    read: { type: "final" },
  },
  actions: [{ actionId: "send", type, triggerState: "sending", config, retryPolicy: { maxAttempts: 1 } }],
});
const mail = { to, subject: "Hello", text: "Hello" };

/** Answers as the providers do, each message with an id of its own. */
function providers() {
  let sent = 0;
  return provider(({ url }) => {
    const id = `m-${++sent}`;
    if (url.host === "api.sendgrid.com") return new Response(null, { status: 202, headers: { "x-message-id": id } });
    if (url.host === "api.resend.com") return Response.json({ id });
    return Response.json({ sid: id, status: "queued" }, { status: 201 });
  });
}

const keys = await sendgridKeys();

async function shopWith(provider: string, credentials: object, ...definitions: object[]): Promise<Engine> {
  const shop = await engine(...definitions);
  await setSecrets(shop, {
    api_key: "SG.x",
    hook_key: provider === "sendgrid" ? keys.publicKey : provider === "resend" ? WHSEC : "token",
  });
  const body = { name: "main", provider, credentials: { ...credentials, webhookKey: "hook_key" }, settings };
  await shop.must(201, "POST", "/v1/connections", { body });
  return shop;
}

async function call({ url, body, headers }: SignedCallback) {
  const response = await worker.fetch(url, { method: "POST", body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }; // every answer is an object
}

async function suppressed({ tenant }: Engine): Promise<readonly object[]> {
  const sql = "SELECT channel, address, reasons FROM suppressions WHERE tenant = ?";
  const { results } = await bindings.DB.prepare(sql).bind(tenant).all<{ readonly reasons: string }>();
  return results.map((row) => ({ ...row, reasons: JSON.parse(row.reasons) }));
}

const hookUrl = (shop: Engine, provider: string) => `${HOOKS}/v1/hooks/${provider}/${shop.tenant}/main`;
const action = (shop: Engine, id: string) => shop.must(200, "GET", `/v1/actions/${id}`);
const sentAction = (shop: Engine, id: string) =>
  until("the action is done", async () => {
    const found = await action(shop, id);
    return found.status === "ok" ? found : null;
  });

describe("SendGrid", () => {
  const sendgrid = (shop: Engine) => hookUrl(shop, "sendgrid");
  const argOf = (sent: Call | undefined) =>
    JSON.parse(sent?.body ?? "{}").personalizations[0].custom_args[REFERENCE_FIELD] as string;
  const seconds = () => Math.floor(Date.now() / 1_000);
  const event = (reference: string, messageId: string, more: object) => ({
    email: to,
    timestamp: seconds(),
    sg_message_id: `${messageId}.filter0001.16648.5515E0B88.0`,
    [REFERENCE_FIELD]: reference,
    ...more,
  });

  test("one callback moves each execution on by its own events, in the order in which they happened", async () => {
    const { calls } = providers();
    const shop = await shopWith("sendgrid", { apiKey: "api_key" }, machine("mailing", "email", mail));
    const [one, two] = [await shop.start("mailing"), await shop.start("mailing")];
    for (const id of [one, two])
      await until("the mail is out", async () => ((await shop.runs(id))[0]?.status === "ok" ? true : null));
    const ofExecution = async (id: string) => {
      const [run] = await shop.runs(id);
      const sent = calls.find(({ key }) => key === `${id}/${run.id}`);
      return { reference: argOf(sent), messageId: run.result.messageId as string };
    };
    const [a, b] = [await ofExecution(one), await ofExecution(two)];
    const now = seconds();
    const events = [
      event(a.reference, a.messageId, { sg_event_id: "e-2", event: "open", timestamp: now }),
      event(a.reference, a.messageId, { sg_event_id: "e-1", event: "delivered", timestamp: now - 60 }),
      event(b.reference, b.messageId, {
        sg_event_id: "e-3",
        event: "bounce",
        type: "bounce",
        status: "5.1.1",
        reason: "550 no such user",
      }),
      // The reference of one message with the id of another one.
      event(a.reference, b.messageId, { sg_event_id: "e-4", event: "bounce", type: "bounce" }),
      event(referenceText({ execution: "exe_unknown", run: "1.0", attempt: 1 }), "x", {
        sg_event_id: "e-5",
        event: "open",
      }),
      event("not a reference", "x", { sg_event_id: "e-6", event: "open" }),
      event(a.reference, a.messageId, { sg_event_id: "e-7", event: "processed" }),
    ];
    const signed = await keys.sign(sendgrid(shop), events, Date.now());
    expect(await call(signed)).toEqual({
      status: 200,
      body: {
        received: true,
        messages: 7,
        applied: 3,
        recorded: 3,
        repeated: 0,
        notApplied: { foreign_message: 3, not_an_event: 1 },
      },
    });
    expect(await shop.reaches(one, "completed")).toMatchObject({ states: ["read"] });
    expect(await shop.reaches(two, "completed")).toMatchObject({ states: ["returned"] });
    const heard = (await shop.journal(two)).find(({ kind }) => kind === "event_received");
    expect(heard.event).toMatchObject({
      type: "email_bounced",
      source: "sendgrid/main",
      payload: { actionId: "send", attempt: 1, recipient: to, type: "hard", code: "5.1.1", reason: "550 no such user" },
    });
    expect((await shop.runs(two))[0].delivery).toMatchObject({
      status: "bounced",
      recipient: to,
      counts: { bounced: 1 },
    });
    expect((await shop.runs(one))[0].delivery).toMatchObject({ status: "opened", counts: { opened: 1, delivered: 1 } });

    const history = await shop.journal(one);
    expect((await call(signed)).body).toMatchObject({ applied: 0, repeated: 3 });
    expect(await shop.journal(one)).toEqual(history);
    const days = await shop.must(200, "GET", "/v1/metrics/deliveries?days=1&definition=mailing");
    expect(days.data).toMatchObject([
      { definition: "mailing", counts: { email_bounced: 1, email_delivered: 1, email_opened: 1 } },
    ]);
    expect(await suppressed(shop)).toMatchObject([
      { channel: "email", address: to, reasons: { hard_bounce: { execution: two } } },
    ]);
  });

  test("a standalone action shows its status after its end, and disorder does not lower it", async () => {
    const { calls } = providers();
    const shop = await shopWith("sendgrid", { apiKey: "api_key" });
    const { id } = (await shop.must(201, "POST", "/v1/actions", { body: { type: "email", config: mail } })).action;
    const { result } = await sentAction(shop, id);
    expect((await action(shop, id)).delivery).toBe(null);
    const reference = argOf(calls[0]);
    const tell = async (more: object) =>
      call(await keys.sign(sendgrid(shop), [event(reference, result.messageId, more)], Date.now()));
    const now = seconds();
    expect(
      (await tell({ sg_event_id: "s-1", event: "click", url: "https://shop.example/a", timestamp: now })).body,
    ).toMatchObject({ applied: false, event: "email_clicked", execution: id, reason: "execution_final" });
    await tell({ sg_event_id: "s-2", event: "delivered", timestamp: now - 300 });
    await tell({ sg_event_id: "s-3", event: "bounce", type: "blocked", timestamp: now - 200 });
    expect((await action(shop, id)).delivery).toMatchObject({
      status: "clicked",
      event: "email_clicked",
      attempt: 1,
      counts: { clicked: 1, delivered: 1, bounced: 1 },
    });
    const list = await until("the action is listed", async () => {
      const { data } = await shop.must(200, "GET", "/v1/actions");
      return data.length > 0 && data[0].status === "ok" ? data : null;
    });
    expect(list[0].delivery).toMatchObject({ status: "clicked" });
  });

  test("another tenant's signature, a changed body and an old callback are refused", async () => {
    const { calls } = providers();
    const shop = await shopWith("sendgrid", { apiKey: "api_key" });
    const other = await shopWith("sendgrid", { apiKey: "api_key" });
    await setSecrets(other, { hook_key: (await sendgridKeys()).publicKey });
    const { id } = (await shop.must(201, "POST", "/v1/actions", { body: { type: "email", config: mail } })).action;
    const { result } = await sentAction(shop, id);
    const events = [event(argOf(calls[0]), result.messageId, { sg_event_id: "f-1", event: "spamreport" })];
    const signed = await keys.sign(sendgrid(shop), events, Date.now());
    expect((await call({ ...signed, body: signed.body.replace("f-1", "f-2") })).status).toBe(401);
    expect((await call({ ...signed, url: sendgrid(other) })).status).toBe(401);
    expect((await call({ ...signed, url: `${HOOKS}/v1/hooks/resend/${shop.tenant}/main` })).status).toBe(401);
    expect((await call(await keys.sign(sendgrid(shop), events, Date.now() - 4 * 24 * 60 * 60_000))).status).toBe(401);
    expect((await action(shop, id)).delivery).toBe(null);
  });

  test("a message of another tenant's execution is not ours, although the account is the same", async () => {
    const { calls } = providers();
    const shop = await shopWith("sendgrid", { apiKey: "api_key" });
    const other = await shopWith("sendgrid", { apiKey: "api_key" });
    const { id } = (await shop.must(201, "POST", "/v1/actions", { body: { type: "email", config: mail } })).action;
    const { result } = await sentAction(shop, id);
    const events = [event(argOf(calls[0]), result.messageId, { sg_event_id: "t-1", event: "bounce", type: "bounce" })];
    const told = await call(await keys.sign(sendgrid(other), events, Date.now()));
    expect(told).toMatchObject({ status: 200, body: { applied: false, reason: "foreign_message" } });
    expect((await action(shop, id)).delivery).toBe(null);
    expect(await suppressed(other)).toEqual([]);
  });

  test("without the callbacks' key a message names no run", async () => {
    const { calls } = providers();
    const shop = await engine();
    await setSecrets(shop, { api_key: "SG.x" });
    const body = { name: "main", provider: "sendgrid", credentials: { apiKey: "api_key" }, settings };
    await shop.must(201, "POST", "/v1/connections", { body });
    const { id } = (await shop.must(201, "POST", "/v1/actions", { body: { type: "email", config: mail } })).action;
    await sentAction(shop, id);
    expect(JSON.parse(calls[0]?.body ?? "{}").personalizations[0].custom_args).toEqual({
      idempotency_key: `${id}/1.0`,
    });
  });
});

test("Resend: a tag finds the run, and every attempt sends the same bytes", async () => {
  let attempts = 0;
  const { calls } = provider(() =>
    ++attempts === 1 ? new Response("later", { status: 503 }) : Response.json({ id: "r-1" }),
  );
  const shop = await shopWith("resend", { apiKey: "api_key" });
  const retryPolicy = { maxAttempts: 2, baseDelay: 10, backoffStrategy: "fixed" };
  const { id } = (await shop.must(201, "POST", "/v1/actions", { body: { type: "email", config: mail, retryPolicy } }))
    .action;
  await sentAction(shop, id);
  expect(calls).toHaveLength(2);
  expect(calls[0]?.body).toBe(calls[1]?.body);
  const { tags } = JSON.parse(calls[1]?.body ?? "{}");
  const tell = async (svix: string, type: string, data: object) =>
    call(
      await resendCallback(WHSEC, {
        url: hookUrl(shop, "resend"),
        id: svix,
        event: { type, created_at: new Date().toISOString(), data: { email_id: "r-1", to: [to], tags, ...data } },
        at: Date.now(),
      }),
    );
  expect((await tell("msg_0", "email.delivered", { email_id: "r-2" })).body).toMatchObject({
    reason: "foreign_message",
  });
  const bounce = { type: "Permanent", subType: "General", message: "no such user" };
  expect((await tell("msg_1", "email.bounced", { bounce })).body).toMatchObject({
    event: "email_bounced",
    messageId: "r-1",
  });
  expect((await action(shop, id)).delivery).toMatchObject({
    status: "bounced",
    attempt: 2,
    code: "General",
    reason: "no such user",
  });
  expect(await suppressed(shop)).toMatchObject([{ address: to, reasons: { hard_bounce: { connection: "main" } } }]);
});

test("Twilio: the signed address finds the run, and a failure has its error code", async () => {
  const { calls } = providers();
  const text = { to: "+14155550123", message: "Hello" };
  const shop = await shopWith(
    "twilio",
    { accountSid: "api_key", authToken: "hook_key" },
    machine("texting", "sms", { ...text, from: "+14155550100" }),
  );
  const id = await shop.start("texting");
  await until("the text is out", async () => ((await shop.runs(id))[0]?.status === "ok" ? true : null));
  const [run] = await shop.runs(id);
  const url = new URLSearchParams(calls[0]?.body).get("StatusCallback") ?? "";
  expect(url).toMatch(`${HOOKS}/v1/hooks/twilio/${shop.tenant}/main?${REFERENCE_FIELD}=`);
  const fields = { MessageSid: run.result.messageId, To: text.to, From: "+14155550100", AccountSid: "AC" };
  const tell = async (more: object, key = "token", at = url) =>
    call(await twilioCallback(key, at, { ...fields, ...more } as Record<string, string>)); // every field is a text
  expect((await tell({ MessageStatus: "undelivered" }, "another")).status).toBe(401);
  const forged = url.replace(/=.*$/, `=${referenceText({ execution: id, run: run.id, attempt: 2 })}`);
  expect((await tell({ MessageStatus: "undelivered" }, "token", forged)).body).toMatchObject({
    reason: "foreign_message",
  });
  expect((await tell({ MessageStatus: "sent" })).body).toMatchObject({ applied: false, event: "sms_sent" });
  expect((await tell({ MessageStatus: "undelivered", ErrorCode: "30005" })).body).toMatchObject({ applied: true });
  expect(await shop.reaches(id, "completed")).toMatchObject({ states: ["returned"] });
  const heard = (await shop.journal(id)).find(({ kind }) => kind === "event_received");
  expect(heard.event).toMatchObject({ type: "sms_undelivered", payload: { errorCode: "30005", recipient: text.to } });
  await tell({ MessageStatus: "sent" });
  expect((await shop.runs(id))[0].delivery).toMatchObject({
    status: "undelivered",
    code: "30005",
    counts: { sent: 1, undelivered: 1 },
  });
});

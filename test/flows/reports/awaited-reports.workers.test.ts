// Awaited reports through the whole Worker: a journey's node, a machine's state and a reconciler's rule wait for a signed
// callback about their own message, in an object of their own and in a pool.
import { describe, expect, test } from "vitest";
import { REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import { sendgridKeys } from "./signed-callbacks.ts";
import { setSecrets } from "../crm.ts";
import { engine, provider, until, worker, type Call } from "../engine.ts";

const HOOKS = "https://api.test";
const to = "ada@example.com";
const mail = { type: "email", config: { to, subject: "Hello", text: "Hello" } };
const keys = await sendgridKeys();

const machine = {
  kind: "machine",
  initial: "sending",
  states: {
    sending: { on: { email_delivered: "arrived", email_bounced: "returned" } },
    arrived: { type: "final" },
    returned: { type: "final", outcome: "failed" },
  },
  actions: [{ actionId: "send", triggerState: "sending", ...mail }],
};
const journey = {
  kind: "journey",
  initial: "send",
  nodes: {
    send: {
      ...mail,
      await: { for: ["email_delivered", "email_bounced"], timeout: "P7D" },
      assign: { report: { var: "message.type" } },
      next: "which",
    },
    which: {
      type: "branch",
      cases: [
        { guard: { "===": [{ var: "execution.variables.report" }, "email_bounced"] }, next: "returned" },
        { next: "arrived" },
      ],
    },
    arrived: { type: "exit" },
    returned: { type: "exit", outcome: "failed" },
  },
};
const reportIs = (event: string) => ({ "===": [{ var: "action.delivery.event" }, event] });
const reconciler = {
  kind: "reconciler",
  tick: "PT1S",
  initial: "Sending",
  states: {
    Sending: {
      rules: [
        { when: reportIs("email_delivered"), target: "Arrived" },
        { when: reportIs("email_bounced"), target: "Returned" },
        { when: { "!": { var: "action.actionName" } }, emit: "send" },
      ],
    },
    Arrived: { type: "final" },
    Returned: { type: "final", outcome: "failed" },
  },
  actions: [{ actionId: "send", ...mail }],
};

async function mailed(definition: object) {
  let sent = 0;
  const { calls } = provider(() => new Response(null, { status: 202, headers: { "x-message-id": `m-${++sent}` } }));
  const shop = await engine();
  await setSecrets(shop, { api_key: "SG.x", hook_key: keys.publicKey });
  const settings = { from: "shop@example.com", publicUrl: HOOKS };
  const credentials = { apiKey: "api_key", webhookKey: "hook_key" };
  await shop.must(201, "POST", "/v1/connections", {
    body: { name: "main", provider: "sendgrid", credentials, settings },
  });
  await shop.must(201, "POST", "/v1/definitions", { body: { name: "mailing", ...definition } });
  const id = await shop.start("mailing");
  const run = await until("the mail is out", async () => {
    const found = (await shop.runs(id)).find(({ status }) => status === "ok");
    return found ?? null;
  });
  const reference = (call: Call | undefined) => JSON.parse(call?.body ?? "{}").personalizations[0].custom_args;
  const tell = async (event: object) => {
    const about = { email: to, timestamp: Math.floor(Date.now() / 1_000), sg_message_id: `${run.result.messageId}.x` };
    const sentBy = reference(calls[0])[REFERENCE_FIELD];
    const url = `${HOOKS}/v1/hooks/sendgrid/${shop.tenant}/main`;
    const signed = await keys.sign(url, [{ ...about, [REFERENCE_FIELD]: sentBy, ...event }], Date.now());
    const answered = await worker.fetch(url, { method: "POST", body: signed.body, headers: signed.headers });
    return (await answered.json()) as Record<string, unknown>; // every answer is an object
  };
  return { ...shop, id, tell };
}

describe.each(["own", "pooled"])("placed as %s", (placement) => {
  describe.each([
    ["a machine's state", machine],
    ["a journey's node", journey],
    ["a reconciler's rule", reconciler],
  ])("%s", (_kind, definition) => {
    test("reacts to the delivery", async () => {
      const { id, tell, reaches, read } = await mailed({ ...definition, placement });
      expect((await read(id)).status).not.toBe("completed");
      expect(await tell({ sg_event_id: "d-1", event: "delivered" })).toMatchObject({ applied: true });
      await reaches(id, "completed");
      expect(await tell({ sg_event_id: "d-2", event: "bounce", type: "bounce" })).toMatchObject({ applied: false });
      expect((await read(id)).status).toBe("completed");
    });

    test("reacts to a bounce", async () => {
      const { id, tell, reaches } = await mailed({ ...definition, placement });
      const bounce = { sg_event_id: "b-1", event: "bounce", type: "bounce", status: "5.1.1", reason: "no such user" };
      expect(await tell(bounce)).toMatchObject({ applied: true });
      await reaches(id, "failed");
    });
  });
});

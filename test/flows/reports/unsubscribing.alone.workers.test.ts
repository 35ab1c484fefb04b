// Unsubscribe links through the whole Worker: the link in a sent e-mail, its page, and what follows from using it.
import { expect, test } from "vitest";
import { setSecrets } from "../crm.ts";
import { bindings, engine, provider, until, worker, type Call, type Engine } from "../engine.ts";

Object.assign(bindings, { PUBLIC_URL: "https://api.test", SIGNING_KEY: btoa("s".repeat(32)) });

const retryPolicy = { maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 1, jitter: "none" };
const mailing = (config: object) => ({
  kind: "machine",
  name: "mailing",
  initial: "sending",
  states: { sending: { on: { email_unsubscribed: "left" } }, left: { type: "final" } },
  actions: [{ actionId: "send", type: "email", triggerState: "sending", config, retryPolicy }],
});
const letter = {
  to: "Ada <Ada@example.com>",
  subject: "News",
  html: '<p>News. <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>',
  text: "News. Unsubscribe: {{ unsubscribe_url }}",
};

async function shopWith(kind: "sendgrid" | "resend", ...definitions: object[]) {
  let sent = 0;
  const { calls } = provider(({ url }) => {
    const id = `m-${++sent}`;
    if (url.host === "api.resend.com") return Response.json({ id }, { status: sent === 1 ? 503 : 200 });
    return new Response(null, { status: 202, headers: { "x-message-id": id } });
  });
  const shop = await engine(...definitions);
  await setSecrets(shop, { api_key: "SG.x" });
  const settings = { from: "shop@example.com" };
  const body = { name: "main", provider: kind, credentials: { apiKey: "api_key" }, settings };
  await shop.must(201, "POST", "/v1/connections", { body });
  return { shop, calls };
}

const bodyOf = (call: Call | undefined) => JSON.parse(call?.body ?? "{}");
const linkIn = (call: Call | undefined): string =>
  /<(https:[^>]+)>/.exec(bodyOf(call).headers["List-Unsubscribe"])?.[1] ?? "";
const isSent = (shop: Engine, id: string) =>
  until("the mail is out", async () => ((await shop.runs(id))[0]?.status === "ok" ? true : null));

async function page(method: string, url: string, init: RequestInit = {}) {
  const response = await worker.fetch(url, { method, ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const suppressed = (shop: Engine) => shop.must(200, "GET", "/v1/suppressions?channel=email");
const action = (shop: Engine, body: object, status: string) =>
  shop.must(201, "POST", "/v1/actions", { body }).then((made) =>
    until(`the action is ${status}`, async () => {
      const found = await shop.must(200, "GET", `/v1/actions/${made.action.id}`);
      return found.status === status ? found : null;
    }),
  );

test("the link in an e-mail suppresses its recipient, without a key, and is an event of the execution", async () => {
  const { shop, calls } = await shopWith("sendgrid", mailing(letter));
  const id = await shop.start("mailing");
  await isSent(shop, id);
  const sent = bodyOf(calls[0]);
  const url = linkIn(calls[0]);
  expect(url).toMatch(/^https:\/\/api\.test\/u\/[A-Za-z0-9_-]+$/);
  expect(sent.headers).toMatchObject({
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  expect(sent.content).toEqual([
    { type: "text/plain", value: `News. Unsubscribe: ${url}` },
    { type: "text/html", value: `<p>News. <a href="${url}">Unsubscribe</a></p>` },
  ]);

  const asked = await page("GET", url);
  expect(asked.status).toBe(200);
  expect(asked.text).toContain("a***@example.com");
  expect(asked.text).toMatch(/<form method="post">/);
  expect(asked.text).not.toMatch(/<script|<link|src=|ada@/i);
  expect(asked.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'nonce-/);
  expect(asked.headers.get("referrer-policy")).toBe("no-referrer");
  expect((await suppressed(shop)).data).toEqual([]);
  expect(await shop.must(200, "GET", `/v1/executions/${id}`)).toMatchObject({ status: "waiting" });

  const oneClick = {
    body: "List-Unsubscribe=One-Click",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  };
  expect((await page("POST", url, oneClick)).status).toBe(200);
  expect(await shop.reaches(id, "completed")).toMatchObject({ states: ["left"] });
  const [row, ...others] = (await suppressed(shop)).data;
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    address: "ada@example.com",
    reason: "unsubscribe",
    reasons: [{ reason: "unsubscribe", via: "link", execution: id, run: "1.0", actor: null }],
  });
  const heard = (await shop.journal(id)).find(({ kind }) => kind === "event_received");
  expect(heard.event).toMatchObject({
    type: "email_unsubscribed",
    payload: { actionId: "send", run: "1.0", attempt: 1, recipient: "ada@example.com" },
  });
  const delivery = { status: "unsubscribed", recipient: "ada@example.com", counts: { unsubscribed: 1 } };
  expect((await shop.runs(id))[0].delivery).toMatchObject(delivery);

  const history = await shop.journal(id);
  expect((await page("POST", url)).status).toBe(200);
  expect((await suppressed(shop)).data).toEqual([row]);
  expect(await shop.journal(id)).toEqual(history);
  expect((await shop.runs(id))[0].delivery).toMatchObject(delivery);

  const next = { type: "email", config: { to: "ada@example.com", subject: "More", text: "More" } };
  expect(await action(shop, next, "skipped")).toMatchObject({ reason: "suppressed" });
  expect(calls).toHaveLength(1);

  const read = [await shop.journal(id), await shop.runs(id), await shop.must(200, "GET", `/v1/executions/${id}`)];
  expect(JSON.stringify(read)).not.toContain(url.slice(-40));
});

test("a link that was changed does not work, and reads nothing", async () => {
  const { shop, calls } = await shopWith("sendgrid", mailing(letter));
  await isSent(shop, await shop.start("mailing"));
  const url = linkIn(calls[0]);
  const forged = [
    url.slice(0, -1),
    `${url}A`,
    url.replace(/.$/, (last) => (last === "A" ? "Q" : "A")),
    "https://api.test/u/placeholder",
  ];
  const [first, ...pages] = await Promise.all(forged.flatMap((each) => [page("GET", each), page("POST", each)]));
  const shown = (text = "") => text.replaceAll(/nonce="[^"]*"/g, "");
  for (const each of pages) expect([each.status, shown(each.text)]).toEqual([404, shown(first?.text)]);
  expect((await suppressed(shop)).data).toEqual([]);
});

test("a stored template inserts the link, and a retry sends the same bytes", async () => {
  const { shop, calls } = await shopWith("resend");
  const html = '{% if name %}<p>Hi {{ name }}.</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>{% endif %}';
  const stored = { name: "news", subject: "News", html, variables: [{ name: "name" }] };
  await shop.must(201, "POST", "/v1/templates", { body: stored });
  const shownBody = { variables: { name: "Ada" } };
  const shown = await shop.must(200, "POST", "/v1/templates/news/preview", { body: shownBody });
  expect(shown).toMatchObject({ valid: true, html: expect.stringContaining("https://engine.example/u/placeholder") });
  const config = { to: "ada@example.com", template: "news", variables: { name: "Ada" } };
  await shop.must(201, "POST", "/v1/definitions", { body: { ...mailing(config), name: "templated" } });
  const id = await shop.start("templated");
  await isSent(shop, id);
  const [first, second] = calls;
  expect(second?.body).toBe(first?.body);
  const url = linkIn(second);
  expect(bodyOf(second).html).toBe(`<p>Hi Ada.</p><a href="${url}">Unsubscribe</a>`);
  expect((await page("POST", url)).status).toBe(200);
  expect(await shop.reaches(id, "completed")).toMatchObject({ states: ["left"] });
});

test("a rehearsal shows a placeholder, and wrong uses are refused where they are written", async () => {
  const { shop } = await shopWith("sendgrid");
  const tested = await shop.must(200, "POST", "/v1/actions/test", {
    body: { action: { type: "email", config: { ...letter, connection: "main" } } },
  });
  expect(JSON.stringify(tested)).toContain("<https://engine.example/u/placeholder>");
  const refused = async (type: string, config: object) => {
    const { errors } = await shop.must(422, "POST", "/v1/actions", { body: { type, config } });
    return errors.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer]);
  };
  expect(await refused("email", { ...letter, to: ["a@example.com", "b@example.com"] })).toEqual([
    ["unsubscribe_needs_one_recipient", "/config/to"],
  ]);
  const misused = mailing({ ...letter, text: "{% if now %}{{ unsubscribe_url }}{% endif %}" });
  const { errors } = await shop.must(422, "POST", "/v1/definitions", { body: misused });
  expect(errors).toMatchObject([{ code: "unsubscribe_url_misused", pointer: "/actions/0/config/text" }]);
  expect(await refused("sms", { to: "+14155550123", message: "{{ unsubscribe_url }}" })).toEqual([
    ["unsubscribe_url_misplaced", "/config/message"],
  ]);
});

test("a suspended tenant's link still works", async () => {
  const { shop, calls } = await shopWith("sendgrid", mailing(letter));
  await isSent(shop, await shop.start("mailing"));
  const headers = { Authorization: "Bearer root-key-of-the-flow-tests" };
  await shop.must(200, "POST", `/v1/tenants/${shop.tenant}/suspend`, { headers, body: { reason: "unpaid" } });
  const done = await page("POST", linkIn(calls[0]));
  expect([done.status, done.text.includes("suspended")]).toEqual([200, true]);
});

// The suppression list through the real Worker: a hard bounce stops the next mail, and a retry of the mail before it.
import { expect, it } from "vitest";
import { depsOf } from "#entrypoints/deps.ts";
import { addSuppression } from "#services/suppressions/add-suppression.ts";
import { bindings, engine, provider, type Engine } from "../engine.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });

const mail = (more: object = {}) => ({
  type: "email",
  config: {
    provider: "sendgrid",
    from: "shop@example.com",
    to: "ada@example.com",
    subject: "Hi",
    text: "Hello",
    ...more,
  },
  retryPolicy: { maxAttempts: 3, backoffStrategy: "fixed", baseDelay: 1, jitter: "none" },
});
const journey = (name: string, more: object = {}) => ({
  kind: "journey",
  name,
  initial: "mail",
  nodes: {
    mail: { ...mail(more), next: "after" },
    after: { type: "webhook", config: { url: "https://x.example/after" } },
  },
});

async function shop(...definitions: readonly object[]): Promise<Engine> {
  const here = await engine(...definitions);
  await here.must(200, "PUT", "/v1/secrets/mail_key", { body: { value: "SG.the-key-of-the-shop" } });
  const connection = { name: "mail", provider: "sendgrid", credentials: { apiKey: "mail_key" } };
  await here.must(201, "POST", "/v1/connections", { body: connection });
  return here;
}

const bounce = (here: Engine, address: string, reason: "hard_bounce" | "unsubscribe" = "hard_bounce") =>
  addSuppression(depsOf(bindings), here.tenant, { channel: "email", address, reason, source: { at: Date.now() } });

it("a hard bounce stops the retry of the mail in progress and the next mail, and both journeys continue", async () => {
  // The provider reports the bounce during the first attempt, and then fails this attempt.
  const { calls } = provider(async ({ url }) => {
    if (url.hostname === "x.example") return new Response(null, { status: 200 });
    expect(await bounce(here, "Ada@Example.com")).toMatchObject({ ok: true });
    return new Response(null, { status: 503 });
  });
  const here = await shop(journey("welcome"));
  const ids = [await here.start("welcome")];
  await here.reaches(ids[0] ?? "", "completed");
  ids.push(await here.start("welcome"));
  for (const id of ids) {
    await here.reaches(id, "completed");
    expect(await here.runs(id)).toContainEqual(
      expect.objectContaining({ action: "mail", status: "skipped", reason: "suppressed" }),
    );
    const skipped = { kind: "run_skipped", action: "mail", reason: "suppressed" };
    expect(await here.journal(id)).toContainEqual(expect.objectContaining(skipped));
  }
  const sent = calls.map(({ url }) => url.hostname);
  expect(sent.filter((host) => host === "x.example")).toHaveLength(2);
  expect(sent.filter((host) => host !== "x.example")).toHaveLength(1);
  expect((await here.must(200, "GET", "/v1/dead-letters")).data).toEqual([]);
});

it("the other recipients get the mail, and a transactional mail reaches one who has unsubscribed", async () => {
  const { calls } = provider(({ url }) => new Response(null, { status: url.hostname === "x.example" ? 200 : 202 }));
  const to = ["ada@example.com", "bob@example.com"];
  const here = await shop(journey("news", { to }), journey("receipt", { to, heedSuppressions: false }));
  await bounce(here, "ada@example.com", "unsubscribe");
  const news = await here.start("news");
  await here.reaches(news, "completed");
  const receipt = await here.start("receipt");
  await here.reaches(receipt, "completed");
  const sent = calls.flatMap(({ body }) => {
    const [first] = body.startsWith("{") ? (JSON.parse(body).personalizations ?? []) : [];
    return first === undefined ? [] : [first.to.map(({ email }: { email: string }) => email)];
  });
  expect(sent).toEqual([["bob@example.com"], to]);
  const run = (await here.runs(news)).find(({ action }) => action === "mail");
  expect(run).toMatchObject({ status: "ok", result: { suppressed: ["ada@example.com"] } });
});

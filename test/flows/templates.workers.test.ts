// A stored template all the way to the provider: pinned when the definition is created, rendered when the run is
// carried out, with values from the execution, and the same words when it is tried again.
import { expect, it } from "vitest";
import { bindings, engine, provider } from "./engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });

const greet = {
  kind: "machine",
  name: "greet",
  initial: "greeting",
  states: {
    greeting: { on: { "action.mail.ok": "done", "action.mail.failed": "failed" } },
    done: { type: "final" },
    failed: { type: "final", outcome: "failed" },
  },
  actions: [
    {
      actionId: "mail",
      type: "email",
      triggerState: "greeting",
      retryPolicy: { maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 1, jitter: "none" },
      config: {
        provider: "sendgrid",
        from: "shop@example.com",
        to: "ada@example.com",
        template: "welcome",
        variables: { name: "{{ execution.variables.name }}" },
      },
    },
  ],
};
const welcome = {
  name: "welcome",
  subject: "Hi {{ name }}",
  html: "<b>{{ name }}</b>",
  text: "{{ name }}",
  variables: [{ name: "name" }],
};

async function shop() {
  const here = await engine();
  await here.must(200, "PUT", "/v1/secrets/mail_key", { body: { value: "SG.the-key-of-the-shop" } });
  const connection = { name: "mail", provider: "sendgrid", credentials: { apiKey: "mail_key" } };
  await here.must(201, "POST", "/v1/connections", { body: connection });
  await here.must(201, "POST", "/v1/templates", { body: welcome });
  await here.must(201, "POST", "/v1/definitions", { body: greet });
  return here;
}

it("every attempt sends the words of the version that the definition was created with", async () => {
  const { calls } = provider(({ attempt }) => new Response(null, { status: attempt === 1 ? 503 : 202 }));
  const here = await shop();
  await here.must(201, "POST", "/v1/templates", { body: { ...welcome, text: "other words for {{ name }}" } });
  const execution = await here.start("greet", { variables: { name: "<Ada>\r\nBcc: all@example.com" } });
  await here.reaches(execution, "completed");
  expect(calls.length).toBe(2);
  for (const { body } of calls) {
    const sent = JSON.parse(body);
    expect(JSON.stringify(sent)).toContain('"Hi <Ada> Bcc: all@example.com"');
    expect(sent.content).toEqual([
      { type: "text/plain", value: "<Ada>\r\nBcc: all@example.com" },
      { type: "text/html", value: "<b>&lt;Ada&gt;\r\nBcc: all@example.com</b>" },
    ]);
  }
  const [run] = await here.runs(execution);
  expect(run.config.template).toBe("welcome@1");
  expect(JSON.stringify([run, await here.journal(execution)])).not.toContain("SG.the-key");
});

it("a variable that is missing at that moment is the configuration's fault, and nobody is written to", async () => {
  const { calls } = provider();
  const here = await shop();
  const execution = await here.start("greet", { variables: { name: null } });
  await here.reaches(execution, "failed");
  expect(calls).toEqual([]);
  const [run] = await here.runs(execution);
  expect(run.error).toMatchObject({ type: "invalid_configuration", message: naming("variables.name:") });
});

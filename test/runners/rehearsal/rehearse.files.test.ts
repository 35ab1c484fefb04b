// Tests of rehearsed files: no file is fetched, and the report states that.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileAnswer } from "#runners/rehearsal/mock-files.ts";
import { slot } from "./cases.ts";
import { offline, rehearsed } from "./world.ts";

const network = offline();
beforeEach(network.cut);
afterEach(network.check);

const account = { credentials: { apiKey: "mail_key" } };
const message = { to: "ada@example.com", from: "us@example.com", subject: "Hi", text: "Hello" };
const attachments = [
  {
    url: slot("https://files.example.com/", { name: "folder" }, "/invoice.pdf?sig=written-in-the-url"),
    headers: { Authorization: slot("Bearer ", { name: "files_token" }) },
  },
  { r2: { key: "terms.pdf" } },
  { filename: "hi.txt", content: "aGk=" },
];
const WORDS = String(fileAnswer().body);
const STAND_IN = Buffer.from(WORDS).toString("base64");

describe.each(["sendgrid", "resend"])("a message through %s", (provider) => {
  it("fetches no files, and shows the request with placeholders", async () => {
    const { outcome, interactions, http, ports } = await rehearsed(
      "email",
      { provider, ...message, attachments },
      { account },
    );
    expect(outcome.ok).toBe(true);
    expect(interactions.every(({ mocked, assumed }) => mocked && assumed)).toBe(true);
    const [file, mail] = http;
    expect(file).toMatchObject({
      method: "GET",
      url: "https://files.example.com/[secret folder]/invoice.pdf?sig=[redacted]",
      headers: { authorization: "Bearer [secret files_token]" },
      response: { status: 200, body: WORDS },
    });
    expect(ports).toMatchObject([{ port: "files", call: "read", arguments: { r2: "terms.pdf" } }]);
    expect(mail?.body).toMatchObject({
      subject: "Hi",
      attachments: [
        { filename: "invoice.pdf", content: STAND_IN },
        { filename: "terms.pdf", content: STAND_IN },
        { filename: "hi.txt", content: "aGk=" },
      ],
    });
    expect(JSON.stringify(interactions)).not.toContain("written-in-the-url");
  });

  it("uses a single mock for the message, and a list for all requests in order", async () => {
    const config = { provider, ...message, attachments };
    const refused = await rehearsed("email", config, { account, mocks: { status: 503 } });
    expect(refused.http.map(({ response }) => response?.status)).toEqual([200, 503]);
    const missing = await rehearsed("email", config, { account, mocks: [{ status: 404 }] });
    expect(missing.outcome).toMatchObject({ error: { code: "file_not_found" } });
    const slow = await rehearsed("email", config, { account, mocks: [{ error: "timeout" }] });
    expect(slow.outcome).toMatchObject({ error: { code: "file_timeout", retryable: true } });
  });
});

it("shows the message for the platform's binding", async () => {
  const { ports } = await rehearsed("email", { provider: "cloudflare", ...message, attachments });
  expect(ports.at(-1)).toMatchObject({
    port: "email",
    arguments: { attachments: [{ content: STAND_IN }, { content: STAND_IN }, { content: "aGk=", contentId: null }] },
  });
});

it("reports a missing bucket", async () => {
  const config = { provider: "sendgrid", ...message, attachments: [{ r2: { key: "a" } }] };
  const { outcome } = await rehearsed("email", config, { account, installed: { files: false } });
  expect(outcome).toMatchObject({ error: { code: "files_not_bound" } });
});

it("finds the documents of an envelope at any depth", async () => {
  const url = "https://files.example.com/lease.pdf";
  const signers = [{ name: "Ada", email: "ada@bücher.example", tabs: { signHereTabs: [{ anchorString: "/sign/" }] } }];
  const inlineTemplates = [{ sequence: 1, documents: [{ name: "Lease.pdf", url }], recipients: { signers } }];
  const config = { emailSubject: "Your lease", compositeTemplates: [{ inlineTemplates }] };
  const settings = { accountId: "acc-1", integrationKey: "int-1", userId: "user-1" };
  const docusign = { credentials: { privateKey: "docusign_key" }, settings, sandbox: true };
  const { outcome, http } = await rehearsed("docusign_envelope", config, { account: docusign });
  expect(outcome.ok).toBe(true);
  expect(http.find((each) => each.url === url)?.response?.body).toContain(WORDS);
  expect(JSON.stringify(http.at(-1)?.body)).toContain("ada@xn--bcher-kva.example");
});

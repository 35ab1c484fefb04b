// Tests of e-mail attachments: the requests to each provider, and files that cannot be fetched.
import { describe, expect, it } from "vitest";
import type { EmailMessage, RunnerContext } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { jsonResponse, type Answer } from "#test/runners/world.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

const MIB = 1024 * 1024;
const message = { from: "post@acme.example", to: "ada@example.com", subject: "Hello", html: '<img src="cid:logo">' };
const account = { credentials: { apiKey: "key-of-the-account" } };
const FILE = "https://files.example.com/invoice.pdf?sig=canary-7f3a9c51e2";

const files: RunnerContext["files"] = {
  read: async (key) => {
    if (key !== "legal/terms.txt") return null;
    return { body: new Blob(["terms"]).stream(), bytes: 5, type: "text/plain", disposition: null };
  },
};
const accepts: Answer = () => jsonResponse({ id: "re-1" }, { status: 202, headers: { "X-Message-Id": "sg-1" } });
const withFile =
  (file: Answer, mail: Answer = accepts): Answer =>
  (call) =>
    call.url.startsWith("https://files.") ? file(call) : mail(call);
const pdf: Answer = () =>
  new Response("%PDF", { headers: { "Content-Type": "application/pdf", "Content-Length": "4" } });

async function send(config: JsonObject, answer: Answer = withFile(pdf), over: Surroundings = {}) {
  const { outcome, calls } = await performed("email", { ...message, ...config }, answer, { account, files, ...over });
  const mails = calls.filter(({ url }) => !url.startsWith("https://files."));
  return { outcome, fetched: calls.length - mails.length, mails, sent: await sentJson(mails[0]?.request) };
}

const attachments = [
  { filename: "hi.txt", content: "aGk=", type: "text/plain" },
  { url: FILE, headers: { Authorization: "Bearer hidden-42" } },
  { r2: { key: "legal/terms.txt" }, filename: "Terms.txt" },
  { filename: "logo.png", content: "aGk=", type: "image/png", contentId: "logo" },
];

describe("files from all three sources", () => {
  it("are sent to SendGrid as its API describes it", async () => {
    const { outcome, sent } = await send({ provider: "sendgrid", attachments });
    expectPublished("sendgrid-mail-send", sent);
    expect(sent).toMatchObject({
      attachments: [
        { filename: "hi.txt", content: "aGk=", type: "text/plain", disposition: "attachment" },
        { filename: "invoice.pdf", content: "JVBERg==", type: "application/pdf", disposition: "attachment" },
        { filename: "Terms.txt", content: "dGVybXM=", type: "text/plain", disposition: "attachment" },
        { filename: "logo.png", content: "aGk=", type: "image/png", disposition: "inline", content_id: "logo" },
      ],
    });
    expect(outcome.ok).toBe(true);
    expect(JSON.stringify(outcome)).not.toMatch(/canary|hidden-42/);
  });

  it("are sent to Resend as its API describes it", async () => {
    const { sent } = await send({ provider: "resend", attachments });
    expectPublished("resend-emails", sent);
    expect(sent).toMatchObject({
      attachments: [
        { filename: "hi.txt", content: "aGk=", content_type: "text/plain" },
        { filename: "invoice.pdf", content: "JVBERg==", content_type: "application/pdf" },
        { filename: "Terms.txt", content: "dGVybXM=", content_type: "text/plain" },
        { filename: "logo.png", content: "aGk=", content_type: "image/png", content_id: "logo" },
      ],
    });
  });

  it("are passed to Cloudflare's binding as bytes", async () => {
    const given: EmailMessage[] = [];
    const email: RunnerContext["email"] = { send: async (each) => (given.push(each), { messageId: "cf-1" }) };
    const { outcome } = await send({ provider: "cloudflare", attachments }, withFile(pdf), { email });
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    expect(given[0]?.attachments?.map(({ content, ...file }) => ({ ...file, text: text(content) }))).toEqual([
      { filename: "hi.txt", type: "text/plain", contentId: null, text: "hi" },
      { filename: "invoice.pdf", type: "application/pdf", contentId: null, text: "%PDF" },
      { filename: "Terms.txt", type: "text/plain", contentId: null, text: "terms" },
      { filename: "logo.png", type: "image/png", contentId: "logo", text: "hi" },
    ]);
    expect(outcome.ok).toBe(true);
  });
});

it("have default name and type if nothing states them", async () => {
  const { sent } = await send(
    { provider: "resend", attachments: [{ url: "https://files.example.com/" }] },
    withFile(() => new Response(new Uint8Array([1]))),
  );
  expect(sent).toMatchObject({ attachments: [{ filename: "attachment", content_type: "application/octet-stream" }] });
});

describe("a file that cannot be fetched", () => {
  const config = { provider: "sendgrid", attachments: [{ filename: "a", content: "aGk=" }, { url: FILE }] };

  it.each([
    [404, "file_not_found", false],
    [403, "file_refused", false],
    [302, "file_refused", false],
    [503, "file_unavailable", true],
  ])("with a %i fails the attempt as %s (retryable: %s), and nothing is sent", async (status, code, retryable) => {
    const { outcome, mails } = await send(
      config,
      withFile(() => new Response("canary", { status })),
    );
    expect([outcome, mails]).toMatchObject([{ ok: false, error: { code, retryable } }, []]);
    const said = outcome.ok ? "" : outcome.error.message;
    expect(said).toMatch(namingPattern("attachments.1", "GET files.example.com/", status));
    expect(JSON.stringify(outcome)).not.toContain("canary");
  });

  it("opens no connection and takes none of its slots, so another server's failure does not count for the provider", async () => {
    const opened: unknown[] = [];
    const connection: RunnerContext["connection"] = async (name) => {
      opened.push(name);
      return { ok: false, failure: { error: { type: "not_found", message: "", retryable: false } } };
    };
    await send(
      config,
      withFile(() => new Response(null, { status: 503 })),
      { connection },
    );
    expect(opened).toEqual([]);
  });
});

it.each([
  ["sendgrid", 20],
  ["resend", 25],
  ["cloudflare", 18],
])("%s accepts files of %i MiB in total, counted before base64", async (provider, mib) => {
  const email: RunnerContext["email"] = { send: async () => ({ messageId: "cf-1" }) };
  const announces = (bytes: number) =>
    withFile(() => new Response("x", { headers: { "Content-Length": String(bytes) } }));
  const over = await send({ provider, attachments: [{ url: FILE }] }, announces(mib * MIB + 1), { email });
  expect(over.outcome).toMatchObject({ error: { type: "invalid_configuration", code: "files_too_large" } });
  const whose = mib === 25 ? "FILES_BYTES_MAX" : provider;
  expect(over.outcome).toMatchObject({ error: { message: naming(mib * MIB + 1, mib * MIB, whose) } });
  // A file of the allowed length is read. That it then breaks off is not part of this test.
  const within = await send({ provider, attachments: [{ url: FILE }] }, announces(mib * MIB), { email });
  expect(within.outcome).toMatchObject({ error: { code: "file_unavailable" } });
});

it("are sent whole, however large", async () => {
  const bytes = Uint8Array.from({ length: 3 * MIB + 1 }, (_, n) => (n * 31) % 251);
  const { sent } = await send(
    { provider: "resend", attachments: [{ url: FILE }] },
    withFile(() => new Response(bytes)),
  );
  const [file] = (sent as { attachments: { content: string }[] }).attachments;
  expect(Buffer.from(file?.content ?? "", "base64").equals(Buffer.from(bytes))).toBe(true);
});

describe("a second attempt", () => {
  const config = { provider: "resend", attachments: [{ url: FILE }] };

  it("fetches the files again, and sends the same bytes if they are unchanged", async () => {
    const [first, second] = [await send(config), await send(config)];
    expect([first.fetched, second.fetched]).toEqual([1, 1]);
    expect(second.sent).toEqual(first.sent);
  });

  const conflict: Answer = () =>
    jsonResponse({ statusCode: 409, name: "invalid_idempotent_request", message: "different body" }, { status: 409 });

  it("with a changed file is refused by Resend, and the error explains why", async () => {
    const { outcome } = await send(config, withFile(pdf, conflict));
    const message = naming("different body", "Resend", "attachments");
    expect(outcome).toMatchObject({ error: { code: "idempotency_conflict", retryable: false, message } });
    const inline = await send({ provider: "resend", attachments: [attachments[0] ?? {}] }, conflict);
    expect(inline.outcome).toMatchObject({ error: { code: "idempotency_conflict" } });
    expect(inline.outcome.ok ? "" : inline.outcome.error.message).not.toContain("attachments");
  });
});

it.each<[JsonObject, string]>([
  [{ filename: "a.txt" }, "attachments.0.content:"],
  [{ filename: "a.txt", content: "aGk=", url: FILE }, "attachments.0.content:"],
  [{ content: "aGk=" }, "attachments.0.filename:"],
  [{ url: "files/a.txt" }, "attachments.0.url:"],
  [{ url: FILE, headers: { Host: "x" } }, "attachments.0.headers.Host:"],
  [{ r2: { key: "a" }, headers: { a: "b" } }, "attachments.0.headers:"],
  [{ r2: { bucket: "other", key: "a" } }, "attachments.0.r2"],
  [{ filename: "a.txt", content: "aGk=", disposition: "inline" }, "attachments.0.contentId:"],
  [{ filename: "a.txt", content: "aGk=", disposition: "attachment", contentId: "x" }, "attachments.0.disposition:"],
  [{ filename: "a.txt", content: "aGk=", contentId: "x\ny" }, "attachments.0.contentId:"],
])("refuses %j by field", async (file, said) => {
  const { outcome, fetched, mails } = await send({ provider: "sendgrid", attachments: [file] });
  expect([outcome, fetched, mails]).toMatchObject([{ error: { code: "invalid_config" } }, 0, []]);
  expect(outcome.ok ? "" : outcome.error.message).toContain(said);
});

// Tests the ports of actions with a D1 database, and with an e-mail binding that records messages.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/env.ts";
import { databasePorts, emailPort, filesPort } from "#entrypoints/action-ports.ts";
import { runTicket } from "#runners/run.ts";
import { connectionTo, deaf, jsonResponse, NOW, ticketFor, world, type Answer } from "#test/runners/world.ts";

const real = env as unknown as Env;
const withDatabases = (ACTION_DATABASES: string): Env => ({ ...real, ACTION_DATABASES, CRM: real.DB }) as Env;
const execute = (databases: ReturnType<typeof databasePorts>, sql: string, params: (string | number)[] = []) =>
  runTicket(ticketFor("database", { database: "crm", sql, params }), world(deaf, { databases }));

it("queries a database that the operator opened, and distinguishes constraint errors from invalid statements", async () => {
  const databases = databasePorts(withDatabases("crm=CRM"));
  await execute(databases, "CREATE TABLE clients (id INTEGER PRIMARY KEY, name TEXT)");
  const inserted = await execute(databases, "INSERT INTO clients VALUES (?, ?)", [7, "Ada"]);
  expect(inserted).toMatchObject({ ok: true, result: { rowCount: 0, rowsWritten: 1 } });
  const read = await execute(databases, "SELECT * FROM clients WHERE id = ?", [7]);
  expect(read).toMatchObject({ ok: true, result: { rows: [{ id: 7, name: "Ada" }], rowsRead: 1 } });
  expect(await execute(databases, "INSERT INTO clients VALUES (?, ?)", [7, "Eve"])).toMatchObject({
    error: { code: "constraint" },
  });
  expect(await execute(databases, "SELECT * FROM client")).toMatchObject({ error: { code: "sql_invalid" } });
  expect(await execute(databases, "SELEC 1")).toMatchObject({ error: { code: "sql_invalid" } });
  expect(await execute(databases, "SELECT ?", [])).toMatchObject({ ok: false, error: { code: "params_invalid" } });
  // The table is in the catalog's own database, whose tables other tests check.
  await execute(databases, "DROP TABLE clients");
});

it("opens neither the engine's database nor a binding that is no database", async () => {
  for (const open of ["crm=DB", "crm=NOWHERE", "crm=ROOT_KEY"]) {
    const outcome = await execute(databasePorts(withDatabases(open)), "SELECT 1");
    expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", code: "database_not_bound" } });
  }
  expect(databasePorts(withDatabases(""))).toEqual({});
});

it("sends e-mail through the binding with the fields that it accepts", async () => {
  const sent: unknown[] = [];
  const EMAIL = { send: async (message: unknown) => (sent.push(message), { messageId: "cf-1" }) };
  const port = emailPort({ ...real, EMAIL } as unknown as Env);
  const config = {
    provider: "cloudflare",
    from: "Acme <post@acme.example>",
    to: "ada@example.com",
    subject: "Hi",
    text: "Hi.",
  };
  const file = { filename: "a.txt", content: "aGk=", type: "text/plain" };
  const attachments = [file, { ...file, contentId: "logo" }];
  const outcome = await runTicket(ticketFor("email", { ...config, attachments }), world(deaf, { email: port }));
  expect(outcome).toMatchObject({ ok: true, result: { messageId: "cf-1" }, startedAt: NOW });
  expect(sent).toEqual([
    {
      from: { email: "post@acme.example", name: "Acme" },
      to: ["ada@example.com"],
      subject: "Hi",
      text: "Hi.",
      attachments: [
        { ...file, content: new TextEncoder().encode("hi"), disposition: "attachment" },
        { ...file, content: new TextEncoder().encode("hi"), disposition: "inline", contentId: "logo" },
      ],
      headers: { "X-Idempotency-Key": "exe_1/4.0" },
    },
  ]);
  expect(emailPort(real)).toBeUndefined();
});

describe("files of the bucket", () => {
  const bucket = real.ATTACHMENTS;
  const message = { from: "post@acme.example", to: "ada@example.com", subject: "Hi", text: "Hi.", provider: "resend" };
  const send = async (tenant: string, key: string) => {
    const sent: unknown[] = [];
    const files = filesPort(real, tenant);
    const config = { ...message, attachments: [{ r2: { key } }] };
    const answer: Answer = async ({ request }) => (sent.push(await request.json()), jsonResponse({ id: "re-1" }));
    const connection = async () => ({
      ok: true as const,
      connection: connectionTo("resend", { credentials: { apiKey: "k" } }),
    });
    return { outcome: await runTicket(ticketFor("email", config), world(answer, { files, connection })), sent };
  };

  it("are read with content type and name", async () => {
    const httpMetadata = {
      contentType: "application/pdf",
      contentDisposition: 'attachment; filename="Terms 2026.pdf"',
    };
    await bucket?.put("acme/legal/terms.pdf", "%PDF", { httpMetadata });
    const { outcome, sent } = await send("acme", "legal/terms.pdf");
    expect(outcome.ok).toBe(true);
    expect(sent).toMatchObject([
      { attachments: [{ filename: "Terms 2026.pdf", content: "JVBERg==", content_type: "application/pdf" }] },
    ]);
  });

  it.each(["legal/terms.pdf", "../acme/legal/terms.pdf", "/acme/legal/terms.pdf", "acme/legal/terms.pdf"])(
    "cannot be read by another tenant with the key %s",
    async (key) => {
      await bucket?.put("acme/legal/terms.pdf", "%PDF");
      const { outcome, sent } = await send("globex", key);
      expect([outcome, sent]).toMatchObject([{ error: { code: "file_not_found", retryable: false } }, []]);
    },
  );

  it("are not available without a bound bucket", () => {
    const { ATTACHMENTS: _, ...bare } = real;
    expect(filesPort(bare as Env, "acme")).toBeUndefined();
  });
});

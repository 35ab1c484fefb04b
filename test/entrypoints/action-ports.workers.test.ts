// The ports of actions against the real thing: a D1 database, and an e-mail binding that remembers.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Env } from "../../src/env.ts";
import { databasePorts, emailPort } from "#entrypoints/action-ports.ts";
import { runTicket } from "#runners/run.ts";
import { deaf, NOW, ticketFor, world } from "#test/runners/world.ts";

const real = env as unknown as Env;
const withDatabases = (ACTION_DATABASES: string): Env => ({ ...real, ACTION_DATABASES, CRM: real.DB }) as Env;
const execute = (databases: ReturnType<typeof databasePorts>, sql: string, params: (string | number)[] = []) =>
  runTicket(ticketFor("database", { database: "crm", sql, params }), world(deaf, { databases }));

it("runs statements on a database the operator opened, and tells a broken constraint from a broken statement", async () => {
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
});

it("opens neither the engine's own database nor what is none", async () => {
  for (const open of ["crm=DB", "crm=NOWHERE", "crm=ROOT_KEY"]) {
    const outcome = await execute(databasePorts(withDatabases(open)), "SELECT 1");
    expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", code: "database_not_bound" } });
  }
  expect(databasePorts(withDatabases(""))).toEqual({});
});

it("sends through the binding what it takes", async () => {
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
  const attachments = [{ filename: "a.txt", content: "aGk=", type: "text/plain" }];
  const outcome = await runTicket(ticketFor("email", { ...config, attachments }), world(deaf, { email: port }));
  expect(outcome).toMatchObject({ ok: true, result: { messageId: "cf-1" }, startedAt: NOW });
  expect(sent).toEqual([
    {
      from: { email: "post@acme.example", name: "Acme" },
      to: ["ada@example.com"],
      subject: "Hi",
      text: "Hi.",
      attachments: [{ ...attachments[0], disposition: "attachment" }],
      headers: { "X-Idempotency-Key": "exe_1/4.0" },
    },
  ]);
  expect(emailPort(real)).toBeUndefined();
});

// How definitions use the templates that their actions name.
import { describe, expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import { api, must } from "#test/support/api.ts";
import { brokenBinding } from "#test/support/catalog.ts";
import { keeper, welcome } from "#test/support/templates.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("a definition", () => {
  const email = (config: object) => ({
    kind: "machine",
    name: "greet",
    initial: "open",
    states: { open: { on: { "action.mail.ok": "done", "action.mail.failed": "done" } }, done: { type: "final" } },
    actions: [{ actionId: "mail", type: "email", triggerState: "open", config }],
  });

  test("pins the template version that the name refers to at creation", async () => {
    const { ask, create } = await keeper();
    await create(welcome);
    const body = email({ template: "welcome", variables: { name: "{{ execution.variables.name }}" } });
    await must(201, ask("POST", "/v1/definitions", body));
    const stored = await must(200, ask("GET", "/v1/definitions/greet"));
    expect(stored.body.body.actions[0].config).toMatchObject({ template: "welcome@1", variables: {} });
    await must(200, ask("POST", "/v1/definitions", body));
    await create({ ...welcome, subject: "Hello" });
    const again = await must(201, ask("POST", "/v1/definitions", body));
    expect(again.body.definition.version).toBe(2);
    expect((await must(200, ask("GET", "/v1/definitions/greet"))).body.body.actions[0].config.template).toBe(
      "welcome@2",
    );
    const pinned = email({ template: "welcome@1", variables: { name: "x" } });
    await must(201, ask("POST", "/v1/definitions", pinned));
    expect((await must(200, ask("GET", "/v1/definitions/greet"))).body.body.actions[0].config.template).toBe(
      "welcome@1",
    );
  });

  test("with a computed template name pins nothing", async () => {
    const { ask } = await keeper();
    for (const template of ["{{ execution.variables.template }}", "{% if true %}a{% endif %}", 5]) {
      await must(201, ask("POST", "/v1/definitions", email({ template })));
      const stored = await must(200, ask("GET", "/v1/definitions/greet"));
      expect(stored.body.body.actions[0].config.template).toBe(template);
    }
  });

  test.each<[object, object]>([
    [
      { template: "wellcome" },
      { pointer: "/actions/0/config/template", code: "unknown_template", hint: naming("welcome") },
    ],
    [{ template: "zzzzzzzz" }, { code: "unknown_template", hint: naming("POST /v1/templates") }],
    [{ template: "welcome@9" }, { code: "unknown_template", hint: naming('"welcome"') }],
    [{ template: "old@1" }, { code: "template_archived" }],
    [{ template: "old" }, { code: "template_archived" }],
    [{ template: "welcome" }, { pointer: "/actions/0/config/variables/name", code: "required" }],
    [
      { template: "welcome", variables: { name: "x", nik: 1 } },
      { pointer: "/actions/0/config/variables/nik", hint: naming("nick") },
    ],
  ])("with %j is refused, and validation reports the same", async (config, finding) => {
    const { ask, create } = await keeper();
    await create(welcome);
    await create({ name: "old", text: "x" });
    await must(200, ask("POST", "/v1/templates/old/archive"));
    const refused = await must(422, ask("POST", "/v1/definitions", email(config)));
    expect(refused.body).toMatchObject({ code: "definition_invalid", errors: [finding] });
    const said = await must(200, ask("POST", "/v1/definitions/validate", email(config)));
    expect(said.body).toMatchObject({ valid: false, findings: refused.body.errors });
  });

  test("with computed variables is checked at rendering", async () => {
    const { ask, create } = await keeper();
    await create(welcome);
    await must(201, ask("POST", "/v1/definitions", email({ template: "welcome", variables: "{{ message.payload }}" })));
  });

  test("that names a template is refused while the catalog is down", async () => {
    const { ask, create, key } = await keeper();
    await create(welcome);
    const down = api({ db: openDb(brokenBinding) });
    const check = (config: object) => down.ask("POST", "/v1/definitions/validate", { key, body: email(config) });
    expect((await must(200, ask("POST", "/v1/definitions/validate", email({ to: "x" })))).body.valid).toBe(true);
    expect((await must(200, check({ to: "x" }))).body.valid).toBe(true);
    expect((await must(503, check({ template: "welcome" }))).body.code).toBe("unavailable");
  });
});

// Message templates over HTTP.
import { describe, expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { brokenBinding } from "#test/support/catalog.ts";
import { keeper, welcome } from "#test/support/templates.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

describe("templates", () => {
  test("each new content is a new version; the order of fields does not matter", async () => {
    const { ask, create } = await keeper();
    const first = await create(welcome);
    expect(first.body).toMatchObject({
      created: true,
      dryRun: false,
      hints: [],
      template: { name: "welcome", version: 1 },
    });
    const { name, variables, ...parts } = welcome;
    expect((await create({ variables, ...parts, name }, 200)).body).toMatchObject({
      created: false,
      template: { version: 1 },
    });
    const changed = { ...welcome, subject: "Hello, {{ name }}" };
    const dry = await must(200, ask("POST", "/v1/templates?dryRun=true", changed));
    expect(dry.body).toMatchObject({ created: true, dryRun: true, template: { version: 2 } });
    const headers = { "Idempotency-Key": "v2" };
    await must(201, ask("POST", "/v1/templates", changed, headers));
    const repeated = await must(201, ask("POST", "/v1/templates", changed, headers));
    expect(repeated.body.template.version).toBe(2);
    await create({ name: "bye", text: "Bye" });
    const list = await must(200, ask("GET", "/v1/templates?limit=1"));
    expect(list.body.data).toMatchObject([{ name: "bye", version: 1 }]);
    const next = await must(200, ask("GET", `/v1/templates?cursor=${list.body.nextCursor}`));
    expect(next.body).toMatchObject({ data: [{ name: "welcome", version: 2 }], nextCursor: null });
    const versions = await must(200, ask("GET", "/v1/templates/welcome/versions"));
    expect(versions.body.data.map((row: { version: number }) => row.version)).toEqual([2, 1]);
    const older = await must(200, ask("GET", "/v1/templates/welcome/versions?limit=1"));
    const oldest = await must(200, ask("GET", `/v1/templates/welcome/versions?cursor=${older.body.nextCursor}`));
    expect(oldest.body.data).toMatchObject([{ version: 1 }]);
    const audit = await must(200, ask("GET", "/v1/audit?verb=template.create"));
    expect(audit.body.data.map((row: { target: string }) => row.target).sort()).toEqual([
      "bye@1",
      "welcome@1",
      "welcome@2",
    ]);
  });

  test("created concurrently get versions of their own, or one version for the same content", async () => {
    const { ask } = await keeper();
    const all = [1, 2, 3].map((n) => ask("POST", "/v1/templates", { name: "race", text: `${n}` }));
    const made = (await Promise.all(all)).map(({ body }) => body.template.version);
    expect(made.sort()).toEqual([1, 2, 3]);
    const twins = [1, 2].map(() => ask("POST", "/v1/templates", { name: "twin", text: "x" }));
    expect((await Promise.all(twins)).map(({ body }) => body.created).sort()).toEqual([false, true]);
  });

  test("are read by name and by name and version", async () => {
    const { ask, create } = await keeper();
    await create(welcome);
    await create({ name: "welcome", text: "Hi" });
    const { name, ...said } = welcome;
    expect((await must(200, ask("GET", "/v1/templates/welcome@1"))).body).toMatchObject({
      name,
      version: 1,
      archivedAt: null,
      ...said,
      description: null,
      variables: [
        { name: "name", required: true, default: null, description: "what to call the reader" },
        { name: "nick", required: false, default: null, description: null },
      ],
    });
    expect((await must(200, ask("GET", "/v1/templates/welcome"))).body).toMatchObject({ version: 2, html: null });
    for (const none of ["nobody", "welcome@3", "welcome@x", "nobody/versions", "welcome@1/versions"])
      expect((await must(404, ask("GET", `/v1/templates/${none}`))).body.code).toBe("not_found");
  });

  test("are archived, and not by a dry run; the name then refers to the version before", async () => {
    const { ask, create, world } = await keeper();
    await create(welcome);
    await create({ name: "welcome", text: "Hi" });
    const dry = await must(200, ask("POST", "/v1/templates/welcome/archive?dryRun=true"));
    expect(dry.body).toEqual({ name: "welcome", archived: 2, dryRun: true });
    const done = await must(200, ask("POST", "/v1/templates/welcome@2/archive", { reason: "too short" }));
    expect(done.body).toEqual({ name: "welcome", archived: 1, dryRun: false });
    expect((await must(200, ask("GET", "/v1/templates/welcome"))).body.version).toBe(1);
    world.clock.now += 1;
    await must(200, ask("POST", "/v1/templates/welcome/archive"));
    expect((await must(200, ask("GET", "/v1/templates"))).body.data).toEqual([]);
    expect((await must(200, ask("GET", "/v1/templates/welcome@1"))).body.archivedAt).not.toBeNull();
    expect((await create(welcome)).body.template.version).toBe(3);
    await must(404, ask("POST", "/v1/templates/nobody/archive"));
    const audit = await must(200, ask("GET", "/v1/audit?verb=template.archive"));
    expect(audit.body.data).toMatchObject([{ target: "welcome" }, { target: "welcome@2", reason: "too short" }]);
  });

  test("belong to their tenant", async () => {
    const made = await keeper();
    await made.create(welcome);
    const other = await tenantWithKey(api());
    for (const path of ["welcome", "welcome@1", "welcome/versions"])
      await must(404, api().ask("GET", `/v1/templates/${path}`, { key: other.key }));
  });
});

describe("a template is refused", () => {
  const text = "x";
  test.each<[object, object]>([
    [{ name: "a" }, { pointer: "", message: naming("html", "text") }],
    [{ name: "A", text }, { pointer: "/name" }],
    [{ name: "a", text: "" }, { pointer: "/text" }],
    [
      { name: "a", text, sbject: "x" },
      { pointer: "/sbject", code: "unknown_field", hint: naming("subject") },
    ],
    [{ name: "a", text, variables: [{ name: "x", requird: true }] }, { pointer: "/variables/0/requird" }],
    [{ name: "a", text, variables: [{ name: "secrets" }] }, { pointer: "/variables/0/name" }],
    [{ name: "a", text, variables: [{ name: "x", required: true, default: 1 }] }, { pointer: "/variables/0/default" }],
    [
      { name: "a", text: "{{ x | upcas }}" },
      { pointer: "/text", code: "template_invalid", hint: naming("upcase") },
    ],
    [
      { name: "a", html: "{% if %}" },
      { pointer: "/html", code: "template_invalid" },
    ],
    [
      { name: "a", text: "{{ nmae }}", variables: [{ name: "name" }] },
      { pointer: "/text", code: "undeclared_variable" },
    ],
    [
      { name: "a", text: "{{ secrets.key }}" },
      { pointer: "/text", code: "secret_misused" },
    ],
    [
      { name: "a", text, subject: "Hi\r\nBcc: x" },
      { pointer: "/subject", code: "line_break" },
    ],
    [
      { name: "a", text: "x".repeat(131_073) },
      { pointer: "/text", code: "template_too_big" },
    ],
    [[], { pointer: "" }],
  ])("%.80j", async (body, finding) => {
    const { ask, create } = await keeper();
    const refused = await create(body, 422);
    expect(refused.body).toMatchObject({ code: "template_invalid", errors: [finding] });
    expect((await must(422, ask("POST", "/v1/templates?dryRun=true", body))).body.errors).toEqual(refused.body.errors);
    expect((await must(200, ask("GET", "/v1/templates"))).body.data).toEqual([]);
  });

  test("with all findings at once; an unused variable is a warning", async () => {
    const { create } = await keeper();
    const refused = await create({ name: "a", html: "{{ x }}", text: "{{ y" }, 422);
    expect(refused.body.errors).toMatchObject([{ pointer: "/text" }, { pointer: "/html" }]);
    expect(refused.body.detail).toMatch(namingPattern(2, "/text"));
    const made = await create({ name: "a", text: "x", variables: [{ name: "x" }] });
    expect(made.body.hints).toMatchObject([{ pointer: "/variables/0/name", code: "unused_variable" }]);
  });
});

describe("a preview", () => {
  test("shows what would be sent, escaped in HTML", async () => {
    const { ask, create } = await keeper();
    await create(welcome);
    const shown = await must(200, ask("POST", "/v1/templates/welcome/preview", { variables: { name: "<Ada>\n" } }));
    expect(shown.body).toEqual({
      name: "welcome",
      version: 1,
      subject: "Welcome, <Ada>",
      html: "<p>Good to have you, &lt;Ada&gt;\n.</p>",
      text: "Good to have you, <Ada>\n.",
      valid: true,
      findings: [],
      hints: [expect.objectContaining({ pointer: "/subject", code: "line_break" })],
    });
  });

  test("reports missing and unknown variables and errors, and renders the rest", async () => {
    const { ask, create } = await keeper();
    await create(welcome);
    const missing = await must(200, ask("POST", "/v1/templates/welcome@1/preview"));
    expect(missing.body).toMatchObject({ valid: false, subject: null, findings: [{ pointer: "/variables/name" }] });
    const strange = await must(200, ask("POST", "/v1/templates/welcome/preview", { variables: { name: "x", nik: 1 } }));
    expect(strange.body.findings).toMatchObject([{ code: "unknown_variable", hint: naming("nick") }]);
    const partial = await must(200, ask("POST", "/v1/templates/welcome/preview", { variables: { name: { a: 1 } } }));
    expect(partial.body).toMatchObject({ valid: false, html: null, findings: [{}, {}, {}] });
  });

  test.each<[string, unknown, number, string]>([
    ["nobody", {}, 404, "not_found"],
    ["welcome@9", {}, 404, "not_found"],
    ["welcome", { variables: [] }, 400, "invalid_input"],
    ["welcome", { vars: {} }, 400, "invalid_input"],
    ["welcome", { variables: { name: "x".repeat(300_000) } }, 422, "limit_exceeded"],
  ])("of %s with %.40j is refused", async (ref, body, status, code) => {
    const { ask, create } = await keeper();
    await create(welcome);
    expect((await must(status, ask("POST", `/v1/templates/${ref}/preview`, body))).body.code).toBe(code);
  });
});

test("while the catalog is down, creation is refused with 503", async () => {
  const { key } = await keeper();
  const down = api({ db: openDb(brokenBinding) });
  const refused = await must(503, down.ask("POST", "/v1/templates", { key, body: welcome }));
  expect(refused.body).toMatchObject({ code: "unavailable", retryable: true });
});

// Dead letters over HTTP: retried unchanged or with changes, and archived.
import { describe, expect, test } from "vitest";
import { keyOf, must } from "#test/support/api.ts";
import { deadLetter, letters, miss, project } from "#test/support/dead-letter.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("retrying", () => {
  test("sends the same bytes; a repeat with the same key sends once", async () => {
    const { made, owner, get, ids, post } = await letters();
    const letter = await deadLetter(made, owner);
    const key = { "Idempotency-Key": "again-1" };
    const dry = await must(200, post(`${letter.id}/retry?dryRun=true`, {}));
    expect(dry.body).toMatchObject({ dryRun: true, standing: "sent_again", entries: [{ kind: "run_redriven" }, {}] });
    const first = await must(200, post(`${letter.id}/retry`, { reason: "up again" }, key));
    expect(first.body).toEqual({
      id: letter.id,
      standing: "sent_again",
      run: { id: letter.run, status: "queued", reason: null, attempt: 2, dueAt: null },
      execution: { id: letter.execution, status: "active", states: ["paid"] },
      repeated: false,
      dryRun: false,
    });
    expect((await must(200, post(`${letter.id}/retry`, { reason: "up again" }, key))).body.repeated).toBe(true);
    const { body } = await must(200, get(`/${letter.id}`));
    expect(body).toMatchObject({
      standing: "sent_again",
      lateness: null,
      expiresAt: null,
      error: { code: "http_404" },
      redriven: { times: 1, attemptsBefore: 1 },
      sends: { frozen: true },
      next: [{ verb: "read" }],
    });
    await project(made, letter);
    expect(await ids("")).toEqual([]);
    miss(made, letter.cell, letter.execution);
    await project(made, letter);
    expect(await ids("")).toEqual([letter.id]);
  });

  test("with a changed config renders again, on top of earlier changes", async () => {
    const { made, owner, get, post } = await letters();
    const letter = await deadLetter(made, owner);
    const url = "https://elsewhere.example.com/{{ execution.variables.total }}";
    await must(200, post(`${letter.id}/retry`, { config: { url }, variables: { total: 7 } }));
    expect((await must(200, get(`/${letter.id}`))).body.sends).toEqual({
      frozen: false,
      config: { url },
      why: expect.any(String),
      requests: null,
      hindrance: null,
    });
    const state = miss(made, letter.cell, letter.execution);
    expect(state.runs[0]?.config).toEqual({ url: "https://elsewhere.example.com/7" });
  });

  test("with another template pins its current version; a repeat with the same key sends once", async () => {
    const { made, owner, get, post } = await letters();
    const letter = await deadLetter(made, owner);
    const template = { key: owner.key, body: { name: "welcome", text: "Welcome" } };
    await must(201, made.ask("POST", "/v1/templates", template));
    const headers = { "Idempotency-Key": "with-template" };
    const body = { config: { template: "welcome" } };
    expect((await must(200, post(`${letter.id}/retry`, body, headers))).body.repeated).toBe(false);
    expect((await must(200, post(`${letter.id}/retry`, body, headers))).body.repeated).toBe(true);
    const other = await must(422, post(`${letter.id}/retry`, { config: { template: "other" } }, headers));
    expect(other.body.code).toBe("idempotency_conflict");
    const { sends } = (await must(200, get(`/${letter.id}`))).body;
    expect(sends.config).toEqual({ url: "https://example.com", template: "welcome@1" });
  });

  test("a repeat returns the first response, even if a new request would be refused", async () => {
    const { made, owner, post } = await letters();
    const letter = await deadLetter(made, owner);
    const welcome = { key: owner.key, body: { name: "welcome", text: "Welcome" } };
    await must(201, made.ask("POST", "/v1/templates", welcome));
    const headers = { "Idempotency-Key": "before-it-was-archived" };
    const body = { config: { template: "welcome" } };
    const at = `/v1/executions/${letter.execution}/retry`;
    await must(200, post(`${letter.id}/retry`, body, headers));
    miss(made, letter.cell, letter.execution);
    await must(200, made.ask("POST", "/v1/templates/welcome/archive", { key: owner.key, body: {} }));
    expect((await must(200, post(`${letter.id}/retry`, body, headers))).body.repeated).toBe(true);
    const named = { key: owner.key, headers, body: { ...body, run: letter.run } };
    expect((await must(200, made.ask("POST", at, named))).body.repeated).toBe(true);
    await must(422, post(`${letter.id}/retry`, body, { "Idempotency-Key": "after-it-was-archived" }));
  });

  test("with an invalid config is refused with the field and changes nothing", async () => {
    const { made, owner, get, post } = await letters();
    const letter = await deadLetter(made, owner);
    const before = made.cells.take(letter.cell, letter.execution, { kind: "tick" });
    for (const [config, pointer] of [
      [{ url: null }, "/config/url"],
      [{ url: "{{ broken" }, "/config/url"],
      [{ template: "no-such-template" }, "/config/template"],
    ] as const) {
      const { body } = await must(422, post(`${letter.id}/retry`, { config }));
      expect(body).toMatchObject({ code: "config_invalid", errors: [{ pointer }], hint: expect.any(String) });
    }
    for (const body of [
      { config: "x" },
      { config: [] },
      { variables: null },
      { cofnig: {} },
      { reason: "" },
      { run: "1" },
    ]) {
      expect((await must(400, post(`${letter.id}/retry`, body))).body.errors[0].pointer).toBe(
        `/${Object.keys(body)[0]}`,
      );
    }
    expect(made.cells.take(letter.cell, letter.execution, { kind: "tick" })).toEqual(before);
    expect((await must(200, get(`/${letter.id}`))).body.standing).toBe("waiting");
  });

  test("with another config requires the scope write, checked before any lookup", async () => {
    const { made, owner } = await letters();
    const letter = await deadLetter(made, owner);
    const key = await keyOf(made, owner.tenant, ["read", "operate"]);
    const gone = letter.execution.replace(/.$/, "0");
    for (const [at, more] of [
      [`/v1/dead-letters/${letter.id}/retry`, {}],
      [`/v1/dead-letters/${letter.id.replace(letter.execution.slice(4), gone.slice(4))}/retry`, {}],
      [`/v1/executions/${letter.execution}/retry`, { run: letter.run }],
      [`/v1/executions/${gone}/retry`, { run: letter.run }],
      [`/v1/actions/${gone}/retry`, {}],
    ] as const) {
      for (const config of [{ url: "https://fine.example.com" }, { url: "{{ broken" }, { template: "no-such" }]) {
        const { body } = await must(403, made.ask("POST", at, { key, body: { ...more, config } }));
        expect(body).toMatchObject({ code: "scope_missing", errors: [{ pointer: "/config" }] });
      }
    }
    await must(200, made.ask("POST", `/v1/dead-letters/${letter.id}/retry`, { key, body: { variables: { x: 1 } } }));
  });

  test("after validUntil ends as skipped, with the reason", async () => {
    const { made, owner, post } = await letters();
    const late = await deadLetter(made, owner, { definition: "urgent", variables: { url: "https://x.test" } });
    made.world.clock.now += 2 * 60 * 60_000;
    const { body } = await must(200, post(`${late.id}/retry`));
    expect(body).toMatchObject({ standing: "skipped", run: { status: "skipped", reason: "late" } });
  });

  test("by execution and run has the same effect", async () => {
    const { made, owner, post } = await letters();
    const letter = await deadLetter(made, owner);
    const at = `/v1/executions/${letter.execution}/retry`;
    expect((await must(422, post(at, { run: letter.run, config: { url: null } }))).body.code).toBe("config_invalid");
    const unknown = await must(404, post(at, { run: "99.0", config: { url: "https://x.test" } }));
    expect(unknown.body).toMatchObject({ code: "not_found", error: naming("99.0") });
    expect((await must(400, post(at, {}))).body.errors[0].pointer).toBe("/run");
    const { body } = await must(200, post(at, { run: letter.run, reason: "up again" }));
    expect(body).toMatchObject({ repeated: false, execution: { status: "active", runs: { queued: 1 } } });
    const again = await must(409, post(at, { run: letter.run, config: { url: "https://x.test" } }));
    expect(again.body).toMatchObject({ code: "run_not_startable", hint: expect.any(String) });
  });
});

describe("archiving", () => {
  test("removes it from the lists, and cannot be undone", async () => {
    const { made, owner, get, ids, post } = await letters();
    const letter = await deadLetter(made, owner);
    expect((await must(200, post(`${letter.id}/archive?dryRun=true`))).body.standing).toBe("archived");
    const { body } = await must(200, post(`${letter.id}/archive`, { reason: "settled by phone" }));
    expect(body).toMatchObject({ standing: "archived", run: { status: "failed" }, repeated: false });
    await project(made, letter);
    expect(await ids("")).toEqual([]);
    expect((await must(200, get(`/${letter.id}`))).body).toMatchObject({ standing: "archived", lateness: null });
    for (const path of ["retry", "archive"]) {
      const refused = await must(409, post(`${letter.id}/${path}`));
      expect(refused.body).toMatchObject({ code: "run_not_startable", hint: expect.any(String) });
    }
  });
});

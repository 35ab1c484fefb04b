// Dead letters over HTTP: lists with filters, and the view of one dead letter.
import { describe, expect, test } from "vitest";
import { must, order, tenantWithKey } from "#test/support/api.ts";
import { deadLetter, letters } from "#test/support/dead-letter.ts";
import { NOW } from "#test/support/catalog.ts";
import { fixFor } from "#policy/advice/suggested-fix.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

const { suggestedFix } = fixFor({ errorType: "not_found", code: "http_404", reason: null });

describe("the list", () => {
  test("has the failure and a suggested fix for each", async () => {
    const { made, owner, get } = await letters();
    const letter = await deadLetter(made, owner, { correlationId: "o-17" });
    const { data, nextCursor } = (await must(200, get(""))).body;
    expect(nextCursor).toBeNull();
    expect(data).toEqual([
      {
        id: letter.id,
        execution: letter.execution,
        run: letter.run,
        actionId: "notify",
        type: "webhook",
        definition: "order",
        namespace: "default",
        correlationId: "o-17",
        priority: 0,
        critical: false,
        attempts: 1,
        failedAt: "2026-11-18T12:00:01.000Z",
        handled: false,
        connection: null,
        error: { type: "not_found", code: "http_404", message: "POST example.com answered 404" },
        recoverable: true,
        manualReviewRequired: true,
        suggestedFix,
      },
    ]);
  });

  test("is filtered and paginated, the latest failure first", async () => {
    const { made, owner, get, ids } = await letters();
    const first = await deadLetter(made, owner, { correlationId: "o-1" });
    const error = { type: "timeout", code: "deadline", retryable: false, details: {} };
    const second = await deadLetter(made, owner, { definition: "urgent", variables: { url: "https://x.test" }, error });
    expect(await ids("")).toEqual([second.id, first.id]);
    const page = (await must(200, get("?limit=1"))).body;
    expect(await ids(`?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`)).toEqual([first.id]);
    const between = new Date(NOW + 1_500).toISOString();
    for (const [query, found] of [
      [`execution=${first.execution}`, [first.id]],
      ["definition=urgent", [second.id]],
      ["namespace=default", [second.id, first.id]],
      ["namespace=other", []],
      ["correlationId=o-1", [first.id]],
      ["action=notify", [second.id, first.id]],
      ["type=email", []],
      ["errorType=timeout", [second.id]],
      ["errorCode=http_404", [first.id]],
      ["minPriority=95", [second.id]],
      ["critical=true", [second.id]],
      ["critical=false", [first.id]],
      [`failedAfter=${between}`, [second.id]],
      [`failedBefore=${between}`, [first.id]],
    ] as const) {
      expect(await ids(`?${query}`), query).toEqual(found);
    }
    for (const query of [
      "minPriority=101",
      "critical=maybe",
      "failedAfter=today",
      "execution=x",
      "kind=x",
      "cursor=x",
    ]) {
      const { body } = await must(400, get(`?${query}`));
      expect(body.errors[0].pointer, query).toBe(`?${query.split("=")[0]}`);
    }
  });
});

describe("one dead letter", () => {
  test("has all fields that a decision needs", async () => {
    const { made, owner, get } = await letters();
    const letter = await deadLetter(made, owner, { definition: "heard", variables: { total: 42 } });
    const { body } = await must(200, get(`/${letter.id}`));
    const at = `/v1/dead-letters/${letter.id}`;
    const runs = await must(200, made.ask("GET", `/v1/executions/${letter.execution}/runs`, { key: owner.key }));
    expect(runs.body.data[0].attempts).toMatchObject([{ durationMs: 1_000 }]);
    expect(body).toEqual({
      id: letter.id,
      execution: letter.execution,
      run: letter.run,
      actionId: "notify",
      type: "webhook",
      definition: "heard",
      namespace: "default",
      correlationId: null,
      priority: 0,
      critical: false,
      attempts: 1,
      failedAt: "2026-11-18T12:00:01.000Z",
      handled: false,
      connection: null,
      handledBy: null,
      error: { type: "not_found", code: "http_404", message: "POST example.com answered 404" },
      recoverable: true,
      manualReviewRequired: true,
      suggestedFix,
      standing: "waiting",
      expiresAt: "2026-12-18T12:00:01.000Z",
      destination: { kind: "url", to: ["https://example.com"] },
      sends: {
        frozen: true,
        config: { url: "https://example.com" },
        why: expect.any(String),
        // This world has no rehearsal; test/flows covers it.
        requests: null,
        hindrance: null,
      },
      idempotencyKey: `${letter.execution}/${letter.run}`,
      providerDropsRepeats: { honoured: false, windowMs: null },
      repeatSafe: { safe: true, why: expect.any(String) },
      lateness: { ifRetriedNow: "sent", reason: null },
      attemptsMade: [
        {
          attempt: 1,
          lane: "queue",
          startedAt: "2026-11-18T12:00:00.000Z",
          endedAt: "2026-11-18T12:00:01.000Z",
          durationMs: 1_000,
          error: { type: "not_found", code: "http_404", message: "POST example.com answered 404", retryable: false },
          provider: { status: 404, body: "no such hook", details: {} },
          nextAttemptAt: null,
          possiblyRepeated: false,
          costEstimate: null,
        },
      ],
      redriven: null,
      context: {
        variables: { total: 42 },
        message: {
          id: "evt-paid",
          type: "paid",
          payload: { amount: 42 },
          source: expect.any(String),
          correlationId: null,
        },
        previousState: "open",
        currentState: "paid",
      },
      machineReaction: [{ kind: "moved", says: naming("paid", "unheard", "action.notify.failed") }],
      executionNow: { id: letter.execution, status: "waiting", states: ["unheard"], reason: null },
      next: [
        { verb: "retry", method: "POST", path: `${at}/retry`, why: expect.stringMatching(body.repeatSafe.why) },
        { verb: "retry_changed", method: "POST", path: `${at}/retry`, why: expect.any(String) },
        { verb: "archive", method: "POST", path: `${at}/archive`, why: expect.any(String) },
      ],
    });
  });

  test("shows that a retry comes too late, that it may repeat the call, and how the definition reacted", async () => {
    const { made, owner, get } = await letters();
    const error = { type: "timeout", code: "deadline", retryable: false, details: {} };
    const late = await deadLetter(made, owner, { definition: "urgent", variables: { url: "https://x.test" }, error });
    made.world.clock.now += 2 * 60 * 60_000;
    const { body } = await must(200, get(`/${late.id}`));
    expect(body).toMatchObject({
      critical: true,
      lateness: { ifRetriedNow: "skipped", reason: "late" },
      repeatSafe: { safe: false, why: expect.stringContaining("(deadline)") },
      machineReaction: [{ kind: "event_ignored", says: naming("action.notify.failed") }],
      executionNow: { status: "waiting", states: ["paid"] },
    });
    expect(body.next[0].why).toMatch(namingPattern("late"));
  });

  test("has the template of an unrendered config, without credentials", async () => {
    const { made, owner, get } = await letters();
    const { key } = owner;
    const config = { url: "{{ execution.variables.nowhere }}", token: "abcdef" };
    const body = { ...order, name: "unrendered", actions: [{ ...order.actions[0], config }] };
    const definitions = made.ask("POST", "/v1/definitions", { key, body });
    await must(201, definitions);
    const started = await must(201, made.ask("POST", "/v1/executions", { key, body: { definition: "unrendered" } }));
    const execution = started.body.execution.id;
    await must(200, made.ask("POST", `/v1/executions/${execution}/events`, { key, body: { type: "paid" } }));
    const cell = `${owner.tenant}/${execution}`;
    const { runs } = made.cells.take(cell, execution, { kind: "tick" });
    const run = runs[0]?.id ?? "";
    made.cells.take(cell, execution, { kind: "claim", run, attempt: 1, lane: "queue" });
    const answer = await must(200, get(`/dl_${execution.slice(4)}.${run}`));
    expect(answer.body).toMatchObject({
      error: { type: "invalid_configuration", message: expect.stringContaining("nowhere") },
      sends: { frozen: false, config: { url: config.url, token: "[redacted]" } },
      destination: { to: [config.url] },
      attemptsMade: [],
      repeatSafe: { safe: true, why: expect.any(String) },
    });
  });

  test("suggests to resume a paused execution", async () => {
    const { made, owner, get, post } = await letters();
    const letter = await deadLetter(made, owner);
    await must(200, post(`/v1/executions/${letter.execution}/pause`));
    const { body } = await must(200, get(`/${letter.id}`));
    expect(body.lateness).toEqual({ ifRetriedNow: "waits", reason: "paused" });
    expect(body.next[0]).toMatchObject({ verb: "resume", path: `/v1/executions/${letter.execution}/resume` });
  });

  test("is 404 if missing or of another tenant", async () => {
    const { made, owner, get } = await letters();
    const letter = await deadLetter(made, owner);
    const other = await tenantWithKey(made);
    for (const path of ["", "/retry", "/archive"]) {
      const method = path === "" ? "GET" : "POST";
      const asked = made.ask(method, `/v1/dead-letters/${letter.id}${path}`, { key: other.key });
      expect((await must(404, asked)).body.code).toBe("not_found");
    }
    const unknown = await must(404, get(`/dl_${letter.execution.slice(4)}.99.0`));
    expect(unknown.body).toMatchObject({ code: "not_found", error: naming("99.0") });
    expect((await must(400, get("/dl_x"))).body.errors[0]).toMatchObject({ pointer: "{id}" });
    expect((await must(200, get(`/${letter.id}`))).body.standing).toBe("waiting");
  });

  test("of an execution with deleted history is refused with the reason, and leaves the lists", async () => {
    const { made, owner, get, ids, post } = await letters();
    const letter = await deadLetter(made, owner, { definition: "taken" });
    const kept = await deadLetter(made, owner, { definition: "taken" });
    made.cells.remove(letter.cell, letter.execution);
    made.cells.remove(kept.cell, kept.execution);
    expect(await ids("")).toHaveLength(2);
    const gone = await must(404, get(`/${letter.id}`));
    expect(gone.body).toMatchObject({ code: "not_found", error: naming(letter.execution) });
    expect(await ids("")).toEqual([kept.id]);
    const kin = await must(404, post(`${kept.id}/retry`, {}));
    expect(kin.body).toMatchObject({ code: "not_found", error: naming(kept.execution) });
    expect(await ids("")).toEqual([]);
  });
});

// Dead letters: retried unchanged or edited, skipped if late, archived by an operator or in the end by the engine.
import { describe, expect, test } from "vitest";
import { CONFIG_BYTES_MAX, VARIABLES_BYTES_MAX } from "#schema/limits/executions.ts";
import { action, ask, day, drive, failure, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { one, type ActionPart } from "#test/support/one-mail.ts";

const once = { retryPolicy: { maxAttempts: 1 } };
const dead = (part: ActionPart = {}, states?: Parameters<typeof one>[1]) =>
  one({ ...once, ...part }, states).miss("mail");
const mail = (part: ActionPart = {}) => action("mail", { triggerState: "a", ...once, ...part });
const stays = { a: { on: { x: "a" } } };

describe("sent again as it was", () => {
  test("it sends the same bytes, though the variables have changed since", () => {
    const t = drive({ states: stays, actions: [mail({ config: { to: "{{ execution.variables.to }}" } })] })
      .start({ to: "ada" })
      .miss("mail")
      .patch({ to: "grace" });
    const { id, config } = t.run("mail");
    t.clock(hour).retry("mail");
    expect(t.run("mail")).toMatchObject({ id, status: "queued", attempt: 2, config, deadLetter: false, error: null });
    expect(t.effects).toContainEqual({ kind: "dispatch", run: id, attempt: 2, priority: 0, lane: "queue" });
    expect(t.ok("mail").run("mail")).toMatchObject({ id, status: "ok", config: { to: "ada" } });
    expect(t.newLines().filter((line) => line.includes("redriven"))).toEqual(["run_redriven 1.0"]);
  });

  test("its machine hears how it ended, and goes on from there", () => {
    const t = dead({}, { a: { on: { "action.mail.ok": "sent" } }, sent: { type: "final" } });
    expect([t.at, t.retry("mail").ok("mail").at, t.status]).toEqual(["a", "sent", "completed"]);
  });

  test("its attempts count anew, and so does its ladder", () => {
    const part = { retryPolicy: { maxAttempts: 2, baseDelay: 1_000 } };
    const t = one(part, stays).miss("mail").tickAt(second).miss("mail");
    expect(t.run("mail")).toMatchObject({ deadLetter: true, attempt: 2, failedSeq: t.state.seq });
    t.clock(hour).retry("mail").miss("mail");
    expect(t.run("mail")).toMatchObject({ status: "retry", attempt: 3, dueAt: T0 + hour + second });
    t.tickAt(hour + second).miss("mail");
    expect(t.run("mail")).toMatchObject({ deadLetter: true, attempt: 4, failedSeq: t.state.seq });
    t.clock(2 * hour).retry("mail");
    expect(t.run("mail").redriven).toEqual({ at: T0 + 2 * hour, times: 2, attemptsBefore: 4 });
    expect(t.run("mail").attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });

  test("once, it gets exactly one attempt, whatever its policy allows", () => {
    const part = { retryPolicy: { maxAttempts: 3, baseDelay: 1_000 } };
    const t = one(part, stays).miss("mail", { retryable: false });
    expect(t.run("mail")).toMatchObject({ deadLetter: true, attempt: 1 });
    t.clock(hour).retry("mail", { once: true });
    expect(t.run("mail").redriven).toEqual({ at: T0 + hour, times: 1, attemptsBefore: 1, once: true });
    t.miss("mail");
    expect(t.run("mail")).toMatchObject({ deadLetter: true, attempt: 2 });
    t.retry("mail").miss("mail");
    expect(t.run("mail"), "asked for anew, its policy begins anew").toMatchObject({ status: "retry", attempt: 3 });
    expect(t.run("mail").redriven).not.toHaveProperty("once");
  });

  test("its budget of time counts anew from its first new try", () => {
    const part = { retryPolicy: { maxAttempts: 5, baseDelay: 1_000, totalTimeMs: 1_500 } };
    const t = one(part, stays).miss("mail").tickAt(second).miss("mail");
    expect(t.run("mail")).toMatchObject({ deadLetter: true, reason: "time_budget_spent" });
    t.clock(hour).retry("mail").miss("mail");
    expect(t.run("mail")).toMatchObject({ status: "retry", reason: null });
    t.tickAt(hour + second).miss("mail");
    expect(t.run("mail")).toMatchObject({ deadLetter: true, reason: "time_budget_spent" });
  });

  test("it waits its turn: slots, and a pause", () => {
    const t = drive({ states: stays, actions: [mail(), action("next", { triggerState: "a" })] }).start();
    t.miss("mail").retry("mail");
    expect(t.runs()).toEqual(["mail scheduled", "next queued"]);
    t.claim("next").pause().settle("next", success());
    expect(t.run("mail").status).toBe("scheduled");
    expect(t.resume().run("mail").status).toBe("queued");
  });

  test("held by its connection it keeps what it was sent again with", () => {
    const t = dead({}, stays).retry("mail").claim("mail");
    const held = { reason: "rate_limited", until: T0 + minute, connection: "mail" } as const;
    t.settle("mail", { ...failure(), held } as ReturnType<typeof failure>);
    expect(t.run("mail")).toMatchObject({ status: "scheduled", attempt: 1, redriven: { attemptsBefore: 1 } });
    expect(t.tickAt(minute).ok("mail").runs()).toEqual(["mail ok"]);
  });

  test("the same request again changes nothing", () => {
    const t = dead({}, stays).take(ask.retry("1.0", {}, "again-1"));
    const { seq } = t.state;
    expect([t.take(ask.retry("1.0", {}, "again-1")).repeated, t.state.seq]).toEqual([true, seq]);
  });

  test("its condition is asked again only where it was never rendered", () => {
    const condition = { "!": [{ var: "execution.variables.off" }] };
    const frozen = dead({ condition }, stays).patch({ off: true }).retry("mail");
    expect(frozen.run("mail").status).toBe("queued");
    const edited = dead({ condition }, stays)
      .patch({ off: true })
      .retry("mail", { config: { a: 1 } });
    expect(edited.run("mail")).toMatchObject({ status: "skipped", reason: "condition_false" });
  });
});

describe("sent again changed", () => {
  const config = { to: "{{ execution.variables.to }}", about: { subject: "Hi", tag: "x" } };
  const sent = () =>
    drive({ states: stays, actions: [mail({ config })] })
      .start({ to: "ada" })
      .miss("mail");

  test("a changed config is merged over the template and rendered anew, with the variables of now", () => {
    const t = sent()
      .patch({ to: "grace" })
      .retry("mail", { config: { about: { subject: "Hello {{ execution.id }}", tag: null } } });
    expect(t.run("mail")).toMatchObject({ config: null, status: "queued" });
    expect(t.claim("mail").run("mail").config).toEqual({ to: "grace", about: { subject: "Hello exe_1" } });
    expect(t.newLines()).toContain("run_redriven 1.0, edited");
  });

  test("the next change is merged over the last one", () => {
    const t = sent()
      .retry("mail", { config: { to: "bo", cc: "cy" } })
      .miss("mail")
      .retry("mail", { config: { to: "di" } });
    expect(t.claim("mail").run("mail").config).toEqual({ ...config, to: "di", cc: "cy" });
    expect(t.settle("mail", failure()).retry("mail").claim("mail").run("mail").config).toMatchObject({ to: "di" });
  });

  test("changed variables are a patch like any other, and it is rendered anew", () => {
    const t = sent().retry("mail", { variables: { to: "grace" } });
    expect(t.claim("mail").run("mail").config).toMatchObject({ to: "grace" });
    expect(t.newLines()).toEqual(expect.arrayContaining(["patched", "run_redriven 1.0, edited"]));
  });

  test("variables of an execution that has ended change, too, and nothing else hears of it", () => {
    const states = { a: { on: { x: "gone" }, after: { P1D: "gone" } }, gone: { type: "final" as const } };
    const t = drive({ states, actions: [mail({ config })] })
      .start({ to: "ada" })
      .miss("mail")
      .event("x");
    t.retry("mail", { variables: { to: "grace" } });
    expect(t.claim("mail").run("mail").config).toMatchObject({ to: "grace" });
    expect([t.status, t.state.variables, t.moves]).toEqual(["completed", { to: "grace" }, []]);
  });

  test.each([
    ["a config", { config: { text: "x".repeat(CONFIG_BYTES_MAX) } }, "/config"],
    ["variables", { variables: { text: "x".repeat(VARIABLES_BYTES_MAX) } }, "/variables"],
  ])("%s too large is refused, and nothing has changed", (_what, edit, pointer) => {
    expect(sent().refused(ask.retry("1.0", edit))).toMatchObject({ code: "limit_exceeded", errors: [{ pointer }] });
  });

  test("variables too large are refused for an execution that has ended, too", () => {
    const edit = { variables: { text: "x".repeat(VARIABLES_BYTES_MAX) } };
    const refusal = sent().cancel().refused(ask.retry("1.0", edit));
    expect(refusal).toMatchObject({ code: "limit_exceeded", errors: [{ pointer: "/variables" }] });
  });

  test("what cannot be rendered is a dead letter again", () => {
    const t = sent()
      .retry("mail", { config: { to: "{{ execution.variables.nowhere }}" } })
      .claim("mail");
    expect(t.run("mail")).toMatchObject({ deadLetter: true, error: { type: "invalid_configuration" }, attempt: 2 });
  });
});

describe("a delay that led nowhere", () => {
  const delay = { anchor: { var: "execution.variables.when" }, offset: "PT1H" };
  const lost = (more = {}) =>
    drive({ states: stays, actions: [mail({ delay: { ...delay, ...more } })] }).start({ when: "never" });

  test("is waited for once it leads somewhere", () => {
    const t = lost();
    expect(t.run("mail")).toMatchObject({ deadLetter: true, attempt: 0 });
    t.retry("mail", { variables: { when: "2026-01-05T12:00:00Z" } });
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + 4 * hour, firstDueAt: T0 + 4 * hour });
    expect(
      t
        .tickAt(4 * hour)
        .ok("mail")
        .runs(),
    ).toEqual(["mail ok"]);
  });

  test("is refused as long as it leads nowhere", () => {
    expect(lost().refused(ask.retry("1.0"))).toMatchObject({
      code: "run_not_startable",
      message: expect.stringMatching(/never/),
    });
  });

  test("does not wait endlessly, because an ended execution cannot be patched", () => {
    const t = lost().cancel();
    expect(t.refused(ask.retry("1.0", { variables: { when: null } })).code).toBe("run_not_startable");
    t.retry("mail", { variables: { when: "2026-01-05T12:00:00Z" } });
    expect(t.tickAt(4 * hour).run("mail").status).toBe("queued");
    const live = lost().retry("mail", { variables: { when: null } });
    expect(live.run("mail")).toMatchObject({ status: "scheduled", dueAt: null });
  });

  test("ends it where its moment has passed", () => {
    const t = lost({ ifPast: "skip" }).retry("mail", { variables: { when: "2026-01-01T12:00:00Z" } });
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "already_past" });
  });

  test("is over for one that has waited it out", () => {
    const t = drive({ states: stays, actions: [mail({ delay: "PT1H" })] })
      .start()
      .tickAt(hour)
      .miss("mail");
    expect(t.retry("mail").run("mail").status).toBe("queued");
    const untried = drive({ states: stays, actions: [mail({ delay: "PT1H", condition: { var: "nowhere.at.all" } })] });
    expect(untried.start().tickAt(hour).run("mail").status).toBe("skipped");
  });
});

describe("an execution that has ended", () => {
  const ending = (part: Parameters<typeof drive>[0]["states"]) =>
    drive({ retention: "P2D", states: part, actions: [mail()] })
      .start()
      .miss("mail")
      .event("x");

  test.each([
    ["completed", { a: { on: { x: "end" } }, end: { type: "final" as const } }],
    ["failed", { a: { on: { x: "end" } }, end: { type: "final" as const, outcome: "failed" as const } }],
  ])("%s: its dead letter can be sent again, retries and all, and nothing else moves", (status, states) => {
    const t = ending(states);
    expect(t.status).toBe(status);
    const { at } = t;
    expect(t.retry("mail").ok("mail").runs()).toEqual(["mail ok"]);
    expect([t.status, t.at]).toEqual([status, at]);
  });

  test("canceled: the same, and a failure is retried as its policy says", () => {
    const t = one({ retryPolicy: { maxAttempts: 2, baseDelay: 1_000 } }, stays)
      .miss("mail")
      .tickAt(second)
      .miss("mail");
    t.cancel().clock(hour).retry("mail").miss("mail");
    expect(t.run("mail").status).toBe("retry");
    expect(
      t
        .tickAt(hour + second)
        .ok("mail")
        .runs(),
    ).toEqual(["mail ok"]);
  });

  test("and goes down with its object: it is sent again", () => {
    const t = ending({ a: { on: { x: "end" } }, end: { type: "final" } });
    t.retry("mail").claim("mail").take(ask.orphaned("1.0"));
    expect(t.run("mail")).toMatchObject({ status: "queued", attempt: 2 });
  });

  test("is kept as long as one waits, and from then on as long as its retention says", () => {
    const t = ending({ a: { on: { x: "end" } }, end: { type: "final" } });
    expect(t.wake).toBe(30 * day);
    expect(t.tickAt(3 * day).effects).toEqual([]);
    t.clock(5 * day).archive("mail");
    expect(t.state.retainUntil).toBe(T0 + 7 * day);
    expect(t.tickAt(7 * day - 1).effects).toEqual([]);
    expect(t.tickAt(7 * day).effects).toContainEqual({ kind: "purge" });
  });

  test("is kept while one is on its way again", () => {
    const t = ending({ a: { on: { x: "end" } }, end: { type: "final" } });
    t.clock(5 * day)
      .retry("mail")
      .claim("mail")
      .tickAt(5 * day + 10 * second);
    expect(t.effects).not.toContainEqual({ kind: "purge" });
    expect(t.settle("mail", success()).state.retainUntil).toBe(T0 + 7 * day + 10 * second);
  });
});

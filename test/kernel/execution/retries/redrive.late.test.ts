// Dead letters that are late, archived by an operator or in the end by the engine; and runs that are no dead letters.
import { describe, expect, test } from "vitest";
import { DEAD_LETTER_KEPT_MS, OPEN_DEAD_LETTERS_MAX } from "#schema/limits/run-attempts.ts";
import { ask, day, failure, hour, minute } from "#test/support/drive.ts";
import { one, type ActionPart } from "#test/support/one-mail.ts";
import { naming } from "#test/support/matchers/naming.ts";

const once = { retryPolicy: { maxAttempts: 1 } };
const dead = (part: ActionPart = {}, states?: Parameters<typeof one>[1]) =>
  one({ ...once, ...part }, states).miss("mail");
const stays = { a: { on: { x: "a" } } };

describe("what is late by now", () => {
  test.each([
    ["late", { maxLateness: "PT30M" }],
    ["no_longer_valid", { validUntil: "2026-01-05T09:30:00Z" }],
  ])("is skipped with its reason: %s", (reason, part) => {
    const t = dead(part, { a: { on: { "action.mail.skipped": "b" } }, b: stays.a })
      .clock(hour)
      .retry("mail");
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason, deadLetter: false });
    expect(t.at).toBe("b");
  });

  test("is still sent in time", () => {
    expect(
      dead({ maxLateness: "PT30M" }, stays)
        .clock(20 * minute)
        .retry("mail")
        .run("mail").status,
    ).toBe("queued");
  });
});

describe("archived", () => {
  test("its machine hears of it", () => {
    const t = dead({}, { a: { on: { "action.mail.archived": "b" } }, b: stays.a }).archive("mail", "settled by phone");
    expect(t.run("mail")).toMatchObject({ status: "failed", deadLetter: false });
    expect([t.at, t.newLines().slice(-2)]).toEqual([
      "b",
      ["dead_letter_archived 1.0: settled by phone", "moved a > b by action.mail.archived"],
    ]);
  });

  test("an execution that nothing can move any more is stuck, and fails", () => {
    const t = dead({}, { a: {} });
    expect(t.status).toBe("waiting");
    expect(t.archive("mail").state).toMatchObject({ status: "failed", error: { type: "stuck" } });
  });

  test("no operator decided for thirty days: the engine archives it", () => {
    const t = dead({}, { a: { on: { "action.mail.archived": "b" } }, b: stays.a });
    expect(t.wake).toBe(DEAD_LETTER_KEPT_MS);
    expect(t.tickAt(DEAD_LETTER_KEPT_MS - 1).run("mail").deadLetter).toBe(true);
    t.tickAt(DEAD_LETTER_KEPT_MS);
    expect([t.run("mail").deadLetter, t.at]).toEqual([false, "b"]);
    expect(t.newLines()).toContain("dead_letter_archived 1.0: archive_date_reached");
  });

  test("a pause puts that off, too", () => {
    const t = dead({}, stays)
      .pause()
      .tickAt(DEAD_LETTER_KEPT_MS + day);
    expect(t.run("mail").deadLetter).toBe(true);
    expect(t.resume().run("mail").deadLetter).toBe(false);
  });
});

describe("refused, and nothing has changed", () => {
  test.each([
    ["one that is not there", () => dead(), "9.0", "not_found", "9.0"],
    ["one under way", () => one(), "1.0", "run_not_startable", "queued"],
    ["one that went well", () => one().ok("mail"), "1.0", "run_not_startable", "ok"],
    ["one that was archived", () => dead({}, stays).archive("mail"), "1.0", "run_not_startable", "failed"],
  ] as const)("%s", (_what, made, id, code, named) => {
    for (const command of [ask.retry(id), ask.archive(id)])
      expect(made().refused(command)).toMatchObject({ code, message: naming(id, named) });
  });
});

test("one dead letter too many pauses the execution", () => {
  const t = one(once);
  for (let n = 1; n < OPEN_DEAD_LETTERS_MAX; n++) t.miss("mail").event("x");
  expect(t.status).toBe("active");
  t.miss("mail");
  expect([t.status, t.state.runs.filter(({ deadLetter }) => deadLetter).length]).toEqual([
    "paused",
    OPEN_DEAD_LETTERS_MAX,
  ]);
});

test("what has ended is not brought back by dead letters that were all sent again and failed again", () => {
  const t = one(once);
  for (let n = 1; n < OPEN_DEAD_LETTERS_MAX; n++) t.miss("mail").event("x");
  t.miss("mail").cancel();
  const dead = t.state.runs.map(({ id }) => id);
  for (const id of dead) t.take(ask.retry(id, { force: true }));
  for (const id of dead) t.claim(id).settle(id, failure());
  expect([t.status, t.state.error?.type]).toEqual(["canceled", "service_unavailable"]);
  expect(t.state.runs.filter(({ deadLetter }) => deadLetter)).toHaveLength(OPEN_DEAD_LETTERS_MAX);
});

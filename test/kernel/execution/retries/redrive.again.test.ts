// A redriven run: which of its fields stay and which are reset.
import { describe, expect, test } from "vitest";
import { step } from "#kernel/execution/step.ts";
import { DEAD_LETTER_KEPT_MS } from "#schema/limits/run-attempts.ts";
import { action, ask, day, drive, hour, T0 } from "#test/support/drive.ts";
import type { ActionPart } from "#test/support/one-mail.ts";

const mail = (part: ActionPart = {}) => action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 1 }, ...part });
const stays = { a: { on: { x: "a" } } };
const dead = () =>
  drive({ states: stays, actions: [mail()] })
    .start()
    .miss("mail");

test("what was tried before is not moved by a patch while it waits to go again, edited", () => {
  const delay = { anchor: { var: "execution.variables.date" } };
  const t = drive({ states: stays, actions: [mail({ delay })] })
    .start({ date: T0 })
    .miss("mail")
    .pause();
  t.retry("mail", { config: { url: "https://example.org" } }).patch({ date: T0 + day });
  expect([t.moves, t.run("mail").dueAt]).toEqual([[], T0]);
  expect(t.resume().runs()).toEqual(["mail queued"]);
});

describe("a dead letter that is sent again", () => {
  const dated = { delay: { anchor: { var: "execution.variables.date" } } };

  test("is wanted again, whatever an older version wrote of it", () => {
    const t = dead();
    const written = { ...t.state, runs: t.state.runs.map((run) => ({ ...run, unwanted: true })) };
    const again = step(t.program, written, { ...ask.retry(t.run("mail").id), now: T0, room: 0 });
    expect(again).toMatchObject({ ok: true, state: { runs: [{ status: "queued", unwanted: false }] } });
  });

  test("belongs to no state any more: leaving that takes it back no longer", () => {
    const t = drive({ states: { a: { on: { go: "b" } }, b: { on: { x: "a" } } }, actions: [mail()] }).start();
    expect(t.miss("mail").retry("mail").event("go").runs()).toEqual(["mail queued"]);
  });

  test("has waited for its delay, if it was tried", () => {
    const t = drive({ states: stays, actions: [mail(dated)] })
      .start({ date: T0 })
      .miss("mail");
    expect(
      t
        .patch({ date: T0 + day })
        .retry("mail")
        .runs(),
    ).toEqual(["mail queued"]);
  });

  test("has waited for its delay, if that was what it did before it failed", () => {
    const until = { validUntil: { var: "execution.variables.until" } };
    const t = drive({ states: stays, actions: [mail({ delay: "PT1H", ...until })] })
      .start({ until: "soon" })
      .tickAt(hour);
    expect(t.run("mail")).toMatchObject({ deadLetter: true, attempt: 0 });
    expect(t.retry("mail", { variables: { until: null } }).runs()).toEqual(["mail queued"]);
  });
});

test("a dead letter is archived at the instant until which it is kept", () => {
  const t = dead();
  expect(t.tickAt(DEAD_LETTER_KEPT_MS - 1).run("mail").deadLetter).toBe(true);
  expect(t.tickAt(DEAD_LETTER_KEPT_MS).run("mail").deadLetter).toBe(false);
});

test("a pause keeps dead letters: they are archived on resume", () => {
  const t = dead().pause().tickAt(DEAD_LETTER_KEPT_MS);
  expect(t.run("mail").deadLetter).toBe(true);
  expect(t.resume().run("mail").deadLetter).toBe(false);
});

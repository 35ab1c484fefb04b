// What is sent again: when, by which way, and what stays where it is.
import { expect, test } from "vitest";
import { action, ask, drive, minute, second } from "#test/support/drive.ts";
import { hears, one } from "#test/support/one-mail.ts";

test("the gaps between messages begin anew with the next attempt", () => {
  const t = one()
    .tickAt(minute)
    .tickAt(6 * minute);
  t.miss("mail").tickAt(6 * minute + second);
  expect(t.run("mail")).toMatchObject({ status: "queued", attempt: 2, resends: 0 });
  expect(t.tickAt(7 * minute + second).newLines()).toContain("run_resent 1.0 #2: not_claimed");
});

test("a message that is sent again goes through the queue, whichever way it went before", () => {
  const t = drive({ states: hears, actions: [action("mail", { triggerState: "a" })] }, 1).start();
  expect(t.run("mail").lane).toBe("direct");
  expect(t.tickAt(minute).run("mail").lane).toBe("queue");
});

test("what others have in hand is left alone when one flight is lost", () => {
  const actions = [action("mail", { triggerState: "a" }), action("text", { triggerState: "a" })];
  const t = drive({ concurrency: 2, states: hears, actions }).start().claim("mail").claim("text");
  expect(t.take(ask.orphaned(t.run("text").id)).runs()).toEqual(["mail running", "text queued"]);
});

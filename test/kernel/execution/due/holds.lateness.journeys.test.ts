// Lateness of a journey's steps: it counts from the planned instant, also if the step follows a delay, a time limit or
// another action.
import { describe, expect, test } from "vitest";
import { hour, minute } from "#test/support/drive.ts";
import { act, go } from "../../programs/journey/drive-journey.ts";

const late = { maxLateness: "PT1H" };
const mail = act(undefined, late);
const wait = { type: "wait", for: [{ event: "x" }], timeout: { after: "PT10M", next: "mail" } };

describe("after a pause that outlasts the limit", () => {
  test.each([
    ["with a delay of its own", { mail: act(undefined, { ...late, delay: "PT10M" }) }],
    ["behind a delay", { soon: { type: "delay", for: "PT10M", next: "mail" }, mail }],
    ["behind the time limit of a wait", { asked: wait, mail }],
  ])("a step %s is skipped as late", (_what, nodes) => {
    const paused = () => go({ nodes }).start().pause();
    expect(
      paused()
        .clock(2 * hour)
        .resume()
        .runs(),
    ).toEqual(["mail skipped"]);
    expect(
      paused()
        .clock(hour + 10 * minute)
        .resume()
        .runs(),
    ).toEqual(["mail queued"]);
  });

  test("a step behind an event is not late, because its planned instant is that of the event", () => {
    const nodes = { asked: { type: "wait", for: [{ event: "x" }], next: "mail" }, mail };
    expect(
      go({ nodes })
        .start()
        .clock(5 * hour)
        .event("x")
        .runs(),
    ).toEqual(["mail queued"]);
  });
});

test("a step behind an action whose retries took longer than the limit is skipped as late", () => {
  const t = go({ nodes: { call: act("mail"), mail } }).start();
  expect(
    t
      .clock(2 * hour)
      .ok("call")
      .runs(),
  ).toEqual(["call ok", "mail skipped"]);
});

describe("an operator's verb", () => {
  const nodes = { call: act("mail"), mail };

  test("that retries a dead letter does not make its run punctual", () => {
    const t = go({ nodes }).start().clock(hour).ok("call").miss("mail", { retryable: false });
    expect(t.run("mail").firstDueAt).not.toBe(t.run("mail").planned);
    expect(
      t
        .clock(hour + minute)
        .retry("mail")
        .runs(),
    ).toEqual(["call ok", "mail skipped"]);
  });

  test("that retries an action makes the steps behind it punctual", () => {
    const t = go({ nodes }).start().miss("call", { retryable: false });
    expect(
      t
        .clock(5 * hour)
        .retry("call")
        .ok("call")
        .runs(),
    ).toEqual(["call ok", "mail queued"]);
  });
});

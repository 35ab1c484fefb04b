// Windows on nodes of journeys: which runs they hold, from where later delays count, and errors in a window.
import { describe, expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import { day, hour, minute, T0 } from "#test/support/drive.ts";
import { act, go, journey } from "./drive-journey.ts";

const windows = { polite: { days: "MON-SAT", from: "09:00", to: "20:00" } };
const evening = 12 * hour; // 21:00; the traces begin on a Monday at nine
const morning = day;

describe("a node whose window is closed", () => {
  test("holds its run, and the nodes after it wait", () => {
    const t = go({ windows, nodes: { mail: act("after", { window: "polite" }), after: act() } });
    t.clock(evening).start();
    expect([t.runs(), t.marks(), t.wake]).toEqual([["mail scheduled"], { mail: "waiting" }, morning]);
    expect(t.tickAt(morning).ok("mail").runs()).toEqual(["mail ok", "after queued"]);
  });

  test("keeps the rhythm of what comes after: a delay counts from when it was due", () => {
    const nodes = {
      mail: act("week", { window: "polite" }),
      week: { type: "delay", for: "P7D", next: "again" },
      again: act(),
    };
    const t = go({ windows, nodes });
    t.clock(evening).start().tickAt(morning).ok("mail");
    expect(t.wake).toBe(evening + 7 * day);
    expect(t.tickAt(evening + 7 * day).runs()).toEqual(["mail ok", "again queued"]);
  });

  test("or from when it was done, where that is asked for", () => {
    const nodes = {
      mail: act("week", { window: "polite" }),
      week: { type: "delay", for: "P7D", from: "done", next: "again" },
      again: act(),
    };
    const t = go({ windows, nodes });
    t.clock(evening)
      .start()
      .tickAt(morning + minute)
      .ok("mail");
    expect(t.wake).toBe(morning + minute + 7 * day);
  });

  test("a delay that was over before it opened ends at once, and what comes after it counts from its end", () => {
    const nodes = {
      mail: act("soon", { window: "polite" }),
      soon: { type: "delay", for: "PT1H", next: "day" },
      day: { type: "delay", for: "P1D", next: "last" },
      last: act(),
    };
    const t = go({ windows, nodes });
    t.clock(evening).start().tickAt(morning).ok("mail").tickAt(morning);
    expect([t.marks(), t.wake]).toEqual([{ mail: "done", soon: "done", day: "waiting" }, evening + hour + day]);
  });

  test("takes the next edge where it opens too late", () => {
    const nodes = { mail: act("after", { window: "polite", maxLateness: "PT1H" }), after: act() };
    const t = go({ windows, nodes });
    t.clock(evening).start();
    expect(t.marks()).toMatchObject({ mail: "skipped no_window", after: "waiting" });
  });

  test("has it from the defaults of its type, or inline, with each subject's zone", () => {
    const asked = { from: "09:00", to: "20:00", timezone: { var: "execution.variables.zone" } };
    const t = go({
      defaults: { webhook: { window: asked } },
      initial: ["mail", "open"],
      nodes: { mail: act(), open: act(undefined, { window: { from: "00:00", to: "24:00" } }) },
    } as never);
    t.clock(evening).start({ zone: "Asia/Tokyo" });
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + 15 * hour });
    expect(t.run("open").status).toBe("queued");
  });
});

describe("what is wrong with a window", () => {
  const found = (part: Parameters<typeof journey>[0]) =>
    verify(journey(part)).map(({ pointer, code }) => `${pointer} ${code}`);
  const asked = { from: "09:00", to: "20:00", timezone: { nope: 1 } };

  test("a name that nothing explains", () => {
    expect(found({ nodes: { mail: act(undefined, { window: "polite" }) } })).toEqual([
      "/nodes/mail/window unknown_window",
    ]);
  });

  test.each<[string, Parameters<typeof journey>[0], string]>([
    ["named", { windows: { odd: asked }, nodes: { mail: act() } }, "/windows/odd/timezone"],
    [
      "in the defaults",
      { defaults: { webhook: { window: asked } }, nodes: { mail: act() } },
      "/defaults/webhook/window/timezone",
    ],
    ["written out", { nodes: { mail: act(undefined, { window: asked }) } }, "/nodes/mail/window/timezone"],
  ])("a rule for its zone that is none: %s", (_, part, pointer) => {
    expect(found(part)).toEqual([expect.stringContaining(pointer)]);
  });

  test("nothing", () => {
    expect(found({ windows, nodes: { mail: act(undefined, { window: "polite" }) } })).toEqual([]);
  });
});

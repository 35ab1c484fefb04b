// Reports about messages in reconcilers: the next tick's rules read the latest report about the action's message.
import { describe, expect, test } from "vitest";
import { action, success } from "#test/support/drive.ts";
import { go } from "../../programs/reconciler/drive-reconciler.ts";

const bounced = { "===": [{ var: "action.delivery.event" }, "email_bounced"] };
const hard = { "===": [{ var: "action.delivery.type" }, "hard"] };

function mailed(afterAction?: "observe") {
  const t = go({
    ...(afterAction && { afterAction }),
    states: {
      Mailing: {
        rules: [
          { when: { and: [bounced, hard] }, target: "Returned" },
          { when: { "!": { var: "action.actionName" } }, emit: "mail" },
        ],
      },
      Returned: { type: "final" },
    },
    actions: [action("mail")],
  });
  if (afterAction) t.observe({});
  t.tickAt(1_000).claim("mail").settle("mail", success());
  return t;
}

const report = (run: string, more: object = {}) => ({ run, type: "hard", at: "2026-01-05T09:00:30.000Z", ...more });

test("a bounce of the action's message takes its rule at the next tick", () => {
  const t = mailed();
  t.event("email_bounced", report(t.run("mail").id, { code: "5.1.1", reason: "no such user" }));
  expect(t.action()).toMatchObject({
    succeeded: true,
    delivery: { event: "email_bounced", type: "hard", code: "5.1.1", reason: "no such user" },
  });
  expect(t.status).toBe("waiting");
  t.tickAt(2_000);
  expect([t.status, t.stands()]).toEqual(["completed", "Returned"]);
});

test("a report does not end the action again", () => {
  const t = mailed("observe");
  t.tickAt(2_000);
  t.observe({ seen: 1 });
  const { actedAt } = t.reconciling();
  t.event("email_delivered", report(t.run("mail").id)).tickAt(3_000);
  t.event("email_bounced", report(t.run("mail").id));
  expect(t.reconciling().actedAt).toBe(actedAt);
});

describe("the action keeps its status", () => {
  test.each<[string, string, unknown]>([
    ["at a report about another run", "email_bounced", report("9.9")],
    ["at a report without a run", "email_bounced", {}],
    ["at a payload that is a list", "email_bounced", ["run"]],
    ["at no payload", "sms_failed", null],
    ["at another event of the engine", "task_completed", report("2.0")],
  ])("%s", (_what, type, payload) => {
    const t = mailed();
    const before = t.action();
    t.event(type, payload as never);
    expect(t.action()).toEqual(before);
  });

  test("at an earlier report, and without an instant the first one stays", () => {
    const t = mailed();
    const { id } = t.run("mail");
    t.event("email_delivered", report(id)).event("email_bounced", report(id, { at: "2026-01-05T09:00:29.000Z" }));
    expect(t.action()?.delivery).toMatchObject({ event: "email_delivered" });
    t.event("email_opened", { run: id });
    expect(t.action()?.delivery).toMatchObject({ event: "email_delivered" });
  });
});

test("a report may lack all further fields", () => {
  const t = mailed();
  t.event("email_delivered", { run: t.run("mail").id });
  expect(t.action()?.delivery).toEqual({ event: "email_delivered", type: null, at: null, code: null, reason: null });
});

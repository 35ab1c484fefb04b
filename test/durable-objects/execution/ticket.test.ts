// Tests the fields of a claimed run's ticket.
import { expect, test } from "vitest";
import { ticketOf } from "#objects/execution/ticket.ts";
import { action, ask, drive } from "#test/support/drive.ts";
import { go } from "#test/kernel/programs/reconciler/drive-reconciler.ts";

const claimed = () =>
  drive({ states: { a: {} }, actions: [action("mail", { triggerState: "a" })] })
    .start()
    .claim("mail");

test("a ticket has possiblyRepeated only after a lost delivery of its attempt", () => {
  expect(ticketOf(claimed().state, "1.0", 1)).not.toHaveProperty("possiblyRepeated");
  const again = claimed().take(ask.orphaned("1.0")).claim("mail");
  expect(ticketOf(again.state, "1.0", 1)).toMatchObject({ attempt: 1, possiblyRepeated: true });
});

test("a ticket has the incarnation of its execution", () => {
  const { state } = claimed();
  expect(ticketOf(state, "1.0", 1)).toMatchObject({ incarnation: state.createdAt });
});

test("a ticket names the trigger that started its execution, if there is one", () => {
  const { state } = claimed();
  expect(ticketOf(state, "1.0", 1)).not.toHaveProperty("trigger");
  const begun = { ...state, startedBy: { trigger: "trg_1", kind: "webhook" } as const };
  expect(ticketOf(begun, "1.0", 1)).toMatchObject({ trigger: "trg_1" });
});

test("an effect's key consists of the execution's id and the run's id", () => {
  const { state } = claimed();
  const later = { ...state, createdAt: state.createdAt + 1 };
  expect([state, later].map((each) => ticketOf(each, "1.0", 1)?.idempotencyKey)).toEqual(["exe_1/1.0", "exe_1/1.0"]);
});

test("only a reconciler's ticket may be aborted", () => {
  const { state } = claimed();
  expect(ticketOf(state, "1.0", 1)).not.toHaveProperty("mayBeCalledOff");
  const t = go({ states: { Off: { rules: [{ emit: "mail" }] } }, actions: [action("mail")] });
  t.tickAt(1_000).claim("mail");
  expect(ticketOf(t.state, t.run("mail").id, 1)).toMatchObject({ mayBeCalledOff: true });
});

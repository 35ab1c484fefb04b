// Windows and caps in every place of an action: a closed window holds the run, an expired run is skipped as
// `no_window`, and the ticket of a claimed run names the cap and its subject.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { action, driveProgram, failure, hour, machine, minute, success, T0, type Drive } from "#test/support/drive.ts";
import { go } from "../../programs/reconciler/drive-reconciler.ts";
import { journey } from "../../programs/journey/drive-journey.ts";

/** The traces begin at 09:00 UTC, an hour before the opening. */
const late = { from: "10:00", to: "12:00" };
const named = { windows: { late }, caps: { gentle: { max: 1, per: "P1D", subject: "customer {{ execution.id }}" } } };
const uses = { window: "late", cap: "gentle" };
type Fields = { readonly maxLateness?: string };

const drive = (definition: Definition) => driveProgram([compile(definition), compile(definition)]).start();

function inMachine(fields: Fields): Drive {
  const final = { type: "final" as const };
  const on = { "action.mail.ok": "sent", "action.mail.skipped": "skipped" };
  const states = { a: { entry: ["mail"], on }, sent: final, skipped: final };
  return drive(machine({ ...named, states, actions: [{ ...action("mail", fields), ...uses }] }));
}

function inJourney(fields: Fields): Drive {
  const { type, config } = action("mail");
  return drive(journey({ ...named, nodes: { mail: { type, config, ...uses, ...fields } } }));
}

function inReconciler(fields: Fields): Drive {
  const rules = [{ when: { "!": { var: "action.actionName" } }, emit: "mail" }];
  const t = go({ ...named, states: { A: { rules } }, actions: [{ ...action("mail", fields), ...uses }] });
  return t.tickAt(1_000);
}

function standalone(fields: Fields): Drive {
  const cap = { name: "gentle", ...named.caps.gentle };
  const one = { action: { ...action("mail", fields), window: late, cap }, dedup: null };
  return driveProgram([oneActionProgram(one), oneActionProgram(one)], 0, { pooled: true, standalone: one }).start();
}

const places = [
  ["a machine", inMachine, "completed"],
  ["a journey", inJourney, "completed"],
  ["a reconciler", inReconciler, "waiting"],
  ["a standalone action", standalone, "completed"],
] as const;

describe.each(places)("%s", (_place, begin, ended) => {
  test("is held until its window opens, and then counts towards its cap", () => {
    const t = begin({});
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + hour, held: { reason: "window" } });
    t.tickAt(hour).claim("mail");
    const cap = { name: "gentle", subject: `customer ${t.state.id}`, max: 1, over: "wait" };
    expect(t.run("mail")).toMatchObject({ status: "running", cap });
    t.settle("mail", success());
    expect(t.status).toBe(ended);
  });

  test("is skipped if it expires before the window opens", () => {
    const t = begin({ maxLateness: "PT30M" });
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "no_window", attempts: [] });
    expect(t.status).toBe(ended);
  });

  test("is held or skipped above its cap, and uses no attempt", () => {
    const held = { reason: "cap", until: T0 + 80 * minute, connection: null };
    const t = begin({}).tickAt(hour).claim("mail");
    t.settle("mail", { ...failure(), held } as Outcome);
    expect(t.run("mail")).toMatchObject({ status: "scheduled", attempt: 0, dueAt: held.until });
    t.tickAt(80 * minute)
      .claim("mail")
      .settle("mail", { ...failure(), skipped: "capped" } as Outcome);
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "capped", attempts: [] });
    expect(t.status).toBe(ended);
  });
});

test("the machine's transition for a skipped action is taken", () => {
  expect(inMachine({ maxLateness: "PT30M" }).at).toBe("skipped");
});

test("a reconciler's rules read the skip, and the next tick goes on", () => {
  const t = inReconciler({ maxLateness: "PT30M" });
  expect(t.state.lastAction).toMatchObject({
    actionName: "mail",
    inProgress: false,
    errorMessage: "skipped: no_window",
  });
});

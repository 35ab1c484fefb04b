// The next activity of an execution, as lists show it.
import { expect, test } from "vitest";
import { nextActivity } from "#kernel/waiting/next-instants.ts";
import { action, drive, failure, hour, minute, T0, type Drive } from "#test/support/drive.ts";

const states = {
  a: { on: { go: "b" }, after: { PT1H: "b" } },
  b: { on: { end: "done" } },
  done: { type: "final" as const },
};
const mail = (delay?: string) => action("mail", { triggerState: "a", ...(delay === undefined ? {} : { delay }) });
const begun = (delay?: string) => drive({ states, actions: [mail(delay)] }).start();
const alone = () => drive({ states: { a: { on: { go: "b" }, after: { PT1H: "b" } }, b: {} } }).start();

test.each<[string, () => Drive, { at: number; node: string } | null]>([
  ["a timer", alone, { at: T0 + hour, node: "a" }],
  ["a run before a timer", () => begun("PT1M"), { at: T0 + minute, node: "a" }],
  ["a timer before a run", () => begun("PT2H"), { at: T0 + hour, node: "a" }],
  ["what is under way, since when it is", () => begun().claim("mail"), { at: T0, node: "a" }],
  [
    "a retry, when it is due",
    () =>
      begun()
        .claim("mail")
        .settle("mail", failure({}, { retryAfterMs: minute })),
    { at: T0 + minute, node: "a" },
  ],
  [
    "an action by its id where a person started it",
    () => alone2().runNow({ action: "mail" }),
    { at: T0, node: "mail" },
  ],
  ["nothing while it is paused", () => begun("PT1M").pause(), null],
  ["nothing once it has ended", () => begun("PT1M").cancel(), null],
  ["nothing where an event has to come first", () => alone().event("go"), null],
  ["nothing where its date is not there yet", () => undated(), null],
])("%s", (_name, drive, expected) => {
  const { state } = drive();
  expect(nextActivity(state)).toEqual(expected);
});

function alone2(): Drive {
  return drive({ states: { a: { on: { go: "b" } }, b: {} }, actions: [action("mail")] }).start();
}

function undated(): Drive {
  const delays = { later: { anchor: { var: "execution.variables.due" }, offset: "P1D" } };
  return drive({ states: { a: { after: { later: "b" } }, b: {} }, delays }).start();
}

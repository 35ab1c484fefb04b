// The subject of a virtual run: an action with a cap is sent as in a real run.
import { expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { runVirtually, type AttemptLimits } from "#kernel/virtual/virtual-run.ts";
import { T0 } from "#test/support/drive.ts";
import { askOf, line, play } from "./played.ts";

const send = { type: "webhook", config: { url: "https://example.com" }, cap: "gentle" };
const journey = {
  kind: "journey",
  name: "capped",
  subject: { var: "execution.variables.who" },
  caps: { gentle: { max: 1, per: "P7D" } },
  initial: "a",
  nodes: { a: { ...send, next: "b" }, b: send },
};

test("a journey has the subject of its rule, and runs with a cap may start", () => {
  expect(play(journey, { variables: { who: "ada" } }).actions.map(line)).toEqual([
    "a ok at 0d 00:00",
    "b ok at 0d 00:00",
  ]);
});

test("one without a subject is refused, as a real start is", () => {
  const run = computeAtOnce(runVirtually(askOf(journey)));
  expect(run.ok ? null : run.refusal.errors).toMatchObject([{ pointer: "/variables", code: "no_subject" }]);
});

test("a start with a given subject keeps it", () => {
  const { start, ...ask } = askOf(journey, { variables: { who: "ada" } });
  const seen: unknown[] = [];
  const gate: AttemptLimits = (asked, { subject }) => (seen.push([asked.run.cap?.subject, subject?.key]), null);
  computeAtOnce(runVirtually({ ...ask, limits: gate, start: { ...start, subject: { key: "bob", until: T0 } } }));
  expect(seen[0]).toEqual(["bob", "bob"]);
});

test("what a cap leaves out is skipped, and what follows it goes on", () => {
  const gate: AttemptLimits = ({ run }) => (run.action === "a" ? { skipped: "capped" } : null);
  const run = play(journey, { variables: { who: "ada" }, limits: gate });
  expect(run.actions.map(line)).toEqual(["a skipped at 0d 00:00 (capped)", "b ok at 0d 00:00"]);
});

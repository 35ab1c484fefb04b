// Verifies predictions: makes each predicted entry happen, and checks that it does not happen earlier.
import { expect } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import { addSentences } from "#policy/advice/explanation/sentences.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Outcome, Hold } from "#schema/engine/outcome.ts";
import { presentEntry } from "#wire/history/present-entry.ts";
import { presentExplanation } from "#wire/explanation/present.ts";
import type { ApiExplanation } from "#wire/explanation/shape.ts";
import { action, day, drive, failure, success, T0, type Drive } from "#test/support/drive.ts";
import { predict } from "./predictor.ts";

type Part = Parameters<typeof drive>[0];
type Actions = NonNullable<MachineDefinition["actions"]>;

export const at = (ms: number): string => new Date(T0 + ms).toISOString();

export function answerOf(t: Drive, clock: number, { suspended = false } = {}): ApiExplanation {
  const known = {
    program: t.program,
    state: t.state,
    now: T0 + clock,
    suspended,
    recent: t.entries,
    quarantined: null,
  };
  return JSON.parse(JSON.stringify(presentExplanation(addSentences(explain(known))))) as ApiExplanation; // the response as it is sent
}

/** The first entry that the engine writes from here on, as the API shows it. */
export function firstOf(t: Drive, happen: () => unknown): Record<string, unknown> | null {
  const before = t.entries.length;
  happen();
  const entry = t.entries[before];
  return entry === undefined ? null : presentEntry(entry);
}

type Happens = {
  readonly clock?: number;
  readonly outcome?: Outcome;
  readonly suspended?: boolean;
  readonly does?: () => unknown;
};

/** Verifies a prediction. `does`: the input from outside, if the prediction says that nothing happens automatically. */
export function holds(
  t: Drive,
  { clock = 0, outcome = success(), suspended = false, does }: Happens = {},
): ApiExplanation {
  const answer = answerOf(t, clock, { suspended });
  const prediction = predict(answer);
  if (prediction.brings === "nothing") {
    expect(firstOf(t, () => t.tickAt(Date.parse(prediction.until ?? at(day)) - T0 - 1))).toBeNull();
    return answer;
  }
  const { entry } = prediction;
  const found = ((): Record<string, unknown> | null => {
    switch (prediction.brings) {
      case "time": {
        const due = Date.parse(prediction.at) - T0;
        if (due > clock) expect(firstOf(t, () => t.tickAt(due - 1))).toBeNull(); // no entry before the predicted instant
        return firstOf(t, () => t.tickAt(due));
      }
      case "runner":
        return firstOf(t, () =>
          entry.kind === "run_settled" ? t.settle(prediction.run, outcome) : t.clock(clock).claim(prediction.run),
        );
      case "event": {
        expect(firstOf(t, () => t.tickAt(clock + 20 * day))).toBeNull();
        return firstOf(t, () => t.event(prediction.types[0] ?? ""));
      }
      case "request":
        expect(firstOf(t, () => t.tickAt(clock + 20 * day))).toBeNull();
        return firstOf(t, does ?? (() => undefined));
    }
  })();
  expect(found).toMatchObject({ kind: entry.kind, ...entry.about });
  return answer;
}

export const done = { type: "final" } as const;
export const mailing = (part: Partial<Actions[number]> = {}, more: Partial<Part> = {}) =>
  drive({
    states: { open: { on: { "action.mail.ok": "done", "action.mail.skipped": "done", paid: "done" } }, done },
    actions: [action("mail", { triggerState: "open", ...part })],
    ...more,
  });

const holding = (reason: Hold["reason"], until: number, connection: string | null = "mail"): Outcome => {
  const told = failure({ type: "rate_limit", code: "connection_held" });
  return { ...told, held: { reason, until: T0 + until, connection } } as Outcome; // a failure with a hold
};
export const held = (reason: Hold["reason"], until: number, connection: string | null = "mail") =>
  mailing({ retryPolicy: { maxAttempts: 2 } })
    .start()
    .claim("mail")
    .settle("mail", holding(reason, until, connection));

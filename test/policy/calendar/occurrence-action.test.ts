// The action of an occurrence: its variables, and the instant at which it runs under a window.
import { describe, expect, test } from "vitest";
import { comingOccurrences } from "#policy/calendar/preview.ts";
import { executionTime, occurrenceAction, occurrenceVariables } from "#policy/calendar/occurrence-action.ts";
import type { ActionSettings } from "#schema/recurring/action-settings.ts";
import type { RecurringWork } from "#schema/recurring/spec.ts";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

type ActionWork = Extract<RecurringWork, { kind: "action" }>;

function work(settings?: ActionSettings, metadata: ActionWork["metadata"] = {}): ActionWork {
  const action = { type: "webhook", config: { url: "https://example.com" }, ...settings };
  const base = { kind: "action", provider: "webhook", actionType: "x", payload: {}, metadata, dedupKey: null } as const;
  return settings === undefined ? { ...base, action } : { ...base, settings, action };
}

/** The instants at which the actions of the next two occurrences run. They are due at 09:00 in Zurich. */
function runs(of: RecurringWork): readonly (string | null)[] {
  const { state, now } = new Trace("2026-03-27T12:00:00Z", specOf({ work: of, rule: { timezone: "Europe/Zurich" } }));
  const coming = comingOccurrences(state, now, 2);
  return coming.map(({ runsAt }) => (runsAt === null ? null : new Date(runsAt).toISOString().slice(5, 16)));
}

const due = ["03-28T08:00", "03-29T07:00"]; // The clocks change on the 29th.

describe("an occurrence's action runs", () => {
  test.each<[string, RecurringWork, readonly (string | null)[]]>([
    ["when it starts, without settings", work(), due],
    ["when it starts, with other settings", work({ priority: 3 }), due],
    ["when it starts, as a definition", { kind: "definition", definition: "album", variables: {} }, due],
    ["when it starts, in an open window", work({ window: { from: "08:00", to: "10:00" } }), due],
    [
      "at the next opening, in the zone of the cron expression",
      work({ window: { from: "10:30", to: "12:00" } }),
      ["03-28T09:30", "03-29T08:30"],
    ],
    [
      "at the opening, whatever the spread",
      work({ window: { from: "10:30", to: "12:00", spread: "PT1H" } }),
      ["03-28T09:30", "03-29T08:30"],
    ],
    [
      "in the zone that the metadata gives",
      work({ window: { from: "10:30", to: "12:00", timezone: { var: "execution.variables.zone" } } }, { zone: "UTC" }),
      ["03-28T10:30", "03-29T10:30"],
    ],
    ["never, if it expires first", work({ window: { from: "10:30", to: "12:00" }, maxLateness: "PT1H" }), [null, null]],
    [
      "when it starts, if the start is refused",
      work({ window: { from: "10:30", to: "12:00" } }, { big: "x".repeat(2_000_000) }),
      due,
    ],
  ])("%s", (_name, of, expected) => {
    expect(runs(of)).toEqual(expected);
  });
});

test("the variables name the occurrence, and replace the client's of the same name", () => {
  const occurrence = { nominal: at("2026-03-28T08:00:00Z"), at: at("2026-03-28T08:00:05Z") };
  expect(occurrenceVariables(work(undefined, { team: "mail", _recurring_id: "x" }), "rec_1", occurrence)).toEqual({
    team: "mail",
    _recurring_dispatch: "true",
    _recurring_id: "rec_1",
    execution_time: "2026-03-28T08:00:00Z",
  });
  expect(executionTime({ ...occurrence, nominal: null })).toBe("2026-03-28T08:00:05Z");
});

test("only an action with settings has the zone of the cron expression", () => {
  expect(occurrenceAction(work(), "Europe/Zurich")).not.toHaveProperty("timezone");
  expect(occurrenceAction(work({ priority: 3 }), "Europe/Zurich")).toMatchObject({ timezone: "Europe/Zurich" });
});

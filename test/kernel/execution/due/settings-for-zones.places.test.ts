// Zones by rule in the windows, delays and actions of machines and reconcilers: the run starts at the time of the zone
// that the rule returns. An unknown zone gives the fallback, which the journal and the explanation show.
import { describe, expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import { action, drive, hour, T0, type Drive } from "#test/support/drive.ts";
import { go } from "../../programs/reconciler/drive-reconciler.ts";
import { variable } from "./windows.ts";

const zone = { rule: variable("zone"), fallback: "Europe/Zurich" };
const atEleven = { offset: "P1D", at: "11:00" };
const hours = { from: "11:00", to: "12:00" };

type Place = { readonly action: Partial<ActionDefinition>; readonly part: object };

/** T0 is 09:00 UTC: 10:00 in Zurich, and 18:00 in Tokyo. The last two are the hours until 11:00 there. */
const places: readonly (readonly [string, Place, number, number])[] = [
  ["a named window", { action: { window: "w" }, part: { windows: { w: { ...hours, timezone: zone } } } }, 17, 1],
  ["the definition, for a window", { action: { window: "w" }, part: { windows: { w: hours }, timezone: zone } }, 17, 1],
  ["an action, for a window", { action: { window: "w", timezone: zone }, part: { windows: { w: hours } } }, 17, 1],
  ["a named delay", { action: { delay: "d" }, part: { delays: { d: { ...atEleven, timezone: zone } } } }, 17, 25],
  ["a delay", { action: { delay: { ...atEleven, timezone: zone } }, part: {} }, 17, 25],
  ["an action, for a delay", { action: { delay: atEleven, timezone: zone }, part: {} }, 17, 25],
  ["the definition, for a delay", { action: { delay: atEleven }, part: { timezone: zone } }, 17, 25],
];

function inMachine(place: Place, given: string): Drive {
  const actions = [{ ...action("mail"), triggerState: "a", ...place.action }];
  return drive({ states: { a: { on: { go: "b" } }, b: { type: "final" } }, actions, ...place.part }).start({
    zone: given,
  });
}

function inReconciler(place: Place, given: string): Drive {
  const rules = [{ when: { "!": { var: "action.actionName" } }, emit: "mail" }];
  const actions = [{ ...action("mail"), ...place.action }];
  return go({ variables: { zone: given }, states: { A: { rules } }, actions, ...place.part }).tickAt(1_000);
}

function explained({ program, state, entries: recent }: Drive) {
  return explain({ program, state, now: T0 + 1_000, suspended: false, recent, quarantined: null });
}

describe.each([
  ["a machine", inMachine],
  ["a reconciler", inReconciler],
])("%s, with the rule in", (_kind, begin) => {
  test.each(places)("%s", (_place, place, inTokyo, inZurich) => {
    const t = begin(place, "Asia/Tokyo");
    expect(t.run("mail").dueAt).toBe(T0 + inTokyo * hour);
    t.tickAt(inTokyo * hour);
    expect(t.run("mail").status).toBe("queued");
    const fallback = begin(place, "Moon/Base");
    expect(fallback.run("mail").dueAt).toBe(T0 + inZurich * hour);
    const run = fallback.entries.find(({ kind }) => kind === "timezone_unknown");
    expect(run).toMatchObject({
      kind: "timezone_unknown",
      action: "mail",
      given: JSON.stringify("Moon/Base"),
      taken: "Europe/Zurich",
    });
    expect(JSON.stringify(explained(fallback).waits)).toContain("Moon/Base");
  });
});

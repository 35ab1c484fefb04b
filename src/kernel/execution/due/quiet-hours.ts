// Quiet hours: decides until when a tenant's policies hold a claimed run. The consumer passes the policies, because an
// execution does not store them. Only the execution can evaluate their time zones and knows when the run expires.
import { versionsOf, type QuietHours } from "#schema/policies/policy.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Window } from "#schema/definition/window.ts";
import { assert } from "../../assert.ts";
import { nextCommonOpening } from "../../calendar/common-opening.ts";
import { runPart } from "../../computing/work.ts";
import { actionOf, changeRun, type Step } from "../current-step.ts";
import { holdClaimed, latestStart, skipClaimed, startAfterOpening, zoneOfWindow } from "./holds.ts";

/**
 * Holds the run until all policies are open. If they are open now, the run is sent again at once with a pass, because
 * the consumer could not evaluate a rule. A run that would expire before the opening is skipped.
 */
export function holdForQuietHours(step: Step, run: Run, attempt: number, policies: readonly QuietHours[]): void {
  const action = actionOf(step, run.action);
  const windows = policies.map(({ window }) => ({ window, zone: zoneOfPolicy(step, run, action, window) }));
  const opening = runPart(step.work, () => nextCommonOpening(windows, step.now, step.work));
  const latest = latestStart(step, run, action);
  if (opening === null || opening.opens > latest) return skipClaimed(step, run, attempt, "no_window");
  const policy = policies[opening.last];
  assert(policy !== undefined, "a run is held for quiet hours without a policy");
  const { spread = 0 } = policy.window;
  const until = opening.opens <= step.now ? step.now : startAfterOpening(step, run, { spread }, opening, latest);
  const passed = changeRun(step, run, {
    quietHours: { policies: versionsOf(policies), until: Math.max(opening.closes, until + 1) },
  });
  const hold = { reason: "quiet_hours", until, connection: null, policy: policy.name } as const;
  holdClaimed(step, passed, attempt, hold, Infinity);
}

/**
 * The zone of the policy's window, or that of the execution. If no rule can be evaluated, the zone is UTC, because a
 * policy must not fail the runs of a tenant.
 */
function zoneOfPolicy(step: Step, run: Run, action: ProgramAction, { timezone, ...window }: Window): string {
  const zone = zoneOfWindow(step, run, action, { ...window, timezone });
  const own = zone.ok ? zone : zoneOfWindow(step, run, action, window);
  return own.ok ? own.name : "UTC";
}

// Shared previews: simulates the subjects of a preview on one clock with shared connection limits, so that the messages
// of one subject delay those of another. This needs memory for all subjects together, so fewer subjects are allowed.
import type { Computation } from "#kernel/computing/computation.ts";
import { assumedResultFor } from "#kernel/virtual/assumed-results.ts";
import { openFleet, playFleet } from "#kernel/virtual/fleet.ts";
import { openVirtualRun, virtualRunOf } from "#kernel/virtual/virtual-run.ts";
import { openSharedGates } from "#policy/forecast/shared-gates.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { VirtualRun } from "#schema/virtual/expected-actions.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";
import { startCommandOf, type Simulation, type PreviewSubject } from "./virtual-subjects.ts";

/**
 * Simulates the subjects, and returns one run for each in the same order. If a limit is reached, the remaining runs end
 * early.
 */
export function* playTogether(
  playing: Simulation,
  connections: readonly KnownConnection[],
  subjects: readonly PreviewSubject[],
): Computation<readonly Result<VirtualRun>[]> {
  const { program, until, assume, purse, contents } = playing;
  const ended: Result<VirtualRun>[] = [];
  const shared = openSharedGates({
    connections,
    policies: playing.policies,
    quotas: null,
    weight: 1,
    comesLateMs: null,
  });
  const crowd = openFleet({
    members: subjects.map(({ execution, variables, startAt, given }) => ({
      startAt,
      open: () =>
        openVirtualRun({
          program,
          start: startCommandOf(playing, execution, variables),
          startAt,
          until,
          given,
          budget: purse,
          contents,
        }),
    })),
    admit: shared.pass,
    place: shared.place,
    resultFor: (member, asked, state) => {
      const assumed = assumedResultFor(assume, asked, state);
      shared.recordResult(member, asked, assumed.outcome);
      return assumed;
    },
    onEnd: (member, how) => {
      if ("play" in how) shared.end(member, how.play.state);
      ended[member] = "play" in how ? accept(virtualRunOf(how.play)) : { ok: false, refusal: how.refusal };
      shared.forget(member);
    },
  });
  yield* playFleet(crowd);
  return ended;
}

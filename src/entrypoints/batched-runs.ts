// Batched runs: several runs in one invocation. Results that end about together are returned together, and none waits
// for the slowest. A run that fails is lost without the others.
import { FLIGHTS_LAND_MS } from "#schema/limits/objects.ts";
import type { Landed, Landings, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";

/** Calls back after this many milliseconds, unless canceled. */
type Later = (ms: number, act: () => void) => () => void;

export function runTogether(
  tickets: readonly Ticket[],
  run: (ticket: Ticket) => Promise<Outcome>,
  later: Later = afterwards,
): Promise<Landings> {
  let landed: Landed[] = [];
  let left = tickets.length;
  let tell: ((landings: Landings) => void) | null = null;
  let takeBack: (() => void) | null = null;

  const give = (): void => {
    takeBack?.();
    takeBack = null;
    const [told, given] = [tell, landed];
    [tell, landed] = [null, []];
    told?.(left === 0 ? { landed: given } : { landed: given, more });
  };
  /** A completed run is returned at once, unless another is about to complete. */
  const look = (): void => {
    if (tell === null || landed.length === 0) return;
    if (left === 0) give();
    else takeBack ??= later(FLIGHTS_LAND_MS, give);
  };
  const more = (): Promise<Landings> =>
    new Promise((resolve) => {
      tell = resolve;
      look();
    });
  const land = (one: Landed): void => {
    landed.push(one);
    left -= 1;
    look();
  };
  const asked = more();
  tickets.forEach((ticket, at) => {
    run(ticket).then(
      (outcome) => land({ at, outcome }),
      (fault: unknown) => land({ at, lost: String(fault) }),
    );
  });
  return asked;
}

function afterwards(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

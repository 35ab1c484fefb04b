// On a machine that is busy with something else actions take seconds: lists then hear of them on their way, too, and messages are sent
// again. That is nothing that an execution costs, so what is too much is measured anew; a regression is too much each time.
import { expect } from "vitest";
import type { Cost } from "./prices.ts";

/** Of each execution, all of it. */
export type Most = readonly [objectRows: number, objectRequests: number, queueMessages: number, catalogRows: number];

const ROUNDS = 3;

/** `measure`: of the round with that number, from one. Its last cost is within. */
export async function staysWithin(most: Most, measure: (round: number) => Promise<Cost>): Promise<void> {
  for (let round = 1; ; round++) {
    const { objectRows, objectRequests, queueMessages, catalogRows } = await measure(round);
    const tooMuch = [
      ["object rows", objectRows],
      ["object requests", objectRequests],
      ["queue messages", queueMessages],
      ["D1 rows", catalogRows],
    ].filter(([, figure], n) => Number(figure) > (most[n] ?? 0));
    if (tooMuch.length > 0 && round < ROUNDS) continue;
    expect(tooMuch, `more than ${most.join(", ")}`).toEqual([]);
    return;
  }
}

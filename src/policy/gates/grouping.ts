// Whether what arrives in a cell waits a moment for what else comes, so that one commit serves all of it: not where nothing
// else is going on, for there somebody would wait for nobody.
import { GROUP_FROM } from "#schema/limits/objects.ts";

/**
 * What goes on in a cell: calls it waits for, and for how many executions something came in the stretch of time just passed.
 * Calls upon one execution follow each other: none of them is company for the next. A consumer's call counts for all that it brings.
 */
export type Bustle = { readonly inFlight: number; readonly lately: number };

export function waitsForOthers({ inFlight, lately }: Bustle): boolean {
  return inFlight >= GROUP_FROM || lately > GROUP_FROM;
}

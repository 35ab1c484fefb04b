// Whether what arrives in a cell waits a moment for what else comes, so that one commit serves all of it: not where nothing
// else is going on, for there somebody would wait for nobody.
import { GROUP_FROM } from "#schema/limits/objects.ts";

/**
 * What goes on in a cell: calls it waits for, and calls upon it in the stretch of time just passed, this one with them. Of an
 * execution that is alone there the calls follow each other: none is in the company of those before it.
 */
export type Bustle = { readonly inFlight: number; readonly lately: number; readonly isAlone: boolean };

export function waitsForOthers({ inFlight, lately, isAlone }: Bustle): boolean {
  return inFlight >= GROUP_FROM || (lately > GROUP_FROM && !isAlone);
}

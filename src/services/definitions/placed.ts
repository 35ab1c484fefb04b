// Where executions of a definition live. One that is started with a key is looked for where the key alone and the
// definition's name lead to, so that keeps to the name's first version: a repeat would miss the first start otherwise.
import { z } from "zod";
import type { StoredDefinition } from "#catalog/definitions.ts";
import { defaults } from "#schema/defaults.ts";
import { placement, type Placement } from "#schema/definition/head.ts";

export type Placements = {
  /** Without a key: as this version says. */
  readonly plain: Placement;
  /** With an Idempotency-Key. */
  readonly keyed: Placement;
};

/** The little that is read here; the whole is the cell's business. */
const placed = z.object({ placement: placement.optional() });

export function placementsOf({ body, keyedPlacement }: StoredDefinition): Placements {
  const said = placed.parse(JSON.parse(body)).placement ?? defaults.placement;
  return { plain: said, keyed: keyedPlacement ?? said };
}

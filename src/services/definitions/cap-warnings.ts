// Cap warnings: caps that another definition of the tenant limits differently. All actions that use the name of a cap
// count towards it, and each run applies the limit of its own definition.
import { findOtherAllowances } from "#catalog/publications/definition-caps.ts";
import { warning } from "#kernel/verify/finding.ts";
import { allowancesOf } from "#policy/subject/allowances.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Warning } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";

export async function capWarnings(
  { db }: Pick<Deps, "db">,
  tenant: string,
  definition: Definition,
): Promise<readonly Warning[]> {
  const allowances = allowancesOf(definition);
  if (Object.keys(allowances).length === 0) return [];
  const others = await findOtherAllowances(db, tenant, definition.name, allowances);
  return others.map(({ cap, name, allowance }) => {
    const message = `the cap ${cap} allows ${allowances[cap]} here, but ${allowance} in the definition ${name}. The messages of both count towards this cap`;
    const fix = "Write the same limit in both definitions, or use another name for the cap.";
    return warning(jsonPointer(["caps", cap]), "cap_differs", message, { fix });
  });
}

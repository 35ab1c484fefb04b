// Takes a dead letter out of the lists: its execution is no more, and nobody will ever speak of it again.
import { forgetDeadLetter as forget } from "#catalog/dead-letters.ts";
import type { DeadLetterName } from "#schema/dead-letter.ts";
import type { Deps } from "../deps.ts";

export async function forgetDeadLetter(
  deps: Pick<Deps, "db">,
  tenant: string,
  { execution, run }: DeadLetterName,
): Promise<void> {
  await forget(deps.db, tenant, execution, run);
}

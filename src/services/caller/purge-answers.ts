// Lets go of answers that have been kept long enough for a repeat: one bounded chunk.
import { purgeAnswers as purge } from "#catalog/kept-answers.ts";
import { ANSWERS_KEPT_MS } from "#schema/limits/upkeep.ts";
import type { Deps } from "../deps.ts";

export async function purgeAnswers({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now() - ANSWERS_KEPT_MS, rowsMax);
}

// Tells a subject's object that an execution about it has ended, and the execution that it has. What there is to say is read
// where it lives, so that a message that comes late tells what is true now.
import { isFinalStatus } from "#schema/engine/state.ts";
import { isUndecided } from "#schema/refusal.ts";
import { cellName } from "../cells/placement.ts";
import type { Deps } from "../deps.ts";
import { subjectName } from "./admit-starts.ts";

export type Ended = { readonly tenant: string; readonly execution: string };

/** False: it could not be told just now. Throws where an object cannot be reached. */
export async function tellSubject(
  deps: Pick<Deps, "cell" | "subject">,
  { tenant, execution }: Ended,
): Promise<boolean> {
  const cell = deps.cell(cellName(tenant, execution));
  const read = await cell.read(execution);
  if (!read.ok) return !isUndecided(read.refusal);
  const { subject, status, finishedAt, createdAt: incarnation, definition } = read.value;
  // Told before, or never about anybody.
  if (!subject || subject.sentAt === null || finishedAt === null || !isFinalStatus(status)) return true;
  const end = { status, at: finishedAt };
  await deps.subject(subjectName(tenant, subject.key)).ended({ journey: definition.name, execution, incarnation, end });
  const [answer] = (await cell.subjectTold([{ execution, incarnation }])) ?? [];
  return !(answer && !answer.ok && isUndecided(answer.refusal));
}

// Notifies a subject's object that an execution about it has ended: the object decides about re-entry.
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Deps } from "../deps.ts";
import { subjectName } from "./admit-starts.ts";

/** Throws where the subject's object cannot be reached. */
export async function notifySubject(
  deps: Pick<Deps, "subject">,
  { tenant, id: execution, createdAt: incarnation, definition, status, finishedAt }: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  if (finishedAt === null || !isFinalStatus(status)) return [];
  const end = { journey: definition.name, execution, incarnation, end: { status, at: finishedAt } };
  return Promise.all(
    messages.map(async ({ key }): Promise<Confirmation> => {
      await deps.subject(subjectName(tenant, key)).ended(end);
      return { kind: "subject_ended", key };
    }),
  );
}

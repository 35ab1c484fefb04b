// What is known of a subject: its journeys and caps as its object has them, and what comes next as lists know it.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { SubjectView } from "#schema/subject/calls.ts";
import { reach } from "../cells/reach.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { findNext } from "../executions/of-subject.ts";
import { subjectName } from "./admit-starts.ts";

export type NextAction = {
  readonly execution: string;
  readonly definition: string;
  readonly at: number;
  readonly node: string;
};
export type ShownSubject = SubjectView & { readonly key: string; readonly next: NextAction | null };

export async function getSubject(deps: Deps, caller: TenantCaller, key: string): Promise<Result<ShownSubject>> {
  const reached = await reach(() => deps.subject(subjectName(caller.tenant, key)).read(), "subject");
  if (!reached.ok) return reached;
  const { journeys, caps } = reached.value;
  if (journeys.length + caps.length === 0) return refuse(nobody(key));
  const row = await findNext(deps, caller.tenant, key);
  const next =
    row?.nextAt == null || row.nextNode == null
      ? null
      : { execution: row.id, definition: row.definitionName, at: row.nextAt, node: row.nextNode };
  return accept({ key, journeys, caps, next });
}

function nobody(key: string) {
  return {
    code: "not_found",
    message: `No journey has been about ${key}.`,
    hint: "A subject is known from its first journey on, under the key that the definition's subject rule gives.",
  } as const;
}

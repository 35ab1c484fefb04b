// Forgets a subject: what its object keeps, and that lists know which executions were about it. The object goes first; whoever is
// told that the catalog did not answer asks again, and the rest follows.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { SubjectJourney } from "#schema/subject/calls.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { reach } from "../cells/reach.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { forgetInLists } from "../executions/of-subject.ts";
import { sha256 } from "../hash.ts";
import { lookUp, subjectName } from "./admit-starts.ts";

export type EraseSubject = { readonly key: string; readonly reason: string | null; readonly dryRun: boolean };
export type ErasedSubject = {
  readonly key: string;
  /** Journeys that took it once, and would take it again. */
  readonly once: readonly string[];
  /** Executions that have ended and whose histories may still be there. */
  readonly executions: readonly string[];
};

export async function eraseSubject(
  deps: Deps,
  caller: TenantCaller,
  { key, reason, dryRun }: EraseSubject,
): Promise<Result<ErasedSubject>> {
  const { tenant } = caller;
  const object = deps.subject(subjectName(tenant, key));
  const view = await reach(() => object.read(), "subject");
  if (!view.ok) return view;
  const { journeys } = view.value;
  for (const journey of journeys) {
    const found = await Promise.all(openOf(journey).map((each) => lookUp(deps, tenant, each)));
    const known = found.flatMap((look) => (look.ok ? [look.value] : []));
    if (known.length > 0) await object.note(journey.journey, known);
  }
  const live = await reach(() => object.erase(dryRun), "subject");
  if (!live.ok) return live;
  if (live.value.length > 0) return refuse(stillIn(key, live.value));
  if (!dryRun) {
    await forgetInLists(deps, tenant, key);
    // The audit outlives it, and does not say who it was.
    await recordAudit(
      deps,
      caller,
      "subject.erase",
      `subject:${(await sha256(`${tenant}\n${key}`)).slice(0, 32)}`,
      reason,
    );
  }
  const once = journeys.filter(({ reentry }) => reentry === "once").map(({ journey }) => journey);
  const executions = journeys.flatMap(({ enrolments }) => enrolments.map(({ execution }) => execution));
  return accept({ key, once, executions });
}

function openOf({ enrolments }: SubjectJourney) {
  return enrolments.filter(({ ended }) => ended === null);
}

function stillIn(key: string, live: readonly SubjectJourney[]) {
  const executions = live.flatMap((journey) => openOf(journey).map(({ execution }) => execution));
  return {
    code: "execution_live",
    message: `${key} is still in ${live.map(({ journey }) => journey).join(", ")}: ${executions.slice(0, 10).join(", ")}.`,
    hint: "Cancel those first. One that was to begin just now and did not is over a minute later.",
    details: { executions: executions.slice(0, 100) },
  } as const;
}

// The subject of a virtual run. Its id is computed as at a real start. Unlike a real subject, it admits every
// execution.
import type { Definition } from "#schema/definition/definition.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Computation } from "../computing/computation.ts";
import { inParts } from "../computing/in-parts.ts";
import { subjectOf } from "../execution/subject/subject.ts";

export function* admitSubject(definition: Definition, start: StartCommand): Computation<Result<StartCommand>> {
  if (definition.kind !== "journey" || definition.subject === undefined || start.subject !== undefined) {
    return accept(start);
  }
  const { execution: id, namespace, correlationId, variables } = start;
  const rule = { rule: definition.subject, reentry: "always", variables: definition.variables ?? {} } as const;
  const about = yield* inParts((work) => subjectOf(rule, { id, namespace, correlationId }, variables, work));
  return about.ok ? accept({ ...start, subject: { key: about.value.key, until: Number.MAX_SAFE_INTEGER } }) : about;
}

// Subjects as API objects.
import type { CapUse } from "#schema/subject/cap.ts";
import type { SubjectView } from "#schema/subject/calls.ts";
import type { Enrolment } from "#schema/subject/enrolment.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiSubject } from "./shape.ts";

type Shown = SubjectView & {
  readonly key: string;
  readonly next: {
    readonly execution: string;
    readonly definition: string;
    readonly at: number;
    readonly node: string;
  } | null;
};

export function presentSubject({ key, journeys, caps, next }: Shown): ApiSubject {
  return {
    key,
    journeys: journeys.map(({ journey, reentry, enrolments }) => ({
      journey,
      reentry,
      enrolments: enrolments.map(presentEnrolment),
    })),
    caps: caps.map(presentCap),
    next: next && { ...next, at: toInstant(next.at) },
  };
}

function presentEnrolment({ execution, at, ended }: Enrolment): ApiSubject["journeys"][number]["enrolments"][number] {
  const endedAt = ended === null ? null : toInstant(ended.at);
  return { execution, enrolledAt: toInstant(at), status: ended?.status ?? "live", endedAt };
}

function presentCap({ opensAt, ...use }: CapUse): ApiSubject["caps"][number] {
  return { ...use, opensAt: opensAt === null ? null : toInstant(opensAt) };
}

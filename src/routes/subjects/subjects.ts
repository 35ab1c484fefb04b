// Subjects: reads and erases the customers that journeys are about. A definition's rules compute the subject's key.
import { presentSubject } from "#wire/subjects/present.ts";
import * as shape from "#wire/subjects/shape.ts";
import { eraseSubject, getSubject } from "#services/subjects/subjects.ts";
import { crudRoutes } from "../http/crud.ts";

export const subjects = crudRoutes({
  tag: "Subjects",
  path: "/v1/subjects/{key}",
  params: shape.subjectParams,
  get: {
    id: "getSubject",
    summary: "Get a subject",
    run: (deps, caller, { key }) => getSubject(deps, caller, key),
    answer: shape.subject,
    present: presentSubject,
  },
  remove: {
    id: "eraseSubject",
    summary: "Erase a subject",
    description:
      "Deletes the subject's journeys, cap counts and catalog entries. A journey that admits each subject only once then admits this subject again. Executions are erased separately; the response lists them. While the subject is in a journey, the request is refused with `execution_live`.",
    run: eraseSubject,
    answer: shape.erasedSubject,
    present: ({ key, once, executions }, dryRun) => ({ key, dryRun, once: [...once], executions: [...executions] }),
  },
});

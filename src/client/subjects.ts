// Client calls about subjects of journeys.
import type { ApiErasedSubject, ApiSubject } from "#wire/subjects/shape.ts";
import type { ApiChangedOperation } from "#wire/operations/shape.ts";
import type { Page } from "#wire/query.ts";
import type * as list from "#wire/subjects/enrolments.ts";
import type { CallOptions, Send } from "./request.ts";

export function subjects(send: Send) {
  return {
    get: (key: string) => send<ApiSubject>({ method: "GET", path: ["v1", "subjects", key] }),
    /**
     * Opens a list of subjects to enrol. Upload the parts of the list, then start the enrolment. The calls of
     * `operations` show its progress.
     */
    openEnrolment: (definition: string, body: list.OpenEnrolmentBody = {}, call?: CallOptions) =>
      send<ApiChangedOperation>({ method: "POST", path: ["v1", "definitions", definition, "enrolments"], body }, call),
    appendPart: (id: string, part: number, body: list.PartBody, call?: CallOptions) =>
      send<list.ApiAppended>({ method: "PUT", path: ["v1", "operations", id, "parts", String(part)], body }, call),
    previewEnrolment: (id: string) =>
      send<list.ApiEnrolmentPreview>(
        { method: "POST", path: ["v1", "operations", id, "start"], body: {} },
        { dryRun: true },
      ),
    startEnrolment: (id: string, call?: Omit<CallOptions, "dryRun">) =>
      send<ApiChangedOperation>({ method: "POST", path: ["v1", "operations", id, "start"], body: {} }, call),
    troubles: (id: string, query: { readonly cursor?: string; readonly limit?: number } = {}) =>
      send<Page<list.ApiLineTrouble>>({
        method: "GET",
        path: ["v1", "operations", id, "troubles"],
        query: { ...query },
      }),
    /** Deletes all data of a subject. The request is refused while the subject is in a journey. */
    erase: (key: string, reason?: string, call?: CallOptions) =>
      send<ApiErasedSubject>({ method: "DELETE", path: ["v1", "subjects", key], query: { reason } }, call),
  };
}

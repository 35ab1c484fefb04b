// Client calls about recurring actions. The field names follow the recurring actions' specification, with underscores.
import type { CreateRecurringBody, UpdateRecurringBody } from "#wire/recurring/bodies.ts";
import type * as shape from "#wire/recurring/shape.ts";
import type { CallOptions, Send } from "./request.ts";

export type RecurringFilters = {
  readonly cursor?: string;
  readonly limit?: number;
  readonly namespace?: string;
  readonly enabled?: boolean;
  readonly status?: shape.ApiRecurringAction["status"];
  /** A label to filter by, as `name:value`. */
  readonly label?: string;
};
type Coming = { readonly count?: number; readonly from?: string; readonly to?: string };
type Why = { readonly reason?: string };

export function recurring(send: Send) {
  const at = (...path: string[]) => ["v1", "recurring", ...path];
  const verb = <Answer>(id: string, name: string, body: object, call?: CallOptions) =>
    send<Answer>({ method: "POST", path: at(id, name), body }, call);
  return {
    create: (body: CreateRecurringBody, call?: CallOptions) =>
      send<shape.ApiCreatedRecurring>({ method: "POST", path: at(), body }, call),
    list: (query: RecurringFilters = {}) => send<shape.ApiRecurringList>({ method: "GET", path: at(), query }),
    get: (id: string) => send<shape.ApiRecurringAction>({ method: "GET", path: at(id) }),
    /** With an id, changes only the fields in the body. With a name, creates or replaces the recurring action. */
    update: (id: string, body: UpdateRecurringBody, reason?: string, call?: CallOptions) =>
      send<shape.ApiPutRecurring>({ method: "PUT", path: at(id), query: { reason }, body }, call),
    /** Deletes the recurring action. The answer is null, or in a dry run the recurring action. */
    delete: (id: string, reason?: string, call?: CallOptions) =>
      send<shape.ApiUndeletedRecurring | null>({ method: "DELETE", path: at(id), query: { reason } }, call),
    pause: (id: string, body: Why = {}, call?: CallOptions) =>
      verb<shape.ApiSwitchedRecurring>(id, "pause", body, call),
    resume: (id: string, body: Why & { readonly catch_up?: "none" | "last" } = {}, call?: CallOptions) =>
      verb<shape.ApiSwitchedRecurring>(id, "resume", body, call),
    /** Starts an occurrence of the recurring action now. */
    trigger: (id: string, body: Why = {}, call?: CallOptions) =>
      verb<shape.ApiChangedOccurrence>(id, "trigger", body, call),
    /** Skips one future occurrence: the next occurrence, or the occurrence that the body names. */
    skip: (id: string, body: Why & { readonly occurrence?: string } = {}, call?: CallOptions) =>
      verb<shape.ApiChangedOccurrence>(id, "skip", body, call),
    history: (id: string, query: { readonly cursor?: string; readonly limit?: number } = {}) =>
      send<shape.ApiRecurringHistory>({ method: "GET", path: at(id, "history"), query }),
    occurrences: (id: string, query: Coming = {}) =>
      send<shape.ApiRecurringOccurrences>({ method: "GET", path: at(id, "occurrences"), query }),
  };
}

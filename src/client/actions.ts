// Client calls about standalone actions.
import type * as action from "#wire/actions/shape.ts";
import type { ControlBody } from "#wire/executions/bodies.ts";
import type { TestActionBody, ApiTestedAction } from "#wire/rehearsal/shape.ts";
import type { Page } from "#wire/query.ts";
import type { CallOptions, Send } from "./request.ts";

export type ActionFilters = {
  readonly cursor?: string;
  readonly limit?: number;
  readonly status?: action.ApiAction["status"];
  readonly type?: string;
  readonly actionId?: string;
  readonly namespace?: string;
  readonly correlationId?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly dueBefore?: string;
};

export function actions(send: Send) {
  const path = (...rest: readonly string[]): string[] => ["v1", "actions", ...rest];
  const post = <Answer>(to: readonly string[], body: unknown, call?: CallOptions) =>
    send<Answer>({ method: "POST", path: [...to], body }, call);
  return {
    dispatch: (body: action.ActionBody, call?: CallOptions) => post<action.ApiActionReply>(path(), body, call),
    dispatchMany: (body: action.ActionsBody, call?: CallOptions) =>
      post<action.ApiActionBatchReply>(path("batch"), body, call),
    list: (query: ActionFilters = {}) =>
      send<Page<action.ApiActionSummary>>({ method: "GET", path: path(), query: { ...query } }),
    get: (id: string) => send<action.ApiAction>({ method: "GET", path: path(id) }),
    cancel: (id: string, body: ControlBody = {}, call?: CallOptions) =>
      post<action.ApiActionReply>(path(id, "cancel"), body, call),
    retry: (id: string, body: action.RetryBody = {}, call?: CallOptions) =>
      post<action.ApiActionReply>(path(id, "retry"), body, call),
    /** Tests an action with mocked provider answers. No request is sent, and nothing is stored. */
    test: (body: TestActionBody) => post<ApiTestedAction>(path("test"), body),
  };
}

// The typed client's calls about events for whomever they concern.
import type { ApiPostedEvent, ApiPostedReply, PostEventBody } from "#wire/events/shape.ts";
import type { Page } from "#wire/query.ts";
import type { CallOptions, Send } from "./request.ts";

export type PostedFilters = {
  readonly cursor?: string;
  readonly limit?: number;
  readonly status?: ApiPostedEvent["status"];
  readonly correlationKey?: string;
};

export function events(send: Send) {
  const path = ["v1", "events"];
  return {
    post: (body: PostEventBody, call?: CallOptions) => send<ApiPostedReply>({ method: "POST", path, body }, call),
    list: (query: PostedFilters = {}) => send<Page<ApiPostedEvent>>({ method: "GET", path, query }),
  };
}

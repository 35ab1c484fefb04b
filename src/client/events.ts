// Client calls about published events.
import type { ApiPublishedEvent, ApiPublishedEventReply, PostEventBody } from "#wire/events/shape.ts";
import type { Page } from "#wire/query.ts";
import type { CallOptions, Send } from "./request.ts";

export type PublishedEventFilters = {
  readonly cursor?: string;
  readonly limit?: number;
  readonly status?: ApiPublishedEvent["status"];
  readonly correlationKey?: string;
};

export function events(send: Send) {
  const path = ["v1", "events"];
  return {
    post: (body: PostEventBody, call?: CallOptions) =>
      send<ApiPublishedEventReply>({ method: "POST", path, body }, call),
    list: (query: PublishedEventFilters = {}) => send<Page<ApiPublishedEvent>>({ method: "GET", path, query }),
  };
}

// The typed client's calls about subjects: whom journeys are about.
import type { ApiErasedSubject, ApiSubject } from "#wire/subjects/shape.ts";
import type { CallOptions, Send } from "./request.ts";

export function subjects(send: Send) {
  return {
    get: (key: string) => send<ApiSubject>({ method: "GET", path: ["v1", "subjects", key] }),
    /** One that is in no journey: all that is known of it, whether it was in one before included. */
    erase: (key: string, reason?: string, call?: CallOptions) =>
      send<ApiErasedSubject>({ method: "DELETE", path: ["v1", "subjects", key], query: { reason } }, call),
  };
}

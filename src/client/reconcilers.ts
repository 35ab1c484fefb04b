// Client calls about reconcilers: their desired and observed state.
import type { ApiReply } from "#wire/history/shape.ts";
import type { ApiRevised, DesiredBody, ObservedBody } from "#wire/reconcilers/shape.ts";
import type { CallOptions, Send } from "./request.ts";

/**
 * `ifRevision`: the expected revision of the state. If the current revision differs, the change is refused with 412.
 */
export type RevisedCallOptions = CallOptions & { readonly ifRevision?: number };

export function reconcilers(send: Send) {
  const at = (id: string, half: "desired" | "observed") => ["v1", "executions", id, half];
  const change = (path: readonly string[], body: object, { ifRevision, ...call }: RevisedCallOptions = {}) =>
    send<ApiReply>(
      {
        method: "PUT",
        path,
        body,
        ...(ifRevision === undefined ? {} : { headers: { "If-Match": `"${ifRevision}"` } }),
      },
      call,
    );
  return {
    desired: (id: string) => send<ApiRevised>({ method: "GET", path: at(id, "desired") }),
    observed: (id: string) => send<ApiRevised>({ method: "GET", path: at(id, "observed") }),
    desire: (id: string, body: DesiredBody, call?: RevisedCallOptions) => change(at(id, "desired"), body, call),
    observe: (id: string, body: ObservedBody, call?: RevisedCallOptions) => change(at(id, "observed"), body, call),
  };
}

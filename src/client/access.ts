// Client calls about the caller, sessions and short-lived tokens.
import type { ApiCallerView, ApiIssuedToken, ApiSession, IssueTokenBody } from "#wire/access/shape.ts";
import type { Page } from "#wire/query.ts";
import type { CallOptions, Send } from "./request.ts";

type PageOptions = { readonly cursor?: string; readonly limit?: number };

export function access(send: Send) {
  return {
    /** Describes the key of this client, its scopes and its tenant. */
    me: () => send<ApiCallerView>({ method: "GET", path: ["v1", "me"] }),
    sessions: {
      list: (query?: PageOptions) =>
        send<Page<ApiSession>>({ method: "GET", path: ["v1", "sessions"], ...(query === undefined ? {} : { query }) }),
      end: (id: string, reason?: string, call?: CallOptions) =>
        send<ApiSession>({ method: "DELETE", path: ["v1", "sessions", id], query: { reason } }, call),
    },
    /** Issues a short-lived token for a page. */
    issueToken: (body: IssueTokenBody, call?: CallOptions) =>
      send<ApiIssuedToken>({ method: "POST", path: ["v1", "tokens"], body }, call),
  };
}

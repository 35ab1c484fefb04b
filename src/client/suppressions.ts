// Client calls about suppressions: addresses that a tenant's messages must not be sent to.
import type { SuppressionChannel, SuppressionReason } from "#schema/outgoing/suppression.ts";
import type { Page } from "#wire/query.ts";
import type {
  AddSuppressionsBody,
  ApiAddedSuppressions,
  ApiDeletedSuppression,
  ApiSuppression,
} from "#wire/suppressions/shape.ts";
import type { CallOptions, Send } from "./request.ts";

type ListOptions = {
  readonly channel?: SuppressionChannel;
  readonly reason?: SuppressionReason;
  readonly cursor?: string;
  readonly limit?: number;
};

export function suppressions(send: Send) {
  const path = ["v1", "suppressions"];
  return {
    list: (query: ListOptions = {}) => send<Page<ApiSuppression>>({ method: "GET", path, query: { ...query } }),
    /** Suppresses up to 1,000 addresses. A repeated call changes nothing. */
    add: (body: AddSuppressionsBody, call?: CallOptions) =>
      send<ApiAddedSuppressions>({ method: "POST", path, body }, call),
    get: (channel: SuppressionChannel, address: string) =>
      send<ApiSuppression>({ method: "GET", path: [...path, channel, address] }),
    /** Deletes an address from the list, so that it gets messages again. */
    delete: (channel: SuppressionChannel, address: string, reason?: string, call?: CallOptions) =>
      send<ApiDeletedSuppression>({ method: "DELETE", path: [...path, channel, address], query: { reason } }, call),
  };
}

// Client calls of the monitor's view of executions.
import type { ApiMetricsAnswer } from "#wire/metrics/query-shape.ts";
import type { ApiWaitingWork } from "#wire/metrics/waiting-shape.ts";
import type { ApiTypeMetrics } from "#wire/metrics/shape.ts";
import type * as shape from "#wire/monitor/shape.ts";
import type { ControlBody } from "#wire/executions/bodies.ts";
import type { CallOptions, Send } from "./request.ts";

type FiguresQuery = {
  readonly from?: string;
  readonly to?: string;
  readonly step?: ApiMetricsAnswer["step"];
  readonly groupBy?: string;
  readonly compare?: "previous";
  readonly definition?: string;
  readonly version?: number;
  readonly type?: string;
  readonly action?: string;
  readonly connection?: string;
  readonly limit?: number;
};
type Page = { readonly cursor?: string; readonly limit?: number };

export function monitorView(send: Send) {
  const path = (...rest: readonly string[]): string[] => ["api", "execution", ...rest];
  return {
    process: (body: shape.ProcessBody = {}, call?: CallOptions) =>
      send<shape.ApiProcessed>({ method: "POST", path: path("process"), body }, call),
    status: (id: string) => send<shape.ApiMonitorStatus>({ method: "GET", path: path("status", id) }),
    retry: (queueItemId: string, body: shape.RetryItemBody = {}, call?: CallOptions) =>
      send<shape.ApiRetried>({ method: "POST", path: path("retry", queueItemId), body }, call),
    metrics: (query: { readonly days?: number } = {}) =>
      send<shape.ApiMonitorMetrics>({ method: "GET", path: path("metrics"), query }),
    pause: (id: string, body: ControlBody = {}, call?: CallOptions) =>
      send<shape.ApiControlled>({ method: "POST", path: path("pause", id), body }, call),
    resume: (id: string, body: ControlBody = {}, call?: CallOptions) =>
      send<shape.ApiControlled>({ method: "POST", path: path("resume", id), body }, call),
    history: (id: string, query: Page = {}) =>
      send<shape.ApiModuleHistory>({ method: "GET", path: path("history", id), query }),
    /** Returns the outcomes of actions by day. */
    days: (query: { readonly days?: number } = {}) =>
      send<{ readonly data: readonly shape.ApiMetricsDay[] }>({
        method: "GET",
        path: ["v1", "metrics", "days"],
        query,
      }),
    /** Returns figures by the requested dimensions, such as `{ groupBy: "definition", compare: "previous" }`. */
    figures: (query: FiguresQuery = {}) =>
      send<ApiMetricsAnswer>({ method: "GET", path: ["v1", "metrics", "query"], query }),
    /** Returns how long the oldest work of each class and definition has waited. */
    waiting: () => send<ApiWaitingWork>({ method: "GET", path: ["v1", "metrics", "waiting"] }),
    /** Returns durations, retries and timeouts by action type. */
    types: (query: { readonly days?: number } = {}) =>
      send<{ readonly data: readonly ApiTypeMetrics[] }>({ method: "GET", path: ["v1", "metrics", "types"], query }),
  };
}

// Client calls of the worker's view of executions.
import type * as worker from "#wire/worker/shape.ts";
import type { Page } from "#wire/query.ts";
import type { JsonObject } from "#schema/json.ts";
import type { CallOptions, Send } from "./request.ts";

export type WorkerExecutionFilters = {
  readonly cursor?: string;
  readonly limit?: number;
  readonly status?: string;
  readonly areaId?: string;
  readonly actionInstanceId?: string;
  readonly activationModeId?: string;
  readonly dueBefore?: string;
};

export function workerView(send: Send) {
  const path = (...rest: readonly string[]): string[] => ["api", "worker", ...rest];
  return {
    status: () => send<worker.ApiWorkerStatus>({ method: "GET", path: path("status") }),
    statistics: (query: { readonly since?: string } = {}) =>
      send<worker.ApiWorkerStatistics>({ method: "GET", path: path("statistics"), query }),
    streamInfo: () => send<worker.ApiStreamInfo>({ method: "GET", path: path("stream-info") }),
    initializeStream: () =>
      send<{ initialized: true; streams: string[] }>({ method: "POST", path: path("initialize-stream") }),
    testEvent: (
      query: { readonly actionInstanceId: string; readonly areaId?: string },
      body: JsonObject = {},
      call?: CallOptions,
    ) => send<worker.ApiWorkerTestEvent>({ method: "POST", path: path("test-event"), query, body }, call),
    publishEvent: (body: worker.ExecutionEventBody, call?: CallOptions) =>
      send<worker.ApiWorkerTestEvent>({ method: "POST", path: path("events"), body }, call),
    createExecution: (body: worker.NewExecutionBody, call?: CallOptions) =>
      send<worker.ApiWorkerTestEvent>({ method: "POST", path: path("executions"), body }, call),
    executions: (query: WorkerExecutionFilters = {}) =>
      send<Page<worker.ApiWorkerExecutionSummary>>({ method: "GET", path: path("executions"), query }),
    execution: (id: string) => send<worker.ApiWorkerExecution>({ method: "GET", path: path("executions", id) }),
    cancel: (id: string, reason?: string, call?: CallOptions) =>
      send<worker.ApiWorkerExecution>(
        { method: "POST", path: path("executions", id, "cancel"), query: { reason } },
        call,
      ),
  };
}

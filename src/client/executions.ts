// Client calls about executions: start, list and read executions, and send commands to them.
import type { ApiExplanation } from "#wire/explanation/shape.ts";
import type { ApiExecutionTree } from "#wire/executions/tree.ts";
import type { ApiRestarted, RestartBody } from "#wire/executions/restart.ts";
import type { RetryRunBody } from "#wire/dead-letters/shape.ts";
import type { Page } from "#wire/query.ts";
import type * as asked from "#wire/executions/bodies.ts";
import type * as history from "#wire/history/shape.ts";
import type { ExecutionPage } from "#wire/executions/list-query.ts";
import type * as run from "#wire/executions/shape.ts";
import type * as verb from "#wire/executions/verb-bodies.ts";
import { liveEntries, type LiveOptions } from "./live.ts";
import type { LiveSocket } from "./live-stream.ts";
import type { CallOptions, Send } from "./request.ts";

type PageOptions = { readonly cursor?: string; readonly limit?: number };
export type ExecutionFilters = PageOptions & {
  readonly status?: run.Execution["status"];
  readonly definition?: string;
  readonly version?: number;
  readonly namespace?: string;
  readonly correlationId?: string;
  readonly trigger?: string;
  /** Returns only quarantined executions. */
  readonly quarantined?: true;
  readonly subject?: string;
  /**
   * Returns only executions whose next planned node is before this instant, the earliest first. Requires `definition`.
   */
  readonly nextBefore?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly updatedAfter?: string;
  readonly dueBefore?: string;
  /** Returns only live executions whose wake is overdue, and which the sweeper could not wake. */
  readonly overdue?: true;
  /** Returns only executions in this state, or in one of its nested states. */
  readonly state?: string;
  readonly errorCode?: string;
  /** Returns only live executions with this wait, such as `timer` or `event:paid`. */
  readonly waitingFor?: string;
  /** Also counts the matching executions. */
  readonly count?: true;
  /** Compares search variables, such as `"var.total.gte": 100`. */
  readonly [variable: `var.${string}`]: string | number | undefined;
};
type Field = keyof run.Execution;
/** The names of the fields that the execution in the answer contains. Default: all fields. */
type Only<Asked extends Field> = { readonly fields?: readonly Asked[] };
type Narrowed<Asked extends Field> = Omit<history.ApiReply, "execution"> & {
  readonly execution: Pick<run.Execution, Asked>;
};
type RunFilters = PageOptions & { readonly status?: history.ApiRun["status"] };

/** `connect`: opens the WebSocket of an execution. */
export function executions(send: Send, connect: (id: string) => LiveSocket) {
  const get = <Answer>(path: readonly string[], query: object = {}) =>
    send<Answer>({ method: "GET", path: ["v1", "executions", ...path], query: { ...query } });
  const post = <Answer>(path: readonly string[], body: unknown, call?: CallOptions) =>
    send<Answer>({ method: "POST", path: ["v1", "executions", ...path], body }, call);
  const narrowed = <Asked extends Field>(path: readonly string[], body: object, call?: CallOptions & Only<Asked>) => {
    const query = { fields: call?.fields?.join(",") };
    return send<Narrowed<Asked>>({ method: "POST", path: ["v1", "executions", ...path], body, query }, call);
  };
  const steer = (id: string, word: string, body: object, call?: CallOptions) =>
    post<history.ApiReply>([id, word], body, call);
  return {
    start: <Asked extends Field = Field>(body: asked.StartExecutionBody, call?: CallOptions & Only<Asked>) =>
      narrowed<Asked>([], body, call),
    startMany: (body: asked.StartExecutionsBody, call?: CallOptions) =>
      post<history.ApiBatchReply>(["batch"], body, call),
    list: (query?: ExecutionFilters) => get<ExecutionPage>([], query),
    get: <Asked extends Field = Field>(id: string, { fields }: Only<Asked> = {}) =>
      get<Pick<run.Execution, Asked>>([id], { fields: fields?.join(",") }),
    /** Explains why the execution is in its state, and which journal entry comes next. */
    explain: (id: string) => get<ApiExplanation>([id, "explain"]),
    /** Returns the execution's ancestors and descendants with their current states. */
    tree: (id: string, query?: PageOptions) => get<ApiExecutionTree>([id, "tree"], query),
    journal: (id: string, query?: PageOptions) => get<Page<history.ApiEntry>>([id, "journal"], query),
    /** Yields all journal entries, the new ones when they are committed, until the execution has ended. */
    live: (id: string, options?: LiveOptions) =>
      liveEntries(
        () => connect(id),
        (page) => get<Page<history.ApiEntry>>([id, "journal"], page),
        options,
      ),
    runs: (id: string, query?: RunFilters) => get<Page<history.ApiRun>>([id, "runs"], query),
    /** Sends an event to the execution. The answer contains no variables, unless `fields` names them. */
    send: <Asked extends Field = Exclude<Field, "variables">>(
      id: string,
      event: asked.EventBody,
      call?: CallOptions & Only<Asked>,
    ) => narrowed<Asked>([id, "events"], event, call),
    patch: (id: string, body: asked.PatchBody, call?: CallOptions) => steer(id, "patch", body, call),
    pause: (id: string, body: asked.ControlBody = {}, call?: CallOptions) => steer(id, "pause", body, call),
    resume: (id: string, body: asked.ControlBody = {}, call?: CallOptions) => steer(id, "resume", body, call),
    cancel: (id: string, body: asked.CancelBody = {}, call?: CallOptions) => steer(id, "cancel", body, call),
    /**
     * Starts an execution that continues this execution. The new execution reuses the results of completed runs, unless
     * the body requests their repetition.
     */
    restart: (id: string, body: RestartBody, call?: CallOptions) => post<ApiRestarted>([id, "restart"], body, call),
    /** Deletes an ended execution and its history permanently. */
    erase: (id: string, reason?: string, call?: CallOptions) =>
      send<run.ApiErased>({ method: "DELETE", path: ["v1", "executions", id], query: { reason } }, call),
    /** Retries a run that failed permanently. The effect is the same as retrying the run's dead letter. */
    retry: (id: string, body: RetryRunBody, call?: CallOptions) => steer(id, "retry", body, call),
    runNow: (id: string, body: asked.RunNowBody, call?: CallOptions) => steer(id, "run-now", body, call),
    skip: (id: string, body: verb.SkipBody, call?: CallOptions) => steer(id, "skip", body, call),
    /** Gives up an action that has not ended. The execution continues as after a skip. */
    cancelAction: (id: string, body: verb.CancelActionBody = {}, call?: CallOptions) =>
      steer(id, "cancel-action", body, call),
    reschedule: (id: string, body: verb.RescheduleBody, call?: CallOptions) => steer(id, "reschedule", body, call),
    /** Holds one run until an operator releases it. The execution's other runs continue. */
    hold: (id: string, body: verb.HoldBody, call?: CallOptions) => steer(id, "hold", body, call),
    release: (id: string, body: verb.HoldBody, call?: CallOptions) => steer(id, "release", body, call),
    /** Ends a wait of the execution as if the awaited event had arrived. */
    complete: (id: string, body: verb.CompleteBody, call?: CallOptions) => steer(id, "complete", body, call),
    poke: (id: string, call?: CallOptions) => post<run.Execution>([id, "poke"], {}, call),
  };
}

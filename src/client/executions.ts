// The typed client's calls about executions: starting, finding and reading them, and every verb that steers one.
import type { ApiExplanation } from "#wire/explanation/shape.ts";
import type { ApiExecutionTree } from "#wire/executions/tree.ts";
import type { ApiRestarted, RestartBody } from "#wire/executions/restart.ts";
import type { RetryRunBody } from "#wire/dead-letters/shape.ts";
import type { Page } from "#wire/query.ts";
import type * as asked from "#wire/executions/bodies.ts";
import type * as history from "#wire/history/shape.ts";
import type * as run from "#wire/executions/shape.ts";
import type * as verb from "#wire/executions/verb-bodies.ts";
import type { CallOptions, Send } from "./request.ts";

type PageOptions = { readonly cursor?: string; readonly limit?: number };
export type ExecutionFilters = PageOptions & {
  readonly status?: run.Execution["status"];
  readonly definition?: string;
  readonly version?: number;
  readonly namespace?: string;
  readonly correlationId?: string;
  readonly trigger?: string;
  readonly subject?: string;
  /** Those about subjects that do something before then, the next first; with a definition. */
  readonly nextBefore?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};
type Field = keyof run.Execution;
/** Of the execution the answer then holds these, and no others. */
type Only<Asked extends Field> = { readonly fields?: readonly Asked[] };
type Narrowed<Asked extends Field> = Omit<history.ApiReply, "execution"> & {
  readonly execution: Pick<run.Execution, Asked>;
};
type RunFilters = PageOptions & { readonly status?: history.ApiRun["status"] };

export function executions(send: Send) {
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
    list: (query?: ExecutionFilters) => get<Page<run.ExecutionSummary>>([], query),
    get: <Asked extends Field = Field>(id: string, { fields }: Only<Asked> = {}) =>
      get<Pick<run.Execution, Asked>>([id], { fields: fields?.join(",") }),
    /** Why it stands where it stands, and what comes next. */
    explain: (id: string) => get<ApiExplanation>([id, "explain"]),
    /** Those above and below it, each as it is now. */
    tree: (id: string, query?: PageOptions) => get<ApiExecutionTree>([id, "tree"], query),
    journal: (id: string, query?: PageOptions) => get<Page<history.ApiEntry>>([id, "journal"], query),
    runs: (id: string, query?: RunFilters) => get<Page<history.ApiRun>>([id, "runs"], query),
    /** The answer holds no variables, unless `fields` names them. */
    send: <Asked extends Field = Exclude<Field, "variables">>(
      id: string,
      event: asked.EventBody,
      call?: CallOptions & Only<Asked>,
    ) => narrowed<Asked>([id, "events"], event, call),
    patch: (id: string, body: asked.PatchBody, call?: CallOptions) => steer(id, "patch", body, call),
    pause: (id: string, body: asked.ControlBody = {}, call?: CallOptions) => steer(id, "pause", body, call),
    resume: (id: string, body: asked.ControlBody = {}, call?: CallOptions) => steer(id, "resume", body, call),
    cancel: (id: string, body: asked.CancelBody = {}, call?: CallOptions) => steer(id, "cancel", body, call),
    /** Starts one that goes on where this one was; what was made is not made again unless that is asked for. */
    restart: (id: string, body: RestartBody, call?: CallOptions) => post<ApiRestarted>([id, "restart"], body, call),
    /** One that has ended: its history is gone for good. */
    erase: (id: string, reason?: string, call?: CallOptions) =>
      send<run.ApiErased>({ method: "DELETE", path: ["v1", "executions", id], query: { reason } }, call),
    /** A run that failed for good; the same as retrying its dead letter. */
    retry: (id: string, body: RetryRunBody, call?: CallOptions) => steer(id, "retry", body, call),
    runNow: (id: string, body: asked.RunNowBody, call?: CallOptions) => steer(id, "run-now", body, call),
    skip: (id: string, body: verb.SkipBody, call?: CallOptions) => steer(id, "skip", body, call),
    reschedule: (id: string, body: verb.RescheduleBody, call?: CallOptions) => steer(id, "reschedule", body, call),
    /** One run; the rest goes on. */
    hold: (id: string, body: verb.HoldBody, call?: CallOptions) => steer(id, "hold", body, call),
    release: (id: string, body: verb.HoldBody, call?: CallOptions) => steer(id, "release", body, call),
    /** A wait, as if what it waits for had come. */
    complete: (id: string, body: verb.CompleteBody, call?: CallOptions) => steer(id, "complete", body, call),
    poke: (id: string, call?: CallOptions) => post<run.Execution>([id, "poke"], {}, call),
  };
}

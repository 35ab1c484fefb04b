// What is measured: one product in one setting, hosted afresh for each workload so that nothing is left of the last.
import { engineApart, workflowsApart } from "./apart/apart.ts";
import { hostEngine } from "./engine.ts";
import { hostOther } from "./other-worker.ts";

/** What an execution has to do, in words that both products can be told. */
export type Task = {
  /** Where the actions go, chance included. */
  readonly url: string;
  /** Called one after another, each when the last one got its 200. None: it sleeps, and that is all. */
  readonly actions: readonly string[];
  /** Slept before the first. */
  readonly sleepMs: number;
  /** At this instant instead, in milliseconds since 1970; for what recurs a whole second. Its call says when it fired. */
  readonly dueAt?: (ref: string) => number;
  readonly retryMs: number;
  readonly attempts: number;
  /** The engine's own if it is not said. */
  readonly timeoutMs?: number;
};

export type StartCall = {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: (ref: string) => string;
  /** Each start has an Idempotency-Key, as clients send it. What has no such thing is told by the ref in its body. */
  readonly isKeyed?: boolean;
  /** Many in one request; absent where the product has nothing of the kind. */
  readonly batch?: { readonly path: string; readonly body: (refs: readonly string[]) => string };
};

/** When an execution was started, and when its timer fired, both by its own word and in milliseconds since 1970. */
export type Firing = { readonly startedAt: number; readonly firedAt: number };

export type Hosted = {
  readonly prepare: (task: Task) => Promise<StartCall>;
  /** Of executions that have nothing to call, those whose timer has fired; absent where nothing is known of them. */
  readonly firings?: () => Promise<readonly Firing[]>;
  /** The same for another tenant on the same host; absent where the product has no tenants. */
  readonly prepareNeighbour?: (task: Task) => Promise<StartCall>;
  /** Ends its process in the middle of everything, and begins another on what it left; absent where it is hosted in ours. */
  readonly crash?: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type Contender = { readonly name: string; readonly host: () => Promise<Hosted> };

export const WORKFLOWS = "Workflows";

const body = (ref: string, task: Task): object => ({ ref, ...task, dueAt: task.dueAt?.(ref) });

export const contenders = {
  workflows: { name: WORKFLOWS, host: () => hostOther({ folder: "workflows", name: "bench-workflows", body }) },
  /** These can be killed. */
  workflowsApart: { name: WORKFLOWS, host: () => workflowsApart(body) },
  ownApart: { name: "own, auto", host: () => engineApart("own") },
  pooledApart: { name: "pooled, auto", host: () => engineApart("pooled") },
  ownAuto: { name: "own, auto", host: () => hostEngine("own", "auto") },
  ownQueue: { name: "own, queue", host: () => hostEngine("own", "queue") },
  pooledAuto: { name: "pooled, auto", host: () => hostEngine("pooled", "auto") },
  pooledQueue: { name: "pooled, queue", host: () => hostEngine("pooled", "queue") },
  /** One action to an execution, and no definition. */
  standalone: { name: "standalone, auto", host: () => hostEngine("standalone", "auto") },
  /** One action a recurring action, and one occurrence. */
  recurring: { name: "recurring", host: () => hostEngine("recurring", "auto") },
  /** What is the least that could be done. */
  alarms: {
    name: "setAlarm alone",
    host: () =>
      hostOther({
        folder: "alarms",
        name: "bench-alarms",
        body: (ref, { url, actions, dueAt }) => ({ ref, url, action: actions.at(-1), dueAt: dueAt?.(ref) }),
      }),
  },
  /** What is the most that could be done by objects that share their commits. */
  bare: { name: "bare grouped object", host: () => hostOther({ folder: "bare", name: "bench-bare", body }) },
} as const satisfies { readonly [name: string]: Contender };

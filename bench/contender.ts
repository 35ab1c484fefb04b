// Contenders: the products and settings that the bench measures. Each workload hosts its contenders anew, so no
// contender starts on another workload's data.
import { engineApart, workflowsApart } from "./apart/apart.ts";
import { hostEngine } from "./engine.ts";
import { hostOther } from "./other-worker.ts";

/** The work of one execution, in terms that every contender can carry out. */
export type Task = {
  /** The sink's address. Its query sets how often calls fail or are slow. */
  readonly url: string;
  /**
   * Names of the actions. Each is called after the previous one was answered with 200. Empty: the execution only
   * sleeps.
   */
  readonly actions: readonly string[];
  /** Sleep before the first action, in milliseconds. */
  readonly sleepMs: number;
  /**
   * When the execution is due, in milliseconds since 1970, instead of `sleepMs`. Recurring actions need a whole second.
   */
  readonly dueAt?: (ref: string) => number;
  readonly retryMs: number;
  readonly attempts: number;
  /** The time limit of an action, in milliseconds. Absent: the engine's default. */
  readonly timeoutMs?: number;
};

export type StartCall = {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: (ref: string) => string;
  /** Whether each start sends an Idempotency-Key. Contenders without such keys use the reference in the body. */
  readonly isKeyed?: boolean;
  /** Starts many executions in one request. Absent: the product has no batch endpoint. */
  readonly batch?: { readonly path: string; readonly body: (refs: readonly string[]) => string };
};

/**
 * When an execution was started and when its timer fired, in milliseconds since 1970, as the contender recorded them.
 */
export type Firing = { readonly startedAt: number; readonly firedAt: number };

export type Hosted = {
  readonly prepare: (task: Task) => Promise<StartCall>;
  /** Lists the fired timers of executions without actions. Absent: the contender cannot list them. */
  readonly firings?: () => Promise<readonly Firing[]>;
  /** Prepares the task for a second tenant on the same host. Absent: the product has no tenants. */
  readonly prepareNeighbour?: (task: Task) => Promise<StartCall>;
  /**
   * Kills the contender's process and starts another one on the same state. Absent: the contender runs in the bench's
   * own process.
   */
  readonly killAndRestart?: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type Contender = { readonly name: string; readonly host: () => Promise<Hosted> };

export const WORKFLOWS = "Workflows";

const startBodyOf = (ref: string, task: Task): object => ({ ref, ...task, dueAt: task.dueAt?.(ref) });

export const contenders = {
  workflows: {
    name: WORKFLOWS,
    host: () => hostOther({ folder: "workflows", name: "bench-workflows", body: startBodyOf }),
  },
  /** The next three contenders run in a child process, so a workload can kill them. */
  workflowsApart: { name: WORKFLOWS, host: () => workflowsApart(startBodyOf) },
  ownApart: { name: "own, auto", host: () => engineApart("own") },
  pooledApart: { name: "pooled, auto", host: () => engineApart("pooled") },
  ownAuto: { name: "own, auto", host: () => hostEngine("own", "auto") },
  ownQueue: { name: "own, queue", host: () => hostEngine("own", "queue") },
  pooledAuto: { name: "pooled, auto", host: () => hostEngine("pooled", "auto") },
  pooledQueue: { name: "pooled, queue", host: () => hostEngine("pooled", "queue") },
  /** The next two differ in the type of the actions before the last one. */
  webhookSteps: { name: "webhook steps", host: () => hostEngine("pooled", "auto") },
  workerSteps: { name: "worker steps", host: () => hostEngine("pooled", "auto", "worker") },
  /** Starts standalone actions: one action per execution, without a definition. */
  standalone: { name: "standalone, auto", host: () => hostEngine("standalone", "auto") },
  /** Creates recurring actions: each has one action and, in the measured time, one occurrence. */
  recurring: { name: "recurring", host: () => hostEngine("recurring", "auto") },
  /** The baseline of recurring actions: one object and one alarm each. */
  alarms: {
    name: "setAlarm alone",
    host: () =>
      hostOther({
        folder: "alarms",
        name: "bench-alarms",
        body: (ref, { url, actions, dueAt }) => ({ ref, url, action: actions.at(-1), dueAt: dueAt?.(ref) }),
      }),
  },
  /** The upper limit of pooled executions: bare objects that group their commits. */
  bare: {
    name: "bare grouped object",
    host: () => hostOther({ folder: "bare", name: "bench-bare", body: startBodyOf }),
  },
} as const satisfies { readonly [name: string]: Contender };

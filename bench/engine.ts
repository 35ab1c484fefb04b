// Engine contender: hosts Escapement like `npm start`, with the same configuration and bindings and with its state on
// disk.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { host } from "../scripts/host.ts";
import { createDefinition, listCompleted, createKey, send } from "./calls.ts";
import type { Hosted, StartCall, Task } from "./contender.ts";
import { LAST_ACTION } from "./sink.ts";
import { newStateDir } from "./state.ts";

const STEPS = "bench-steps";
const STEP_WORKER = { config: join(import.meta.dirname, "steps/wrangler.toml") };
const TENANT = { id: "bench", name: "Bench" };
const NEIGHBOUR = { id: "neighbour", name: "Neighbour" };

/** The type of an execution's actions before the last one. The last one is a webhook, which reports to the sink. */
type Steps = "webhook" | "worker";
type Kind = "own" | "pooled" | "standalone" | "recurring";
/** Limits far above the load, because the bench does not measure how tenants are throttled. */
const LIMITS = { recurring: 1_000_000, startsPerSecond: 1_000_000, inFlight: 1_000_000 };

export async function hostEngine(kind: Kind, lane: "auto" | "queue", steps: Steps = "webhook"): Promise<Hosted> {
  const rootKey = `esk_root_${randomBytes(32).toString("base64url")}`;
  const vars = { ROOT_KEY: rootKey, SIGNING_KEY: randomBytes(32).toString("base64url"), ALLOW_LOOPBACK: "true" };
  const bound = { vars: { ...vars, ACTION_SERVICES: "bench=STEPS" }, extraWorkers: [STEP_WORKER], services: { STEPS } };
  const { engineUrl, dispose } = await host({
    stateDir: newStateDir(),
    quiet: true,
    ...(steps === "worker" ? bound : { vars }),
  });
  return { ...(await connectEngine(engineUrl, rootKey, kind, lane, steps)), dispose };
}

/** Prepares tenants and calls on an engine that is already running. */
export async function connectEngine(
  engineUrl: string,
  rootKey: string,
  kind: Kind,
  lane: "auto" | "queue",
  steps: Steps = "webhook",
): Promise<Omit<Hosted, "dispose">> {
  const key = await createKey(engineUrl, rootKey, TENANT);
  await send("PATCH", engineUrl + `/v1/tenants/${TENANT.id}`, rootKey, { limits: LIMITS });
  return {
    prepare: async (task) => {
      if (kind === "recurring") return recurringCall(engineUrl, key, task);
      if (kind === "standalone") return actionCall(engineUrl, key, standaloneAction(task, lane));
      return startCall(
        engineUrl,
        key,
        await createDefinition(engineUrl, key, machineDefinition(task, kind, lane, steps)),
        task,
      );
    },
    firings: () => listCompleted(engineUrl, key),
    // Each of the neighbour's executions gets its own object, so that every action can use the direct lane.
    prepareNeighbour: async (task) => {
      const theirs = await createKey(engineUrl, rootKey, NEIGHBOUR);
      const work = machineDefinition(task, "own", lane === "auto" ? "direct" : lane);
      return startCall(engineUrl, theirs, await createDefinition(engineUrl, theirs, work), task);
    },
  };
}

function startCall(engineUrl: string, key: string, definitionId: string, { dueAt }: Task): StartCall {
  const due = (ref: string) => (dueAt === undefined ? {} : { dueAt: dueAt(ref) });
  const one = (ref: string) => ({ definition: definitionId, variables: { ref, ...due(ref) } });
  return {
    ...callTo(engineUrl, key, "/v1/executions"),
    isKeyed: true,
    body: (ref) => JSON.stringify(one(ref)),
    batch: { path: "/v1/executions/batch", body: (refs) => JSON.stringify({ executions: refs.map(one) }) },
  };
}

function actionCall(engineUrl: string, key: string, action: object): StartCall {
  const one = (ref: string) => ({ ...action, variables: { ref } });
  return {
    ...callTo(engineUrl, key, "/v1/actions"),
    isKeyed: true,
    body: (ref) => JSON.stringify(one(ref)),
    batch: { path: "/v1/actions/batch", body: (refs) => JSON.stringify({ actions: refs.map(one) }) },
  };
}

/**
 * Creates a daily recurring action, so that each occurrence also schedules the next one. The bench does not wait for
 * the next one.
 */
function recurringCall(engineUrl: string, key: string, { url, actions, dueAt }: Task): StartCall {
  const action = actions.at(-1) ?? "";
  const cron = (ref: string): string => {
    const due = new Date(dueAt?.(ref) ?? 0);
    return [due.getUTCSeconds(), due.getUTCMinutes(), due.getUTCHours(), "*", "*", "*"].join(" ");
  };
  const one = (ref: string) => ({
    cron_expr: cron(ref),
    provider: "webhook",
    action_type: action,
    payload: { url, payload: { ref, action } },
  });
  return { ...callTo(engineUrl, key, "/v1/recurring"), body: (ref) => JSON.stringify(one(ref)) };
}

function callTo(engineUrl: string, key: string, path: string) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return { url: new URL(path, engineUrl), headers };
}

/** Builds a standalone action from the task's last action. */
function standaloneAction(task: Task, lane: string): object {
  const action = task.actions.at(-1) ?? "";
  return {
    actionId: action,
    lane,
    ...(task.sleepMs > 0 ? { delay: task.sleepMs } : {}),
    ...webhookAction(task, action),
  };
}

function workerAction(action: string): object {
  const input = { ref: "{{ execution.variables.ref }}", action };
  return { type: "worker", config: { service: "bench", method: "step", input } };
}

function webhookAction({ url, retryMs, attempts, timeoutMs, dueAt }: Task, action: string): object {
  const fired = dueAt === undefined ? {} : { firedAt: "{{ execution.variables.firedAt }}" };
  return {
    type: "webhook",
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    config: { url, payload: { ref: "{{ execution.variables.ref }}", action, ...fired } },
    retryPolicy: { maxAttempts: attempts, backoffStrategy: "fixed", baseDelay: retryMs, jitter: "none" },
  };
}

/**
 * Builds a machine with one state per action. Entering a state starts its action, and `action.<id>.ok` leads to the
 * next state.
 */
function machineDefinition(task: Task, placement: string, lane: string, steps: Steps = "webhook"): object {
  const { actions, sleepMs, dueAt } = task;
  const states: { [name: string]: object } = { done: { type: "final" } };
  actions.forEach((action, at) => {
    const next = actions[at + 1];
    states[action] = { on: { [`action.${action}.ok`]: next ?? "done" } };
  });
  const first = actions[0] ?? "done";
  if (sleepMs > 0) states.asleep = { after: { [sleepMs]: first } };
  const assign = { firedAt: { var: "now" } };
  if (dueAt !== undefined)
    states.asleep = { after: { due: { target: first, ...(actions.length > 0 ? { assign } : {}) } } };
  return {
    kind: "machine",
    name: "bench",
    placement,
    lane,
    ...(dueAt === undefined ? {} : { delays: { due: { anchor: { var: "execution.variables.dueAt" } } } }),
    initial: states.asleep === undefined ? first : "asleep",
    states,
    actions: actions.map((action) => ({
      actionId: action,
      triggerState: action,
      ...(steps === "worker" && action !== LAST_ACTION ? workerAction(action) : webhookAction(task, action)),
    })),
  };
}

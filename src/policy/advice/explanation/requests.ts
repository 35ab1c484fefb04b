// Lists the API requests with which a client can resolve a wait.
import { isEngineEvent } from "#schema/engine/event.ts";
import type { Explanation, Wait, SuggestedRequest } from "#schema/engine/explanation.ts";
import type { JsonObject } from "#schema/json.ts";

export function waitRequests({ execution, status }: Explanation, wait: Wait): readonly SuggestedRequest[] {
  const executionPath = `/v1/executions/${execution}`;
  // A paused execution refuses run-now. Its wait for a resume suggests the resume.
  const runNow = (target: JsonObject) =>
    status === "paused" ? [] : [suggestPost("run_now", `${executionPath}/run-now`, target)];
  switch (wait.for) {
    case "timer":
      return runNow({ timer: wait.timer });
    case "run":
      if (wait.canCancel) return [suggestPost("cancel_action", `${executionPath}/cancel-action`, { run: wait.run })];
      return wait.status === "scheduled" || wait.status === "retry" ? runNow({ run: wait.run }) : [];
    case "quota":
    case "queue_share":
    case "cap":
    case "window":
    case "quiet_hours":
    case "receipt":
      return runNow({ run: wait.run });
    case "limit":
    case "start_limit":
      return limitRequests(wait);
    case "anchor":
    case "variables":
      return [suggestPost("patch", `${executionPath}/patch`)];
    case "connection": {
      if (wait.connection === null) return [];
      const path = `/v1/connections/${wait.connection}`;
      return wait.reason === "needs_attention"
        ? [suggestGet(path), suggestPost("test", `${path}/test`)]
        : [suggestGet(path)];
    }
    case "event":
      return wait.event === "*" || isEngineEvent(wait.event)
        ? []
        : [suggestPost("send", `${executionPath}/events`, { type: wait.event })];
    case "person": {
      const path = `/v1/dead-letters/${wait.deadLetter}`;
      return [suggestGet(path), suggestPost("retry", `${path}/retry`), suggestPost("archive", `${path}/archive`)];
    }
    case "task":
      return [suggestGet(`/v1/tasks/${wait.task}`), suggestPost("complete", `/v1/tasks/${wait.task}/complete`)];
    case "children": {
      const reads = wait.execution === null ? [] : [suggestGet(`/v1/executions/${wait.execution}/explain`)];
      if (wait.how === "canceling") return reads;
      const end = (children: string) => suggestPost(`cancel_${children}`, `${executionPath}/cancel`, { children });
      return [...reads, end("cancel"), end("leave")];
    }
    case "child":
    case "parent":
      return [suggestGet(`/v1/executions/${wait.execution}/explain`)];
    case "release":
      return [suggestPost("release", `${executionPath}/release`, { run: wait.run })];
    case "resume":
      return [suggestPost("resume", `${executionPath}/resume`), suggestPost("cancel", `${executionPath}/cancel`)];
    case "engine":
      return [suggestPost("cancel", `${executionPath}/cancel`)];
    case "observation":
      return [suggestPut("observe", `${executionPath}/observed`)];
    case "desired":
      return [suggestPut("desire", `${executionPath}/desired`)];
    case "slot":
    case "tick":
    case "tenant":
    case "directory":
    case "subject":
    case "join":
      // No request of a client ends these waits.
      return [];
  }
}

type LimitWait = Extract<Wait, { for: "limit" | "start_limit" }>;

function limitRequests({ limit: name, key, for: what }: LimitWait): readonly SuggestedRequest[] {
  if (name === null || key === null) return [];
  const of = what === "limit" ? "" : "&of=starts";
  return [suggestGet(`/v1/limits?${new URLSearchParams({ name, key })}${of}`)];
}

export function suggestGet(path: string): SuggestedRequest {
  return { verb: "read", method: "GET", path };
}

function suggestPut(verb: string, path: string): SuggestedRequest {
  return { verb, method: "PUT", path };
}

export function suggestPost(verb: string, path: string, body?: JsonObject): SuggestedRequest {
  return { verb, method: "POST", path, ...(body ? { body } : {}) };
}

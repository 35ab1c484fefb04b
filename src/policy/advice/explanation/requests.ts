// Lists the API requests with which a client can resolve a wait.
import type { Wait, SuggestedRequest } from "#schema/engine/explanation.ts";
import type { JsonObject } from "#schema/json.ts";

export function waitRequests(execution: string, wait: Wait): readonly SuggestedRequest[] {
  const at = `/v1/executions/${execution}`;
  switch (wait.for) {
    case "timer":
      return [postRequest("run_now", `${at}/run-now`, { timer: wait.timer })];
    case "run":
      return wait.status === "scheduled" || wait.status === "retry"
        ? [postRequest("run_now", `${at}/run-now`, { run: wait.run })]
        : [];
    case "quota":
    case "queue_share":
    case "cap":
    case "window":
    case "receipt":
      return [postRequest("run_now", `${at}/run-now`, { run: wait.run })];
    case "anchor":
    case "variables":
      return [postRequest("patch", `${at}/patch`)];
    case "connection": {
      if (wait.connection === null) return [];
      const path = `/v1/connections/${wait.connection}`;
      return wait.reason === "needs_attention"
        ? [getRequest(path), postRequest("test", `${path}/test`)]
        : [getRequest(path)];
    }
    case "event":
      return wait.event === "*" ? [] : [postRequest("send", `${at}/events`, { type: wait.event })];
    case "person": {
      const path = `/v1/dead-letters/${wait.deadLetter}`;
      return [getRequest(path), postRequest("retry", `${path}/retry`), postRequest("archive", `${path}/archive`)];
    }
    case "task":
      return [getRequest(`/v1/tasks/${wait.task}`), postRequest("complete", `/v1/tasks/${wait.task}/complete`)];
    case "parting": {
      const reads = wait.execution === null ? [] : [getRequest(`/v1/executions/${wait.execution}/explain`)];
      if (wait.how === "canceling") return reads;
      const end = (children: string) => postRequest(`cancel_${children}`, `${at}/cancel`, { children });
      return [...reads, end("cancel"), end("leave")];
    }
    case "child":
    case "parent":
      return [getRequest(`/v1/executions/${wait.execution}/explain`)];
    case "release":
      return [postRequest("release", `${at}/release`, { run: wait.run })];
    case "resume":
      return [postRequest("resume", `${at}/resume`), postRequest("cancel", `${at}/cancel`)];
    case "engine":
      return [postRequest("cancel", `${at}/cancel`)];
    case "observation":
      return [putRequest("observe", `${at}/observed`)];
    case "desired":
      return [putRequest("desire", `${at}/desired`)];
    case "slot":
    case "tick":
    case "tenant":
    case "directory":
    case "subject":
    case "join":
      return [];
  }
}

export function getRequest(path: string): SuggestedRequest {
  return { verb: "read", method: "GET", path };
}

function putRequest(verb: string, path: string): SuggestedRequest {
  return { verb, method: "PUT", path };
}

export function postRequest(verb: string, path: string, body?: JsonObject): SuggestedRequest {
  return { verb, method: "POST", path, ...(body ? { body } : {}) };
}

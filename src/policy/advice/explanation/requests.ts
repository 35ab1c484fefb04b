// Lists the API requests with which a client can resolve a wait.
import type { Wait, Way } from "#schema/engine/explanation.ts";
import type { JsonObject } from "#schema/json.ts";

export function waitCan(execution: string, wait: Wait): readonly Way[] {
  const at = `/v1/executions/${execution}`;
  switch (wait.for) {
    case "timer":
      return [post("run_now", `${at}/run-now`, { timer: wait.timer })];
    case "run":
      return wait.status === "scheduled" || wait.status === "retry"
        ? [post("run_now", `${at}/run-now`, { run: wait.run })]
        : [];
    case "quota":
    case "queue_share":
    case "cap":
    case "window":
    case "receipt":
      return [post("run_now", `${at}/run-now`, { run: wait.run })];
    case "anchor":
    case "variables":
      return [post("patch", `${at}/patch`)];
    case "connection": {
      if (wait.connection === null) return [];
      const path = `/v1/connections/${wait.connection}`;
      return wait.reason === "needs_attention" ? [read(path), post("test", `${path}/test`)] : [read(path)];
    }
    case "event":
      return wait.event === "*" ? [] : [post("send", `${at}/events`, { type: wait.event })];
    case "person": {
      const path = `/v1/dead-letters/${wait.deadLetter}`;
      return [read(path), post("retry", `${path}/retry`), post("archive", `${path}/archive`)];
    }
    case "task":
      return [read(`/v1/tasks/${wait.task}`), post("complete", `/v1/tasks/${wait.task}/complete`)];
    case "parting": {
      const reads = wait.execution === null ? [] : [read(`/v1/executions/${wait.execution}/explain`)];
      if (wait.how === "canceling") return reads;
      const end = (children: string) => post(`cancel_${children}`, `${at}/cancel`, { children });
      return [...reads, end("cancel"), end("leave")];
    }
    case "child":
    case "parent":
      return [read(`/v1/executions/${wait.execution}/explain`)];
    case "release":
      return [post("release", `${at}/release`, { run: wait.run })];
    case "resume":
      return [post("resume", `${at}/resume`), post("cancel", `${at}/cancel`)];
    case "engine":
      return [post("cancel", `${at}/cancel`)];
    case "observation":
      return [put("observe", `${at}/observed`)];
    case "desired":
      return [put("desire", `${at}/desired`)];
    case "slot":
    case "tick":
    case "tenant":
    case "directory":
    case "subject":
    case "join":
      return [];
  }
}

export function read(path: string): Way {
  return { verb: "read", method: "GET", path };
}

function put(verb: string, path: string): Way {
  return { verb, method: "PUT", path };
}

export function post(verb: string, path: string, body?: JsonObject): Way {
  return { verb, method: "POST", path, ...(body ? { body } : {}) };
}

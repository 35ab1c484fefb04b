// The worker of the action executor pattern: starts an instance, checks whether it runs, and fails after three retries.
import type { JsonObject } from "#schema/json.ts";
import { action } from "#test/support/drive.ts";
import type { Written } from "./drive-reconciler.ts";

const observed = (name: string): JsonObject => ({ var: `observed.${name}` });

export const worker: Written = {
  onShutdown: "Stopping",
  states: {
    TryingToStart: {
      reason: "attempting to start",
      rules: [
        { when: { and: [observed("running"), observed("configValid")] }, target: "Running" },
        {
          when: { and: [{ var: "action.failed" }, { ">=": [{ var: "action.retries" }, 3] }] },
          target: "Failed",
          reason: "failed to start after {{ action.retries }} retries: {{ action.errorMessage }}",
        },
        { when: { "!": [observed("running")] }, emit: "start" },
      ],
    },
    Running: { reason: "running", rules: [{ when: { "!": [observed("running")] }, target: "TryingToStart" }] },
    Stopping: {
      reason: "asked to stop",
      rules: [
        { when: { "!": [observed("running")] }, signal: "remove", reason: "stopped" },
        { when: { "!": [{ var: "action.inProgress" }] }, emit: "stop" },
      ],
    },
    Failed: { type: "final", outcome: "failed" },
  },
  actions: [action("start"), action("stop")],
};

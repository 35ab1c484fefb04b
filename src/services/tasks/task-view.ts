// A task as callers may see it, and what is said of one that is not there or not open any more.
import type { StoredTask } from "#catalog/tasks/tasks.ts";

export type TaskView = Omit<StoredTask, "tenant">;

export function viewOf({ tenant: _tenant, ...view }: StoredTask): TaskView {
  return view;
}

export function noTask(id: string) {
  return { code: "not_found", message: `There is no task ${id}.` } as const;
}

export function taskClosed({
  id,
  status,
  closedAt,
  reason,
}: Pick<StoredTask, "id" | "status" | "closedAt" | "reason">) {
  const since = closedAt === null ? "" : ` since ${new Date(closedAt).toISOString()}`;
  if (status !== "withdrawn") return { code: "task_closed", message: `The task ${id} is ${status}${since}.` } as const;
  return {
    code: "task_closed",
    message: `The task ${id} was withdrawn${since.replace("since", "at")}: ${whyWithdrawn(reason)}. Nothing was taken.`,
    hint: "GET the execution that asked for it to see where it stands.",
    details: { status, reason },
  } as const;
}

/** In words; a reason that a process gives of its own is in words already. */
function whyWithdrawn(reason: string | null): string {
  switch (reason) {
    case "state_left":
      return "its execution has left the state that asked for it";
    case "execution_completed":
      return "its execution has completed without it";
    case "execution_failed":
      return "its execution has failed";
    case "execution_canceled":
      return "its execution was canceled";
    case "execution_ended":
      return "its execution has ended";
  }
  return reason ?? "its process needs it no more";
}

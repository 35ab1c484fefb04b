// Lists a tenant's tasks, newest first.
import type { Page } from "#catalog/page.ts";
import { listTasks as list, type TaskFilters } from "#catalog/tasks/tasks.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { viewOf, type TaskView } from "./task-view.ts";

export type ListTasks = { readonly filters: TaskFilters; readonly cursor: string | null; readonly limit: number };

export async function listTasks(deps: Deps, caller: TenantCaller, input: ListTasks): Promise<Result<Page<TaskView>>> {
  const page = await list(deps.db, caller.tenant, input.filters, input.cursor, input.limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map(viewOf) }) : page;
}

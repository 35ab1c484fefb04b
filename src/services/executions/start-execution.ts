// Starts one execution: one call to one object, and nothing else when caller and definition are known.
import type { Reply } from "#schema/engine/cell.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { cellName } from "../cells/placement.ts";
import { planStart, type StartRequest } from "./plan-start.ts";
import { previewStart } from "./preview-start.ts";
import { reach } from "../cells/reach.ts";
import { singleAnswer } from "../cells/single-answer.ts";

export type StartExecution = StartRequest & { readonly dryRun: boolean };

export async function startExecution(deps: Deps, caller: TenantCaller, input: StartExecution): Promise<Result<Reply>> {
  const { dryRun, ...request } = input;
  const item = await planStart(deps, caller, request);
  if (!item.ok) return item;
  if (dryRun) return previewStart(deps, item.value);
  const name = cellName(caller.tenant, item.value.command.execution);
  return singleAnswer(await reach(() => deps.cell(name).start([item.value])));
}

// Starts many executions: one call to each cell they fall into, and an answer for each of them in the order asked.
import type { Reply, StartItem } from "#schema/cell.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "./deps.ts";
import { cellName } from "./placement.ts";
import { planStart, type StartRequest } from "./plan-start.ts";
import { previewStart } from "./preview-start.ts";
import { reach } from "./reach.ts";
import { tenantOf } from "./tenant-of.ts";

export type StartExecutions = {
  readonly requests: readonly StartRequest[];
  /** Stands for the whole batch: the n-th request without a key of its own gets `<key>.<n>`. */
  readonly key: string | null;
  readonly dryRun: boolean;
};

export async function startExecutions(
  deps: Deps,
  caller: Caller,
  input: StartExecutions,
): Promise<Result<readonly Result<Reply>[]>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const keyed = input.requests.map((request, n) => ({
    ...request,
    key: request.key ?? (input.key === null ? null : `${input.key}.${n}`),
  }));
  const plans = await Promise.all(keyed.map((request) => planStart(deps, caller, tenant.value, request)));
  const answers: Result<Reply>[] = plans.map((plan) => (plan.ok ? refuse(unanswered) : plan));
  const planned = plans.flatMap((plan, index) => (plan.ok ? [{ index, item: plan.value }] : []));
  const cells = Map.groupBy(planned, ({ item }) => cellName(tenant.value, item.command.execution));
  await Promise.all(
    Array.from(cells, async ([name, members]) => {
      const replies = await startInCell(
        deps,
        name,
        members.map(({ item }) => item),
        input.dryRun,
      );
      members.forEach(({ index }, n) => (answers[index] = replies[n] ?? refuse(unanswered)));
    }),
  );
  return { ok: true, value: answers };
}

const unanswered = { code: "unavailable", message: "The execution's object gave no answer." } as const;

async function startInCell(
  deps: Deps,
  name: string,
  items: readonly StartItem[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  if (dryRun) return items.map((item) => previewStart(deps, item));
  const replies = await reach(() => deps.cell(name).start(items));
  return replies.ok ? replies.value : items.map(() => replies);
}

// Starts what is planned: one call to each cell it falls into, and an answer for each in the order planned. What could
// not be planned is answered with why.
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { brokenItem } from "../cells/broken-item.ts";
import { cellName } from "../cells/placement.ts";
import type { QuotaDeps } from "../quotas/isolate-lease.ts";
import { followMoves } from "../pools/follow-moves.ts";
import { takeStart } from "../quotas/take-quota.ts";
import { startWithKept } from "./kept-definitions.ts";
import { previewStart } from "./preview-start.ts";
import type { PlannedStart } from "../subjects/admit-starts.ts";
import { startAdmitted } from "../subjects/start-admitted.ts";
import { reach } from "../cells/reach.ts";

export type StartPlannedDeps = QuotaDeps & Pick<Deps, "cell" | "subject">;
type CellDeps = Pick<Deps, "now" | "cell" | "log">;

export async function startPlanned(
  deps: StartPlannedDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const within = dryRun ? plans : await takeQuotas(deps, tenant, plans);
  return followMoves(tenant, within, (some) =>
    startAdmitted(deps, some, dryRun, (items) => startInCells(deps, tenant, items, dryRun)),
  );
}

async function startInCells(
  deps: CellDeps,
  tenant: string,
  admitted: readonly Result<StartItem>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const answers: Result<Reply>[] = admitted.map((plan) => (plan.ok ? refuse(unanswered) : plan));
  const planned = admitted.flatMap((plan, index) => (plan.ok ? [{ index, item: plan.value }] : []));
  const cells = Map.groupBy(planned, ({ item }) => cellName(tenant, item.command.execution));
  await Promise.all(
    Array.from(cells, async ([name, members]) => {
      const items = members.map(({ item }) => item);
      const replies = await startInCell(deps, name, items, dryRun).catch((fault: unknown) => {
        // A single one's exception is the whole call's.
        if (admitted.length === 1) throw fault;
        const broken = brokenItem(deps, { cell: name, count: items.length }, fault);
        return items.map(() => broken);
      });
      members.forEach(({ index }, n) => (answers[index] = replies[n] ?? refuse(unanswered)));
    }),
  );
  return answers;
}

/** One after the other: who comes first finds what there is. */
async function takeQuotas(
  deps: StartPlannedDeps,
  tenant: string,
  plans: readonly Result<PlannedStart>[],
): Promise<readonly Result<PlannedStart>[]> {
  const admitted: Result<PlannedStart>[] = [];
  for (const plan of plans) {
    const refusal = plan.ok ? await takeStart(deps, tenant) : null;
    admitted.push(refusal === null ? plan : refuse(refusal));
  }
  return admitted;
}

const unanswered = { code: "unavailable", message: "The execution's object gave no answer." } as const;

async function startInCell(
  deps: CellDeps,
  name: string,
  items: readonly StartItem[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  if (dryRun) return items.map((item) => previewStart(deps, item));
  const replies = await reach(() => startWithKept(deps.cell(name), name, items));
  return replies.ok ? replies.value : items.map(() => replies);
}

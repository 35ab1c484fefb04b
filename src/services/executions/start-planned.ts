// Starts what is planned: one call to each cell it falls into, and an answer for each in the order planned. What could
// not be planned is answered with why.
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { brokenItem } from "../cells/broken-item.ts";
import { cellName } from "../cells/placement.ts";
import { previewStart } from "./preview-start.ts";
import { reach } from "../cells/reach.ts";

type CellDeps = Pick<Deps, "now" | "cell" | "log">;

export async function startPlanned(
  deps: CellDeps,
  tenant: string,
  plans: readonly Result<StartItem>[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const answers: Result<Reply>[] = plans.map((plan) => (plan.ok ? refuse(unanswered) : plan));
  const planned = plans.flatMap((plan, index) => (plan.ok ? [{ index, item: plan.value }] : []));
  const cells = Map.groupBy(planned, ({ item }) => cellName(tenant, item.command.execution));
  await Promise.all(
    Array.from(cells, async ([name, members]) => {
      const items = members.map(({ item }) => item);
      const replies = await startInCell(deps, name, items, dryRun).catch((fault: unknown) => {
        // A single one's exception is the whole call's.
        if (plans.length === 1) throw fault;
        const broken = brokenItem(deps, { cell: name, count: items.length }, fault);
        return items.map(() => broken);
      });
      members.forEach(({ index }, n) => (answers[index] = replies[n] ?? refuse(unanswered)));
    }),
  );
  return answers;
}

const unanswered = { code: "unavailable", message: "The execution's object gave no answer." } as const;

async function startInCell(
  deps: CellDeps,
  name: string,
  items: readonly StartItem[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  if (dryRun) return items.map((item) => previewStart(deps, item));
  const replies = await reach(() => deps.cell(name).start(items));
  return replies.ok ? replies.value : items.map(() => replies);
}

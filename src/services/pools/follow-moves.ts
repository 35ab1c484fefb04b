// Moved starts: a pool cell may answer that the key belongs to another cell, because the pool was resized or the key
// was first used at another size. The start is then repeated at that cell, which finds the repeat.
import { cellNow, movedTo } from "#policy/pools/layout.ts";
import type { Reply } from "#schema/engine/cell.ts";
import { keyOf, poolCell } from "#schema/ids.ts";
import { POOL_TRIES_MAX } from "#schema/limits/placement.ts";
import { poolMove } from "#schema/placement/tenant-pool.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { learnPool } from "../quotas/tenant-settings.ts";
import type { PlannedStart } from "../subjects/admit-starts.ts";

type Plan = Result<PlannedStart>;
type Start = (plans: readonly Plan[]) => Promise<readonly Result<Reply>[]>;

export async function followMoves(
  tenant: string,
  plans: readonly Plan[],
  start: Start,
): Promise<readonly Result<Reply>[]> {
  const answers = [...(await start(plans))];
  const latest = [...plans];
  for (let tries = 1; ; tries++) {
    const moved = latest.flatMap((plan, n) => {
      const answer = answers[n];
      const next = plan.ok && answer && !answer.ok ? nextOf(tenant, plan.value, answer.refusal) : null;
      return next === null ? [] : [{ n, next: accept(next) }];
    });
    if (moved.length === 0) return answers.map((answer, n) => withWhere(answer, plans[n], latest[n]));
    if (tries === POOL_TRIES_MAX) {
      for (const { n } of moved) answers[n] = refuse(stillMoving);
      return answers;
    }
    const again = await start(moved.map(({ next }) => next));
    moved.forEach(({ n, next }, at) => {
      latest[n] = next;
      answers[n] = again[at] ?? refuse(stillMoving);
    });
  }
}

/** Returns the same start for the reported cell; null if the refusal is the answer to the client. */
function nextOf(tenant: string, plan: PlannedStart, { details, code }: Refusal): PlannedStart | null {
  const { execution } = plan.command;
  const move = poolMove.safeParse(details);
  if (move.success) {
    if (move.data.why === "key_elsewhere") return at(plan, move.data.cell);
    const { pool } = move.data;
    learnPool(tenant, pool);
    const cell = cellNow(pool, execution);
    return cell === null ? null : { ...at(plan, cell), pool };
  }
  // The subject stores the execution under the id that the key had at the start.
  const by = code === "already_enrolled" ? details?.execution : undefined;
  if (typeof by !== "string" || by === execution || keyOf(by) === null || keyOf(by) !== keyOf(execution)) return null;
  return at(plan, Number(poolCell(by)));
}

function at(plan: PlannedStart, cell: number): PlannedStart {
  const { command } = plan;
  return { ...plan, command: { ...command, execution: movedTo(command.execution, cell) } };
}

/** Adds the execution's id to a refusal of a moved start, because the id differs from the planned one. */
function withWhere(answer: Result<Reply>, planned: Plan | undefined, latest: Plan | undefined): Result<Reply> {
  if (answer.ok || planned === latest || !latest?.ok) return answer;
  const { details } = answer.refusal;
  return refuse({ ...answer.refusal, details: { ...details, execution: latest.value.command.execution } });
}

const stillMoving = {
  code: "unavailable",
  message: "The cell of this key is not known yet: the tenant's pool has just been resized.",
  hint: "Send the same request again with the same Idempotency-Key; it is not executed twice.",
  retryAfterS: 1,
} as const;

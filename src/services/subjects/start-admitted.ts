// Starts what is about subjects under the admission of their objects: asked before, taken back where a cell refuses. What is
// about nobody passes as it is.
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { poolMove } from "#schema/placement/tenant-pool.ts";
import { accept, isUndecided, type Refusal, type Result } from "#schema/refusal.ts";
import { answerEach } from "../cells/broken-item.ts";
import { admitStart, withdrawStart, type AdmitDeps, type Admitted, type PlannedStart } from "./admit-starts.ts";

type Start = (items: readonly Result<StartItem>[]) => Promise<readonly Result<Reply>[]>;

export async function startAdmitted(
  deps: AdmitDeps,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
  start: Start,
): Promise<readonly Result<Reply>[]> {
  if (plans.every((plan) => !plan.ok || plan.value.subject === undefined)) return start(plans);
  const admitted = await answerEach(deps, plans, async (plan) =>
    plan.ok ? admitStart(deps, plan.value, { isGone: false, dryRun }) : plan,
  );
  const answers = await start(admitted.map(itemOf));
  const each = answers.map((answer, n) => ({ answer, plan: plans[n], admission: admitted[n] }));
  return answerEach(deps, each, async ({ answer, plan, admission }) => {
    if (answer.ok || dryRun || !plan?.ok || !admission?.ok || plan.value.subject === undefined) return answer;
    if (answer.refusal.code === "already_enrolled") return startAnew(deps, plan.value, start);
    const { turn } = admission.value;
    if (turn !== null && hasNotBegun(answer.refusal)) await withdrawStart(deps, plan.value, turn);
    return answer;
  });
}

/** It has been in it under this id, and is gone: whether it may begin again is asked as of any other. */
async function startAnew(deps: AdmitDeps, plan: PlannedStart, start: Start): Promise<Result<Reply>> {
  const admitted = await admitStart(deps, plan, { isGone: true, dryRun: false });
  if (!admitted.ok) return admitted;
  const [answer] = await start([itemOf(admitted)]);
  if (answer === undefined) throw new Error("A start has an answer.");
  return answer;
}

function itemOf(admitted: Result<Admitted>): Result<StartItem> {
  return admitted.ok ? accept(admitted.value.item) : admitted;
}

/** Another one may be there under its id; and where nothing was judged, it may have begun. */
function hasNotBegun(refusal: Refusal): boolean {
  if (poolMove.safeParse(refusal.details).success) return true;
  return !isUndecided(refusal) && refusal.code !== "already_exists" && refusal.code !== "idempotency_conflict";
}

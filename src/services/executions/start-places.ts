// Places of executions at the limits by key on their starts: asks the limits for an execution, releases it after its
// end, and lets the next executions ask. The caller of a start and the outbox consumer call this.
import type { Reply } from "#schema/engine/cell.ts";
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import { waitsForPlace, type StartPlaceResult } from "#schema/key-limits/start-place.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { KeyLimitAnswer, KeyLimitRequest, LimitPlace, TicketLimit } from "#schema/key-limits/calls.ts";
import { LIMIT_SLOT_FOREVER, START_WAKES_MAX } from "#schema/limits/limits-by-key.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { cellName } from "../cells/ids-and-cells.ts";
import type { Deps } from "../deps.ts";
import { startShardOf } from "../key-limits/shards.ts";

export type StartPlaceDeps = Pick<Deps, "keyLimits" | "cell" | "now" | "log">;

/** Handles the outbox message of one execution. Throws if a limit does not answer. */
export async function updateStartPlace(
  deps: StartPlaceDeps,
  sender: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  const result = isFinalStatus(sender.status) ? await release(deps, sender) : await askLimits(deps, sender, wakeNext);
  return messages.map(({ key }) => ({ kind: "start_place", key, ...result }));
}

/** Asks the limits for executions that have just been started, so that the replies can contain the answers. */
export async function placeStarted(
  deps: StartPlaceDeps,
  tenant: string,
  replies: readonly Result<Reply>[],
): Promise<readonly Result<Reply>[]> {
  return Promise.all(
    replies.map(async (reply) => {
      if (!reply.ok || !isUnasked(reply.value.state)) return reply;
      const placed = await place(deps, tenant, reply.value.state, wakeNext);
      return placed === null
        ? reply
        : accept({ ...reply.value, ...placed, seq: reply.value.seq, repeated: reply.value.repeated });
    }),
  );
}

/** Lets waiting executions ask their limits now. If one of them cannot be reached, it asks again later on its own. */
export async function wakeStarts(deps: StartPlaceDeps, tenant: string, next: readonly string[]): Promise<void> {
  await Promise.all(
    next.slice(0, START_WAKES_MAX).map(async (execution) => {
      const read = await deps.cell(cellName(tenant, execution)).read(execution);
      // An execution that is woken wakes no others, so that the length of the chain is bounded.
      if (read.ok && waitsForPlace(read.value)) await place(deps, tenant, read.value, wakeNone);
    }),
  ).catch((fault: unknown) => {
    deps.log({ level: "warn", event: "start_not_woken", executions: next, message: String(fault) });
  });
}

function isUnasked(state: ExecutionState): boolean {
  return waitsForPlace(state) && state.startPlace?.hold === null;
}

/** Asks the limits and gives the answer to the cell. Null: the execution asks again later through its outbox. */
async function place(deps: StartPlaceDeps, tenant: string, state: ExecutionState, wake: Wake) {
  const { id: execution, createdAt: incarnation, outbox = [] } = state;
  try {
    const result = await askLimits(deps, state, wake);
    const key = outbox.find(({ kind }) => kind === "start_place")?.key ?? "";
    const items = [{ kind: "start_place", key, ...result }] as const;
    const [placed] = await deps.cell(cellName(tenant, execution)).place([{ execution, incarnation, items }]);
    return placed?.ok ? placed.value : null;
  } catch (fault) {
    deps.log({ level: "warn", event: "start_not_placed", execution, message: String(fault) });
    return null;
  }
}

type Wake = (deps: StartPlaceDeps, tenant: string, next: readonly string[]) => Promise<void>;
const wakeNext: Wake = (deps, tenant, next) => (next.length === 0 ? Promise.resolve() : wakeStarts(deps, tenant, next));
const wakeNone: Wake = () => Promise.resolve();

/** Asks each limit. If one of them does not admit the execution, the slots of the others are released. */
async function askLimits(deps: StartPlaceDeps, state: ExecutionState, wake: Wake): Promise<StartPlaceResult> {
  const { limits = [], places: before = [] } = state.startPlace ?? {};
  const granted: TicketLimit[] = [];
  const places: LimitPlace[] = [];
  for (const limit of limits) {
    const { name, key } = limit;
    const answer = await askLimit(deps, state, limit, wake);
    if (answer.kind === "admitted") {
      granted.push(limit);
      places.push({ name, since: answer.since, stage: "turn", ahead: 0 });
      continue;
    }
    await wake(deps, state.tenant, await releaseSlots(deps, state, granted, { wasSent: false }));
    if (answer.kind === "skipped") {
      const { reason, nextAt } = answer;
      return { answer: { kind: "skipped", limit: name, key, reason, nextAt }, places };
    }
    await cancelReplaced(deps, state, answer.replaces ?? []);
    const { reason, until, since, stage, ahead } = answer;
    const known = [...places, { name, since, stage, ahead }];
    const rest = before.filter((each) => known.every((place) => place.name !== each.name));
    return { answer: { kind: "held", limit: name, key, reason, until, ahead }, places: [...known, ...rest] };
  }
  return { answer: { kind: "admitted" }, places };
}

/** Asks a limit. If slots are in doubt, releases those of ended executions and asks again. */
async function askLimit(
  deps: StartPlaceDeps,
  state: ExecutionState,
  limit: TicketLimit,
  wake: Wake,
): Promise<KeyLimitAnswer> {
  const { name, key, terms } = limit;
  const { object, key: digest } = await startShardOf(state.tenant, name, key);
  const waited = state.startPlace?.places.find((place) => place.name === name) ?? null;
  const ask: KeyLimitRequest = {
    key: digest,
    id: state.id,
    expiresAt: LIMIT_SLOT_FOREVER,
    isFirst: true,
    waited: waited && { since: waited.since, stage: waited.stage },
  };
  const answer = await deps.keyLimits(object).acquireLimit(terms, ask);
  if (answer.kind === "admitted" || answer.doubts === undefined) return answer;
  const { live, ended } = await checkDoubts(deps, state.tenant, answer.doubts);
  const next: string[] = [];
  for (const id of ended) {
    const woken = await deps.keyLimits(object).releaseLimit({ key: digest, id, wasSent: false });
    next.push(...(woken ?? []).map((each) => each.id));
  }
  const again = await deps.keyLimits(object).acquireLimit(terms, { ...ask, live });
  await wake(
    deps,
    state.tenant,
    next.filter((id) => id !== state.id),
  );
  return again;
}

async function checkDoubts(deps: StartPlaceDeps, tenant: string, doubts: readonly string[]) {
  const checks = await Promise.all(
    doubts.map(async (execution) => {
      const read = await deps.cell(cellName(tenant, execution)).read(execution);
      // An execution that is unreadable or cannot be reached may be live.
      const isLive = read.ok ? !isFinalStatus(read.value.status) : read.refusal.code !== "not_found";
      return { execution, isLive };
    }),
  );
  const which = (live: boolean): readonly string[] =>
    checks.flatMap(({ execution, isLive }) => (isLive === live ? [execution] : []));
  return { live: which(true), ended: which(false) };
}

/** Cancels the executions that this one replaces. If a call fails, the next request names them again. */
async function cancelReplaced(deps: StartPlaceDeps, { id, tenant }: ExecutionState, replaced: readonly string[]) {
  const calls = replaced.map((execution) => {
    const command = {
      kind: "cancel",
      inputId: `replaced_by:${id}`,
      fingerprint: "",
      actor: { kind: "engine", id },
      reason: "singleton",
    } as const;
    return deps.cell(cellName(tenant, execution)).control([{ execution, command, dryRun: false }]);
  });
  for (const result of await Promise.allSettled(calls))
    if (result.status === "rejected")
      deps.log({ level: "warn", event: "start_not_replaced", execution: id, message: String(result.reason) });
}

async function release(deps: StartPlaceDeps, state: ExecutionState): Promise<StartPlaceResult> {
  const next = await releaseSlots(deps, state, state.startPlace?.limits ?? [], { wasSent: true });
  await wakeNext(deps, state.tenant, next);
  return { answer: { kind: "released" }, places: [] };
}

/**
 * Returns the executions that should ask now. `wasSent`: the execution used its slots until its end, so that the limit
 * learns how long executions take.
 */
async function releaseSlots(
  deps: StartPlaceDeps,
  { id, tenant }: ExecutionState,
  limits: readonly TicketLimit[],
  { wasSent }: { readonly wasSent: boolean },
): Promise<readonly string[]> {
  const next = await Promise.all(
    limits.map(async ({ name, key }) => {
      const shard = await startShardOf(tenant, name, key);
      const woken = await deps.keyLimits(shard.object).releaseLimit({ key: shard.key, id, wasSent });
      return (woken ?? []).map((each) => each.id);
    }),
  );
  return [...new Set(next.flat())];
}

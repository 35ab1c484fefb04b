// Computation slices: runs a long computation of a request in slices, so that the isolate serves other requests between
// them. It limits the cost of one computation and the number of concurrent computations. Costs are counted in cost
// units, because a Worker's clock does not advance while it computes.
import type { Computation } from "#kernel/computing/computation.ts";
import {
  countSlice,
  isNextComputation,
  openComputationSlots,
  takeComputationSlot,
  type SlotsFull,
} from "#policy/computing/computation-slots.ts";
import {
  COMPUTATION_RETRY_S,
  COMPUTATION_SLICE_UNITS,
  COMPUTATION_UNITS_MAX,
} from "#schema/limits/isolates/computations.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";

export type ComputingDeps = Pick<Deps, "yieldToOthers" | "computations" | "now" | "computing">;

export const openComputations = openComputationSlots;

/**
 * A computation in several stages, between which its request may do other work. The caller must call `end` after the
 * last stage, because that releases the slot.
 */
export type Computing = { readonly run: <T>(stage: Computation<T>) => Promise<Result<T>>; readonly end: () => void };

/**
 * Runs a computation to its end. Refuses it if it costs too much, or if this isolate has no free slot. Only a
 * computation that needs more than one slice occupies a slot. If `tenant` is null, it never occupies one, because the
 * size of its input already limits its cost.
 */
export async function compute<T>(
  deps: ComputingDeps,
  tenant: string | null,
  computation: Computation<T>,
): Promise<Result<T>> {
  if (deps.computing !== undefined) return deps.computing.run(computation);
  const computing = openComputing(deps, tenant);
  try {
    return await computing.run(computation);
  } finally {
    computing.end();
  }
}

export function openComputing({ yieldToOthers, computations, now }: ComputingDeps, tenant: string | null): Computing {
  const key = {};
  let [total, slice, isNew] = [0, 0, true];
  const othersFirst = async (): Promise<void> => {
    for (;;) {
      const waitedSince = computations.slices;
      await yieldToOthers();
      if (isNextComputation(computations, key, { tenant, waitedSince, now: now() })) break;
    }
    countSlice(computations, key);
  };
  return {
    run: async (stage) => {
      for (;;) {
        const part = stage.next();
        if (part.done === true) return accept(part.value);
        total += part.value;
        slice += part.value;
        if (total > COMPUTATION_UNITS_MAX) return refuse(tooCostly(total));
        if (slice < COMPUTATION_SLICE_UNITS) continue;
        const full = isNew && tenant !== null ? takeComputationSlot(computations, key, tenant, now()) : null;
        if (full !== null) return refuse(tooMany(full));
        [slice, isNew] = [0, false];
        await othersFirst();
      }
    },
    end: () => void computations.held.delete(key),
  };
}

function tooCostly(total: number): Refusal {
  const used = Math.round(total);
  return {
    code: "limit_exceeded",
    message: `The engine stopped this computation after ${used} cost units; the limit is ${COMPUTATION_UNITS_MAX} (COMPUTATION_UNITS_MAX).`,
    hint: "Request fewer subjects or tests, or a shorter range (until). For very many executions, start an operation.",
    details: { limit: "COMPUTATION_UNITS_MAX", max: COMPUTATION_UNITS_MAX, used },
  };
}

function tooMany({ limit, max, used }: SlotsFull): Refusal {
  return {
    code: "computations_full",
    message: `The number of long computations that already run in this isolate is ${used}; the limit is ${max} (${limit}).`,
    hint: "Send the request again after one of these computations has ended.",
    details: { limit, max, used, retryAfterS: COMPUTATION_RETRY_S },
    retryAfterS: COMPUTATION_RETRY_S,
  };
}

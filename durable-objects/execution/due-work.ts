// What is due when the alarm goes off: a tick for each execution whose time has come, slice by slice.
import { DUE_SLICE_EXECUTIONS } from "#schema/limits/objects.ts";
import type { Result } from "#schema/refusal.ts";
import type { Heads } from "./heads/heads.ts";
import { Unstored } from "./heads/one-by-one.ts";
import type { Ports } from "./ports.ts";
import type { Item, Taken } from "./take.ts";

type Parts = {
  readonly ports: Pick<Ports, "now" | "log">;
  readonly heads: Heads;
  readonly enter: (items: readonly Item[]) => readonly Promise<Result<Taken>>[];
};

export async function workOffDue(parts: Parts): Promise<void> {
  await tickDue(parts);
  while (parts.heads.takeIn(parts.ports.now())) await tickDue(parts);
}

async function tickDue({ ports, heads, enter }: Parts): Promise<void> {
  for (
    let now = ports.now(), due = heads.due(now, DUE_SLICE_EXECUTIONS);
    due.length > 0;
    now = ports.now(), due = heads.due(now, DUE_SLICE_EXECUTIONS)
  ) {
    const ticks = await Promise.allSettled(
      enter(due.map((execution) => ({ execution, command: { kind: "tick" }, direct: true }))),
    );
    // The clock may have moved since, either way: a wake that lies between is not one that its tick left undone.
    const ticked = Math.min(now, ports.now());
    for (const [at, execution] of due.entries()) {
      const tick = ticks[at];
      if (tick?.status !== "rejected") heads.rewake(execution, ticked);
      else {
        // It is looked at again later; the others of its cell go on.
        if (!(tick.reason instanceof Unstored) && heads.quarantine.put(execution, "broken", tick.reason)) continue;
        // Also where it stands apart: should the store not write either, it would be due for ever.
        heads.postpone(execution, now);
        if (heads.isApart(execution, now)) continue;
        ports.log({ level: "error", event: "tick_failed", execution, message: String(tick.reason) });
      }
    }
  }
}

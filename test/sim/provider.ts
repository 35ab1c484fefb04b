// The provider that actions call. It records every delivery, fails as the actions' configs and the seed say, and has
// one effect per idempotency key.
import type { JsonObject } from "#schema/json.ts";
import type { ActionError, Outcome, TouchedTask } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { chanceOf, type Chance } from "./kit/chance.ts";
import type { Faults } from "./faults.ts";
import type { Timeline } from "./kit/timeline.ts";
import type { Life } from "./kit/evictable.ts";

export type Delivery = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  readonly attempt: number;
  readonly key: string;
  readonly at: number;
  readonly ok: boolean;
};

export type Provider = {
  readonly provide: (ticket: Ticket) => Promise<Outcome>;
  readonly deliveries: readonly Delivery[];
};

/** How an action's config controls the provider, independent of faults. */
type Script = {
  readonly fails?: number;
  /** The share of failing attempts; which of them fail depends on key and count only. */
  readonly failsShare?: number;
  readonly doom?: boolean;
  readonly takesMs?: number;
  readonly emits?: string;
};

export function openProvider(
  timeline: Timeline,
  faults: Faults,
  chance: Chance,
  asked: (ticket: Ticket) => void,
  engine: {
    readonly make: (ticket: Ticket) => readonly TouchedTask[];
    readonly begin: (ticket: Ticket) => Promise<string>;
  },
): Provider {
  const deliveries: Delivery[] = [];
  const tries = new Map<string, number>();
  const world: Life = { alive: true };

  const answer = async (ticket: Ticket): Promise<Outcome> => {
    const startedAt = timeline.now();
    asked(ticket);
    const script = ticket.config as Script & JsonObject;
    const latencyMs = script.takesMs ?? chance.between(5, 300);
    await timeline.sleep(latencyMs, world);
    if (faults.strikes("providerSlow")) await timeline.sleep(faults.chance.between(500, 20_000), world);
    const fails = faults.strikes("providerFails");
    const tried = (tries.get(ticket.idempotencyKey) ?? 0) + 1;
    tries.set(ticket.idempotencyKey, tried);
    const isUnlucky = chanceOf(`${ticket.idempotencyKey}/${tried}`).yes(script.failsShare ?? 0);
    const isAble = !fails && !isUnlucky && script.doom !== true && tried > (script.fails ?? 0);
    const touched = isAble && ticket.type === "task" ? written(ticket) : null;
    const begun = isAble && ticket.type === "start_execution" ? await begin(ticket) : null;
    const ok = isAble && touched !== "not written" && begun !== "not begun";
    const { execution, run, action, attempt, idempotencyKey: key } = ticket;
    deliveries.push({ execution, run, action, attempt, key, at: timeline.now(), ok });
    timeline.note(`provider ${ok ? "does" : "refuses"} ${key} attempt ${attempt}`);
    if (ok && faults.strikes("providerTooLate")) {
      await timeline.sleep(Math.max(0, ticket.deadlineAt - timeline.now()) + faults.chance.between(1, 30_000), world);
    }
    const times = { startedAt, endedAt: timeline.now() };
    if (!ok) return fails ? trouble(times) : refusal(times);
    const events = script.emits === undefined ? [] : [{ type: script.emits, payload: { by: ticket.action } }];
    const tasks = touched === null ? {} : { tasks: [...touched] };
    const result = begun === null ? { did: ticket.action } : { execution: begun };
    return { ok: true, result, events, ...tasks, ...times };
  };

  const written = (ticket: Ticket): readonly TouchedTask[] | "not written" => {
    try {
      return engine.make(ticket);
    } catch {
      return "not written";
    }
  };

  const begin = (ticket: Ticket): Promise<string> => engine.begin(ticket).catch(() => "not begun");

  type Times = { readonly startedAt: number; readonly endedAt: number };
  const failure = (times: Times, error: ActionError, retryAfterMs?: number): Outcome => ({
    ok: false,
    error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...times,
  });
  const refusal = (times: Times): Outcome =>
    failure(times, { type: "service_unavailable", code: "503", message: "it is not to be had", retryable: true });
  const trouble = (times: Times): Outcome => {
    switch (faults.chance.between(0, 2)) {
      case 0:
        return refusal(times);
      case 1:
        return failure(
          times,
          { type: "rate_limit", code: "429", message: "too many", retryable: true },
          faults.chance.between(1, 60) * 1_000,
        );
      default:
        return failure(times, { type: "timeout", message: "no answer in time", retryable: true });
    }
  };

  return { provide: answer, deliveries };
}

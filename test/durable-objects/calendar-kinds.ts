// Objects that act on their own, with values in each of their rows: a recurring action, a trigger with a poller, and a
// directory with an event.
import { vi } from "vitest";
import { RecurringWork } from "#entrypoints/recurring-work.ts";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import type { Directory, PublishedEvent } from "#schema/directory/calls.ts";
import type { Arrival, MappingResult, TriggerPort, TriggerTerms } from "#schema/inbound/delivery.ts";
import type { Recurring, RecurringRequest, RecurringVerb } from "#schema/recurring/calls.ts";
import { until } from "#test/flows/engine.ts";
import { page, terms as pollTerms } from "#test/policy/polling/traces.ts";
import { specOf } from "#test/support/recurring-trace.ts";

const HUNDRED_YEARS_MS = 36_500 * 24 * 60 * 60_000;
export const FAR = Date.UTC(2400, 0, 1, 9);

export function askOf(tenant: string, verb: RecurringVerb, inputId: string): RecurringRequest {
  const audit = {
    tenant,
    id: `aud_${inputId}`,
    at: 1,
    actor: "key:k",
    verb: `recurring.${verb.verb}`,
    target: "rec_1",
  };
  const asked = { inputId, fingerprint: "f", reason: null, dryRun: false };
  return { ...asked, ...verb, audit: { ...audit, reason: null, details: null } };
}

/** Stores a recurring action with a distant next occurrence, a triggered occurrence, and a skipped one. */
export async function fillRecurring(recurring: Recurring, tenant: string): Promise<void> {
  const dispatch = vi.spyOn(RecurringWork.prototype, "dispatch").mockImplementation(async (_terms, items) => {
    return items.map(({ id }) => ({ id, kind: "taken", execution: "exe_1" }) as const);
  });
  const spec = specOf({ rule: { cron: "0 0 9 1 1 * 2400" }, labels: { team: "web" } });
  const opened = { tenant, id: "rec_1", fingerprint: "f", spec, createdAt: Date.now(), enabled: true };
  const answers = [await recurring.open(opened), await recurring.control(askOf(tenant, { verb: "trigger" }, "t1"))];
  dispatch.mockRestore();
  for (const answer of answers) if (!answer.ok) throw new Error(JSON.stringify(answer));
}

export const triggerTerms = (tenant: string): TriggerTerms => ({
  tenant,
  trigger: "trg_1",
  kind: "poller",
  perMinute: 600,
  burst: 100,
});

const start = { kind: "start", key: "k", execution: "exe_1", definition: "d", variables: {} } as const;

export function arrivalOf(id: string, mapped: MappingResult): Arrival {
  const at = { receivedAt: "2026-11-19T06:00:00.000Z", deliveryId: id };
  const request = { method: "POST", query: {}, headers: { "x-a": "b" }, body: { n: 1 }, ...at };
  return { identity: `=${id}`, request, mapped, sequence: { by: "orders", value: 7 } };
}

export const pending: MappingResult = {
  kind: "effect",
  effect: { ...start, namespace: "default", correlationId: null },
};

/** Stores a pending delivery, one that waits for an operator, and two items that are read and not delivered. */
export async function fillTrigger(trigger: TriggerPort, tenant: string): Promise<void> {
  const later = { kind: "later", reason: { code: "unavailable", message: "away" } } as const;
  const spies = [
    vi.spyOn(TriggerWork.prototype, "deliver").mockImplementation(async (_of, effects) => effects.map(() => later)),
    vi.spyOn(TriggerWork.prototype, "mapItems").mockResolvedValue(null),
    vi.spyOn(TriggerWork.prototype, "sendAlerts").mockResolvedValue(),
  ];
  const reads = { kind: "page", page: page(["a", "b"], "next", "etag") } as const;
  const rests = { kind: "off", reason: { code: "quiet", message: "it is to rest" } } as const;
  // The mock never answers, so the request for the next page stays in progress.
  vi.spyOn(TriggerWork.prototype, "poll")
    .mockResolvedValue({ terms: null, answer: rests })
    .mockImplementationOnce(async () => ({ terms: polled, answer: reads }));
  const polled = pollTerms({ everyMs: HUNDRED_YEARS_MS });
  const reason = { code: "template_failed", message: "no" };
  const taken = await trigger.receiveDeliveries(triggerTerms(tenant), [
    arrivalOf("d1", pending),
    arrivalOf("d2", { kind: "unmappable", reason }),
  ]);
  if (!taken.ok) throw new Error(JSON.stringify(taken));
  const { trigger: id, kind } = triggerTerms(tenant);
  await trigger.updatePoller({ tenant, trigger: id, kind, poll: polled });
  await until("it has read a page and cannot map it", async () => {
    const { poller } = await trigger.view();
    return poller?.backlog === 2 && typeof poller.troubleSince === "number" ? true : null;
  });
  for (const spy of spies) spy.mockRestore();
}

export const posted: PublishedEvent = {
  id: "evt_1",
  type: "paid",
  key: "o-17",
  payload: { n: 1 },
  source: "api",
  correlationId: null,
  actor: { kind: "key", id: "key_1" },
  keepMs: HUNDRED_YEARS_MS,
  fingerprint: "f",
};

/** Stores a registered execution, a removed registration, and an event that waits for a registration. */
export async function fillDirectory(directory: Directory): Promise<void> {
  await directory.registerKeys([
    { execution: "exe_1", incarnation: 1, key: "o-1", since: 3 },
    { execution: "exe_2", incarnation: 1, key: null, since: 4 },
  ]);
  const [answer] = await directory.post([posted], false);
  if (!answer?.ok) throw new Error(JSON.stringify(answer));
}

// How long a repeat is recognized: the latest receipts are whole, the others are digests for a day, and none is dropped
// silently.
import { describe, expect, test } from "vitest";
import {
  hasAccepted,
  keepReceipt,
  olderReceiptsOf,
  receiptOf,
  refuseForgetting,
  repeatOf,
} from "#kernel/execution/receipts/receipts.ts";
import {
  OLDER_RECEIPTS_MAX,
  RECEIPTS_MAX,
  RECEIPT_GROUP_MS,
  RECEIPT_KEPT_MS,
  STATE_BYTES_MAX,
} from "#schema/limits/executions.ts";
import type { Command } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { ask, drive, hour, minute, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const counts = { states: { a: { on: { x: { assign: { n: { "+": [{ var: "execution.variables.n" }, 1] } } } } } } };
const counter = () => drive({ ...counts, variables: { n: 0 } }).start();
const keyed = (name: string) => ask.event("x", null, name);
const unkeyed = () => ({ ...ask.event("x"), unkeyed: true }) as Command; // a spread of a union

type Kept = Parameters<typeof keepReceipt>[0];
const asked = (inputId: string, fingerprint = "f") => ({ inputId, fingerprint, kind: "event" as const });
const take = (kept: Kept, name: string, now = T0, made = false): Kept => {
  const receipt = receiptOf({ ...asked(name), ...(made ? { unkeyed: true } : {}) }, 1);
  return { ...kept, ...keepReceipt(kept, receipt, now) };
};
/** The number of receipts kept whole and as digests. */
const ALL = RECEIPTS_MAX + OLDER_RECEIPTS_MAX;
const full = (): Kept => {
  // The digests are built directly, because ten thousand inputs would take a second in each runtime.
  let kept: Kept = { receipts: [], olderReceipts: [] };
  for (let n = 0; n <= RECEIPTS_MAX; n++) kept = take(kept, `e-${n}`);
  const [older] = kept.olderReceipts ?? [];
  const digests = "-".repeat((OLDER_RECEIPTS_MAX - 1) * (older?.digests.length ?? 0)) + (older?.digests ?? "");
  return { ...kept, olderReceipts: [{ until: older?.until ?? 0, digests }] };
};

describe("a repeat", () => {
  test("of a request with a key is known for a day, however many came after it", () => {
    const t = counter();
    for (let n = 0; n < RECEIPTS_MAX + 50; n++) t.clock(n * minute).take(keyed(`e-${n}`));
    const { n } = t.state.variables;
    for (let again = 0; again < RECEIPTS_MAX + 50; again++) t.take(keyed(`e-${again}`));
    expect([t.state.variables.n, n]).toEqual([RECEIPTS_MAX + 50, RECEIPTS_MAX + 50]);
    t.clock(RECEIPT_KEPT_MS - 1).take(keyed("e-0"));
    expect([t.repeated, t.state.variables.n]).toEqual([true, n]);
  });

  test("with another body is refused as long", () => {
    const t = counter();
    for (let n = 0; n < RECEIPTS_MAX + 50; n++) t.take(keyed(`e-${n}`));
    t.clock(RECEIPT_KEPT_MS - 1);
    const other = { ...keyed("e-0"), fingerprint: "g" } as Command; // a spread of a union
    expect(t.refused(other)).toMatchObject({ code: "idempotency_conflict", message: naming("e-0") });
  });

  test("after a day is new, where more have come since than are kept whole", () => {
    const t = counter();
    for (let n = 0; n < RECEIPTS_MAX + 50; n++) t.take(keyed(`e-${n}`));
    t.clock(RECEIPT_KEPT_MS + RECEIPT_GROUP_MS).take(keyed("later"));
    expect(t.state.olderReceipts?.map(({ until }) => until - T0)).toEqual([2 * RECEIPT_KEPT_MS + RECEIPT_GROUP_MS]);
    const { n } = t.state.variables;
    t.take(keyed("e-0"));
    expect(t.state.variables.n).toBe(Number(n) + 1);
  });

  test("of one that was kept whole is known without end", () => {
    const t = counter().take(keyed("e-0"));
    t.clock(400 * 24 * hour).take(keyed("e-0"));
    expect(t.repeated).toBe(true);
  });

  test("of the start is known whatever came after it", () => {
    const t = counter();
    for (let n = 0; n < RECEIPTS_MAX + 50; n++) t.take(keyed(`e-${n}`));
    expect([t.start().repeated, t.state.receipts[0]?.inputId]).toEqual([true, "start-1"]);
  });

  test("is asked after by its id alone, too", () => {
    let kept: Kept = { receipts: [] };
    for (let n = 0; n <= RECEIPTS_MAX; n++) kept = take(kept, `e-${n}`);
    expect(["e-0", "e-1", "e-2", "e-999"].map((name) => hasAccepted(kept, name, "event"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("counts once over days of any kind of traffic", () => {
    // A model of the promise: the requests of the last day.
    const t = counter();
    const promised = new Map<string, number>();
    let n = 0;
    let chance = 7;
    for (let round = 0; round < 1_500; round++) {
      chance = (chance * 16_807) % 2_147_483_647;
      const at = round * 3 * minute;
      t.clock(at);
      const name = `k-${chance % 900}`;
      const isPromised = at - (promised.get(name) ?? -Infinity) < RECEIPT_KEPT_MS;
      if (round % 3 === 0) {
        t.take(unkeyed());
        n += 1;
        continue;
      }
      t.take(keyed(name));
      if (isPromised) expect([name, t.repeated]).toEqual([name, true]);
      if (!t.repeated) promised.set(name, at);
      n += t.repeated ? 0 : 1;
    }
    expect(t.state.variables.n).toBe(n);
    expect(olderReceiptsOf(t.state)).toBeLessThan(1_000);
  });
});

describe("inputs that cannot be repeated", () => {
  test("leaves no digest", () => {
    const t = counter();
    for (let n = 0; n < RECEIPTS_MAX + 50; n++) t.take(unkeyed());
    expect([t.state.receipts.length, t.state.olderReceipts]).toEqual([RECEIPTS_MAX, undefined]);
  });

  test("makes room for what has a key, once digests have none", () => {
    const made = take({ ...full(), receipts: full().receipts.slice(1) }, "made", T0, true);
    expect(made.receipts.length).toBe(RECEIPTS_MAX);
    expect(refuseForgetting(made, asked("new"), T0)).toBeNull();
    const next = take(made, "new");
    expect([
      hasAccepted(next, "made", "event"),
      hasAccepted(next, "new", "event"),
      hasAccepted(next, "e-1", "event"),
    ]).toEqual([false, true, true]);
    expect([hasAccepted(next, "e-2", "event"), olderReceiptsOf(next)]).toEqual([true, OLDER_RECEIPTS_MAX]);
  });

  test("is taken where nothing else is any more, and pushes nothing out", () => {
    const kept = full();
    expect(refuseForgetting(kept, { ...asked("made"), unkeyed: true }, T0)).toBeNull();
    expect(take(kept, "made", T0, true)).toEqual(kept);
  });
});

describe("more requests with keys within a day than receipts are kept", () => {
  const stateOf = (kept: Kept): ExecutionState => ({ ...counter().state, ...kept });

  test("are refused, with when there is room again, instead of one being counted twice", () => {
    const refused = refuseForgetting(stateOf(full()), asked("new"), T0);
    expect(refused?.refusal).toMatchObject({ code: "receipts_full" });
    expect(refused?.refusal.message).toContain(`${ALL} requests`);
    expect(refused?.refusal.message).toContain(new Date(T0 + RECEIPT_KEPT_MS).toISOString());
  });

  test("still has repeats known as such", () => {
    expect(repeatOf(full(), asked("e-0"))).toEqual({ ok: true, seq: 1 });
    expect(repeatOf(full(), asked("e-1"))).toEqual({ ok: true, seq: null });
    expect(repeatOf(full(), asked("e-200"))).toEqual({ ok: true, seq: 1 });
  });

  test("are taken again once the oldest have been kept a day", () => {
    const later = T0 + RECEIPT_KEPT_MS + RECEIPT_GROUP_MS;
    expect(refuseForgetting(full(), asked("new"), later)).toBeNull();
    expect(olderReceiptsOf(take(full(), "new", later))).toBe(1);
  });

  test("nothing is refused while there is room, by number or by kind", () => {
    expect(refuseForgetting({ receipts: [] }, asked("new"), T0)).toBeNull();
    expect(refuseForgetting({ ...full(), olderReceipts: [] }, asked("new"), T0)).toBeNull();
    const some = { ...full(), olderReceipts: [{ until: T0 + hour, digests: "-".repeat(12) }] };
    expect(refuseForgetting(some, asked("new"), T0)).toBeNull();
  });

  test("nor is a cancellation", () => {
    const kept = take(full(), "cancel-1");
    expect([hasAccepted(kept, "cancel-1", "event"), hasAccepted(kept, "e-1", "event")]).toEqual([true, true]);
    expect(olderReceiptsOf(kept)).toBe(OLDER_RECEIPTS_MAX + 1);
  });
});

test("digests stay small beside a state's limit", () => {
  const bytes = JSON.stringify(full()).length;
  expect(bytes).toBeLessThan(STATE_BYTES_MAX / 10);
});

test("an hour's digests go together, each after a day at least; a clock set back starts no hour of its own", () => {
  let kept: Kept = { receipts: Array.from({ length: RECEIPTS_MAX }, (_, n) => receiptOf(asked(`s-${n}`), 1)) };
  kept = take(kept, "a", T0 + minute);
  kept = take(kept, "b", T0 + 2 * minute);
  kept = take(kept, "c", T0 - 5 * hour);
  kept = take(kept, "d", T0 + hour + minute);
  expect(kept.olderReceipts?.map(({ until, digests }) => [until - T0, digests.length])).toEqual([
    [25 * hour, 36],
    [26 * hour, 12],
  ]);
});

describe("a start, a verb and an event may have the same key", () => {
  const key = "o-17";
  const patch = (inputId: string, fingerprint = "p") =>
    ({ ...ask.patch({ seen: true }), inputId, fingerprint }) as Command; // a spread of a union
  test("and each is done, and each is known again", () => {
    const t = counter().take(keyed(key)).take(patch(key));
    expect([t.repeated, t.state.variables]).toEqual([false, { n: 1, seen: true }]);
    expect([t.take(keyed(key)).repeated, t.take(patch(key)).repeated]).toEqual([true, true]);
    expect(t.refused(patch(key, "other")).code).toBe("idempotency_conflict");
    t.take(keyed("start-1")).take(patch("start-1"));
    expect([t.repeated, t.state.variables.n, t.start().repeated]).toEqual([false, 2, true]);
  });

  test("which goes for as long as they are known", () => {
    const t = counter().take(keyed(key));
    for (let n = 0; n < RECEIPTS_MAX + 50; n++) t.take(keyed(`e-${n}`));
    expect([t.take(patch(key)).repeated, t.take(keyed(key)).repeated]).toEqual([false, true]);
    expect(t.state.variables).toEqual({ n: RECEIPTS_MAX + 51, seen: true });
  });

  test("two verbs may not: the second is refused because the first used it", () => {
    const t = counter().take(patch(key));
    const pause = { ...ask.pause(), inputId: key, fingerprint: "pause" } as Command; // a spread of a union
    expect(t.refused(pause).code).toBe("idempotency_conflict");
  });

  test("what cannot come back has no kind: it would be bytes for nothing", () => {
    const { receipts } = counter().take(unkeyed()).take(keyed(key)).state;
    expect(receipts.map(({ kind }) => kind)).toEqual(["start", undefined, "event"]);
  });
});

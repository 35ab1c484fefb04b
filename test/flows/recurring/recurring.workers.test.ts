// Recurring actions through the real Worker: real alarms, the stateless entrypoint, and what stays when something is lost.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { RecurringWork } from "#entrypoints/recurring-work.ts";
import { openStore } from "#objects/host/store.ts";
import { recurringStorage } from "#objects/recurring/storage.ts";
import {
  RECURRING_GUARD_MS,
  RECURRING_HISTORY_MS,
  RECURRING_HISTORY_ROWS_MAX,
} from "#schema/limits/recurring-actions.ts";
import type { OccurrenceRow } from "#schema/recurring/state.ts";
import { Trace, specOf } from "#test/support/recurring-trace.ts";
import { bindings, chain, engine, PROVIDER, provider, until } from "../engine.ts";

// Seconds of the real clock, on a machine that may be busy with something else.
afterEach(() => vi.unstubAllGlobals());

const PATH = "/v1/recurring";

/** A tenant whose recurring actions may come every second, and one of them. */
async function every(cron: string, over: object = {}) {
  const here = await engine(chain("one", ["notify"], { placement: "pooled" }));
  const root = { Authorization: `Bearer ${bindings.ROOT_KEY}` };
  const limits = { recurringPerMinute: 60 };
  await here.must(200, "PATCH", `/v1/tenants/${here.tenant}`, { body: { limits }, headers: root });
  const action = { provider: "webhook", action_type: "ping", payload: { url: PROVIDER } };
  const body = { cron_expr: cron, ...("definition" in over ? {} : action), ...over };
  const { recurring_id: id } = await here.must(201, "POST", PATH, { body });
  onTestFinished(async () => void (await here.ask("DELETE", `${PATH}/${id}`)));
  const stub = bindings.RECURRING.getByName(`${here.tenant}/${id}`);
  const history = async () => (await here.must(200, "GET", `${PATH}/${id}/history`)).history;
  return { ...here, id, stub, history };
}

/** The next occurrence has come: its object wakes with that in its rows. */
async function makeDue(stub: Awaited<ReturnType<typeof every>>["stub"]): Promise<void> {
  await runInDurableObject(stub, async (_object, { storage }) => {
    const kept = recurringStorage(openStore(storage));
    const state = kept.read();
    const nominal = Math.floor(Date.now() / 1_000) * 1_000;
    if (state !== null) kept.write({ ...state, next: { nominal, fireAt: nominal } }, []);
  });
  await evict(stub);
}

test("every second: each goes once, as an action like any other, and the lists hear of it", async () => {
  const { calls } = provider();
  const { id, must, history } = await every("* * * * * *");
  await until("three have gone", async () => ((await history()).length >= 3 ? true : null));
  await must(200, "POST", `${PATH}/${id}/pause`);
  const rows = (await history()).filter(({ outcome }: { outcome: string }) => outcome === "dispatched");
  expect(new Set(rows.map((row: { scheduled_for: string }) => row.scheduled_for)).size).toBe(rows.length);
  expect(new Set(rows.map((row: { action_id: string }) => row.action_id)).size).toBe(rows.length);
  await until("all were carried out", async () => (calls.length >= rows.length ? true : null));
  const listed = await must(200, "GET", PATH);
  expect(listed.recurring_actions[0]).toMatchObject({ id, enabled: false, execution_count: rows.length });
  const { data } = await until("the actions are listed", async () => {
    const found = await must(200, "GET", `/v1/actions?correlationId=${id}`);
    return found.data.length >= rows.length ? found : null;
  });
  expect(data[0]).toMatchObject({ actionId: "ping" });
});

test("a definition: each occurrence starts an execution of it, with its time", async () => {
  provider();
  const over = { definition: "one", variables: { at: "{{execution_time}}" } };
  const { stub, history, read } = await every("0 0 1 1 *", over);
  await makeDue(stub);
  await runDurableObjectAlarm(stub);
  const [row] = await history();
  expect((await read(row.action_id)).variables).toEqual({ at: row.scheduled_for });
});

test("evicted between commit and dispatch: the alarm that stands sends it, once", async () => {
  provider();
  const { id, tenant, stub, history } = await every("0 0 1 1 *");
  await makeDue(stub);
  const lost = vi.spyOn(RecurringWork.prototype, "dispatch").mockImplementation(() => new Promise(() => {}));
  void runDurableObjectAlarm(stub).catch(() => {});
  await until("it is on its way", async () => (lost.mock.calls.length > 0 ? true : null));
  await runInDurableObject(stub, (_object, state) => state.abort("killed")).catch(() => {});
  lost.mockRestore();
  expect(await history()).toEqual([]);
  // The stub went down with it.
  const woken = bindings.RECURRING.getByName(`${tenant}/${id}`);
  const armed = await runInDurableObject(woken, (_object, { storage }) => storage.getAlarm());
  expect(armed).toBeLessThanOrEqual(Date.now() + RECURRING_GUARD_MS);
  await until("it is sent", async () => {
    await runDurableObjectAlarm(woken);
    return (await history()).length > 0 ? true : null;
  });
  expect(await history()).toMatchObject([{ outcome: "dispatched" }]);
});

test("an answer that is lost after the effect: the same action is found again", async () => {
  const { calls } = provider();
  const { id, stub, history, must } = await every("0 0 1 1 *");
  await makeDue(stub);
  const real = RecurringWork.prototype.dispatch;
  const spy = vi.spyOn(RecurringWork.prototype, "dispatch").mockImplementationOnce(async function (
    this: RecurringWork,
    ...given
  ) {
    await real.apply(this, given);
    throw new Error("the answer was lost");
  });
  onTestFinished(() => spy.mockRestore());
  await runDurableObjectAlarm(stub);
  expect((await must(200, "GET", `${PATH}/${id}`)).health).toMatchObject({ status: "failing" });
  await until("it has been taken", async () => ((await history()).length > 0 ? true : null));
  expect(await history()).toHaveLength(1);
  await until("it was carried out", async () => (calls.length > 0 ? true : null));
  expect(calls).toHaveLength(1);
});

test("deleted, nothing of it stays in its object", async () => {
  const { id, stub, must, ask } = await every("0 0 1 1 *");
  expect((await ask("DELETE", `${PATH}/${id}`)).status).toBe(204);
  await runInDurableObject(stub, async (_object, { storage }) => {
    expect(await storage.getAlarm()).toBeNull();
    expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'rows'").toArray()).toEqual([]);
  });
  await must(404, "GET", `${PATH}/${id}`);
});

test("the history lets go of what is old, and of what is too much, a few at each commit", async () => {
  const stub = bindings.RECURRING.getByName(`flow-${crypto.randomUUID()}/rec_1`);
  await runInDurableObject(stub, (_object, { storage }) => {
    const kept = recurringStorage(openStore(storage));
    const { state } = new Trace("2026-11-16T08:00:00Z", specOf());
    const now = Date.UTC(2026, 10, 16);
    const row = (at: number): OccurrenceRow => ({
      id: String(at),
      at,
      kind: "schedule",
      nominal: at,
      until: null,
      count: 1,
      isCapped: false,
      outcome: "dispatched",
      reason: null,
      recordedAt: now,
      dispatchedAt: at,
      execution: "exe_1",
      error: null,
    });
    const old = Array.from({ length: 30 }, (_, n) => row(now - RECURRING_HISTORY_MS - 30_000 + n));
    kept.write(state, old);
    expect(kept.list(100, null)).toHaveLength(10);
    kept.write(state, [row(now)]);
    expect(kept.list(100, null)).toHaveLength(1);
    const many = Array.from({ length: RECURRING_HISTORY_ROWS_MAX + 5 }, (_, n) => row(now - 1_000_000 + n));
    kept.write(state, many);
    expect(storage.sql.exec("SELECT count(*) AS n FROM occurrences").one()["n"]).toBe(RECURRING_HISTORY_ROWS_MAX);
    expect(kept.read()).toEqual(state);
    const [first, second] = [kept.list(1, null)[0], kept.list(2, null)[1]];
    expect(kept.list(1, [first?.at ?? 0, first?.id ?? ""])).toEqual([second]);
  });
});

// Alerts are sent once, however often and by however many consumers their rows are projected, and delay no projection.
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openDb } from "#catalog/db.ts";
import { alertChannelRows } from "#catalog/alert-channels.ts";
import { insertNamed } from "#catalog/named.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { alertChannel, type AlertChannel } from "#schema/alert.ts";
import type { ProjectionMessage, RunRow } from "#schema/engine/projection.ts";
import { ALERT_REF } from "#schema/definition/standalone.ts";
import { MemoryCells } from "#test/support/cells.ts";
import { auditRow, brokenBinding, newTenant, NOW, projection, runRow, world } from "#test/support/catalog.ts";

const MINUTE = 60_000;
/** A consumer of its own: nothing is remembered that another one has done. */
const consumer = async () => {
  vi.resetModules();
  return import("#services/alerts/raise-alerts.ts");
};

let raising: Awaited<ReturnType<typeof consumer>>;
beforeEach(async () => {
  raising = await consumer();
});

type Asked = Partial<Omit<AlertChannel, "channel">> & { readonly enabled?: boolean };

function here() {
  const made = world({ actionTypes, configFindings });
  const cells = new MemoryCells(made.now);
  const deps = { ...made, cell: (name: string) => cells.cell(name) };
  const tenant = newTenant();
  let count = 0;
  const hears = async (over: Asked = {}, of = tenant): Promise<string> => {
    const id = `alc_${of}_${++count}`;
    const channel = { kind: "webhook", config: { url: "https://ops.example.com" } };
    const { name, enabled, ...settings } = alertChannel.parse({ name: `c${count}`, channel, ...over });
    const at = { createdAt: NOW, updatedAt: NOW, deletedAt: null };
    await insertNamed(
      deps.db,
      alertChannelRows,
      "alertChannels",
      { tenant: of, id, name, enabled, ...at, settings },
      auditRow({ tenant: of, id }),
    );
    return id;
  };
  const dead = (over: Partial<RunRow> = {}): RunRow =>
    runRow({ tenant, status: "failed", deadLetter: true, priority: 95, error: "no", errorType: "timeout", ...over });
  const raise = async (...rows: readonly RunRow[]) => {
    const messages: ProjectionMessage[] = [projection({ runs: [...rows] })];
    return raising.raiseAlerts(deps, raising.failuresIn(messages, deps.now()));
  };
  return { deps, tenant, cells, hears, dead, raise, lines: made.lines };
}

const starts = (cells: MemoryCells) => cells.calls.filter(({ method }) => method === "start");
const alerts = (cells: MemoryCells) => cells.states().filter(({ definition }) => definition.id === ALERT_REF.id);

describe("duplicates", () => {
  test("the same rows send nothing again, and do not call the cell", async () => {
    const { cells, hears, dead, raise } = here();
    const id = await hears();
    expect(await raise(dead())).toEqual(new Set());
    expect(await raise(dead())).toEqual(new Set());
    expect(starts(cells)).toHaveLength(1);
    expect(alerts(cells)).toMatchObject([{ namespace: "alerts", correlationId: id, definition: ALERT_REF }]);
  });

  test("another consumer with the same rows gets the cell's stored answer", async () => {
    const { cells, hears, dead, raise } = here();
    await hears();
    await raise(dead());
    raising = await consumer();
    expect(await raise(dead())).toEqual(new Set());
    expect([starts(cells).length, alerts(cells).length]).toEqual([2, 1]);
  });

  test("two consumers with different failures of one kind send one alert", async () => {
    const { cells, hears, dead, raise, lines } = here();
    await hears();
    await raise(dead());
    raising = await consumer();
    expect(await raise(dead({ execution: "exe_2" }))).toEqual(new Set());
    expect([starts(cells).length, alerts(cells).length]).toEqual([2, 1]);
    expect(lines.filter(({ event }) => event !== "alert")).toEqual([]);
  });

  test("the newer of two versions of a row counts", async () => {
    const { cells, hears, dead, raise } = here();
    await hears();
    await raise(dead(), dead({ seq: 2, deadLetter: false, status: "scheduled" }));
    expect(alerts(cells)).toEqual([]);
  });
});

describe("channels", () => {
  test("a channel gets alerts of its severities, namespaces and definitions", async () => {
    const { cells, hears, dead, raise } = here();
    const critical = await hears({ severities: ["critical"] });
    const warning = await hears({ severities: ["warning"] });
    await hears({ definitions: ["other"] });
    await hears({ namespaces: ["other"] });
    await hears({ enabled: false });
    await raise(dead());
    expect(alerts(cells).map(({ correlationId }) => correlationId)).toEqual([critical]);
    await raise(dead({ priority: 1 }));
    expect(alerts(cells).map(({ correlationId }) => correlationId)).toEqual([critical, warning]);
  });

  test("a channel gets no alerts of another tenant", async () => {
    const { cells, hears, dead, raise } = here();
    await hears({}, newTenant());
    await raise(dead());
    expect(cells.calls).toEqual([]);
  });

  test("a failure without channels is logged once", async () => {
    const { cells, dead, raise, lines, tenant } = here();
    await raise(dead());
    await raise(dead());
    expect(cells.calls).toEqual([]);
    const said = { event: "alert", severity: "critical", code: "action_failed", tenant, errorType: "timeout" };
    expect(lines).toMatchObject([{ level: "error", ...said }]);
    await raise(dead({ priority: 1, id: "2.0" }));
    expect(lines[1]).toMatchObject({ level: "warn", event: "alert", severity: "warning" });
  });
});

describe("throttle", () => {
  test("failures of one kind within the throttle are one alert; the next window has its own", async () => {
    const { cells, hears, dead, raise, deps } = here();
    await hears({ throttle: "PT5M" });
    await raise(dead(), dead({ execution: "exe_2", finishedAt: NOW + 4 * MINUTE }));
    expect(alerts(cells)).toMatchObject([{ variables: { alert: { count: 2 } } }]);
    deps.clock.now = NOW + 6 * MINUTE;
    await raise(dead({ execution: "exe_3", finishedAt: NOW + 5 * MINUTE }));
    expect(alerts(cells)).toHaveLength(2);
  });

  test("with the throttle 0 every failure is alerted", async () => {
    const { cells, hears, dead, raise } = here();
    await hears({ throttle: 0 });
    await raise(dead(), dead({ execution: "exe_2" }), dead({ id: "9.0" }));
    expect(alerts(cells)).toHaveLength(3);
  });

  test("more alerts than one call may start are sent in several calls", async () => {
    const { cells, hears, dead, raise } = here();
    await hears({ throttle: 0 });
    await raise(...Array.from({ length: 130 }, (_, n) => dead({ execution: `exe_${n}` })));
    expect(alerts(cells)).toHaveLength(130);
  });
});

describe("faults", () => {
  test("a tenant whose cell cannot be reached is returned, and alerted at the next try", async () => {
    const { cells, hears, dead, raise, tenant } = here();
    await hears();
    const moved = Object.assign(new Error("moved"), { retryable: true });
    cells.failures = [moved, moved];
    expect(await raise(dead())).toEqual(new Set([tenant]));
    expect(await raise(dead())).toEqual(new Set());
    expect(alerts(cells)).toHaveLength(1);
  });

  test("a tenant whose catalog does not answer is returned, and the others are alerted", async () => {
    const { dead, deps, tenant, lines } = here();
    const failures = raising.failuresIn([projection({ runs: [dead()] })], NOW);
    expect(await raising.raiseAlerts({ ...deps, db: openDb(brokenBinding) }, failures)).toEqual(new Set([tenant]));
    expect(lines.at(-1)).toMatchObject({ event: "alerts_not_raised", tenant });
  });

  test("a channel with an invalid config is logged and delays nothing", async () => {
    const { cells, hears, dead, deps, tenant, lines } = here();
    await hears();
    await hears({ severities: ["critical"], throttle: 0 });
    const failures = raising.failuresIn([projection({ runs: [dead()] })], NOW);
    const without = { ...deps, configFindings: () => [{ pointer: "/url", code: "gone", message: "is gone" }] };
    expect(await raising.raiseAlerts(without, failures)).toEqual(new Set());
    expect(cells.calls).toEqual([]);
    expect(lines.filter(({ event }) => event === "alert_not_sent")).toMatchObject([
      { level: "error", tenant, refusal: { code: "action_invalid" } },
      { level: "error" },
    ]);
  });
});

// Reconciler cost: measures the engine's CPU time with many reconcilers that tick every second and change nothing. A
// tick without work costs nothing; any other tick fires an alarm.
import { randomBytes } from "node:crypto";
import { host } from "../../scripts/host.ts";
import { createDefinition, createKey, send } from "../calls.ts";
import { pause } from "../drive.ts";
import { readUsage } from "../meter.ts";
import { newStateDir } from "../state.ts";
import { formatColumns } from "../table.ts";
import { KINDS, restingReconciler, type Kind } from "./definitions.ts";

const TENANT = { id: "bench", name: "Bench" };
const LIMITS = { startsPerSecond: 1_000_000, inFlight: 1_000_000 };
const BATCH = 50;
/**
 * Wait before the measurement: lists must be updated, and the runtime must evict idle objects, which takes ten seconds.
 */
const SETTLE_MS = 15_000;

export type ReconcilersRow = {
  readonly kind: Kind | "none";
  readonly count: number;
  readonly seconds: number;
  readonly cpuMs: number;
  /** CPU time of one reconciler in one second, in microseconds. The engine's idle CPU time is subtracted. */
  readonly microsPerTick: number;
};

/** Measures each kind on its own host, so that one kind's leftovers do not add to another's cost. */
export async function measureReconcilers(count: number, seconds: number): Promise<readonly ReconcilersRow[]> {
  const quiet = await measureCpu(null, 0, seconds);
  const rows: ReconcilersRow[] = [{ kind: "none", count: 0, seconds, cpuMs: quiet, microsPerTick: 0 }];
  for (const kind of KINDS) {
    const cpuMs = await measureCpu(kind, count, seconds);
    rows.push({ kind, count, seconds, cpuMs, microsPerTick: (1_000 * (cpuMs - quiet)) / (count * seconds) });
  }
  return rows;
}

async function measureCpu(kind: Kind | null, count: number, seconds: number): Promise<number> {
  const rootKey = `esk_root_${randomBytes(32).toString("base64url")}`;
  const vars = { ROOT_KEY: rootKey, SIGNING_KEY: randomBytes(32).toString("base64url"), ALLOW_LOOPBACK: "true" };
  const { engineUrl, dispose } = await host({ stateDir: newStateDir(), vars, quiet: true });
  try {
    const key = await createKey(engineUrl, rootKey, TENANT);
    await send("PATCH", `${engineUrl}/v1/tenants/${TENANT.id}`, rootKey, { limits: LIMITS });
    if (kind !== null) await startAll(engineUrl, key, kind, count);
    await pause(SETTLE_MS);
    const before = readUsage();
    await pause(seconds * 1_000);
    const after = readUsage();
    if (before === null || after === null) throw new Error("CPU time is read from /proc, which is not here");
    return after.cpuMs - before.cpuMs;
  } finally {
    await dispose();
  }
}

/** Starts `count` reconcilers. They receive no observations, and none of their rules holds. */
async function startAll(engineUrl: string, key: string, kind: Kind, count: number): Promise<void> {
  const definition = await createDefinition(engineUrl, key, restingReconciler(kind));
  for (let left = count; left > 0; left -= BATCH) {
    const executions = Array.from({ length: Math.min(BATCH, left) }, (_, n) => ({
      definition,
      idempotencyKey: `${left}-${n}`,
    }));
    // The request is sent twice if it fails: Node's fetch detects an idle connection that the engine closed only by
    // using it.
    const start = () => send("POST", `${engineUrl}/v1/executions/batch`, key, { executions });
    await start().catch(start);
  }
}

const SECONDS_A_MONTH = 30 * 24 * 3_600;
/**
 * The platform's prices in dollars per million: a request (an alarm that fires) and a written row (an alarm that is
 * set).
 */
const DOLLARS = { alarmRung: 0.15, alarmSet: 1 } as const;

export function reconcilersBlock(rows: readonly ReconcilersRow[]): string {
  const lines = rows.map(({ kind, count, seconds, cpuMs, microsPerTick }) => [
    kind,
    `${count} for ${seconds} s`,
    cpuMs.toFixed(0),
    microsPerTick.toFixed(1),
    ((microsPerTick * SECONDS_A_MONTH) / 1e6).toFixed(0),
    dollarsAMonth(kind).toFixed(2),
  ]);
  const head = ["", "measured", "CPU ms", "µs a tick", "CPU s a month", "$ a month each"];
  return ["reconcilers that tick every second, while nothing changes", ...formatColumns([head, ...lines])].join("\n");
}

function dollarsAMonth(kind: ReconcilersRow["kind"]): number {
  return kind === "by the clock" ? (SECONDS_A_MONTH / 1e6) * (DOLLARS.alarmRung + DOLLARS.alarmSet) : 0;
}

// Several costly computations at once: some senders repeat the same request without a pause, while another tenant's small requests are timed.
import { asJson } from "./generic.ts";
import { legalOf } from "./legal.ts";
import { now, pause, type Probe } from "./probe.ts";
import { percentilesOf, type PerLane } from "./measure.ts";
import { send } from "./send-worst.ts";
import type { World } from "./world.ts";

export type MeasuredAtOnce = {
  readonly name: string;
  readonly senders: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly quiet: PerLane;
  readonly meanwhile: PerLane;
};

const QUIET_MS = 4_000;
const SEND_MS = 8_000;
/** A sender that is refused asks again after so long, not after Retry-After: the worst that a caller may do. */
const REFUSED_PAUSE_MS = 100;

const kinds = [
  { name: "preview", path: "/v1/definitions/preview", operation: "previewInlineDefinition", body: "400 subjects" },
  { name: "forecast", path: "/v1/definitions/forecast", operation: "forecastInlineDefinition", body: "100,000" },
  { name: "definition with tests", path: "/v1/definitions", operation: "createDefinition", body: "50 tests" },
] as const;

export async function measureAtOnce(world: World, probe: Probe, senders: number): Promise<readonly MeasuredAtOnce[]> {
  const measured: MeasuredAtOnce[] = [];
  for (const kind of kinds) {
    for (const count of [1, senders]) {
      const quiet = await during(probe, () => pause(QUIET_MS));
      const statuses = new Map<number, number>();
      const meanwhile = await during(probe, () => sendFrom(count, world, kind, statuses));
      measured.push({ name: kind.name, senders: count, statuses, quiet, meanwhile });
    }
  }
  return measured;
}

async function during(probe: Probe, run: () => Promise<unknown>): Promise<PerLane> {
  const from = now();
  await run();
  return percentilesOf(await probe.during({ from, to: now() }));
}

/** Definitions are stored under a new name each time: what is stored already is not tested again. */
let requests = 1_000;

async function sendFrom(count: number, world: World, kind: (typeof kinds)[number], statuses: Map<number, number>) {
  const endsAt = now() + SEND_MS;
  const worst = legalOf(kind.operation).find(({ name }) => name.startsWith(kind.body));
  if (worst === undefined) throw new Error(`no body of ${kind.operation} is named ${kind.body}`);
  const repeat = async (): Promise<void> => {
    while (now() < endsAt) {
      const typed = asJson({ name: worst.name, text: () => JSON.stringify(worst.body(requests++)) });
      const headers = { ...typed.headers, Authorization: `Bearer ${world.key}` };
      const { status } = await send({
        method: "POST",
        url: world.engineUrl + kind.path,
        headers,
        body: typed.body(),
        chunkBytes: 0,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) await pause(REFUSED_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: count }, repeat));
}

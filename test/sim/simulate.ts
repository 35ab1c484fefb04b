// One world from its start to rest: a scenario, a seed, faults until the calm phase, and the oracle's findings.
import type { Ports } from "#objects/execution/ports.ts";
import { HEADS_IN_MEMORY } from "#schema/limits/large-cells.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { taskProblems } from "./asking/asking.ts";
import { openCatalog } from "./catalog.ts";
import { childProblems } from "./children.ts";
import { chanceOf } from "./kit/chance.ts";
import { letClientsAct, TENANT, type Asked } from "./clients.ts";
import { catalogProblems, deliveryProblems, endingOf, inputProblems, purgeProblems } from "./ending/ending.ts";
import { familyProblems } from "./families/families.ts";
import { openRelatives } from "./families/relatives.ts";
import { openFaults } from "./faults.ts";
import { openHost, type Host } from "./host.ts";
import { keyedProblems } from "./keyed.ts";
import { openOracle, type Oracle } from "./oracle.ts";
import { letOnlookersLook } from "./readers.ts";
import { openProvider } from "./provider.ts";
import { listingProblems, poison } from "./poisoned.ts";
import { openQueue } from "./queue.ts";
import { receiverProblems } from "./ending/receivers.ts";
import { BEGIN, HOUR, MINUTE, SECOND, type Scenario } from "./scenario.ts";
import { scenarios } from "./all-scenarios.ts";
import { parentNotifier } from "./families/notify-parent.ts";
import { openOutboxes } from "./outbox.ts";
import { openTasks } from "./asking/tasks.ts";
import { openTimeline } from "./kit/timeline.ts";
import type { Life } from "./kit/evictable.ts";

export type Options = {
  readonly scenario: string;
  readonly seed: number;
  readonly linesKept?: number;
  readonly tamper?: (ports: Ports) => Ports;
};

export type Report = {
  readonly scenario: string;
  readonly seed: number;
  readonly findings: readonly string[];
  readonly trace: readonly string[];
  /** The hash of the whole trace: equal for equal worlds. */
  readonly hash: number;
  readonly events: number;
};

/** Few enough that some seeds use the resident index. */
const CROWDED_FROM = 2;
const HORIZON_MS = 60 * 24 * HOUR;
/** The interval of faults of objects, the clock and the process. */
const STRIKES_EVERY_MS = 15 * SECOND;
const SWEEP_MS = 5 * MINUTE;
/** A longer refusal would fail the execution. */
const REFUSED_MS_MAX = 50 * SECOND;
const UNREADABLE_MS_MAX = 30 * MINUTE;
/** Retention, retries, resends and repeats of a few executions stay far below. */
const SENDS_PER_RUN_MAX = 150;
const ALARMS_MAX = 3_000;
const PROJECTIONS_MAX = 1_500;

/** Simulates the seed's world with faults, and compares it with the same world without. */
export async function simulate({ scenario, seed, linesKept = 60, tamper }: Options): Promise<Report> {
  const make = scenarios[scenario];
  if (!make) throw new Error(`there is no scenario ${scenario}: ${Object.keys(scenarios).join(", ")}`);
  const made = make(chanceOf(`${seed}/${scenario}`));
  const calm = await live(made, seed, false, linesKept, (ports) => ports);
  const calmly = [...calm.findings, ...calmProblems(made, calm.oracle)];
  if (calmly.length > 0) return { scenario, seed, ...calm, findings: calmly.map((what) => `without faults: ${what}`) };
  const rough = await live(made, seed, true, linesKept, tamper ?? ((ports) => ports));
  const findings = [...rough.findings, ...endings(made, calm.oracle, rough.oracle)];
  return { scenario, seed, findings, trace: rough.trace, hash: rough.hash, events: rough.events };
}

type Lived = Omit<Report, "scenario" | "seed"> & { readonly oracle: Oracle };

async function live(
  scenario: Scenario,
  seed: number,
  withFaults: boolean,
  linesKept: number,
  tamper: (ports: Ports) => Ports,
): Promise<Lived> {
  const chance = chanceOf(`${seed}`);
  const timeline = openTimeline(BEGIN, linesKept);
  const faults = openFaults(chance.fork("faults"), timeline, withFaults);
  const oracle = openOracle(scenario, timeline.note);
  const hosts = new Map<string, Host>();
  const headsInMemory = chance.fork("crowding").yes(0.5) ? CROWDED_FROM : HEADS_IN_MEMORY;
  const provider = openProvider(timeline, faults, chance.fork("provider"), oracle.asked, {
    make: (ticket) => tasks.make(ticket),
    begin: (ticket) => relatives.begin(ticket),
  });
  const host = (name: string): Host => {
    const known = hosts.get(name);
    if (known) return known;
    const opened = openHost(name, {
      headsInMemory,
      timeline,
      faults,
      chance: chance.fork(name),
      sendActions: (messages) => queue.send(messages),
      sendOutboxes: (messages) => outboxes.send(messages),
      sendProjection: (message) => catalog.send(message),
      provide: provider.provide,
      answered: oracle.answered,
      committed: oracle.committed,
      inspect: oracle.inspect,
      tamper,
    });
    hosts.set(name, opened);
    return opened;
  };
  const queue = openQueue({
    timeline,
    faults,
    chance: chance.fork("queue"),
    host,
    provide: provider.provide,
    answered: oracle.answered,
    broken: oracle.broken,
  });
  const tasks = openTasks({ timeline, faults, chance: chance.fork("tasks"), host });
  const relatives = openRelatives({ scenario, timeline, host });
  const outboxes = openOutboxes({
    timeline,
    faults,
    chance: chance.fork("outboxes"),
    host,
    handlers: {
      child_ended: parentNotifier({ timeline, host }),
      task_update: tasks.update,
      child_request: relatives.carryOut,
    },
  });
  const catalog = openCatalog({ timeline, faults, chance: chance.fork("catalog"), host });
  const accepted: Asked[] = [];
  letClientsAct(scenario, {
    timeline,
    faults,
    chance: chance.fork("clients"),
    host,
    accepted: (asked) => accepted.push(asked),
  });

  letOnlookersLook(scenario, { timeline, chance: chance.fork("onlookers"), host, oracle });

  const strike = (): void => {
    for (const each of hosts.values()) {
      if (faults.strikes("killedIdle")) each.kill("evicted");
      if (faults.strikes("alarmSpurious")) each.spuriousAlarm();
    }
    if (faults.strikes("clockJumps")) timeline.jump(faults.chance.between(1, scenario.jumpMsMax));
    if (faults.strikes("processKilled")) {
      for (const each of hosts.values()) each.kill("the process was killed");
      queue.forget();
      outboxes.forget();
      catalog.forget();
    }
    strikeRows(hosts.values());
    if (timeline.now() < faults.calmAt) timeline.at(timeline.now() + STRIKES_EVERY_MS, strike);
  };
  /** If a client cancels, an unreadable execution would end as a placeholder; the scenario `poisoned` covers that. */
  const isCanceled = scenario.scripts.some(({ steps }) => steps.some(({ verb }) => verb.kind === "cancel"));
  const strikeRows = (all: Iterable<Host>): void => {
    for (const each of all) {
      const [first, ...more] = each.disk.executions();
      if (first === undefined || isCanceled) continue;
      const execution = faults.chance.pick([first, ...more]);
      if (faults.strikes("rowRefused"))
        each.refuse(execution, timeline.now() + faults.chance.between(SECOND, REFUSED_MS_MAX));
      if (!faults.strikes("headUnreadable")) continue;
      each.spoil(execution);
      timeline.at(timeline.now() + faults.chance.between(SECOND, UNREADABLE_MS_MAX), () => each.mend(execution));
    }
  };
  const outside: Life = { alive: true };
  const sweep = (): void => {
    const overdue = catalog.lists
      .executions()
      .filter(({ wakeAt }) => wakeAt !== null && wakeAt < timeline.now() - SWEEP_MS);
    if (!faults.strikes("sweeperAsleep")) {
      for (const { id } of overdue)
        host(cellName(TENANT, id))
          .call(outside, (calls) => calls.poke([id]))
          .catch(() => {});
    }
    if (timeline.now() < faults.calmAt) timeline.at(timeline.now() + SWEEP_MS, sweep);
  };
  const at = (execution: string): Host => host(cellName(TENANT, execution));
  if (scenario.poison) timeline.at(BEGIN + scenario.poison.atMs, () => poison(scenario, at));
  if (withFaults) timeline.at(BEGIN + STRIKES_EVERY_MS, strike);
  if (withFaults && chance.yes(0.5)) timeline.at(BEGIN + SWEEP_MS, sweep);

  try {
    const still = await timeline.run(BEGIN + HORIZON_MS, () => oracle.atRest(hosts.values(), timeline.now()));
    if (!still) oracle.broken("it never rests");
    for (const execution of catalog.forgotten.executions) {
      if (!oracle.seen.get(execution)?.purged)
        void host(cellName(TENANT, execution)).call(outside, (calls) => calls.reproject([execution]));
    }
    await timeline.run(BEGIN + HORIZON_MS, () => {});
  } catch (fault) {
    oracle.broken((fault as Error).message);
  }
  const { lines, hash, events } = timeline.trace();
  const findings = [
    ...oracle.findings,
    ...scenario.starts
      .flatMap(({ executions }) => executions)
      .filter((id) => !oracle.seen.has(id))
      .map((id) => `${id} was never started`),
    ...keyedProblems(scenario, oracle.seen),
    ...(withFaults ? [] : listingProblems(scenario, catalog)),
    ...inputProblems(oracle.seen, accepted),
    ...childProblems(oracle.seen),
    ...familyProblems(scenario, oracle.seen),
    ...taskProblems(oracle.seen, tasks.all()),
    ...deliveryProblems(oracle.seen, provider.deliveries),
    ...receiverProblems(oracle.seen, provider.deliveries.filter(isItsOwn(scenario)), catalog),
    ...catalogProblems(oracle.seen, catalog),
    ...purgeProblems(oracle.seen, catalog),
    ...[...queue.sent]
      .filter(([, count]) => count > SENDS_PER_RUN_MAX)
      .map(([run, count]) => `run ${run} was sent ${count} times`),
    ...[...hosts.values()]
      .filter(({ disk }) => disk.alarmsSet() > ALARMS_MAX)
      .map(({ name, disk }) => `${name} set its alarm ${disk.alarmsSet()} times`),
    ...(catalog.sent() > PROJECTIONS_MAX ? [`${catalog.sent()} projections were sent`] : []),
  ];
  return { oracle, findings, trace: lines, hash, events };
}

/** Whether a delivery is of the execution's own runs. A collector's is in no journal and no list. */
function isItsOwn({ definition }: Scenario): (delivery: { readonly action: string }) => boolean {
  const observing = definition.kind === "reconciler" ? definition.collector?.action : undefined;
  return ({ action }) => action !== observing;
}

function calmProblems({ calmly }: Scenario, { seen }: Oracle): readonly string[] {
  return [...seen.values()].flatMap(({ state }) => {
    const problem = calmly?.(state) ?? null;
    return problem === null ? [] : [`${state.id} ${problem}`];
  });
}

function endings(scenario: Scenario, calm: Oracle, rough: Oracle): readonly string[] {
  const { ending } = scenario;
  return [...rough.seen].flatMap(([name, { state }]) => {
    if (ending !== "calm") {
      const problem = ending(state);
      return problem === null ? [] : [`${state.id} ${problem}`];
    }
    const expected = calm.seen.get(name);
    const as = endingOf(state);
    const should = expected ? endingOf(expected.state) : "not at all";
    return as === should ? [] : [`${state.id} ended as ${as}, without faults as ${should}`];
  });
}

// Clients: start executions and control them, repeat requests until they get a response, and sometimes send a request
// twice.
import type { Calls } from "#objects/execution/calls.ts";
import type { ControlCommand, Reply } from "#schema/engine/cell.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import { isUndecided, type Result } from "#schema/refusal.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { nameRun } from "./by-hand/name-run.ts";
import { hashed, type Chance } from "./kit/chance.ts";
import type { Faults } from "./faults.ts";
import type { Host } from "./host.ts";
import { idFor, underKey } from "./keyed.ts";
import { BEGIN, MINUTE, SECOND, type Scenario, type Script, type Verb } from "./scenario.ts";
import type { Timeline } from "./kit/timeline.ts";
import type { Life } from "./kit/evictable.ts";

export const TENANT = "acme";
const actor = { kind: "key", id: "key_sim" } as const;

export type Asked = {
  readonly execution: string;
  readonly inputId: string;
  readonly kind: ControlCommand["kind"] | "start";
  /** A start with a dedup key may get an action that another client has started. */
  readonly keyed?: boolean;
};

type Parts = {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
  /** An input was accepted: it must be in the journal exactly once. */
  readonly accepted: (asked: Asked) => void;
};

export function letClientsAct(scenario: Scenario, { timeline, faults, chance, host, accepted }: Parts): void {
  const outside: Life = { alive: true };
  const started = new Map<string, () => void>();
  const begun = new Map<string, Promise<void>>();
  const until = (atMs: number): Promise<void> => timeline.sleep(Math.max(0, BEGIN + atMs - timeline.now()), outside);

  const ask = async (
    asked: readonly Asked[],
    work: (calls: Calls) => Promise<readonly Result<Reply>[]>,
  ): Promise<void> => {
    const [first] = asked;
    if (!first) return;
    const cell = host(cellName(TENANT, first.execution));
    const once = async (): Promise<void> => {
      const answers = await cell.call(outside, work);
      answers.forEach((answer, at) => {
        const each = asked[at];
        if (!each) return;
        timeline.note(
          `${each.execution} ${each.inputId} ${each.kind}: ${answer.ok ? (answer.value.repeated ? "repeated" : "accepted") : answer.refusal.code}`,
        );
        if (answer.ok) accepted(each.keyed ? { ...each, inputId: `start-${answer.value.state.id}` } : each);
      });
      if (answers.some((answer) => !answer.ok && isUndecided(answer.refusal))) throw new Error("not all were taken");
    };
    if (faults.strikes("inputDoubled")) once().catch(() => {});
    for (;;) {
      try {
        return await once();
      } catch {
        await timeline.sleep(chance.between(SECOND / 2, 5 * SECOND), outside);
      }
    }
  };

  const start = async ({ atMs, executions }: Scenario["starts"][number]): Promise<void> => {
    await until(atMs);
    // A child is started by its parent, so it exists only later.
    for (const execution of executions) {
      const parent = scenario.parents?.[execution];
      if (parent !== undefined) await begun.get(parent);
    }
    const items = executions.map((execution) => ({
      command: startCommand(scenario, execution),
      definition: scenario.standalone ? null : JSON.stringify(scenario.definition),
    }));
    await ask(
      executions.map((execution) => ({ execution, inputId: `start-${execution}`, kind: "start" })),
      (calls) => calls.start(items),
    );
    for (const execution of executions) started.get(execution)?.();
  };

  /** The id is taken until the earlier incarnation is deleted, so the client repeats the start. */
  const startAgain = async (execution: string, life: number, atMs: number): Promise<void> => {
    await until(atMs);
    const inputId = startId(execution, life);
    const command = { ...startCommand(scenario, execution), inputId };
    const item = { command, definition: scenario.standalone ? null : JSON.stringify(scenario.definition) };
    const isTaken = async (): Promise<boolean> => {
      let answers: readonly Result<Reply>[] = [];
      await ask([{ execution, inputId, kind: "start" }], async (calls) => (answers = await calls.start([item])));
      return answers.some((answer) => !answer.ok && answer.refusal.code === "already_exists");
    };
    while (await isTaken()) await timeline.sleep(MINUTE, outside);
  };

  const follow = async ({ execution, steps }: Script, number: number, begun: Promise<void>): Promise<void> => {
    await begun;
    const chosen = new Map<string, string>();
    for (const [at, { atMs, verb }] of steps.entries()) {
      await until(atMs);
      const named = await nameRun(verb, outside, host(cellName(TENANT, execution)), execution, chosen, chance);
      const command = commandOf(named, `${execution}-${number}-${at}`);
      await ask([{ execution, inputId: command.inputId, kind: command.kind }], (calls) =>
        calls.control([{ execution, command, dryRun: false }]),
      );
    }
  };

  /** A request may take longer than its window. */
  const call = async ({ atMs, key }: { atMs: number; key: string }, number: number): Promise<void> => {
    await until(atMs);
    const inputId = `call-${number}`;
    await ask([{ execution: idFor(key, 0), inputId, kind: "start", keyed: true }], (calls) => {
      const execution = idFor(key, timeline.now() - (chance.yes(0.3) ? chance.between(0, 5 * MINUTE) : 0));
      const command = { ...underKey(startCommand(scenario, execution), key), inputId };
      return calls.start([{ command, definition: null }]);
    });
  };

  scenario.keyed?.forEach((each, number) => void call(each, number));
  for (const execution of scenario.starts.flatMap(({ executions }) => executions)) {
    const beginning = new Promise<void>((resolve) => started.set(execution, resolve));
    begun.set(execution, beginning);
    scenario.scripts.forEach((script, number) => {
      if (script.execution === execution) void follow(script, number, beginning);
    });
  }
  for (const each of scenario.starts) void start(each);
  for (const execution of scenario.starts.flatMap(({ executions }) => executions)) {
    scenario.again?.forEach((atMs, n) => void startAgain(execution, n + 1, atMs));
  }
}

/** No parent is created later, so each parent accepts the end of its child. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** The id of the input that starts an incarnation. */
export function startId(execution: string, life: number): string {
  return life === 0 ? `start-${execution}` : `start-${execution}#${life}`;
}

export function startCommand(
  { definition, variables, standalone, parents }: Scenario,
  execution: string,
): StartCommand {
  const parent = parents?.[execution];
  return {
    kind: "start",
    inputId: startId(execution, 0),
    execution,
    tenant: TENANT,
    namespace: "default",
    definition: { id: `def_${hashed(JSON.stringify(definition)).toString(36)}`, name: definition.name, version: 1 },
    placement: definition.placement ?? "own",
    variables,
    correlationId: null,
    fingerprint: "start",
    actor,
    ...(standalone ? { standalone } : {}),
    ...(parent === undefined
      ? {}
      : { parent: { execution: parent, run: "1.0", action: "begin", incarnation: NEWEST } }),
  };
}

/** The reason carries the input's id into the journal, where the oracle searches for it. */
function commandOf(verb: Verb, inputId: string): ControlCommand {
  const from = { inputId, fingerprint: inputId, actor };
  if (verb.kind === "observe") return { ...verb, ...from };
  if (verb.kind !== "event") return { ...verb, ...from, reason: inputId };
  const { type, payload } = verb;
  return { kind: "event", ...from, event: { id: inputId, type, payload, source: "sim", correlationId: null } };
}

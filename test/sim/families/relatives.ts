// Runs that start children, and executions that want theirs canceled or looked for: with the protocol of
// src/services/executions (act-on-executions.ts, children/see-to-children.ts) and src/queue/children.ts.
import { childErrands } from "#kernel/execution/children/child-requests.ts";
import { parentOf } from "#kernel/execution/children/nesting.ts";
import type { ChildDone, ChildErrand } from "#schema/engine/child.ts";
import type { ChildrenMessage } from "#schema/engine/message.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { isUndecided, mayPass } from "#schema/refusal.ts";
import { cellName } from "#services/cells/placement.ts";
import type { Chance } from "../chance.ts";
import { startCommand, TENANT } from "../clients.ts";
import type { Faults } from "../faults.ts";
import type { Host } from "../host.ts";
import type { Scenario } from "../scenario.ts";
import type { Life, Timeline } from "../timeline.ts";
import { childOf } from "./families.ts";

export type Relatives = {
  /** The runner's start. It arrives though its runner is gone, and finds what an earlier attempt has begun. */
  readonly begin: (ticket: Ticket) => Promise<string>;
  readonly send: (messages: readonly ChildrenMessage[]) => void;
  readonly forget: () => void;
};

type Parts = {
  readonly scenario: Scenario;
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
};

const DELIVERIES_MAX = 11;

export function openRelatives({ scenario, timeline, faults, chance, host }: Parts): Relatives {
  const outside: Life = { alive: true };
  let process: Life = { alive: true };
  const at = (execution: string): Host => host(cellName(TENANT, execution));

  const begin = async (ticket: Ticket): Promise<string> => {
    const id = childOf(ticket.execution, ticket.run);
    const { variables = {} } = ticket.config as { readonly variables?: JsonObject };
    const parent = parentOf(ticket, true, timeline.now());
    const command = { ...startCommand(scenario, id), variables, parent, notAfter: ticket.deadlineAt };
    const item = { command, definition: JSON.stringify(scenario.definition) };
    const [answer] = await at(id).call(outside, (calls) => calls.start([item]));
    timeline.note(`${id} is begun for ${ticket.execution}: ${answer?.ok ? "yes" : answer?.refusal.code}`);
    if (!answer?.ok) throw new Error("it could not begin");
    return id;
  };

  const post = (message: ChildrenMessage, attempts: number, delayMs: number): void => {
    const mine = process;
    const lateMs = faults.strikes("messageDelayed") ? faults.chance.between(1_000, 600_000) : 0;
    timeline.at(timeline.now() + delayMs + lateMs, () => {
      if (mine.alive) void consume(message, attempts, mine);
    });
  };

  const consume = async (message: ChildrenMessage, attempts: number, mine: Life): Promise<void> => {
    try {
      await carry(message, mine);
    } catch (fault) {
      timeline.note(`children of ${message.execution} not seen to: ${(fault as Error).message}`);
      if (mine.alive && attempts < DELIVERIES_MAX) post(message, attempts + 1, Math.min(300, 2 ** attempts) * 1_000);
    }
  };

  const carry = async ({ execution }: ChildrenMessage, mine: Life): Promise<void> => {
    const read = await at(execution).call(mine, (calls) => calls.read(execution));
    if (!read.ok) return;
    const done: ChildDone[] = [];
    for (const errand of childErrands(read.value)) done.push(await seeTo(read.value, errand, mine));
    if (done.length === 0) return;
    if (faults.strikes("consumerCrashes")) throw new Error("the consumer went down");
    const [answer] = (await at(execution).call(mine, (calls) => calls.childrenDone([{ execution, done }]))) ?? [];
    if (answer && !answer.ok && isUndecided(answer.refusal)) throw new Error("it could not take that");
  };

  const seeTo = async (
    parent: ExecutionState,
    { kind, run, ...errand }: ChildErrand,
    mine: Life,
  ): Promise<ChildDone> => {
    const when = timeline.now();
    const execution = errand.execution ?? childOf(parent.id, run);
    const read = await at(execution).call(mine, (calls) => calls.read(execution));
    const told = (found: ChildDone["found"]): ChildDone => {
      timeline.note(`${kind} of ${execution} for ${parent.id}: ${found}`);
      return { run, found, execution: found === "none" ? null : execution, at: when };
    };
    if (!read.ok && read.refusal.code !== "not_found") throw new Error(read.refusal.message);
    if (!read.ok) return told("none");
    if (isFinalStatus(read.value.status)) return told("ended");
    if (kind === "look") return told("live");
    const inputId = `parent:${parent.id}/${run}`;
    const command = {
      kind: "cancel",
      reason: errand.reason,
      inputId,
      fingerprint: inputId,
      actor: { kind: "engine", id: parent.id },
    } as const;
    const [answer] = await at(execution).call(mine, (calls) => calls.control([{ execution, command, dryRun: false }]));
    if (!answer || (!answer.ok && mayPass(answer.refusal))) throw new Error("it could not be canceled");
    return told(answer.ok ? "canceled" : "ended");
  };

  return {
    begin,
    send: (messages) => {
      for (const message of messages) {
        timeline.note(`queue takes the children of ${message.execution}`);
        if (!faults.strikes("messageDropped")) post(message, 1, chance.between(1, 60));
        if (faults.strikes("messageDoubled")) post(message, 1, chance.between(1, 5_000));
      }
    },
    forget: () => {
      process.alive = false;
      process = { alive: true };
    },
  };
}

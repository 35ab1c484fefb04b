// Runs that start children, and child requests of executions, with the protocol of src/services/executions
// (act-on-executions.ts, children/carry-out-requests.ts).
import { childRequests } from "#kernel/execution/children/children-on-end.ts";
import { parentOf } from "#kernel/execution/children/children.ts";
import type { ChildRequestResult, ChildRequest } from "#schema/engine/child.ts";
import type { Confirmation } from "#schema/engine/outbox.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { mayPass } from "#schema/refusal.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { startCommand, TENANT } from "../clients.ts";
import type { Host } from "../host.ts";
import type { Handler } from "../outbox.ts";
import type { Scenario } from "../scenario.ts";
import type { Timeline } from "../kit/timeline.ts";
import type { Life } from "../kit/evictable.ts";
import { childOf } from "./families.ts";

export type Relatives = {
  /** The runner's start. It arrives even if its runner is gone, and finds the child that an earlier attempt started. */
  readonly begin: (ticket: Ticket) => Promise<string>;
  readonly carryOut: Handler;
};

type Parts = { readonly scenario: Scenario; readonly timeline: Timeline; readonly host: (name: string) => Host };

export function openRelatives({ scenario, timeline, host }: Parts): Relatives {
  const outside: Life = { alive: true };
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

  const carryOut: Handler = async (parent, messages, mine) => {
    const items: Confirmation[] = [];
    for (const request of childRequests(parent).filter(({ key }) => messages.some((message) => message.key === key))) {
      items.push({ kind: "child_request", key: request.key, ...(await seeTo(parent, request, mine)) });
    }
    return items;
  };

  const seeTo = async (
    parent: ExecutionState,
    { kind, run, ...request }: ChildRequest,
    mine: Life,
  ): Promise<ChildRequestResult> => {
    const when = timeline.now();
    const execution = request.execution ?? childOf(parent.id, run);
    const read = await at(execution).call(mine, (calls) => calls.read(execution));
    const told = (found: ChildRequestResult["found"]): ChildRequestResult => {
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
      reason: request.reason,
      inputId,
      fingerprint: inputId,
      actor: { kind: "engine", id: parent.id },
    } as const;
    const [answer] = await at(execution).call(mine, (calls) => calls.control([{ execution, command, dryRun: false }]));
    if (!answer || (!answer.ok && mayPass(answer.refusal))) throw new Error("it could not be canceled");
    return told(answer.ok ? "canceled" : "ended");
  };

  return { begin, carryOut };
}

// The notice of a child's end to its parent, with the protocol of src/services/executions/children/notify-parent.ts.
import { childRequestKey } from "#kernel/execution/children/children-on-end.ts";
import type { Reply } from "#schema/engine/cell.ts";
import { childEvent, type Parent } from "#schema/engine/child.ts";
import { isUndecided, mayPass, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { TENANT } from "../clients.ts";
import type { Host } from "../host.ts";
import type { Handler } from "../outbox.ts";
import type { Timeline } from "../kit/timeline.ts";
import type { Life } from "../kit/evictable.ts";

type Parts = { readonly timeline: Timeline; readonly host: (name: string) => Host };

export function parentNotifier({ timeline, host }: Parts): Handler {
  /**
   * Notifies the parent. Whether it accepts the event or not, it lists its children, and may wait for this child before
   * it ends.
   */
  const note = async ({ execution, run, incarnation }: Parent, child: string, mine: Life): Promise<void> => {
    const result = { run, found: "ended", execution: child, at: timeline.now() } as const;
    const items = [{ kind: "child_request", key: childRequestKey({ run }), ...result } as const];
    const confirm = [{ execution, incarnation, items }];
    const [noted] = (await host(cellName(TENANT, execution)).call(mine, (calls) => calls.confirm(confirm))) ?? [];
    if (noted && !noted.ok && isUndecided(noted.refusal)) throw new Error("the parent could not note it");
  };

  return async (child, messages, mine) => {
    const { parent } = child;
    if (!parent) throw new Error("it has a parent");
    const { execution } = parent;
    const [answer] = await host(cellName(TENANT, execution)).call(mine, (calls) =>
      calls.control([{ execution, command: eventOf(child), dryRun: false }]),
    );
    const refused = refusalOf(answer);
    timeline.note(`${execution} hears of the end of ${child.id}: ${refused ?? "taken"}`);
    if (answer && !answer.ok && mayPass(answer.refusal)) throw new Error("the parent could not take it");
    if (refused !== null) await note(parent, child.id, mine);
    return messages.map(({ key }) => ({ kind: "child_ended", key, refused }));
  };
}

/** The event's id follows from the child's, so that a duplicate counts once. */
function eventOf({ id, status, correlationId, parent }: ExecutionState) {
  const event = {
    id: `child/${id}`,
    type: childEvent(status),
    payload: { execution: id, ...(parent ? { run: parent.run, actionId: parent.action } : {}) },
    source: "execution",
    correlationId,
  };
  return {
    kind: "event" as const,
    inputId: event.id,
    fingerprint: event.id,
    actor: { kind: "engine" as const, id },
    event,
  };
}

function refusalOf(answer: Result<Reply> | undefined): string | null {
  if (!answer) throw new Error("no answer");
  return answer.ok ? null : answer.refusal.code;
}

// One execution starting another, or sending it an event: what runners ask for, and what a child keeps of its parent.
import type { Json, JsonObject } from "../json.ts";

/** Who waits for this execution's end. */
export type Parent = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  /** When the parent was created: whoever has its id after it waits for nothing. Absent of children from before. */
  readonly life?: number;
};

/** A parent that has still to hear of the end; told again until somebody confirms that it has. */
export type OwedSignal = { readonly parent: string; readonly sentAt: number; readonly resends: number };

export type StartAsk = {
  /** Name, name@version or id. */
  readonly definition: string;
  readonly variables: JsonObject;
  readonly namespace: string;
  readonly correlationId: string | null;
  /** True: the execution that asks wants to hear of the other's end. */
  readonly wait: boolean;
};

export type SendAsk = {
  readonly execution: string;
  readonly type: string;
  readonly payload: Json;
  /** null: the event's id follows from the run that sends it. */
  readonly eventId: string | null;
};

/** What a parent hears; `variables` is null where they are too large for an event. */
export type ChildEnd = {
  readonly execution: string;
  readonly status: string;
  readonly run: string;
  readonly actionId: string;
  readonly variables: JsonObject | null;
};

export function childEvent(status: string): string {
  return `child_${status}`;
}

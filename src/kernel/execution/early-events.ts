// Early, late and unknown events: decides whether an event from outside is applied now, kept for a later state, or
// refused. Used for events of clients and for verbs of operators that send an event.
import { isReserved } from "#schema/engine/event.ts";
import type { Command } from "#schema/engine/input.ts";
import { EVENTS_BUFFERED_MAX } from "#schema/limits/executions.ts";
import { refuse } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { refuseViolations } from "../declared/schema-violations.ts";
import { removeEndedChild } from "./children/children.ts";
import { refuseFault, type RefusalOrNull } from "./control.ts";
import { addEntry, changeState, currentState, type Step } from "./current-step.ts";
import { offerEvent } from "./drive.ts";
import { closeEndedTask } from "./tasks/open-tasks.ts";

type EventCommand = Extract<Command, { kind: "event" }>;
type SentEvent = Pick<EventCommand, "event" | "actor">;

/**
 * Accepts an event from outside. Early events are kept; late and unknown events are refused with the reason. No event
 * is dropped silently.
 */
export function receiveEvent(step: Step, input: EventCommand): RefusalOrNull {
  const closed = closeEndedTask(step, input.event);
  if (closed) return closed;
  removeEndedChild(step, input.event);
  return acceptEvent(step, input);
}

/** Accepts an event from a client or from an operator's verb. */
export function acceptEvent(step: Step, input: SentEvent): RefusalOrNull {
  const { state, program } = step;
  const { event, actor } = input;
  if (isReserved(event.type)) {
    return refuse({
      code: "event_not_accepted",
      message: `the event type ${event.type} is reserved for the engine, so clients cannot send it`,
      hint: 'Choose another event type. Types that begin with "action." or "execution." are reserved.',
    });
  }
  const timing = program.eventTiming(state.position, event.type);
  // The payload of a kept event was checked when the event arrived. An execution never changes its version, so the
  // result would be the same now.
  const violation = timing === "now" || timing === "later" ? refusePayload(step, event) : null;
  if (violation) return violation;
  switch (timing) {
    case "unknown":
      return refuseUnknown(event.type, program.eventTypes);
    case "late": {
      const message = `the execution has passed all states that accept the event ${event.type} and is now in ${currentState(state)}`;
      return refuse({ code: "event_too_late", message });
    }
    case "later":
      if (program.refusesEarly && state.status !== "paused") return refuseEarly(step, event.type);
      return keepEvent(step, input, state.status === "paused" ? "paused" : "early");
    case "now": {
      if (state.status === "paused") return keepEvent(step, input, "paused");
      addEntry(step, { kind: "event_received", event, actor });
      if (offerEvent(step, event) !== null)
        return refuseFault(step, "event_not_accepted", `the event ${event.type} cannot be accepted`);
      return refuse({
        code: "event_not_accepted",
        message: `in the state ${currentState(state)}, all guards of the event ${event.type} are false`,
        hint: "Check the payload of the event and the variables of the execution (GET /v1/executions/{id}).",
      });
    }
  }
}

function refusePayload({ program, work }: Step, { type, payload }: EventCommand["event"]): RefusalOrNull {
  const { events = {} } = program.definition;
  return refuseViolations({
    schema: Object.hasOwn(events, type) ? events[type] : undefined,
    value: payload,
    pointer: "/payload",
    code: "payload_invalid",
    what: `the payload does not match the input schema of ${type}`,
    work,
  });
}

function refuseEarly({ state, program }: Step, type: string): RefusalOrNull {
  return refuse({
    code: "event_not_accepted",
    message: `the event ${type} is too early: a later state accepts it, but the execution is now in ${currentState(state)}`,
    hint: `Event types accepted now: ${program.waitsFor(state.position).join(", ") || "nothing"}. Send the event later, or set "earlyEvents" of the definition to "keep".`,
  });
}

function refuseUnknown(type: string, known: readonly string[]): RefusalOrNull {
  const guess = didYouMean(type, known);
  const hint = guess ? `Did you mean ${guess}?` : `Event types of the definition: ${known.join(", ") || "nothing"}.`;
  return refuse({
    code: "event_unknown",
    message: `no state of the definition accepts events of the type ${type}`,
    hint,
  });
}

function keepEvent(step: Step, { event, actor }: SentEvent, reason: string): RefusalOrNull {
  const { buffer } = step.state;
  if (buffer.length >= EVENTS_BUFFERED_MAX) {
    const message = `the execution already stores ${buffer.length} events for later; the limit is ${EVENTS_BUFFERED_MAX} (EVENTS_BUFFERED_MAX)`;
    const hint = "Resume the execution, or move it to a state that accepts the stored events.";
    return refuse({ code: "event_buffer_full", message, hint });
  }
  changeState(step, { buffer: [...buffer, { message: event, origin: "outside", at: step.now }] });
  addEntry(step, { kind: "event_buffered", event, reason, actor });
  return null;
}

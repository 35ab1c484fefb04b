// Asked guards: the guards that decide about a move of a virtual run, including those of eventless transitions that follow.
import type { Rule } from "#schema/json.ts";
import type { Position } from "#schema/engine/state.ts";
import type { Listener, Program } from "../execution/program.ts";

/** The guards of the listeners on this cause, and of the eventless transitions of the states that they lead to. */
export function askedGuards(program: Program, position: Position, by: string): readonly Rule[] {
  const guards: Rule[] = [];
  const seen = new Set(position.states);
  let listeners = program.listeners(position).filter((each) => isAsked(each, by));
  while (listeners.length > 0) {
    guards.push(...listeners.flatMap(({ guard }) => (guard === null ? [] : [guard])));
    const next = listeners.flatMap(({ to }) => to).filter((state) => !seen.has(state));
    for (const state of next) seen.add(state);
    listeners = next.length === 0 ? [] : program.listeners({ ...position, states: next }).filter(isEventless);
  }
  return guards;
}

function isAsked({ on }: Listener, by: string): boolean {
  switch (on.kind) {
    case "event":
      return on.type === by || on.type === "*";
    case "timer":
      return on.timer === by;
    case "always":
      return true;
  }
}

function isEventless({ on }: Listener): boolean {
  return on.kind === "always";
}

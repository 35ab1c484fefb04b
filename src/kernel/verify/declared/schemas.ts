// Schemas of a definition for its start and its events. Verifies that each schema can be used to check values, and that
// clients may send the events.
import type { Definition } from "#schema/definition/definition.ts";
import { isReserved, isEngineEvent } from "#schema/engine/event.ts";
import { EVENT_SCHEMAS_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { schemaFindings } from "../../declared/schema-findings.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { finding } from "../finding.ts";

export function schemaFindingsOf({ input, events = {} }: Definition): readonly Finding[] {
  const types = Object.entries(events);
  if (types.length > EVENT_SCHEMAS_MAX) {
    const message = `${types.length} event types have a schema; the limit is ${EVENT_SCHEMAS_MAX} (EVENT_SCHEMAS_MAX)`;
    return [finding("/events", "limit_exceeded", message)];
  }
  return [
    ...(input === undefined ? [] : schemaFindings(input, "/input")),
    ...types.flatMap(([type, schema]) => {
      const where = pointer("/events", type);
      return isReserved(type) || isEngineEvent(type)
        ? [engineEventFinding(type, where)]
        : schemaFindings(schema, where);
    }),
  ];
}

function engineEventFinding(type: string, where: string): Finding {
  const hint =
    "Only events from outside are checked; types that begin with action., execution., child_ or task_ are not.";
  return finding(where, "event_of_engine", `the engine itself sends ${type}`, hint);
}

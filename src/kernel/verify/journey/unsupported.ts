// What the format of journeys has, and no engine honours yet: refused, rather than left undone in silence.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Finding } from "#schema/refusal.ts";
import { kindOf, type Kind } from "../../programs/journey/layout.ts";
import { pointer } from "../../programs/machine/places.ts";
import { finding } from "../finding.ts";

export function unsupportedFindings(definition: JourneyDefinition): readonly Finding[] {
  const { exitWhen = [], nodes } = definition;
  return [
    ...exitWhen.flatMap((goal, n) => fieldsOf(goal, ["compensate"], pointer("/exitWhen", n))),
    ...Object.entries(nodes).flatMap(([name, node]) => nodeFindings(kindOf(node), pointer("/nodes", name))),
  ];
}

function nodeFindings(is: Kind, where: string): readonly Finding[] {
  switch (is.kind) {
    case "acting":
    case "each":
    case "journey":
      return fieldsOf(is.node, ["undo"], where);
    case "exit":
      return fieldsOf(is.node, ["compensate"], where);
    case "delay":
    case "branch":
    case "wait":
    case "split":
      return [];
  }
}

function fieldsOf<Field extends string>(
  said: { readonly [field in Field]?: unknown },
  fields: readonly Field[],
  where: string,
): readonly Finding[] {
  return fields.filter((field) => said[field] !== undefined).map((field) => not(pointer(where, field), field));
}

function not(where: string, what: string): Finding {
  return finding(where, "not_supported_yet", `${what} is not supported yet`);
}

// Unbound names: the service or database that an action names and the installation does not have. The names of bindings
// are those of ACTION_SERVICES and ACTION_DATABASES.
import type { JsonObject } from "#schema/json.ts";
import type { BindingNames } from "#schema/outgoing/bound-names.ts";

export type UnboundName = {
  readonly field: "service" | "database";
  readonly name: string;
  readonly code: "service_not_open" | "database_not_open";
  /** The variable of the Worker that lists the names. */
  readonly variable: "ACTION_SERVICES" | "ACTION_DATABASES";
  readonly bound: readonly string[];
};

/** Returns null if the action names no binding, if the installation has it, or if a template determines it. */
export function unboundName(bindings: BindingNames, type: string, config: JsonObject): UnboundName | null {
  const use = bindingUse(bindings, type);
  const name = use === null ? undefined : config[use.field];
  if (use === null || typeof name !== "string" || /\{\{|\{%/.test(name) || use.bound.includes(name)) return null;
  return { ...use, name };
}

function bindingUse({ services, databases }: BindingNames, type: string): Omit<UnboundName, "name"> | null {
  switch (type) {
    case "worker":
      return { field: "service", code: "service_not_open", variable: "ACTION_SERVICES", bound: services };
    case "database":
      return { field: "database", code: "database_not_open", variable: "ACTION_DATABASES", bound: databases };
  }
  return null; // Actions of all other types name no binding.
}

/** Returns how the client finds a name that the installation has. */
export function bindingHint({ field, variable, bound }: UnboundName): string {
  if (bound.length === 0) return `The operator lists ${field}s in ${variable}, which is empty.`;
  return `${field}s of this installation: ${bound.join(", ")}`;
}

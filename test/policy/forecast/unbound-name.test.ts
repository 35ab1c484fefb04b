// Names of services and databases that the installation does not have.
import { expect, it, test } from "vitest";
import { bindingHint, unboundName } from "#policy/forecast/unbound-name.ts";

const bindings = { services: ["shop"], databases: ["crm", "orders"] };

it.each<[string, object, string | null]>([
  ["worker", { service: "shpo" }, "service_not_open"],
  ["worker", { service: "shop" }, null],
  ["worker", {}, null],
  ["worker", { service: "{{ execution.variables.service }}" }, null],
  ["worker", { service: "{% if true %}shop{% endif %}" }, null],
  ["database", { database: "shop" }, "database_not_open"],
  ["database", { database: "orders" }, null],
  ["database", { connection: "data" }, null],
  ["api_call", { service: "unknown" }, null],
])("a %s with %j: %s", (type, config, code) =>
  expect(unboundName(bindings, type, { ...config })?.code ?? null).toBe(code),
);

test("the hint has the names of the installation, or the variable that is empty", () => {
  const found = unboundName(bindings, "database", { database: "x" });
  const none = unboundName({ services: [], databases: [] }, "worker", { service: "x" });
  expect([found && bindingHint(found), none && bindingHint(none)]).toEqual([
    expect.stringContaining("crm, orders"),
    expect.stringContaining("ACTION_SERVICES"),
  ]);
});

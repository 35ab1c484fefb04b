// Planted faults: rules, templates and listeners that disagree with the declared schemas.
import { add, asking, drop, guard, put, sending, setting, states, text, x, type Planted } from "./shop.ts";

const input = {
  type: "object",
  properties: {
    total: { type: "integer" },
    kind: { enum: ["private", "company"] },
    customer: { $ref: "#/$defs/customer" },
    items: { type: "array", items: { type: "object" } },
  },
  required: ["total"],
  additionalProperties: false,
  $defs: { customer: { type: "object", properties: { email: { type: "string" } }, additionalProperties: false } },
};
const { additionalProperties: _closed, ...open } = input;
const events = {
  close: {
    type: "object",
    properties: { amount: { type: "number" }, by: { const: "card" } },
    additionalProperties: false,
  },
};
const path = (name: string) => ({ var: name });

export const declaredThings: readonly Planted[] = [
  {
    fault: "a variable that no start brings",
    definition: setting(path("execution.variables.coupon"), { input }),
    code: "undeclared_path",
    pointer: `${x}/var`,
    mend: [add("/input/properties/coupon", { type: "string" })],
  },
  {
    fault: "a variable that no start sets, fixed by an initial value",
    definition: sending("{{ execution.variables.coupon }}", { input }),
    code: "undeclared_path",
    pointer: text,
    mend: [add("/variables", { coupon: "none" })],
  },
  {
    fault: "a declared variable, misspelt",
    definition: setting(path("execution.variables.totl"), { input }),
    code: "undeclared_path",
    pointer: `${x}/var`,
  },
  {
    fault: "a declared variable, misspelt in a template",
    definition: sending("{{ execution.variables.totl }} of {{ execution.variables.total }}", { input }),
    code: "undeclared_path",
    pointer: text,
  },
  {
    fault: "a declared variable, misspelt between brackets",
    definition: sending("{{ execution.variables['totl'] }}", { input }),
    code: "undeclared_path",
    pointer: text,
    mend: [put(text, "{{ execution.variables['total'] }}")],
  },
  {
    fault: "a declared variable, perhaps misspelt, where others may come",
    definition: setting(path("execution.variables.totel"), { input: open }),
    code: "undeclared_path",
    pointer: `${x}/var`,
    severity: "hint",
  },
  {
    fault: "a declared variable without the place where variables are",
    definition: setting(path("total"), { input }),
    code: "unknown_path",
    pointer: `${x}/var`,
  },
  {
    fault: "a field that is not declared of what is referred to",
    definition: sending("{{ execution.variables.customer.mail }}", { input }),
    code: "undeclared_path",
    pointer: text,
    mend: [add("/input/$defs/customer/properties/mail", { type: "string" })],
  },
  {
    fault: "a field of a text",
    definition: setting(path("execution.variables.customer.email.domain"), { input }),
    code: "undeclared_path",
    pointer: `${x}/var`,
    mend: [put(x, path("execution.variables.customer.email"))],
  },
  {
    fault: "a field of a payload, misspelt",
    definition: asking({ "==": [path("message.payload.amuont"), 5] }, { events }),
    code: "undeclared_path",
    pointer: `${guard}/==/0/var`,
  },
  {
    fault: "a field of a payload, misspelt in a condition that is a text",
    definition: asking('{"==":[{"var":"message.payload.amuont"},5]}', { events }),
    code: "undeclared_path",
    pointer: guard,
    mend: [put(guard, '{"==":[{"var":"message.payload.amount"},5]}')],
  },
  {
    fault: "a field of a payload that is assigned",
    definition: setting(path("message.payload.sum"), { events }),
    code: "undeclared_path",
    pointer: `${x}/var`,
    mend: [add("/events/close/properties/sum", true)],
  },
  {
    fault: "a kind that there is not",
    definition: asking({ "==": [path("execution.variables.kind"), "compamy"] }, { input }),
    code: "value_never",
    pointer: `${guard}/==/1`,
  },
  {
    fault: "a kind that there is not, first",
    definition: asking({ "!==": ["person", { var: ["execution.variables.kind"] }] }, { input }),
    code: "value_never",
    pointer: `${guard}/!==/0`,
    mend: [put(`${guard}/!==/0`, "private")],
  },
  {
    fault: "a kind that there is not, among others",
    definition: asking({ in: [path("execution.variables.kind"), ["private", "privat"]] }, { input }),
    code: "value_never",
    pointer: `${guard}/in/1/1`,
    mend: [drop(`${guard}/in/1/1`)],
  },
  {
    fault: "the only value, misspelt",
    definition: asking({ and: [{ "==": [path("message.payload.by"), "cart"] }] }, { events }),
    code: "value_never",
    pointer: `${guard}/and/0/==/1`,
  },
  {
    fault: "a number that is none of those",
    definition: asking(
      { "==": [path("execution.variables.size"), 7] },
      { input: { properties: { size: { enum: [1, 2] } } } },
    ),
    code: "value_never",
    pointer: `${guard}/==/1`,
    mend: [put(`${guard}/==/1`, "2")],
  },
  {
    fault: "a text where a number comes",
    definition: asking({ "===": [path("message.payload.amount"), "5"] }, { events }),
    code: "value_never",
    pointer: `${guard}/===/1`,
    mend: [put(`${guard}/===/1`, 5)],
  },
  {
    fault: "a text where a number comes, in a condition that is a text",
    definition: asking('{"===":[{"var":"message.payload.amount"},"5"]}', { events }),
    code: "value_never",
    pointer: guard,
    mend: [put(guard, '{"===":[{"var":"message.payload.amount"},5]}')],
  },
  {
    fault: "a declared event without a listener",
    definition: states({ on: { close: "done" } }, {}, { events: { ...events, opened: {} } }),
    code: "event_unhandled",
    pointer: "/events/opened",
  },
  {
    fault: "a declared event under another spelling",
    definition: states(
      { on: { close: "done", approved: "done" } },
      {},
      { events: { ...events, aproved: { type: "object" } } },
    ),
    code: "event_unhandled",
    pointer: "/events/aproved",
  },
  {
    fault: "an ordering of what need not come",
    definition: asking({ ">": [path("message.payload.amount"), 5] }, { events }),
    code: "ordering_of_nothing",
    pointer: `${guard}/>/0`,
    mend: [add("/events/close/required", ["amount"])],
  },
  {
    fault: "an ordering of a variable that may be null",
    definition: asking(
      { ">": [path("execution.variables.total"), 5] },
      { input: { ...input, properties: { ...input.properties, total: { type: ["number", "null"] } } } },
    ),
    code: "ordering_of_nothing",
    pointer: `${guard}/>/0`,
    mend: [put("/input/properties/total/type", "number")],
  },
];

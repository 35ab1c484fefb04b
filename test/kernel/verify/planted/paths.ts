// Paths that lead nowhere.
import { put, drop, states, calling, sending, text, asking, guard, setting, x, type Planted } from "./shop.ts";

const pathsInRules: readonly Planted[] = [
  ["variables.total", "execution.variables.total"],
  ["vars.total", "execution.variables.total"],
  ["context.total", "execution.variables.total"],
  ["context.variables.total", "execution.variables.total"],
  ["event.payload.total", "message.payload.total"],
  ["event.data.total", "message.payload.total"],
  ["event.total", "message.payload.total"],
  ["event.type", "message.type"],
  ["event", "message"],
  ["mesage.total", "message.payload.total"],
  ["payload.total", "message.payload.total"],
  ["message.total", "message.payload.total"],
  ["message.paylod.total", "message.payload.total"],
  ["mesage.payload.total", "message.payload.total"],
  ["days", "execution.variables.days"],
  ["execution.days", "execution.variables.days"],
  ["action.retrys", "action.retries"],
].map(([written = "", meant = ""]) => ({
  fault: `a rule that says ${written} for ${meant}`,
  definition: setting({ var: written }, { variables: { days: 14 } }),
  ...{ code: "unknown_path", pointer: `${x}/var` },
}));

export const paths: readonly Planted[] = [
  ...pathsInRules,
  {
    fault: "a path that leads to nothing like it",
    definition: setting({ var: "execution.status" }),
    ...{ code: "unknown_path", pointer: `${x}/var` },
    mend: [put(x, { var: "execution.id" })],
  },
  {
    fault: "a path that is like nothing, misspelt",
    definition: setting({ var: "executon.status" }),
    ...{ code: "unknown_path", pointer: `${x}/var` },
    mend: [put(x, { var: "execution.id" })],
  },
  {
    fault: "a secret in a rule",
    definition: setting({ var: ["secrets.token", ""] }),
    ...{ code: "unknown_path", pointer: `${x}/var/0` },
    mend: [drop("/states/open/on/close/assign")],
  },
  {
    fault: "a guard that asks whether there is one of the wrong place",
    definition: asking({ exists: "payload.amount" }),
    ...{ code: "unknown_path", pointer: `${guard}/exists` },
  },
  {
    fault: "a list of paths that are wanted",
    definition: asking({ "!": { missing: ["message.payload.a", "payload.b"] } }),
    ...{ code: "unknown_path", pointer: `${guard}/!/missing/1` },
  },
  {
    fault: "a number of paths that are wanted",
    definition: asking({ "!": { missing_some: [1, ["message.payload.a", "payload.b"]] } }),
    ...{ code: "unknown_path", pointer: `${guard}/!/missing_some/1/1` },
  },
  {
    fault: "a condition that is a text",
    definition: calling({ condition: '{"var":"variables.vip"}' }),
    ...{ code: "unknown_path", pointer: "/actions/0/condition" },
    mend: [put("/actions/0/condition", '{"var":"execution.variables.vip"}')],
  },
  {
    fault: "a bound on validity",
    definition: calling({ validUntil: { var: "variables.until" } }),
    ...{ code: "unknown_path", pointer: "/actions/0/validUntil/var" },
  },
  {
    fault: "an anchor of a named delay",
    definition: states({ after: { due: "done" } }, {}, { delays: { due: { anchor: { var: "variables.dueOn" } } } }),
    ...{ code: "unknown_path", pointer: "/delays/due/anchor/var" },
  },
  {
    fault: "an anchor of an action's own delay",
    definition: calling({ delay: { anchor: { var: "payload.on" } } }),
    ...{ code: "unknown_path", pointer: "/actions/0/delay/anchor/var" },
  },
  {
    fault: "a template that says variables for execution.variables",
    definition: sending("Dear {{ variables.name }}, variables.name"),
    ...{ code: "unknown_path", pointer: text },
  },
  {
    fault: "a template that looks into an event",
    definition: sending("{{ event.payload.items }}"),
    ...{ code: "unknown_path", pointer: text },
  },
  {
    fault: "a template that looks into a payload by number",
    definition: sending(
      "{% for item in payload.items %}{{ item.name }} {{ payload['items'][0].x | json }}{% endfor %}",
    ),
    ...{ code: "unknown_path", pointer: text },
    mend: [put(text, "{% for item in message.payload.items %}{{ item.name }}{% endfor %}")],
  },
  {
    fault: "a template with a context",
    definition: sending("{{ context.name | upcase }}"),
    ...{ code: "unknown_path", pointer: text },
  },
  {
    fault: "a variable by its name alone",
    definition: sending("{% if days > 3 %}{{ execution.variables.days }}{% endif %}", { variables: { days: 3 } }),
    ...{ code: "unknown_path", pointer: text },
  },
  {
    fault: "a name that nobody has",
    definition: sending("{{ customer.name }}"),
    ...{ code: "unknown_path", pointer: text },
    mend: [put(text, "{{ execution.variables.customer.name }}")],
  },
];

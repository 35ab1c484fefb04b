// Planted faults: templates in place of rules, and rules in place of templates.
import { put, drop, calling, sending, text, asking, guard, setting, x, type Planted } from "./shop.ts";

export const languages: readonly Planted[] = [
  {
    fault: "a template in an assignment",
    definition: setting("{{ message.payload.total }}"),
    code: "template_in_rule",
    pointer: x,
  },
  {
    fault: "a template with texts around it in an assignment",
    definition: setting("order {{ payload.no }} of {{ now }}"),
    code: "template_in_rule",
    pointer: x,
  },
  {
    fault: "a template of an unknown name in an assignment",
    definition: setting("{{ customer.name }}"),
    code: "template_in_rule",
    pointer: x,
    mend: [put(x, { var: "message.payload.customer.name" })],
  },
  {
    fault: "a template with a filter in an assignment",
    definition: setting({ cat: ["a", "{{ message.payload.name | upcase }}"] }),
    code: "template_in_rule",
    pointer: `${x}/cat/1`,
    mend: [put(`${x}/cat/1`, { var: "message.payload.name" })],
  },
  {
    fault: "a secret as a template in an assignment",
    definition: setting("{{ secrets.token }}"),
    code: "template_in_rule",
    pointer: x,
    mend: [drop("/states/open/on/close/assign")],
  },
  {
    fault: "a template in a comparison",
    definition: asking({ "==": ["{{ message.payload.kind }}", { var: "execution.variables.kind" }] }),
    code: "template_in_rule",
    pointer: `${guard}/==/0`,
  },
  {
    fault: "a template for a path",
    definition: asking({ "!!": { var: "{{ message.payload.ok }}" } }),
    code: "template_in_rule",
    pointer: `${guard}/!!/var`,
  },
  {
    fault: "a template in a condition that is a text",
    definition: calling({ condition: '{"==":["{{ message.type }}",{"var":"execution.variables.wanted"}]}' }),
    code: "template_in_rule",
    pointer: "/actions/0/condition",
    mend: [put("/actions/0/condition", { "==": [{ var: "message.type" }, { var: "execution.variables.wanted" }] })],
  },
  {
    fault: "a rule in a text",
    definition: sending({ var: "execution.variables.name" }),
    code: "rule_in_template",
    pointer: text,
  },
  {
    fault: "a rule with a wrong path in a text",
    definition: sending({ var: "payload.name" }),
    code: "rule_in_template",
    pointer: text,
  },
  {
    fault: "texts joined by a rule",
    definition: sending({ cat: ["Dear ", { var: "execution.variables.name" }] }),
    code: "rule_in_template",
    pointer: text,
  },
  {
    fault: "texts, numbers and more joined by a rule",
    definition: sending({ cat: ["a", 1, { substr: [{ var: "execution.variables.name" }, 2] }] }),
    code: "rule_in_template",
    pointer: text,
    mend: [put(text, "a1{{ execution.variables.name | slice: 2, 9 }}")],
  },
  {
    fault: "a template among others for a path",
    definition: asking({ "!!": { var: "message.payload.{{ message.type }}" } }),
    code: "template_in_rule",
    pointer: `${guard}/!!/var`,
    mend: [put(guard, { "!!": { var: "message.payload.ok" } })],
  },
  {
    fault: "a sum in a text",
    definition: sending({ "+": [{ var: "execution.variables.a" }, 1] }),
    code: "rule_in_template",
    pointer: text,
    mend: [put(text, "{{ execution.variables.a | plus: 1 }}")],
  },
];

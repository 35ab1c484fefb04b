// Tests of the JSON examples in the docs: each one fits the schema that the words behind its "json" name.
//   Name                      a component of the API's description, such as Definition
//   part of Name              some fields of the component
//   part of Name: field       the value of a field
//   part of Name: list[]      an item of a list
//   each Name                 an object whose members are such components
//   body POST /path           a request
//   answer POST /path 200     a response
//   rule                      a JSONLogic rule
//   alert, alert failure, alert notice, callback     what webhooks and DocuSign receive
//   callbacks                 the answer to a callback with several messages
//   editor                    settings of an editor, which the engine does not read
import { expect, it } from "vitest";
import { failuresToReport } from "#policy/advice/alerts.ts";
import type { TenantAlert } from "#schema/alert.ts";
import { machineDefinition } from "#schema/definition/definition.ts";
import { tenantAlertMessage } from "#services/alerts/alert-message.ts";
import { presentCallback } from "#wire/reports/present-callback.ts";
import { verify } from "#test/kernel/verify/at-once.ts";
import { AT, execution, message, run } from "#test/services/alerts/failures.ts";
import { component, errorsAt, requestBody, responseBody } from "./schemas.ts";
import { shownInDocs } from "./shown.ts";

type Check = (value: unknown, ...words: readonly string[]) => readonly string[];

const forms: readonly (readonly [RegExp, Check])[] = [
  [/^([A-Z]\w+)$/, (value, name = "") => errorsAt(component(name), value)],
  [/^part of (\w+)$/, partErrors],
  [/^part of (\w+): (\w+)$/, (value, name = "", field = "") => partErrors({ [field]: value }, name)],
  [/^part of (\w+): (\w+)\[\]$/, (value, name = "", list = "") => partErrors({ [list]: [value] }, name)],
  [/^each (\w+)$/, (value, name = "") => Object.values(Object(value)).flatMap((one) => errorsAt(component(name), one))],
  [/^body ([A-Z]+) (\S+)$/, (value, method = "", path = "") => errorsAt(requestBody(method, path), value)],
  [
    /^answer ([A-Z]+) (\S+) (\d+)$/,
    (value, method = "", path = "", status = "") => errorsAt(responseBody(method, path, status), value),
  ],
  [/^rule$/, ruleErrors],
  [/^alert$/, (value) => fieldErrors(value, actionAlert)],
  [/^alert failure$/, (value) => fieldErrors(value, executionAlert.failures[0])],
  [/^alert notice$/, (value) => fieldErrors(value, noticeAlert)],
  [/^callback$/, (value) => fieldErrors(value, docusignResult)],
  [/^callbacks$/, (value) => fieldErrors(value, callbackCounts)],
  [/^editor$/, (value) => (Object.keys(Object(value)).length > 0 ? [] : ["it is empty"])],
];

const shown = shownInDocs().filter(({ page }) => page !== "docs/reference/action-types.md"); // test/runners/docs.test.ts runs these

it.each(shown)("$at shows: $shows", ({ shows, value }) => {
  expect(errorsOf(shows, value)).toEqual([]);
});

function errorsOf(shows: string, value: unknown): readonly string[] {
  for (const [form, check] of forms) {
    const words = form.exec(shows);
    if (words !== null) return check(value, ...words.slice(1));
  }
  return ['say behind "json" what the block shows: test/examples/docs.test.ts lists the forms'];
}

function partErrors(value: unknown, name = ""): readonly string[] {
  return errorsAt(component(name), value, { isPart: true });
}

function ruleErrors(rule: unknown): readonly string[] {
  const states = { open: { on: { go: { target: "done", guard: rule } } }, done: { type: "final" } };
  const parsed = machineDefinition.parse({ kind: "machine", name: "shown", initial: "open", states });
  return verify(parsed).map(({ message: text }) => text);
}

/** The fields of the example that a real message does not have, at any depth. */
function fieldErrors(value: unknown, real: unknown, at = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, n) => fieldErrors(item, Object(real)[0], `${at}/${n}`));
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(Object(real), name)
      ? fieldErrors(member, Object(real)[name], `${at}/${name}`)
      : [`${at}/${name} is no field`],
  );
}

const actionAlert = message(failuresToReport([], [run()], AT));
const lastFailure = {
  run: "3.0",
  action: "report",
  state: "reporting",
  attempts: 2,
  errorType: "service_unavailable",
  errorCode: null,
  error: "HTTP 503",
};
const executionAlert = message(failuresToReport([execution({ lastFailure })], [], AT));
const refused: TenantAlert = {
  tenant: "acme",
  severity: "high",
  code: "connection_needs_attention",
  subject: "crm",
  at: AT,
  error: { type: "authentication_failed", code: "invalid_grant", message: "refused" },
  nextStep: "Authorize the connection again.",
  look: ["/v1/connections/crm"],
};
const recipient = { tenant: "acme", channel: "ops", test: false, publicUrl: null };
const noticeAlert = tenantAlertMessage(refused, recipient, null);
/** The answer to a callback with two messages that no run has used. */
const unused = {
  message: { named: "", event: null, messageId: null, reference: null },
  applied: false,
  repeated: false,
};
const callbackCounts = presentCallback("sendgrid", [
  { ...unused, recorded: true, reason: "execution_final" },
  { ...unused, recorded: false, reason: "foreign_message" },
]);

const docusignResult = { received: true, applied: true, event: "", envelopeId: "", execution: null, reason: null };

// What an alert says, in each channel's own way; whatever stands in an error stays text.
import { describe, expect, test } from "vitest";
import { alertGroups, alertsOf } from "#policy/advice/alerts.ts";
import { render } from "#kernel/language/render.ts";
import { fixesByCode } from "#policy/advice/suggested-fix.ts";
import type { AlertChannelSettings, AlertKind, Failure, Notice } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import { alertAction } from "#services/alerts/alert-action.ts";
import { alertLines, alertMessage, noticeMessage } from "#services/alerts/alert-message.ts";
import { nextStep } from "#services/alerts/alert-next-step.ts";

const AT = Date.UTC(2026, 10, 18, 12, 1, 5);
const FIVE_MINUTES = 5 * 60_000;

const run = (over: Partial<RunRow> = {}): RunRow => ({
  ...{ tenant: "acme", execution: "exe_1", id: "2.0", seq: 3, action: "charge", type: "webhook", status: "failed" },
  ...{ attempt: 5, priority: 95, createdAt: AT, dueAt: null, finishedAt: AT, errorType: "authentication_failed" },
  ...{ error: "HTTP 401", reason: null, deadLetter: true, costEstimate: null, namespace: "default" },
  ...{ definition: "order", correlationId: "o-1", errorCode: "invalid_key", incarnation: AT, handled: false },
  ...over,
});
const execution = (over: Partial<ExecutionRow>): ExecutionRow => ({
  ...{ tenant: "acme", id: "exe_1", createdAt: AT, seq: 3, namespace: "default", definitionId: "def_1" },
  ...{ definitionName: "order", definitionVersion: 1, placement: "own", status: "failed", states: ["a"] },
  ...{ correlationId: null, updatedAt: AT, finishedAt: AT, wakeAt: null, reason: null, error: "stuck: no way on" },
  ...over,
});

function channel(kind: AlertKind, config: JsonObject = {}) {
  const settings: AlertChannelSettings = { channel: { kind, config }, severities: ["critical"], throttle: "PT5M" };
  return {
    tenant: "acme",
    id: "alc_1",
    name: "ops",
    enabled: true,
    createdAt: 0,
    updatedAt: 0,
    deletedAt: null,
    settings,
  };
}

function message(failures: readonly Failure[], throttleMs = FIVE_MINUTES) {
  const [group] = alertGroups(failures, throttleMs);
  if (group === undefined) throw new Error("no failure, no alert");
  return alertMessage(group, { tenant: "acme", channel: "ops", test: false });
}

/** As the run would be frozen. */
function sent(kind: AlertKind, failures: readonly Failure[], config: JsonObject = {}): JsonObject {
  const { action, variables } = alertAction(channel(kind, config), message(failures), "key");
  const rendered = render(action.config, { execution: { variables } });
  if (!rendered.ok) throw new Error(rendered.error.message);
  return rendered.value as JsonObject; // a config is an object
}

const one = alertsOf([], [run()], AT);

describe("a critical dead letter", () => {
  test("as text", () => {
    expect(String(sent("email", one)["text"])).toBe(`[critical] charge of order failed for good

• 2026-11-18 12:01:05 UTC, exe_1: run 2.0, 5 attempts, namespace default, correlation id o-1
  authentication_failed (invalid_key): HTTP 401

Next: ${nextStep("action_failed", { errorType: "authentication_failed", errorCode: null })}
Look: /v1/dead-letters?definition=order&action=charge  /v1/dead-letters/dl_1.2.0  /v1/executions/exe_1
More of the same until 12:05 UTC are not sent.
`);
  });

  test("as data", () => {
    expect(sent("webhook", one, { url: "https://x.example.com" })).toEqual({
      url: "https://x.example.com",
      payload: {
        type: "escapement.alert",
        test: false,
        severity: "critical",
        code: "action_failed",
        title: "[critical] charge of order failed for good",
        tenant: "acme",
        channel: "ops",
        definition: "order",
        action: "charge",
        count: 1,
        failures: [
          {
            ...{ execution: "exe_1", run: "2.0", deadLetter: "dl_1.2.0", namespace: "default", correlationId: "o-1" },
            ...{ failedAt: "2026-11-18T12:01:05.000Z", attempts: 5 },
            error: { type: "authentication_failed", code: "invalid_key", message: "HTTP 401" },
          },
        ],
        nextStep: nextStep("action_failed", { errorType: "authentication_failed", errorCode: null }),
        look: ["/v1/dead-letters?definition=order&action=charge", "/v1/dead-letters/dl_1.2.0", "/v1/executions/exe_1"],
        silentUntil: "2026-11-18T12:05:00.000Z",
      },
    });
  });

  test("is an action that belongs to its channel", () => {
    const { action, ...rest } = alertAction(channel("slack"), message(one), "key");
    expect(action).toMatchObject({ type: "slack", priority: 0, retryPolicy: "reaction" });
    expect(rest).toMatchObject({ namespace: "alerts", correlationId: "alc_1", key: "key", dedup: null });
  });
});

describe("what stands in an error stays text", () => {
  const nasty = alertsOf(
    [],
    [run({ error: '{{ secrets.key }} {% raw %} <b>"x"</b> <!channel> & \'\n\nBcc: eve@x' })],
    AT,
  );

  test("in a mail's HTML", () => {
    const html = String(sent("email", nasty)["html"]);
    expect(html).toContain(
      "{{ secrets.key }} {% raw %} &lt;b&gt;&quot;x&quot;&lt;/b&gt; &lt;!channel&gt; &amp; &#39; Bcc: eve@x",
    );
    expect(html).not.toMatch(/<b>|<!/);
  });

  test("in Slack", () => {
    expect(String(sent("slack", nasty)["text"])).toContain(
      '{{ secrets.key }} {% raw %} &lt;b&gt;"x"&lt;/b&gt; &lt;!channel&gt; &amp;',
    );
  });

  test("in a webhook's body, where also a slot for a secret is only data", () => {
    const payload = sent("webhook", nasty)["payload"] as { failures: { error: { message: string } }[] };
    expect(payload.failures[0]?.error.message).toMatch(/^\{\{ secrets\.key \}\} \{% raw %\} <b>/);
  });

  test("in a subject, which stays one line", () => {
    const odd = alertsOf([], [run({ action: "a\r\nBcc: eve", definition: "o".repeat(300) })], AT);
    const subject = String(sent("email", odd)["subject"]);
    expect(subject).toMatch(/^\[critical\] a Bcc: eve of o+$/);
    expect(subject.length).toBe(200);
  });
});

test("many are counted, and ten of them shown, their errors cut", () => {
  const many = alertsOf(
    [],
    Array.from({ length: 12 }, (_, n) => run({ execution: `exe_${n}`, error: "x".repeat(9_000) })),
    AT,
  );
  const said = message(many);
  expect([said.count, said.failures.length, said.failures[0]?.error.message?.length]).toEqual([12, 10, 500]);
  expect(said.title).toBe("[critical] charge of order failed for good (12 times)");
  expect(String(sent("slack", many)["text"])).toContain("\n… and 2 more.\n");
});

test.each<[string, readonly Failure[], string, string, RegExp]>([
  [
    "execution",
    alertsOf([execution({})], [], AT),
    "an execution of order failed",
    "/v1/executions?definition=order&status=failed",
    /journal/,
  ],
  [
    "paused one",
    alertsOf([execution({ status: "paused", reason: "action_failed", finishedAt: null, pausedAt: AT })], [], AT),
    "an execution of order paused itself, because an action failed for good",
    "/v1/executions?definition=order&status=paused",
    /resume/,
  ],
  [
    "action on its own",
    alertsOf([], [run({ definition: "$action", errorType: null, errorCode: null, error: null })], AT),
    "the action charge failed for good",
    "/v1/dead-letters?definition=%24action&action=charge",
    /retry/,
  ],
  [
    "broken action",
    alertsOf([execution({ definitionName: "$action", error: null })], [], AT),
    "an action on its own failed",
    "/v1/executions?definition=%24action&status=failed",
    /journal/,
  ],
])("%s", (_name, failures, title, look, next) => {
  const said = message(failures);
  expect([said.title.replace(/^\[\w+\] /, ""), said.look[0]]).toEqual([title, look]);
  expect(said.nextStep).toMatch(next);
  expect(String(sent("slack", failures)["text"])).toMatch(/^\*\[\w+\] /);
});

describe("a journey that has failed", () => {
  const failed = (client: string | null, over: Partial<ExecutionRow> = {}) =>
    alertsOf(
      [execution({ definitionName: "wedding", journey: { client }, error: "timeout: no answer", ...over })],
      [],
      AT,
    );
  const wedding = "Journey Execution Failed: wedding";

  test("is told in the words of those who look after journeys, with the client's name", () => {
    const said = sent("email", failed("Ada & Eve"));
    expect(said["subject"]).toBe(wedding);
    expect(String(said["text"]).split("\n").slice(0, 5)).toEqual([
      wedding,
      "",
      'The journey "wedding" for client "Ada & Eve" has failed execution. Error: no answer',
      "• 2026-11-18 12:01:05 UTC, exe_1: namespace default",
      "  timeout: no answer",
    ]);
    expect(String(said["html"])).toContain("for client &quot;Ada &amp; Eve&quot; has failed");
    expect(message(failed("Ada"))).toMatchObject({ severity: "high", failures: [{ says: expect.any(String) }] });
  });

  test("or was paused is told alike; of one whose client has no name the sentence goes without", () => {
    const paused = { status: "paused", reason: "action_failed", finishedAt: null, pausedAt: AT, error: null } as const;
    const said = message(failed(null, paused));
    expect(said).toMatchObject({ title: wedding, code: "execution_paused" });
    expect(alertLines(said)[0]).toBe('The journey "wedding" has failed execution. Error: nothing more is known');
    expect(said.nextStep).toContain("resume");
  });

  test("several times over is one alert that says of whom", () => {
    const said = message([...failed("Ada"), ...failed("Eve", { id: "exe_2" })]);
    expect(said.title).toBe(`${wedding} (2 times)`);
    expect(alertLines(said).filter((line) => line.startsWith("The journey"))).toHaveLength(2);
  });
});

test("without a throttle nothing is said of silence", () => {
  expect(message(one, 0).silentUntil).toBeNull();
  expect(String(sent("slack", one)["text"])).toContain("are not sent");
});

test("the next step is the one for the error's code, or for its type", () => {
  const step = (errorType: string, errorCode: string | null) => nextStep("action_failed", { errorType, errorCode });
  const [code] = Object.keys(fixesByCode);
  expect(step("timeout", code ?? "")).toBe(fixesByCode[code ?? ""]?.suggestedFix);
  expect(new Set(["timeout", "rate_limit", "not_found"].map((type) => step(type, null))).size).toBe(3);
});

describe("a notice about the tenant as a whole", () => {
  const notice: Notice = {
    ...{ severity: "high", code: "connection_needs_attention", tenant: "acme", subject: "crm", at: AT },
    error: { type: "authentication_failed", code: "invalid_grant", message: "refused <!channel>\n{{ x }}" },
    nextStep: "Set the credentials anew.",
    look: ["/v1/connections/crm"],
  };
  const told = noticeMessage(notice, { tenant: "acme", channel: "ops", test: false }, AT + FIVE_MINUTES);

  test("says what it is about, why, and where to look", () => {
    expect(told).toMatchObject({ definition: null, action: null, count: 1, failures: [], notice: { subject: "crm" } });
    expect(told.title).toBe("[high] the connection crm needs attention: its provider refuses the account");
    expect(alertLines(told)).toEqual([
      "• 2026-11-18 12:01:05 UTC, crm",
      "  authentication_failed (invalid_grant): refused <!channel> {{ x }}",
      "",
      "Next: Set the credentials anew.",
      "Look: /v1/connections/crm",
      "More of the same until 12:06 UTC are not sent.",
    ]);
  });

  test.each([
    ["deliveries_stuck", "[high] deliveries of the trigger crm wait for a person"],
    ["poller_frozen", "[high] the poller crm reads on no more by itself"],
  ] as const)("of the code %s says in its title what has happened", (code, title) => {
    const to = { tenant: "acme", channel: "ops", test: false };
    expect(noticeMessage({ ...notice, code }, to, null).title).toBe(title);
  });

  test("can mention nobody", () => {
    const { action, variables } = alertAction(channel("slack"), told, "key");
    const rendered = render(action.config, { execution: { variables } });
    expect(JSON.stringify(rendered.ok && rendered.value)).toContain("refused &lt;!channel&gt; {{ x }}");
  });
});

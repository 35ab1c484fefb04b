// Alert messages of each channel. The text of an error is never interpreted as markup or as a template.
import { describe, expect, test } from "vitest";
import { failuresToReport } from "#policy/advice/alerts.ts";
import { render } from "#kernel/language/render.ts";
import { fixOfUnknownType } from "#policy/advice/fix/by-type.ts";
import { fixesByCode } from "#policy/advice/suggested-fix.ts";
import type { AlertChannelSettings, AlertKind, Failure, TenantAlert } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { alertAction } from "#services/alerts/alert-action.ts";
import { alertLines } from "#services/alerts/alert-lines.ts";
import { tenantAlertMessage, nextStep } from "#services/alerts/alert-message.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";
import { AT, execution, FIVE_MINUTES, message, run } from "./failures.ts";

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

/** As the run would be frozen. */
function sent(kind: AlertKind, failures: readonly Failure[], config: JsonObject = {}): JsonObject {
  const { action, variables } = alertAction(channel(kind, config), message(failures), "key");
  const rendered = render(action.config, { execution: { variables } });
  if (!rendered.ok) throw new Error(rendered.error.message);
  return rendered.value as JsonObject; // a config is an object
}

const one = failuresToReport([], [run()], AT);

describe("a critical dead letter", () => {
  test("as text", () => {
    const [title, blank, failure, error, , next, look, silent, ...rest] = String(sent("email", one)["text"]).split(
      "\n",
    );
    expect(title).toMatch(namingPattern("[critical]", "charge", "order"));
    expect([blank, rest]).toEqual(["", [""]]);
    expect(failure).toMatch(namingPattern("2026-11-18 12:01:05 UTC", "exe_1", "2.0", 5, "default", "o-1"));
    expect(error).toMatch(namingPattern("authentication_failed", "invalid_key", "HTTP 401"));
    expect(next).toContain(nextStep("action_failed", { errorType: "authentication_failed", errorCode: null }));
    for (const path of message(one).look) expect(look).toContain(path);
    expect(silent).toMatch(namingPattern("12:05 UTC"));
  });

  test("as data", () => {
    expect(sent("webhook", one, { url: "https://x.example.com" })).toEqual({
      url: "https://x.example.com",
      payload: {
        type: "escapement.alert",
        test: false,
        severity: "critical",
        code: "action_failed",
        title: naming("[critical]", "charge", "order"),
        tenant: "acme",
        channel: "ops",
        definition: "order",
        action: "charge",
        count: 1,
        failures: [
          {
            execution: "exe_1",
            run: "2.0",
            deadLetter: "dl_1.2.0",
            namespace: "default",
            correlationId: "o-1",
            failedAt: "2026-11-18T12:01:05.000Z",
            attempts: 5,
            error: { type: "authentication_failed", code: "invalid_key", message: "HTTP 401" },
          },
        ],
        nextStep: nextStep("action_failed", { errorType: "authentication_failed", errorCode: null }),
        look: ["/v1/dead-letters?definition=order&action=charge", "/v1/dead-letters/dl_1.2.0", "/v1/executions/exe_1"],
        silentUntil: "2026-11-18T12:05:00.000Z",
      },
    });
  });

  test("an alert is a standalone action of its channel", () => {
    const { action, ...rest } = alertAction(channel("slack"), message(one), "key");
    expect(action).toMatchObject({ type: "slack", priority: 0, retryPolicy: "reaction" });
    expect(rest).toMatchObject({ namespace: "alerts", correlationId: "alc_1", key: "key", dedup: null });
  });
});

describe("the text of an error is escaped", () => {
  const nasty = failuresToReport(
    [],
    [run({ error: '{{ secrets.key }} {% raw %} <b>"x"</b> <!channel> & \'\n\nBcc: eve@x' })],
    AT,
  );

  test("in the HTML of an e-mail", () => {
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

  test("in the body of a webhook, where a secret slot is data, too", () => {
    const payload = sent("webhook", nasty)["payload"] as { failures: { error: { message: string } }[] };
    expect(payload.failures[0]?.error.message).toMatch(/^\{\{ secrets\.key \}\} \{% raw %\} <b>/);
  });

  test("in a subject, which is one line", () => {
    const odd = failuresToReport([], [run({ action: "a\r\nBcc: eve", definition: "o".repeat(300) })], AT);
    const subject = String(sent("email", odd)["subject"]);
    expect(subject).toMatch(/^\[critical\] [^\r\n]*\ba Bcc: eve\b[^\r\n]* o+$/);
    expect(subject.length).toBe(200);
  });
});

test("an alert counts all failures, shows ten, and truncates their errors", () => {
  const many = failuresToReport(
    [],
    Array.from({ length: 12 }, (_, n) => run({ execution: `exe_${n}`, error: "x".repeat(9_000) })),
    AT,
  );
  const said = message(many);
  expect([said.count, said.failures.length, said.failures[0]?.error.message?.length]).toEqual([12, 10, 500]);
  expect(said.title).toMatch(namingPattern("charge", "order", 12));
  const bullets = alertLines(said).filter((line) => line.startsWith("•"));
  expect([bullets.length, alertLines(said)[20]]).toEqual([10, naming(2)]);
});

test.each<[string, readonly Failure[], code: string, names: string[], look: string, next: string]>([
  [
    "execution",
    failuresToReport([execution({})], [], AT),
    "execution_failed",
    ["order"],
    "/v1/executions?definition=order&status=failed",
    "/journal",
  ],
  [
    "paused one",
    failuresToReport(
      [execution({ status: "paused", reason: "action_failed", finishedAt: null, pausedAt: AT })],
      [],
      AT,
    ),
    "execution_paused",
    ["order"],
    "/v1/executions?definition=order&status=paused",
    "/resume",
  ],
  [
    "action on its own",
    failuresToReport([], [run({ definition: "$action", errorType: null, errorCode: null, error: null })], AT),
    "action_failed",
    ["charge"],
    "/v1/dead-letters?definition=%24action&action=charge",
    fixOfUnknownType.suggestedFix,
  ],
  [
    "broken action",
    failuresToReport([execution({ definitionName: "$action", error: null })], [], AT),
    "execution_failed",
    [],
    "/v1/executions?definition=%24action&status=failed",
    "/journal",
  ],
])("%s", (_name, failures, code, names, look, next) => {
  const said = message(failures);
  expect([said.code, said.title, said.look[0]]).toEqual([code, naming(`[${said.severity}]`, ...names), look]);
  expect(said.title).not.toContain("$action");
  expect(said.nextStep).toContain(next);
  expect(String(sent("slack", failures)["text"])).toMatch(/^\*\[\w+\] /);
});

describe("a journey that has failed", () => {
  const failed = (client: string | null, over: Partial<ExecutionRow> = {}) =>
    failuresToReport(
      [execution({ definitionName: "wedding", journey: { client }, error: "timeout: no answer", ...over })],
      [],
      AT,
    );

  test("is alerted with the journey's fixed sentence and the client's name", () => {
    const said = sent("email", failed("Ada & Eve"));
    expect(said["subject"]).toMatch(/\bwedding$/);
    expect(String(said["text"]).split("\n").slice(0, 5)).toEqual([
      said["subject"],
      "",
      naming('"wedding"', '"Ada & Eve"', "no answer"),
      naming("2026-11-18 12:01:05 UTC", "exe_1", "default"),
      naming("timeout", "no answer"),
    ]);
    expect(String(said["html"])).toContain("&quot;Ada &amp; Eve&quot;");
    expect(message(failed("Ada"))).toMatchObject({ severity: "high", failures: [{ says: expect.any(String) }] });
  });

  test("a paused journey gets the same sentence, without a client if it names none", () => {
    const paused = { status: "paused", reason: "action_failed", finishedAt: null, pausedAt: AT, error: null } as const;
    const said = message(failed(null, paused));
    expect(said).toMatchObject({ title: message(failed("Ada")).title, code: "execution_paused" });
    expect(alertLines(said)[0]).toMatch(namingPattern('"wedding"'));
    expect(alertLines(said)[0]).not.toMatch(/client|null|undefined/);
    expect(said.nextStep).toContain("/resume");
  });

  test("several failures are one alert that names each client", () => {
    const said = message([...failed("Ada"), ...failed("Eve", { id: "exe_2" })]);
    expect(said.title).toMatch(namingPattern("wedding", 2));
    expect(alertLines(said).filter((line) => /"Ada"|"Eve"/.test(line))).toHaveLength(2);
  });
});

test("without a throttle the alert names no end of the silence", () => {
  expect(message(one, 0).silentUntil).toBeNull();
  const lines = (throttleMs: number) => alertLines(message(one, throttleMs));
  expect([...lines(0), naming("12:05 UTC")]).toEqual(lines(FIVE_MINUTES));
});

test("the next step depends on the error's code, or else on its type", () => {
  const step = (errorType: string, errorCode: string | null) => nextStep("action_failed", { errorType, errorCode });
  const [code] = Object.keys(fixesByCode);
  expect(step("timeout", code ?? "")).toBe(fixesByCode[code ?? ""]?.suggestedFix);
  expect(new Set(["timeout", "rate_limit", "not_found"].map((type) => step(type, null))).size).toBe(3);
});

describe("a notice about the tenant as a whole", () => {
  const notice: TenantAlert = {
    severity: "high",
    code: "connection_needs_attention",
    tenant: "acme",
    subject: "crm",
    at: AT,
    error: { type: "authentication_failed", code: "invalid_grant", message: "refused <!channel>\n{{ x }}" },
    nextStep: "Set the credentials anew.",
    look: ["/v1/connections/crm"],
  };
  const told = tenantAlertMessage(
    notice,
    { tenant: "acme", channel: "ops", test: false, publicUrl: null },
    AT + FIVE_MINUTES,
  );

  test("names the subject, the cause and the paths to look at", () => {
    expect(told).toMatchObject({ definition: null, action: null, count: 1, failures: [], notice: { subject: "crm" } });
    expect(told.title).toMatch(namingPattern("[high]", "crm"));
    expect(alertLines(told)).toEqual([
      naming("2026-11-18 12:01:05 UTC", "crm"),
      naming("authentication_failed", "invalid_grant", "refused <!channel> {{ x }}"),
      "",
      naming(notice.nextStep),
      naming("GET /v1/connections/crm"),
      naming("12:06 UTC"),
    ]);
  });

  test.each(["deliveries_stuck", "poller_frozen"] as const)(
    "the title of a notice with the code %s describes the event",
    (code) => {
      const to = { tenant: "acme", channel: "ops", test: false, publicUrl: null };
      const { title } = tenantAlertMessage({ ...notice, code }, to, null);
      expect(title).toMatch(namingPattern("[high]", "crm"));
      expect(title).not.toBe(told.title);
    },
  );

  test("a notice cannot mention Slack users", () => {
    const { action, variables } = alertAction(channel("slack"), told, "key");
    const rendered = render(action.config, { execution: { variables } });
    expect(JSON.stringify(rendered.ok && rendered.value)).toContain("refused &lt;!channel&gt; {{ x }}");
  });
});

// Recorded texts of whole alerts. After a rewording, read the diff, then record with `npx vitest run -u`.
import { expect, test } from "vitest";
import { failuresToReport } from "#policy/advice/alerts.ts";
import type { TenantAlert } from "#schema/alert.ts";
import { alertLines } from "#services/alerts/alert-lines.ts";
import { tenantAlertMessage } from "#services/alerts/alert-message.ts";
import { AT, execution, FIVE_MINUTES, message, run } from "./failures.ts";

test("the texts of alerts match the record", async () => {
  const to = { tenant: "acme", channel: "ops", test: false, publicUrl: null };
  const notice = (code: TenantAlert["code"]): TenantAlert => ({
    severity: "high",
    code,
    tenant: "acme",
    subject: "crm",
    at: AT,
    nextStep: "Do this.",
    look: ["/v1/crm"],
    error: { type: "authentication_failed", code: "invalid_grant", message: "refused" },
  });
  const paused = { status: "paused", reason: "action_failed", finishedAt: null, pausedAt: AT } as const;
  const error = { errorType: "service_unavailable", errorCode: "http_503", error: "HTTP 503" };
  const lastFailure = { run: "3.0", action: "report", state: "reporting", attempts: 2, ...error };
  const codes = ["connection_needs_attention", "deliveries_stuck", "poller_frozen", "success_rate_low"] as const;
  const messages = [
    message(failuresToReport([], [run()], AT), 0),
    message(
      failuresToReport([], [run(), run({ execution: "exe_2", attempt: 1, error: null, correlationId: null })], AT),
    ),
    message(failuresToReport([], [run({ definition: "$action" })], AT)),
    message(failuresToReport([execution({})], [], AT)),
    message(failuresToReport([execution(paused)], [], AT)),
    message(failuresToReport([execution({ definitionName: "$action", error: null })], [], AT)),
    message(failuresToReport([execution({ definitionName: "wedding", journey: { client: "Ada" } })], [], AT)),
    message(
      failuresToReport(
        [execution({ states: ["failed"], error: "machine_failed: it ended in failed", lastFailure })],
        [],
        AT,
      ),
    ),
    message(
      failuresToReport([execution({ ...paused, lastFailure })], [], AT),
      FIVE_MINUTES,
      "https://escapement.example.com",
    ),
    message(
      failuresToReport([execution({ definitionName: "wedding", journey: { client: null }, error: null })], [], AT),
    ),
    ...codes.map((code) => tenantAlertMessage(notice(code), to, AT + FIVE_MINUTES)),
  ];
  const texts = messages.map((each) => [each.title, "", ...alertLines(each), ""].join("\n"));
  await expect(texts.join("\n")).toMatchFileSnapshot("../../golden/alerts.txt");
});

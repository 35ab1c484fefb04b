// The status of a message does not depend on the order in which its reports arrive.
import { expect, test } from "vitest";
import { reportRank } from "#policy/inbound/callbacks/report-rank.ts";

const NOW = Date.UTC(2026, 10, 20);
type Report = readonly [kind: string, at: number];

function statusOf(reports: readonly Report[]): string | undefined {
  return reports.toSorted((a, b) => Number(reportRank(...b)) - Number(reportRank(...a)))[0]?.[0];
}

test.each<readonly [string, readonly Report[]]>([
  [
    "email_delivered",
    [
      ["email_deferred", NOW + 1],
      ["email_delivered", NOW],
    ],
  ],
  [
    "email_opened",
    [
      ["email_opened", NOW],
      ["email_delivered", NOW + 1],
    ],
  ],
  [
    "email_bounced",
    [
      ["email_delivered", NOW],
      ["email_bounced", NOW + 1],
    ],
  ],
  [
    "email_delivered",
    [
      ["email_bounced", NOW],
      ["email_delivered", NOW + 1],
    ],
  ],
  [
    "email_bounced",
    [
      ["email_delivered", NOW],
      ["email_bounced", NOW],
    ],
  ],
  [
    "email_clicked",
    [
      ["email_opened", NOW + 9],
      ["email_clicked", NOW],
      ["email_bounced", NOW + 9],
    ],
  ],
  [
    "email_complained",
    [
      ["email_unsubscribed", NOW + 1],
      ["email_complained", NOW],
    ],
  ],
  [
    "sms_delivered",
    [
      ["sms_sent", NOW + 1],
      ["sms_delivered", NOW],
    ],
  ],
  [
    "envelope_voided",
    [
      ["envelope_delivered", NOW + 1],
      ["envelope_voided", NOW],
    ],
  ],
  [
    "push_opened",
    [
      ["push_received", NOW + 1],
      ["push_opened", NOW],
    ],
  ],
])("%s decides", (status, reports) => {
  expect(statusOf(reports)).toBe(status);
  expect(statusOf(reports.toReversed())).toBe(status);
});

test("other events are no part of the status", () => {
  expect(reportRank("recipient_completed", NOW)).toBe(null);
  expect(Number.isSafeInteger(reportRank("email_complained", Date.UTC(3000, 0)))).toBe(true);
});

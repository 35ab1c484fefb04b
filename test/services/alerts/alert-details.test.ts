// Alerts of failed and paused executions: the states, the last failed action, the next step, and the links.
import { describe, expect, test } from "vitest";
import { failuresToReport } from "#policy/advice/alerts.ts";
import { alertLines } from "#services/alerts/alert-lines.ts";
import { nextStep } from "#services/alerts/alert-message.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";
import { AT, execution, FIVE_MINUTES, message, run } from "./failures.ts";

const one = failuresToReport([], [run()], AT);

describe("the failure of an execution", () => {
  const lastFailure = {
    run: "3.0",
    action: "report",
    state: "reporting",
    attempts: 2,
    errorType: "service_unavailable",
    errorCode: "http_503",
    error: "HTTP 503",
  };
  const failed = failuresToReport(
    [execution({ states: ["failed"], error: "machine_failed: it ended in failed", lastFailure })],
    [],
    AT,
  );

  test("names the state, the last failed action, its run, its dead letter and its error", () => {
    const [failure] = message(failed).failures;
    expect(failure).toMatchObject({
      states: ["failed"],
      run: null,
      error: { type: "machine_failed" },
      lastFailure: {
        action: "report",
        state: "reporting",
        run: "3.0",
        deadLetter: "dl_1.3.0",
        attempts: 2,
        error: { type: "service_unavailable", code: "http_503", message: "HTTP 503" },
      },
    });
    expect(alertLines(message(failed)).slice(0, 4)).toEqual([
      naming("exe_1", "in failed"),
      naming("machine_failed"),
      naming("report", "reporting", "3.0", 2, "dl_1.3.0"),
      naming("service_unavailable", "http_503", "HTTP 503"),
    ]);
  });

  test("links to the dead letter, and recommends the fix of its error", () => {
    const said = message(failed);
    expect(said.look).toContain("/v1/dead-letters/dl_1.3.0");
    expect(said.nextStep).toContain(
      nextStep("action_failed", { errorType: "service_unavailable", errorCode: "http_503" }),
    );
  });

  test("of a node names the node once", () => {
    const node = failuresToReport([execution({ lastFailure: { ...lastFailure, state: "report" } })], [], AT);
    expect(alertLines(message(node))[2]).not.toMatch(/report.*report/);
  });

  test("without a failed run has no last failure", () => {
    const [failure] = message(failuresToReport([execution({})], [], AT)).failures;
    expect(failure?.lastFailure).toBeNull();
  });

  test("of a paused one names the dead letter and the execution in the next step", () => {
    const paused = { status: "paused", reason: "compensation_stuck", finishedAt: null, pausedAt: AT } as const;
    const said = message(failuresToReport([execution({ ...paused, lastFailure })], [], AT));
    expect(said.code).toBe("execution_paused");
    expect(said.nextStep).toMatch(namingPattern("/v1/dead-letters/dl_1.3.0/retry", "/v1/executions/exe_1/resume"));
  });
});

describe("the links of an alert", () => {
  test("contain the deployment's public URL", () => {
    const said = message(one, FIVE_MINUTES, "https://escapement.example.com");
    expect(said.look).toEqual(message(one).look.map((path) => `https://escapement.example.com${path}`));
    expect(alertLines(said).join("\n")).not.toContain("GET ");
  });

  test("are calls of the API if the deployment has no public URL", () => {
    const lines = alertLines(message(one)).join("\n");
    for (const path of message(one).look) expect(lines).toContain(`GET ${path}`);
  });
});

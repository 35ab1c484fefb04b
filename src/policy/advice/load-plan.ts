// Plans a load test of one action: in which steps the load rises, and which scenarios are mixed. It sends no request.
import {
  LOAD_DRAIN_MS,
  LOAD_DURATION_MS_MAX,
  LOAD_DURATION_MS_MIN,
  LOAD_FOLLOWED_AT_ONCE,
  LOAD_STAGES_MAX,
} from "#schema/limits/planning/load-plans.ts";
import { scenarioNames, type LoadConfig, type LoadPlan, type LoadStage, type ScenarioName } from "#schema/load.ts";
import type { Finding } from "#schema/refusal.ts";
import { durationMs } from "#kernel/language/instant.ts";
import { obstacles, scenarioOf, type LoadAction } from "./load-scenarios.ts";

export type LoadPlanned =
  | { readonly ok: true; readonly plan: LoadPlan }
  | { readonly ok: false; readonly findings: readonly Finding[] };

export function planLoad(action: LoadAction, config: LoadConfig): LoadPlanned {
  const duration = durationMs(config.duration);
  const rampUpTime = durationMs(config.rampUpTime);
  const impossible = obstacles(action);
  const findings = [
    ...lengthFindings(duration, rampUpTime),
    ...dedupFindings(action),
    ...scenarioFindings(config.scenarios ?? [], impossible),
  ];
  if (findings.length > 0) return { ok: false, findings };
  const requested = new Set(config.scenarios ?? scenarioNames);
  const chosen = scenarioNames.filter((name) => requested.has(name) && impossible[name] === undefined);
  return {
    ok: true,
    plan: {
      v: 1,
      actionId: typeof action.actionId === "string" ? action.actionId : action.type,
      concurrency: config.concurrency,
      duration,
      rampUpTime,
      stages: stagesOf(config.concurrency, rampUpTime),
      draw: config.draw ?? {},
      scenarios: chosen.map((name) => scenarioOf(name, action, config.batch)),
      limits: {
        requestsPerSecond: config.requestsPerSecond ?? null,
        followedAtOnce: LOAD_FOLLOWED_AT_ONCE,
        drainMs: LOAD_DRAIN_MS,
      },
      notes: [...warnings(action, rampUpTime), ...omittedNotes(config.scenarios, impossible)],
    },
  };
}

/**
 * Returns the steps in which the load rises. All steps are of equal size and equally far apart. The last one reaches
 * the full load.
 */
export function stagesOf(concurrency: number, rampUpMs: number): LoadStage[] {
  const steps = rampUpMs === 0 ? 1 : Math.min(LOAD_STAGES_MAX, concurrency);
  return Array.from({ length: steps }, (_, step) => ({
    atMs: steps === 1 ? 0 : Math.round((rampUpMs * step) / (steps - 1)),
    concurrency: Math.ceil((concurrency * (step + 1)) / steps),
  }));
}

function lengthFindings(duration: number, rampUpTime: number): Finding[] {
  if (duration < LOAD_DURATION_MS_MIN || duration > LOAD_DURATION_MS_MAX) {
    const message = `is ${duration} ms; it must be from ${LOAD_DURATION_MS_MIN} (LOAD_DURATION_MS_MIN) to ${LOAD_DURATION_MS_MAX} ms (LOAD_DURATION_MS_MAX)`;
    return [
      {
        pointer: "/config/duration",
        code: "out_of_range",
        message,
        hint: 'Write a duration such as "PT1M", or milliseconds such as 60000.',
      },
    ];
  }
  if (rampUpTime >= 0 && rampUpTime < duration) return [];
  const message = `is ${rampUpTime} ms; it must be shorter than the duration of ${duration} ms`;
  return [{ pointer: "/config/rampUpTime", code: "out_of_range", message, hint: `Write at most ${duration - 1} ms.` }];
}

/** Refuses a dedup key that is the same in every request, because all requests would then create one action. */
function dedupFindings({ dedupKey }: LoadAction): Finding[] {
  if (typeof dedupKey !== "string" || /\{\{ *n *\}\}/.test(dedupKey)) return [];
  const message = "is the same for every action of the load, so only one action would be created";
  const hint = 'Omit dedupKey, or number it: "order-{{ n }}".';
  return [{ pointer: "/action/dedupKey", code: "not_distinct", message, hint }];
}

type Obstacles = { readonly [name in ScenarioName]?: string };

function scenarioFindings(requested: readonly ScenarioName[], impossible: Obstacles): Finding[] {
  return requested.flatMap((name, n) => {
    const hint = impossible[name];
    if (hint === undefined) return [];
    const message = `the scenario ${name} is not possible for this action`;
    return [{ pointer: `/config/scenarios/${n}`, code: "scenario_not_possible", message, hint }];
  });
}

/**
 * Notes about the scenarios that this action cannot use. If the client has named scenarios, none is left out, so there
 * are no notes.
 */
function omittedNotes(requested: readonly ScenarioName[] | undefined, impossible: Obstacles): string[] {
  if (requested !== undefined) return [];
  return Object.entries(impossible).map(([name, why]) => `The scenario ${name} is omitted: ${why}.`);
}

const REAL_WORLD: { readonly [type: string]: string } = {
  email: "real e-mails, unless the action's connection points to a test server",
  sms: "real text messages, unless the action's connection points to a test server",
  push: "real notifications, unless the action's connection points to a test server",
  slack: "real messages, unless the action's connection points to a test server",
  docusign_envelope: "real envelopes, unless the action's connection points to a test server",
  docusign_recipient_view: "real signing pages, unless the action's connection points to a test server",
  blockchain_mint: "real transactions, which cost gas and which each wallet sends one after another",
  contract_call: "real transactions, which cost gas and which each wallet sends one after another",
  worker: "real calls of the bound Worker",
  task: "one task per action, which a person has to complete",
};

function warnings(action: LoadAction, rampUpTime: number): string[] {
  const real = Object.hasOwn(REAL_WORLD, action.type) ? REAL_WORLD[action.type] : undefined;
  return [
    ...(real === undefined ? [] : [`This plan causes ${real}.`]),
    ...(rampUpTime === 0 ? ["Without a ramp-up, the plan cannot show at which load the responses become slower."] : []),
    ...(action.delay === undefined
      ? []
      : ['The actions wait for their "delay" first, and the measured total time includes this delay.']),
  ];
}

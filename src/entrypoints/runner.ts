// RPC entrypoint that executes claimed runs. In the direct lane an object calls it. In the queue lane the consumer
// calls `runWithEnv`. Runners never run inside an object.
import { openLog } from "#schema/logging/log-levels.ts";
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import { failureOutcome } from "#runners/core/outcomes.ts";
import { pageReader } from "#runners/http/read-page.ts";
import { runTicket, runWith } from "#runners/run.ts";
import type { EnginePort } from "#runners/core/runner.ts";
import type { ActionQueue } from "#schema/engine/message.ts";
import type { BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";
import { parseAttemptLog, logAttempt } from "#services/actions/attempt-log.ts";
import { recordAttemptDuration } from "#services/actions/recent-durations.ts";
import { fillTicket } from "#services/actions/fill-ticket.ts";
import { sendFromRun, startFromRun } from "#services/executions/act-on-executions.ts";
import { heldForCatalog } from "#services/catalog-outage.ts";
import { changeOwnTasks } from "#services/tasks/change-own-tasks.ts";
import { makeReceiptUrl } from "#services/hooks/receipts.ts";
import { openUnsubscribeLink } from "#services/hooks/unsubscribe-link.ts";
import { createTask } from "#services/tasks/create-task.ts";
import { openConnections } from "#services/connections/open-connection.ts";
import { openConfigTokens } from "#services/connections/own-tokens.ts";
import { openSuppressionLookup } from "#services/suppressions/find-suppressed.ts";
import { suppressRefused } from "#services/suppressions/suppress-refused.ts";
import { withinLimits } from "#services/key-limits/within-limits.ts";
import { withinCap } from "#services/subjects/within-cap.ts";
import { openQueueShare } from "#services/quotas/queue-share.ts";
import { withinQuietHours } from "#services/policies/within-quiet-hours.ts";
import { withinQuotas } from "#services/quotas/within-quotas.ts";
import { renderTemplate } from "#services/templates/render-template.ts";
import { cachedPrices, withPrice } from "#services/actions/prices.ts";
import { signingFor } from "#services/signing/endpoint-keys.ts";
import { databasePorts, emailPort, filesPort, servicePorts } from "./action-ports.ts";
import { depsOf, writeLine } from "./deps.ts";
import { signerPort } from "./ports.ts";
import { runBatch } from "./batched-runs.ts";

export class Runner extends WorkerEntrypoint<Env> {
  /**
   * Executes a run. `untilCalledOff` resolves when the outcome is no longer needed. If the caller's object is lost,
   * `untilCalledOff` rejects, and the run continues.
   */
  run(ticket: Ticket, untilCalledOff?: () => Promise<void>): Promise<Outcome> {
    if (untilCalledOff === undefined) return runWithEnv(ticket, this.env);
    const control = new AbortController();
    void untilCalledOff().then(
      () => control.abort(),
      () => {},
    );
    return runWithEnv(ticket, this.env, { abortSignal: control.signal });
  }

  runBatch(tickets: readonly Ticket[]): Promise<BatchedResults> {
    const suppressions = openSuppressionLookup(depsOf(this.env));
    return runBatch(tickets, (ticket) => runWithEnv(ticket, this.env, { suppressions }));
  }
}

/** `withinShare` executes the run, or holds it if the tenant's share of the queue is used up. */
type RunOptions = {
  /** Finds suppressed recipients. Runs of one invocation share it, and with it their queries. */
  readonly suppressions?: ReturnType<typeof openSuppressionLookup>;
  readonly abortSignal?: AbortSignal;
  readonly withinShare?: (run: () => Promise<Outcome>) => Promise<Outcome>;
};

/** Executes a run within quiet hours, its limits by key, the tenant's quotas and the cap, and logs the attempt. */
export function runWithEnv(
  ticket: Ticket,
  env: Env,
  { abortSignal, suppressions, withinShare = (run) => run() }: RunOptions = {},
): Promise<Outcome> {
  const deps = depsOf(env);
  const suppressed = (suppressions ?? openSuppressionLookup(deps))(ticket.tenant);
  const run: typeof runTicket = (filled, ports) =>
    runTicket(filled, { ...ports, suppressed, ...(abortSignal ? { abortSignal } : {}) });
  const runMeasured = () => recordAttemptDuration(deps, ticket, () => fillAndRun(ticket, env, deps, run));
  const runWithinQuotas = () => withinQuotas(deps, ticket, () => withinCap(deps, ticket, runMeasured));
  // The limits by key are asked first, so that a run that waits for its turn uses no quota.
  const runWithinLimits = () => withinQuietHours(deps, ticket, () => withinLimits(deps, ticket, runWithinQuotas));
  const log = openLog(env.LOG_LEVELS, "actions", writeLine);
  return logAttempt({ ...deps, log }, parseAttemptLog(env.LOG_ACTIONS), ticket, () => withinShare(runWithinLimits));
}

/** Returns the run function of one queue invocation. It holds a run if the tenant's share of the queue is used up. */
export function openQueueRun(env: Env): (ticket: Ticket, queue: ActionQueue) => Promise<Outcome> {
  const share = openQueueShare(depsOf(env));
  const suppressions = openSuppressionLookup(depsOf(env));
  return (ticket, queue) => runWithEnv(ticket, env, { suppressions, withinShare: (run) => share(ticket, queue, run) });
}

/** Reads a page of a provider's list for a poller, with the quotas and secrets of a run. */
export function readWithEnv(ticket: Ticket, env: Env): Promise<Outcome> {
  const deps = depsOf(env);
  const read: typeof runTicket = (filled, ports) => runWith(pageReader, filled, ports);
  return withinQuotas(deps, ticket, () => fillAndRun(ticket, env, deps, read));
}

/** Fills the secrets into the config and calls the runner with its ports. */
async function fillAndRun(ticket: Ticket, env: Env, deps: Deps, run: typeof runTicket): Promise<Outcome> {
  const startedAt = deps.now();
  const secrets: string[] = [];
  const unsubscribe = openUnsubscribeLink(deps, ticket, secrets);
  const filled = await fillTicket(deps, ticket, unsubscribe.marker);
  if (!filled.ok) {
    return heldForCatalog(failureOutcome({ error: filled.error }, { startedAt, endedAt: deps.now() }), deps.now());
  }
  secrets.push(...filled.secrets);
  const credentials = { secrets, bounds: [...filled.bounds] };
  // The prices are loaded while the run executes, so that no run waits for them.
  const prices = cachedPrices(deps, ticket.tenant);
  const opener = openConnections(deps, ticket, credentials);
  const outcome = await run(filled.ticket, {
    fetch: (url, init) => fetch(url, init),
    now: deps.now,
    allowLoopback: env.ALLOW_LOOPBACK === "true",
    signing: signingFor(deps, ticket.tenant, credentials.secrets),
    ...credentials,
    findAccount: opener.find,
    connection: opener.open,
    template: (reference, variables) => renderTemplate(deps, ticket.tenant, reference, variables, unsubscribe.marker()),
    email: emailPort(env),
    files: filesPort(env, ticket.tenant),
    databases: databasePorts(env),
    services: servicePorts(env),
    signer: signerPort(env, ticket.tenant),
    tasks: {
      create: (task) => createTask(deps, ticket, task),
      change: (change) => changeOwnTasks(deps, ticket, change),
    },
    engine: enginePort(deps, ticket),
    publicUrl: deps.installation.publicUrl,
    receiptUrl: () => makeReceiptUrl(deps, ticket),
    unsubscribe,
    ownToken: openConfigTokens(deps, ticket.tenant, credentials),
  });
  const closed = await opener.close(heldForCatalog(outcome, deps.now()));
  return withPrice(await prices, ticket, await suppressRefused(deps, filled.ticket, closed));
}

function enginePort(deps: Deps, ticket: Ticket): EnginePort {
  return { start: (asked) => startFromRun(deps, ticket, asked), send: (asked) => sendFromRun(deps, ticket, asked) };
}

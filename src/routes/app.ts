// The HTTP API: assembles the routes of all folders. Each request gets an id and the dependencies of the use cases.
import { OpenAPIHono } from "@hono/zod-openapi";
import type { ExecutionContext } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Deps } from "#services/deps.ts";
import { isCatalogFailure } from "#services/catalog-failure.ts";
import { transientFault } from "#services/cells/call-cell.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { access, sessions } from "./access/browsers.ts";
import { actionBatch } from "./actions/batch.ts";
import { actionTest } from "./actions/action-tests.ts";
import { actions } from "./actions/actions.ts";
import { alertChannels } from "./alert-channels.ts";
import { audit } from "./audit.ts";
import { browserHeaders } from "./http/browser-headers.ts";
import { malformedRefusal } from "./http/body.ts";
import type { AppContext, AppEnv } from "./http/context.ts";
import { openRouter } from "./http/router.ts";
import { calendars } from "./calendars.ts";
import { configuration } from "./configuration.ts";
import { connections } from "./connections.ts";
import { deadLetters } from "./dead-letters.ts";
import { definitions } from "./definitions/definitions.ts";
import { definitionForecasts } from "./definitions/forecast.ts";
import { definitionPreviews } from "./definitions/preview.ts";
import { definitionPublishing } from "./definitions/publishing.ts";
import { definitionTests } from "./definitions/definition-tests.ts";
import { definitionViews } from "./definitions/views.ts";
import { executionBatch } from "./executions/batch.ts";
import { executions } from "./executions/executions.ts";
import { events } from "./events.ts";
import { healthRoutes } from "./health.ts";
import { history } from "./executions/history.ts";
import { hooks } from "./hooks.ts";
import { keys } from "./keys.ts";
import { live } from "./executions/live.ts";
import { loadPlans } from "./actions/load-plan.ts";
import { runnerTypes } from "./actions/runners.ts";
import { runs } from "./actions/runs.ts";
import { metrics } from "./metrics.ts";
import { monitor } from "./monitor.ts";
import { notFound } from "./http/not-found.ts";
import { operations } from "./operations.ts";
import { policies } from "./policies.ts";
import { prices } from "./prices.ts";
import { answerProblem } from "./http/problem.ts";
import { recurring } from "./recurring/recurring.ts";
import { recurringControl } from "./recurring/control.ts";
import { reference } from "./reference/page.ts";
import { retryPolicies } from "./actions/retry-policies.ts";
import { secrets } from "./secrets.ts";
import { limits } from "./limits.ts";
import { suppressions } from "./suppressions.ts";
import { signers } from "./signers.ts";
import { enrolments } from "./subjects/enrolments.ts";
import { subjects } from "./subjects/subjects.ts";
import { signing } from "./signing.ts";
import { reconciling } from "./executions/reconcilers.ts";
import { restarting } from "./executions/restart.ts";
import { executionCommands } from "./executions/commands.ts";
import { verbs } from "./executions/verbs.ts";
import { tasks } from "./tasks.ts";
import { templates } from "./templates/templates.ts";
import { templateViews } from "./templates/views.ts";
import { deliveries } from "./triggers/deliveries.ts";
import { inbound } from "./triggers/inbound.ts";
import { triggers } from "./triggers/triggers.ts";
import { tenants } from "./tenants.ts";
import { unsubscribing } from "./unsubscribe/unsubscribe.ts";
import { worker } from "./worker.ts";

const routeGroups = [
  healthRoutes,
  metrics,
  tenants,
  keys,
  access,
  sessions,
  signing,
  definitions,
  definitionPreviews,
  definitionPublishing,
  definitionForecasts,
  definitionTests,
  definitionViews,
  executionBatch,
  executions,
  reconciling,
  executionCommands,
  verbs,
  restarting,
  events,
  actionBatch,
  actionTest,
  loadPlans,
  runs,
  runnerTypes,
  actions,
  deadLetters,
  operations,
  recurringControl,
  recurring,
  alertChannels,
  calendars,
  configuration,
  connections,
  templates,
  templateViews,
  secrets,
  suppressions,
  signers,
  limits,
  subjects,
  enrolments,
  tasks,
  retryPolicies,
  policies,
  prices,
  history,
  hooks,
  deliveries,
  triggers,
  inbound,
  unsubscribing,
  live,
  audit,
  worker,
  monitor,
];

export function createApp<Bindings>(depsOf: (env: Bindings, ctx: ExecutionContext) => Deps): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({ router: openRouter() });
  app.use(browserHeaders(() => app.routes));
  app.use(async (c, next) => {
    const deps = depsOf(c.env as Bindings, c.executionCtx); // the caller of fetch passes the bindings that depsOf expects
    c.set("deps", deps);
    c.set("requestId", requestIdOf(c.req.header("X-Request-Id"), deps));
    await next();
    // The headers of a WebSocket response (101) cannot be changed.
    if (c.res.status !== 101) setCommonHeaders(c.res.headers, c.get("requestId"));
  });
  for (const group of routeGroups) app.route("/", group);
  app.route(
    "/",
    reference(() => app),
  );
  app.notFound(notFound(app.routes));
  app.onError(refuseThrown);
  return app;
}

async function refuseThrown(error: Error, c: AppContext): Promise<Response> {
  if (error instanceof HTTPException && error.status === 400) return answerProblem(c, await malformedRefusal(c));
  if (error instanceof HTTPException && error.status === 415) return answerProblem(c, notJson);
  const { requestId, deps } = c.var;
  deps.log({ level: "error", message: "request failed", requestId, error: String(error), stack: error.stack ?? null });
  if (isCatalogFailure(error)) return answerProblem(c, catalogUnavailable);
  if (transientFault(error) !== null) return answerProblem(c, dependencyUnavailable);
  return answerProblem(c, {
    code: "internal_error",
    message: "The engine failed to handle this request.",
    hint: `Search the log for the request id ${requestId}.`,
  });
}

const catalogUnavailable = {
  code: "unavailable",
  message: "The catalog is not available now. Running executions continue.",
  hint: "Retry the request with the same Idempotency-Key.",
} as const;

const dependencyUnavailable = {
  code: "unavailable",
  message: "A dependency is not available now. The request may have taken effect.",
  hint: "Retry the request with the same Idempotency-Key; effects are not repeated.",
} as const;

const notJson = {
  code: "unsupported_media_type",
  message: "The body must be JSON.",
  hint: "Send the header Content-Type: application/json.",
} as const;

function requestIdOf(header: string | undefined, deps: Deps): string {
  if (header !== undefined && /^[A-Za-z0-9._-]{1,100}$/.test(header)) return header;
  return timeOrderedId("req", deps.now(), deps.randomBytes(10));
}

function setCommonHeaders(headers: Headers, requestId: string): void {
  headers.set("X-Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}

// Defines the scenarios of a load plan: variations of one action that the engine must handle under load. Some scenarios
// simulate the provider in the local sandbox.
import type { Json, JsonObject } from "#schema/json.ts";
import type { LoadScenario, ScenarioName } from "#schema/load.ts";
import { assert } from "#kernel/assert.ts";
import { LOAD_ERROR_SHARE, LOAD_SLOW_MS, LOAD_SLOW_SHARE } from "#schema/limits/planning/load-plans.ts";

/** The validated body of POST /v1/actions. Its other fields are sent unchanged. */
export type LoadAction = JsonObject & { readonly type: string; readonly config: JsonObject };

const RETRY_AFTER_S = "1";

/** Returns why scenarios cannot be used for this action, by name. Usable scenarios are not listed. */
export function obstacles(action: LoadAction): { readonly [name in ScenarioName]?: string } {
  const scriptedParts = scriptedObstacle(action);
  const dedup = action.dedupKey === undefined ? {} : { duplicates: "the action has its own dedupKey" };
  if (scriptedParts === null) return dedup;
  return { ...dedup, provider_slow: scriptedParts, provider_errors: scriptedParts, rate_limited: scriptedParts };
}

export function scenarioOf(name: ScenarioName, action: LoadAction, batch: number): LoadScenario {
  const accepted = { status: [201], repeated: 0, ends: ["ok", ...harmlessEnds(action)] };
  const mayFail = { ...accepted, ends: [...accepted.ends, "failed"] };
  const base = { name, batch: null, copies: 1, dispatch: dispatchOf(action), expect: accepted, sandbox: null };
  switch (name) {
    case "steady":
      return { ...base, weight: 60, description: "The plan sends the action as given." };
    case "batch":
      return {
        ...base,
        batch,
        weight: 10,
        description: `The plan sends the action as given, with ${batch} copies per request.`,
      };
    case "duplicates":
      return {
        ...base,
        weight: 10,
        description:
          "Two requests with the same dedupKey arrive at the same time. They create one action, which both responses name.",
        copies: 2,
        dispatch: { ...dispatchOf(action), dedupKey: "load-{{ load }}-{{ n }}" },
        expect: { ...accepted, status: [200, 201], repeated: 1 },
      };
    case "provider_slow": {
      const delayMs = slowResponseMs(action);
      const description = `The receiver sends each response after ${delayMs} ms.`;
      return {
        ...base,
        weight: 5,
        description,
        ...scriptedParts(name, action, { ratio: { share: 1, step: { delayMs } } }),
      };
    }
    case "provider_errors": {
      const ratio = { share: LOAD_ERROR_SHARE, step: { status: 503 } };
      const description = `The receiver answers ${LOAD_ERROR_SHARE * 100} % of the attempts with 503; the engine retries these attempts.`;
      return { ...base, weight: 5, description, expect: mayFail, ...scriptedParts(name, action, { ratio }) };
    }
    case "rate_limited": {
      const steps = [{ status: 429, headers: { "Retry-After": RETRY_AFTER_S } }];
      const description = `The receiver answers each first attempt with 429 and Retry-After: ${RETRY_AFTER_S}.`;
      return { ...base, weight: 5, description, expect: mayFail, ...scriptedParts(name, action, { steps }) };
    }
    case "bad_config":
      return {
        ...base,
        weight: 5,
        description:
          "The actions have an unknown config field, so the engine refuses them immediately and creates nothing.",
        dispatch: { ...dispatchOf(action), config: { ...action.config, load_plan_unknown_field: true } },
        expect: { status: [400, 422], repeated: 0, ends: [] },
      };
  }
}

/**
 * Adds the number of the request and the id of the load test to the action, so that the test's actions can be found.
 */
function dispatchOf(action: LoadAction): JsonObject {
  const variables = isObject(action.variables) ? action.variables : {};
  return { correlationId: "load-{{ load }}", ...action, variables: { n: "{{ n }}", ...variables } };
}

/**
 * Sends the action to a separate path of the sandbox. The responses that the script sets therefore change no other
 * scenario.
 */
function scriptedParts(name: string, action: LoadAction, script: JsonObject) {
  const origin = originOf(action);
  const path = `/sink/load/${name}`;
  // The settings for responses are meant for the real receiver. The sandbox sends other responses, so these settings
  // are removed.
  const { expectedStatusCodes: _codes, responseMapping: _mapping, ...config } = action.config;
  const dispatch = { ...dispatchOf(action), config: { ...config, url: `${origin}${path}` } };
  return { dispatch, sandbox: { origin, script: { path, ...script } } };
}

const HTTP_TYPES = ["webhook", "api_call"];
/**
 * Matches the origin of a loopback URL, whose path may contain templates. A URL with a template in its host does not
 * match, because its receiver is not known.
 */
const LOCAL_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?=[/?#]|$)/i;

function scriptedObstacle({ type, config }: LoadAction): string | null {
  if (!HTTP_TYPES.includes(type)) return `a plan can only simulate the receiver of ${HTTP_TYPES.join(" and ")}`;
  if (typeof config.url === "string" && LOCAL_ORIGIN.test(config.url)) return null;
  return "the receiver must be the sandbox: use a url such as http://127.0.0.1:8788/sink/load";
}

function originOf({ config }: LoadAction): string {
  const found = LOCAL_ORIGIN.exec(String(config.url));
  assert(found, "A scenario that needs the sandbox must have the sandbox's address.");
  return found[0];
}

/**
 * Returns final statuses other than success that are not failures: an action with a condition or a validity may be
 * skipped.
 */
function harmlessEnds({ condition, validUntil, maxLateness, limit }: LoadAction): string[] {
  return [condition, validUntil, maxLateness, limit].some((term) => term !== undefined) ? ["skipped"] : [];
}

function slowResponseMs({ timeout }: LoadAction): number {
  return typeof timeout === "number" ? Math.min(LOAD_SLOW_MS, Math.floor(timeout * LOAD_SLOW_SHARE)) : LOAD_SLOW_MS;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

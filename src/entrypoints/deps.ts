// Builds the dependencies of the services from the Worker's bindings. HTTP requests, queue consumers, the sweep and the
// RPC entrypoints share them.
import { openLog } from "#schema/logging/log-levels.ts";
import { waitUntil } from "cloudflare:workers";
import { openDb } from "#catalog/db.ts";
import type { Env } from "#env";
import { signJwtWithPem } from "#runners/core/jwt.ts";
import { openComputations } from "#services/computing/compute.ts";
import { destinationOf } from "#runners/destination.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes, repeatsOf } from "#runners/registry.ts";
import { chainIdOfName } from "#runners/evm/chains.ts";
import { rehearsals } from "#runners/rehearsal/rehearse.ts";
import { checkLinks } from "#services/suppressions/link-findings.ts";
import type { Deps } from "#services/deps.ts";
import { hookTokenSecretsOf, signingSecretsOf, unsubscribeSecretsOf } from "#services/signing/signing-secret.ts";
import { bindingNames, installedPorts } from "./action-ports.ts";
import {
  callOutPort,
  cellPort,
  directoryPort,
  gatePort,
  installationPort,
  livePort,
  maintainAddressPort,
  meterPort,
  operationPort,
  recurringPort,
  signerPort,
  subjectPort,
  keyLimitsPort,
  triggerPort,
} from "./ports.ts";

/**
 * The dependencies of each set of bindings. An isolate has one set, so its dependencies are built once and not for each
 * run.
 */
const depsByEnv = new WeakMap<Env, Deps>();

export function writeLine(line: { readonly [field: string]: unknown }): void {
  console.log(JSON.stringify(line));
}

export function depsOf(env: Env): Deps {
  const deps = depsByEnv.get(env) ?? buildDeps(env);
  depsByEnv.set(env, deps);
  return deps;
}

function buildDeps(env: Env): Deps {
  const now = (): number => Date.now();
  const allowLoopback = env.ALLOW_LOOPBACK === "true";
  const installation = installationPort(env);
  const links = { publicUrl: installation.publicUrl, hasSigningKey: Boolean(env.SIGNING_KEY) };
  return {
    now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    db: openDb(env.DB),
    cell: cellPort(env),
    gate: gatePort(env),
    operation: operationPort(env),
    directory: directoryPort(env),
    subject: subjectPort(env),
    keyLimits: keyLimitsPort(env),
    recurring: recurringPort(env),
    isRecurringOn: env.ENABLE_RECURRING_ACTIONS !== "false",
    trigger: triggerPort(env),
    meter: meterPort(env),
    signer: (tenant, chainId, address) => signerPort(env, tenant)(chainId, address),
    maintainAddress: maintainAddressPort(env, now),
    chainIdOf: chainIdOfName,
    callOut: callOutPort(env, now),
    live: livePort(env),
    actionTypes,
    allowLoopback,
    bindings: bindingNames(env),
    configFindings: (type, config) => [
      ...configFindings(type, config, { allowLoopback }),
      ...checkLinks(links, type, config),
    ],
    repeatsOf,
    // The installed ports are read for a rehearsal only, not for every run.
    rehearse: (lookups) => rehearsals(installedPorts(env))(lookups),
    destinationOf,
    signJwt: signJwtWithPem,
    signingSecrets: (tenant, receiver) => signingSecretsOf(env.SIGNING_KEY, tenant, receiver),
    hookTokenSecrets: () => hookTokenSecretsOf(env.SIGNING_KEY),
    unsubscribeSecrets: () => unsubscribeSecretsOf(env.SIGNING_KEY),
    secretsKeys: env.SECRETS_KEYS ?? null,
    rootKey: env.ROOT_KEY,
    installation,
    background: (work) => waitUntil(work.catch(() => {})), // the function that starts the work logs its failure
    yieldToOthers: () => new Promise((resolve) => setTimeout(resolve, 0)),
    computations: openComputations(),
    log: openLog(env.LOG_LEVELS, "worker", writeLine),
  };
}

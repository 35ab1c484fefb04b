// Ports to the Durable Objects and to HTTP, which both requests and runs use.
import type { Env } from "#env";
import { reconcileAddress } from "#runners/evm/reconcile.ts";
import { callOut } from "#runners/http/engine-call.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { Directory } from "#schema/directory/calls.ts";
import type { Gate } from "#schema/gate.ts";
import type { Backlog, Installation } from "#schema/engine/installation.ts";
import type { TriggerPort } from "#schema/inbound/delivery.ts";
import type { Operation } from "#schema/operation.ts";
import type { Recurring } from "#schema/recurring/calls.ts";
import type { Meter } from "#schema/quota.ts";
import type { Signer } from "#schema/signer.ts";
import type { KeyLimitsPort } from "#schema/key-limits/calls.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { Deps } from "#services/deps.ts";

export function cellPort(env: Env): Deps["cell"] {
  return (name) => env.EXECUTIONS.getByName(name) as unknown as Cell; // an RPC stub has its object's methods
}

export function gatePort(env: Env): Deps["gate"] {
  return (name) => env.CONNECTIONS.getByName(name) as unknown as Gate; // an RPC stub has its object's methods
}

export function operationPort(env: Env): Deps["operation"] {
  return (name) => env.OPERATIONS.getByName(name) as unknown as Operation; // an RPC stub has its object's methods
}

export function recurringPort(env: Env): Deps["recurring"] {
  return (name) => env.RECURRING.getByName(name) as unknown as Recurring; // an RPC stub has its object's methods
}

export function triggerPort(env: Env): Deps["trigger"] {
  return (name) => env.TRIGGERS.getByName(name) as unknown as TriggerPort; // an RPC stub has its object's methods
}

export function directoryPort(env: Env): Deps["directory"] {
  return (name) => env.DIRECTORIES.getByName(name) as unknown as Directory; // an RPC stub has its object's methods
}

export function subjectPort(env: Env): Deps["subject"] {
  return (name) => env.SUBJECTS.getByName(name) as unknown as Subject; // an RPC stub has its object's methods
}

/** The objects of limits by key have the class of subjects, because both store rows that later calls delete. */
export function keyLimitsPort(env: Env): Deps["keyLimits"] {
  return (name) => env.SUBJECTS.getByName(name) as unknown as KeyLimitsPort; // an RPC stub has its object's methods
}

export function meterPort(env: Env): Deps["meter"] {
  return (tenant) => env.TENANTS.getByName(tenant) as unknown as Meter; // an RPC stub has its object's methods
}

/** Opens the WebSocket of a live subscription at the execution's cell. */
export function livePort(env: Env): Deps["live"] {
  return (cell, execution, { key, until, showsPayloads }, upgrade) => {
    const query = new URLSearchParams({ execution, ...(key === null ? {} : { key }) });
    if (until !== null) query.set("until", String(until));
    if (!showsPayloads) query.set("payloads", "hidden");
    return env.EXECUTIONS.getByName(cell).fetch(new Request(`https://cell/live?${query}`, upgrade));
  };
}

/**
 * Returns the signers of one tenant. The name of a signer's object contains the tenant, so no run can reach another
 * tenant's signer.
 */
export function signerPort(env: Env, tenant: string): (chainId: number, address: string) => Signer {
  return (chainId, address) => env.SIGNERS.getByName(`${tenant}/${chainId}/${address}`) as unknown as Signer; // an RPC stub has its object's methods
}

/** Returns the port that reconciles a signer's address with the chain. */
export function maintainAddressPort(env: Env, now: () => number): Deps["maintainAddress"] {
  return (address) => {
    const signer = signerPort(env, address.tenant)(address.chainId, address.address.toLowerCase());
    const allowLoopback = env.ALLOW_LOOPBACK === "true";
    return reconcileAddress(address, { fetch: (url, init) => fetch(url, init), now, allowLoopback, signer });
  };
}

export function callOutPort(env: Env, now: () => number): Deps["callOut"] {
  const allowLoopback = env.ALLOW_LOOPBACK === "true";
  return (call) => callOut(call, { fetch: (url, init) => fetch(url, init), now, allowLoopback });
}

const requiredBindings = [
  ...(["DB", "EXECUTIONS", "CONNECTIONS", "SIGNERS", "OPERATIONS", "TENANTS"] as const),
  ...(["RECURRING", "DIRECTORIES", "TRIGGERS", "SUBJECTS"] as const),
  ...(["ACTIONS", "SLOW_ACTIONS", "PROJECTIONS", "ROOT_KEY"] as const),
];

/** Returns the installation port, which reads the queues' backlogs and the missing bindings. */
export function installationPort(env: Env): Installation {
  return {
    backlogs: () => Promise.all([env.ACTIONS, env.SLOW_ACTIONS].map(backlogOf)),
    publicUrl: publicUrlOf(env.PUBLIC_URL),
    missingBindings: () => requiredBindings.filter((name) => env[name] === undefined),
  };
}

function publicUrlOf(url = ""): string | null {
  return URL.canParse(url) ? url.replace(/\/+$/, "") : null;
}

async function backlogOf(queue: Queue<unknown>): Promise<Backlog> {
  const { backlogCount: messages, backlogBytes: bytes, oldestMessageTimestamp: oldest } = await queue.metrics();
  return { messages, bytes, oldestAt: oldest === undefined ? null : new Date(oldest).getTime() };
}

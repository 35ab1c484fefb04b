// The example's worker in the real engine, and a host that a test stands in for.
import { vi } from "vitest";
import definition from "../../../examples/reconciler/benthos.json";
import type { Parsed } from "#test/support/api.ts";
import { engine, PROVIDER, provider, until, type Call, type Engine } from "../engine.ts";

type Host = (call: Call) => Response | Promise<Response>;
/** `start`: what is said of that action besides; `more`: of the whole. */
type Way = { readonly start?: object; readonly more?: object; readonly host?: Host };

export async function benthos(way: Way = {}) {
  const { calls } = provider(way.host);
  const shop = await shopWithBenthos(way);
  const worker = workerOf(shop, await shop.start("benthos"));
  return { shop, ...worker, asked: () => calls.map(({ url }) => url.pathname) };
}

export async function shopWithBenthos({ start = {}, more = {} }: Way): Promise<Engine> {
  const actions = definition.actions.map((action) => (action.actionId === "start" ? { ...action, ...start } : action));
  return engine({ ...definition, actions, variables: { hostUrl: PROVIDER }, ...more });
}

function workerOf(shop: Engine, id: string) {
  const at = `/v1/executions/${id}`;
  const read = () => shop.read(id);
  return {
    id,
    at,
    read,
    observe: (value: object): Promise<Parsed> => shop.must(200, "PUT", `${at}/observed`, { body: { value } }),
    desire: (value: object): Promise<Parsed> =>
      shop.must(200, "PUT", `${at}/desired`, { body: { value, mode: "merge", reason: "wanted" } }),
    /** As soon as what it says of itself is what is looked for. */
    when: (what: string, holds: (found: Parsed) => boolean) =>
      until(what, async () => {
        const found = await read();
        return holds(found) ? found : null;
      }),
    decided: async () => (await shop.journal(id)).filter(({ kind }) => kind === "decided"),
    runs: () => shop.runs(id),
  };
}

const { TryingToStart, Stopping } = definition.states;
/** What the example's rules say of a process that runs, and of one that is gone. */
export const RUNNING_REASON = TryingToStart.rules[0]?.reason;
export const GONE_REASON = Stopping.rules[0]?.reason;

export const RUNS = { processRunning: true, configValid: true };
export const GONE = { processRunning: false, configValid: true };

/** Ticks come a second apart. */
export const A_TICK_AND_MORE_MS = 1_200;

/** A host that answers once it is told to. Each call looks for itself: what one request waits for no other may settle. */
export function slowHost() {
  const told = { isReleased: false };
  const host: Host = async () => {
    while (!told.isReleased) await scheduler.wait(5);
    return Response.json({ ok: true });
  };
  return { host, release: () => void (told.isReleased = true) };
}

/** Below this address nobody has an answer; `signals` are what its callers said. All others are answered. */
export function deafHost(url: string): { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  vi.stubGlobal("fetch", async (asked: string, { signal }: RequestInit = {}) => {
    if (!asked.startsWith(url) || !signal) return Response.json({ ok: true });
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  return { signals };
}

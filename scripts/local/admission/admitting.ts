// The engine's Worker as the local host runs it: what comes from outside goes through a gate on its way to objects. What
// objects, queues and alarms have under way does not: it is what ends, and makes room.
import { openGate, type Gate, type Pass } from "./permits.ts";

type Bindings = { readonly [name: string]: unknown };
type Fetch = (request: Request, env: Bindings, ctx: unknown) => unknown;

/** The host's own, which a deployed Worker does not have. */
export const ROOM = "LOCAL_ROOM";

export function admitting<W extends { readonly fetch: Fetch }>(worker: W): W {
  const gated = new WeakMap<object, Bindings>();
  const fetch: Fetch = (request, env, ctx) => {
    const known = gated.get(env) ?? gatedOf(env);
    gated.set(env, known);
    return worker.fetch(request, known, ctx);
  };
  return { ...worker, fetch };
}

function gatedOf(env: Bindings): Bindings {
  const room = env[ROOM];
  if (!isService(room)) return env;
  const gate = openGate({
    now: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    chance: Math.random,
    ask: async (pending) => Number(await (await room.fetch(`http://host/${pending}`)).text()),
  });
  const entries = Object.entries(env).map(([name, value]) => [
    name,
    isNamespace(value) && !isService(value) ? behind(gate, name, value) : value,
  ]);
  return Object.fromEntries(entries);
}

type Namespace = { readonly getByName: (name: string) => object };
type Service = { readonly fetch: (url: string) => Promise<Response> };

/** A service has whatever it is asked for, so it is asked for what only services have, too. */
function isNamespace(value: unknown): value is Namespace {
  return typeof value === "object" && value !== null && "getByName" in value;
}

function isService(value: unknown): value is Service {
  return typeof value === "object" && value !== null && "fetch" in value;
}

function behind(gate: Gate, binding: string, namespace: Namespace): Namespace {
  return { getByName: (name) => stubBehind(gate, `${binding}/${name}`, namespace.getByName(name)) };
}

function stubBehind(gate: Gate, name: string, stub: object): object {
  return new Proxy(stub, {
    get: (_, method) => {
      const call: unknown = Reflect.get(stub, method);
      if (typeof call !== "function") return call;
      return (...args: unknown[]) => {
        const go = (pass: Pass | null): unknown => {
          const answer: unknown = Reflect.apply(call, stub, args);
          return pass === null ? answer : Promise.resolve(answer).finally(pass);
        };
        const passed = gate(name);
        if (!(passed instanceof Promise)) return go(passed);
        return passed.then((word) => (word === "refused" ? Promise.reject(new Crowded()) : go(word)));
      };
    },
  });
}

/** As the platform says that an object has too much to do: the way from there to a 503 is the same. */
class Crowded extends Error {
  readonly overloaded = true;
  constructor() {
    super("The local runtime has no files left for one more object.");
  }
}

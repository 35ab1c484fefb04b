// Admission gate of the local host: calls from requests to objects pass it before they open an object. Calls from
// objects, queues and alarms do not, because they end and release files.
import { openGate, type Gate, type Pass } from "./permits.ts";

type Bindings = { readonly [name: string]: unknown };
type Fetch = (request: Request, env: Bindings, ctx: unknown) => unknown;

/** The service binding that answers how many objects may be opened. Only the local host has it. */
export const ROOM = "LOCAL_ROOM";

export function withAdmissionGate<W extends { readonly fetch: Fetch }>(worker: W): W {
  const gated = new WeakMap<object, Bindings>();
  const fetch: Fetch = (request, env, ctx) => {
    const known = gated.get(env) ?? gateBindings(env);
    gated.set(env, known);
    return worker.fetch(request, known, ctx);
  };
  return { ...worker, fetch };
}

function gateBindings(env: Bindings): Bindings {
  const room = env[ROOM];
  if (!isService(room)) return env;
  const gate = openGate({
    now: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    chance: Math.random,
    requestPermits: async (pending) => Number(await (await room.fetch(`http://host/${pending}`)).text()),
  });
  const entries = Object.entries(env).map(([name, value]) => [
    name,
    isNamespace(value) && !isService(value) ? gateNamespace(gate, name, value) : value,
  ]);
  return Object.fromEntries(entries);
}

type Namespace = { readonly getByName: (name: string) => object };
type Service = { readonly fetch: (url: string) => Promise<Response> };

/** A service binding answers any property name, so the caller must also check isService. */
function isNamespace(value: unknown): value is Namespace {
  return typeof value === "object" && value !== null && "getByName" in value;
}

function isService(value: unknown): value is Service {
  return typeof value === "object" && value !== null && "fetch" in value;
}

function gateNamespace(gate: Gate, binding: string, namespace: Namespace): Namespace {
  return { getByName: (name) => gateStub(gate, `${binding}/${name}`, namespace.getByName(name)) };
}

function gateStub(gate: Gate, name: string, stub: object): object {
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
        return passed.then((word) => (word === "refused" ? Promise.reject(new OutOfFiles()) : go(word)));
      };
    },
  });
}

/** Has the property `overloaded` like the platform's own error, so the engine answers 503. */
class OutOfFiles extends Error {
  readonly overloaded = true;
  constructor() {
    super("The local runtime has no files left for one more object.");
  }
}

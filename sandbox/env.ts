// Bindings of the sandbox. A single Durable Object stores all received requests, so that every query reads the same
// rows.
import type { SandboxStore } from "./store.ts";

export interface SandboxEnv {
  readonly STORE: DurableObjectNamespace<SandboxStore>;
}

export const storeOf = (env: SandboxEnv) => env.STORE.getByName("store");

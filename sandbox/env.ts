// The sandbox's bindings. One object holds all that was received, so that "what arrived?" has one answer.
import type { SandboxStore } from "./store.ts";

export interface SandboxEnv {
  readonly STORE: DurableObjectNamespace<SandboxStore>;
}

export const storeOf = (env: SandboxEnv) => env.STORE.getByName("store");

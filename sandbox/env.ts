// Bindings of the sandbox. A single object stores all received requests, so that queries have one source.
import type { SandboxStore } from "./store.ts";

export interface SandboxEnv {
  readonly STORE: DurableObjectNamespace<SandboxStore>;
}

export const storeOf = (env: SandboxEnv) => env.STORE.getByName("store");

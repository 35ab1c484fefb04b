// The sandbox's bindings. One object stores everything received, so a query for received requests has one source.
import type { SandboxStore } from "./store.ts";

export interface SandboxEnv {
  readonly STORE: DurableObjectNamespace<SandboxStore>;
}

export const storeOf = (env: SandboxEnv) => env.STORE.getByName("store");

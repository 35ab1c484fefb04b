// Crash test process: hosts engine and sandbox on a state folder that outlives it, and prints their addresses as JSON.
import { fileURLToPath } from "node:url";
import { host } from "../../scripts/host.ts";
import type { EnginePlace } from "./life.ts";

/** The engine's main module with an additional route that resizes pools. */
const RESIZING = fileURLToPath(import.meta.resolve("../flows/pools/resizing-worker.ts"));
const { rootKey, vars, ...place } = JSON.parse(process.argv[2] ?? "") as EnginePlace; // life.ts passes it
const { engineUrl, sandboxUrl } = await host({
  ...(place.root === undefined ? { main: RESIZING } : {}),
  ...place,
  vars: {
    ROOT_KEY: rootKey,
    ALLOW_LOOPBACK: "true",
    SECRETS_KEYS: `k1:${Buffer.alloc(32, rootKey).toString("base64url")}`,
    ...vars,
  },
  quiet: true,
});
console.log(JSON.stringify({ engineUrl, sandboxUrl }));

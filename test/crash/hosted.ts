// The process that is killed: engine and sandbox on a state folder that outlives it. Says where they are when they are.
import { fileURLToPath } from "node:url";
import { host } from "../../scripts/host.ts";
import type { Place } from "./life.ts";

/** Today's engine, with a door for resizing pools. */
const RESIZING = fileURLToPath(import.meta.resolve("../flows/pools/resizing-worker.ts"));
const { rootKey, vars, ...place } = JSON.parse(process.argv[2] ?? "") as Place; // what life.ts gives
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

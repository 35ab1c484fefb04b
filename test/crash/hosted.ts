// The process that is killed: engine and sandbox on a state folder that outlives it. Says where they are when they are.
import { host } from "../../scripts/host.ts";

const [stateDir = "", port, sandboxPort, rootKey = "", root] = process.argv.slice(2);
const { engineUrl, sandboxUrl } = await host({
  ...(root === undefined ? {} : { root }),
  stateDir,
  port: Number(port),
  sandboxPort: Number(sandboxPort),
  vars: {
    ROOT_KEY: rootKey,
    ALLOW_LOOPBACK: "true",
    SECRETS_KEYS: `k1:${Buffer.alloc(32, rootKey).toString("base64url")}`,
  },
  quiet: true,
});
console.log(JSON.stringify({ engineUrl, sandboxUrl }));

// The process that is killed: Cloudflare Workflows on a state folder that outlives it. Says where it is when it is there.
import type { Place } from "../../test/crash/life.ts";
import { serveOther } from "../other-worker.ts";

const { stateDir, port } = JSON.parse(process.argv[2] ?? "") as Place; // what life.ts gives
const { url } = await serveOther({ folder: "workflows", name: "bench-workflows" }, { stateDir, port });
console.log(JSON.stringify({ engineUrl: url.href, sandboxUrl: url.href }));

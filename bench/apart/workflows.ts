// Workflows child process: hosts Cloudflare Workflows on a state folder that outlives the process, and prints its
// addresses as JSON.
import type { EnginePlace } from "../../test/crash/life.ts";
import { serveOther } from "../other-worker.ts";

const { stateDir, port } = JSON.parse(process.argv[2] ?? "") as EnginePlace; // test/crash/life.ts passes it
const { url } = await serveOther({ folder: "workflows", name: "bench-workflows" }, { stateDir, port });
console.log(JSON.stringify({ engineUrl: url.href, sandboxUrl: url.href }));

// Local queue process: hosts the probe Worker instead of the engine, and is killed by the test.
import { fileURLToPath } from "node:url";
import { host } from "../../../scripts/host.ts";
import type { EnginePlace } from "../../crash/life.ts";

const PROBE = fileURLToPath(import.meta.resolve("../../flows/queueing/probe-worker.ts"));
const { stateDir, port, sandboxPort } = JSON.parse(process.argv[2] ?? "") as EnginePlace; // life.ts passes it
const { engineUrl, sandboxUrl } = await host({ stateDir, port, sandboxPort, main: PROBE, quiet: true });
console.log(JSON.stringify({ engineUrl, sandboxUrl }));

// Entry point of `npm start`: runs the engine and its sandbox on this machine, with a demo tenant. PORT, SANDBOX_PORT
// and STATE_DIR set the addresses and the folder; --no-seed skips the demo.
import { restartWithLessMemory } from "./local/frugal.ts";

restartWithLessMemory();
await import("./local/serve.ts");

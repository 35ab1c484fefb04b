// Entry point of `npm start`: runs the engine and its sandbox on this machine, with a demo tenant. PORT, SANDBOX_PORT
// and STATE_DIR set the addresses and the folder; --no-seed skips the demo.
import { becomeFrugal } from "./local/frugal.ts";

becomeFrugal();
await import("./local/serve.ts");

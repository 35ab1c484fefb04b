// What `npm start` runs: the engine and its sandbox on this machine, with a demo tenant to play with.
// PORT, SANDBOX_PORT and STATE_DIR choose where; --no-seed leaves the engine empty.
import { becomeFrugal } from "./local/frugal.ts";

becomeFrugal();
await import("./local/serve.ts");

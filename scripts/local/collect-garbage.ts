// What it took to host the Workers (their code as text, and once more as the runtime is told it) is some ninety megabytes
// that nobody needs once they run. A process that has nothing to do collects no garbage by itself.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

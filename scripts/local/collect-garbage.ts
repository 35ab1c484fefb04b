// Garbage collection after startup: frees about ninety megabytes that hosting needed, mainly copies of the Workers'
// code. An idle process would not collect them.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

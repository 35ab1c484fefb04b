// Where things are in a state folder.
import { join } from "node:path";

/** Where Miniflare keeps its files; the same place as wrangler's `--persist-to`. */
export const persistPath = (stateDir: string): string => join(stateDir, "v3");

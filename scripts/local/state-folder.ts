// State folder layout: the paths inside a state folder.
import { join } from "node:path";

/** Returns the folder of Miniflare's files, which wrangler's `--persist-to` also uses. */
export const persistPath = (stateDir: string): string => join(stateDir, "v3");

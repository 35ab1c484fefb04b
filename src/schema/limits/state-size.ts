// State size limits: what an execution stores in its row. The platform limits a row to 2 MB.
const KIB = 1024;

/** The largest size of an execution's variables as JSON. */
export const VARIABLES_BYTES_MAX = 256 * KIB;
/** The largest config of a run. */
export const CONFIG_BYTES_MAX = 128 * KIB;
/** The largest state of an execution, with variables, unfinished runs and configs. */
export const STATE_BYTES_MAX = 1536 * KIB;
/**
 * The largest state including the engine's own additions, mainly outcomes. The rest of the row's 2 MB is for the
 * journal's last page.
 */
export const STATE_ROW_BYTES_MAX = 1792 * KIB;

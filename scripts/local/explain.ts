// Startup errors: explains why the engine did not start, and prints a command that works.
import { FolderInUse, type Holder } from "./folder-lock.ts";
import { PortTaken } from "./free-port.ts";
import { Unfit } from "./settings.ts";

/** Other ports alone would open the same state folder with a second engine. */
const ELSEWHERE = "  STATE_DIR=.state-2 PORT=9787 SANDBOX_PORT=9788 npm start";

export function explain(error: unknown): string {
  if (error instanceof Unfit) return error.message;
  if (error instanceof PortTaken) {
    return `Port ${error.port} is taken. Stop what listens there (an earlier start?), or choose other ports and a folder of its own:\n${ELSEWHERE}`;
  }
  if (error instanceof FolderInUse) return inUse(error);
  if (isForbidden(error))
    return `The engine could not start: ${messageOf(error)}. Ports below 1024 are not everybody's.`;
  return `The engine could not start: ${messageOf(error)}`;
}

function inUse({ stateDir, holder }: FolderInUse): string {
  return [
    `The state folder ${stateDir} is in use${holder === null ? "." : `: ${who(holder)}.`}`,
    "Two engines on one folder would make two truths of what is in it. Go on with that one, or stop it",
    `${holder === null ? "" : `(kill ${holder.pid}) `}and start again, or give this one a folder and ports of its own:`,
    ELSEWHERE,
  ].join("\n");
}

function who({ pid, since, engineUrl }: Holder): string {
  const where = engineUrl === null ? "and is about to listen" : `and listens at ${engineUrl}`;
  return `process ${pid} has had it since ${since} ${where}`;
}

function isForbidden(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "EACCES" &&
    "syscall" in error &&
    error.syscall === "listen"
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

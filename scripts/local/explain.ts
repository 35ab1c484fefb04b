// Startup errors: explains why the engine did not start, and prints a command that works.
import { FolderInUse, type LockOwner } from "./folder-lock.ts";
import { PortTaken } from "./free-port.ts";
import { InvalidSettings } from "./settings.ts";

/** Other ports alone would open the same state folder with a second engine. */
const OTHER_FOLDER_COMMAND = "  STATE_DIR=.state-2 PORT=9787 SANDBOX_PORT=9788 npm start";

export function explainStartError(error: unknown): string {
  if (error instanceof InvalidSettings) return error.message;
  if (error instanceof PortTaken) {
    return `Port ${error.port} is taken. Stop the process that listens there (an earlier start?), or choose other ports and another folder:\n${OTHER_FOLDER_COMMAND}`;
  }
  if (error instanceof FolderInUse) return explainLockedFolder(error);
  if (isForbidden(error))
    return `The engine could not start: ${messageOf(error)}. Ports below 1024 need special permission.`;
  return `The engine could not start: ${messageOf(error)}`;
}

function explainLockedFolder({ stateDir, owner: holder }: FolderInUse): string {
  return [
    `The state folder ${stateDir} is in use${holder === null ? "." : `: ${describeOwner(holder)}.`}`,
    "Two engines on one folder would write conflicting states. Use the running engine, or stop it",
    `${holder === null ? "" : `(kill ${holder.pid}) `}and start again, or choose another folder and other ports:`,
    OTHER_FOLDER_COMMAND,
  ].join("\n");
}

function describeOwner({ pid, since, engineUrl }: LockOwner): string {
  const where = engineUrl === null ? "and does not listen yet" : `and listens at ${engineUrl}`;
  return `process ${pid} has locked it since ${since} ${where}`;
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

// Port check: reports a taken port before workerd starts, because workerd would crash.
import { createServer } from "node:net";

/** The address on which all local Workers listen. */
export const ADDRESS = "127.0.0.1";

export class PortTaken extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} is taken`);
    this.port = port;
  }
}

/** Rejects if the port is taken. Any other error, such as a missing permission, is passed on unchanged. */
export function refuseTakenPort(port: number, address: string): Promise<void> {
  return new Promise((free, refuse) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      refuse(error.code === "EADDRINUSE" ? new PortTaken(port) : error),
    );
    probe.listen(port, address, () => probe.close(() => free()));
  });
}

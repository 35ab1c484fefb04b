// Asks for a port before workerd does, which reports a taken one as a crash of its own.
import { createServer } from "node:net";

/** Where all that is hosted here listens. */
export const ADDRESS = "127.0.0.1";

export class PortTaken extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} is taken`);
    this.port = port;
  }
}

/** Anything but a taken port says itself what is wrong: that it is not ours to open, for one. */
export function refuseTakenPort(port: number, address: string): Promise<void> {
  return new Promise((free, refuse) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      refuse(error.code === "EADDRINUSE" ? new PortTaken(port) : error),
    );
    probe.listen(port, address, () => probe.close(() => free()));
  });
}

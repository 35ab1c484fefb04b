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

const LOOK_AGAIN_MS = 50;

/**
 * Rejects if the port is taken for `waitMs`. Any other error, such as a missing permission, is passed on unchanged.
 */
export async function refuseTakenPort(port: number, address: string, waitMs = 0): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await listenOnce(port, address);
    } catch (error) {
      if (!(error instanceof PortTaken) || performance.now() >= until) throw error;
      await new Promise((again) => setTimeout(again, LOOK_AGAIN_MS));
    }
  }
}

function listenOnce(port: number, address: string): Promise<void> {
  return new Promise((free, refuse) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      refuse(error.code === "EADDRINUSE" ? new PortTaken(port) : error),
    );
    probe.listen(port, address, () => probe.close(() => free()));
  });
}

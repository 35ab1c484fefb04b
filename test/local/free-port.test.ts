// Tests of the port check: it refuses a taken port, and waits for one that a killed engine still holds.
import { createServer, type Server } from "node:net";
import { expect, test } from "vitest";
import { ADDRESS, PortTaken, refuseTakenPort } from "../../scripts/local/free-port.ts";

async function taken(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((listens) => server.listen(0, ADDRESS, listens));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return { server, port: address.port };
}

test("a taken port is refused, at once and after the wait", async () => {
  const { server, port } = await taken();
  await expect(refuseTakenPort(port, ADDRESS)).rejects.toBeInstanceOf(PortTaken);
  await expect(refuseTakenPort(port, ADDRESS, 120)).rejects.toMatchObject({ port });
  server.close();
});

test("a port that becomes free during the wait is accepted", async () => {
  const { server, port } = await taken();
  const waiting = refuseTakenPort(port, ADDRESS, 60_000);
  // The first probe fails, and a later one finds the port free.
  setTimeout(() => server.close(), 100);
  await expect(waiting).resolves.toBeUndefined();
});

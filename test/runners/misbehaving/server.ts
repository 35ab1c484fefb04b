// Misbehaving server: reads each request and passes the bare socket to the test's way of answering. Three more
// addresses reset connections, never read, or are not listening.
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export type Good = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
export type Act = (socket: Socket, good: Good, hanging: () => void) => void;

type Expected = { readonly act: Act; readonly good: Good; readonly hanging: () => void; arrived: number };

const TLS_HANDSHAKE = 0x16;

export type Misbehaving = Awaited<ReturnType<typeof misbehavingServer>>;

export async function misbehavingServer() {
  const expected = new Map<string, Expected>();
  const sockets = new Set<Socket>();
  const follow = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined); // resets are intended
    socket.on("close", () => sockets.delete(socket));
  };
  const answering = await listening((socket) => {
    follow(socket);
    let seen = "";
    socket.on("data", (data) => {
      if (data[0] === TLS_HANDSHAKE) return socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      seen += data.toString("latin1");
      const request = wholeRequest(seen);
      if (request === null) return;
      seen = "";
      const told = expected.get(request);
      if (told === undefined) return socket.destroy();
      told.arrived += 1;
      told.act(socket, told.good, told.hanging);
    });
  });
  const resetting = await listening((socket) => {
    follow(socket);
    socket.resetAndDestroy();
  });
  const deaf = await listening((socket) => {
    follow(socket);
    socket.pause();
  });
  const closed = await listening(() => undefined);
  const nobody = urlOf(closed);
  closed.close();
  return {
    expect: (key: string, told: Omit<Expected, "arrived">) => expected.set(key, { ...told, arrived: 0 }),
    arrived: (key: string) => expected.get(key)?.arrived ?? 0,
    bases: {
      answering: urlOf(answering),
      resetting: urlOf(resetting),
      deaf: urlOf(deaf),
      nobody,
      tls: urlOf(answering).replace("http:", "https:"),
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      for (const server of [answering, resetting, deaf]) server.close();
    },
  };
}

/** Waits for several turns of the event loop, so that sent bytes arrive however busy the machine is. */
export async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 4));
}

async function listening(onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onSocket);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // the server listens on a port
}

/** Returns the request's path without its slash. null: the request is incomplete. */
function wholeRequest(seen: string): string | null {
  const end = seen.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const length = Number(/^content-length: *(\d+)/im.exec(seen.slice(0, end))?.[1] ?? 0);
  if (seen.length < end + 4 + length) return null;
  return /^[A-Z]+ \/(\S*)/.exec(seen)?.[1] ?? null;
}

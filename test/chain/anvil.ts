// Anvil: starts a local chain for one test file, with funded accounts.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { bytesToHex } from "viem/utils";

/** The mnemonic that development chains use. Its keys are public. */
const MNEMONIC = "test test test test test test test test test test test junk";
const STARTS_WITHIN_MS = 10_000;

export type Chain = {
  readonly url: string;
  readonly rpc: <Answer = unknown>(method: string, ...params: unknown[]) => Promise<Answer>;
  readonly stop: () => void;
};

export async function startChain(): Promise<Chain> {
  const port = await freePort();
  const anvil = spawn(binary(), ["--port", String(port), "--accounts", "20", "--mnemonic", MNEMONIC, "--silent"], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  const rpc = async <Answer>(method: string, ...params: unknown[]): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const { result, error } = (await response.json()) as { result: Answer; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const endsAt = Date.now() + STARTS_WITHIN_MS;
  while (!(await rpc("eth_chainId").catch(() => null))) {
    if (Date.now() > endsAt) throw new Error("anvil did not start");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url, rpc, stop: () => void anvil.kill() };
}

/** Returns the path of the binary, because Anvil's own launcher would not pass on the signal that stops it. */
function binary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const require = createRequire(import.meta.url);
  const launcher = require.resolve("@foundry-rs/anvil/package.json");
  const found = createRequire(launcher).resolve(`${name}/package.json`);
  return join(found, "../bin", process.platform === "win32" ? "anvil.exe" : "anvil");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function accountOf(index: number): { readonly address: Hex; readonly privateKey: Hex } {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: index });
  const privateKey = account.getHdKey().privateKey;
  if (!privateKey) throw new Error("a mnemonic gives private keys");
  return { address: account.address, privateKey: bytesToHex(privateKey) };
}

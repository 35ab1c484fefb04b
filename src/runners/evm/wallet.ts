// Wallets: sign with the private key of a connection. The key is used for one attempt only, and passed to no other
// code.
import { privateKeyToAddress, signTransaction } from "viem/accounts";
import { keccak256 } from "viem/utils";
import type { Address, Hex } from "viem";
import type { TxFees } from "#schema/signer.ts";
import { credential } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { lowerCaseIfCapitals } from "./address.ts";
import type { OpenConnection } from "../core/runner.ts";

export type Wallet = {
  readonly address: Address;
  readonly sign: (tx: Unsigned) => Promise<{ readonly raw: Hex; readonly hash: Hex }>;
};

export type Unsigned = {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: string;
  readonly data: Hex;
  readonly value: string;
  readonly gas: string;
  readonly fees: TxFees;
};

export function walletOf(
  connection: Pick<OpenConnection, "name" | "credentials">,
): { readonly ok: true; readonly wallet: Wallet } | ({ readonly ok: false } & Failure) {
  const text = credential(connection, "privateKey").trim();
  const privateKey = (text.startsWith("0x") ? text : `0x${text}`) as Hex; // privateKeyToAddress validates it below
  try {
    return {
      ok: true,
      wallet: { address: privateKeyToAddress(privateKey), sign: (tx) => signTransactionWith(privateKey, tx) },
    };
  } catch {
    // The message does not quote the library's error, which would contain the key.
    const message = `the privateKey of the connection ${connection.name} is invalid: it must be 32 bytes in hexadecimal`;
    return { ok: false, ...configurationFailure(message, "private_key_invalid") };
  }
}

async function signTransactionWith(privateKey: Hex, tx: Unsigned): Promise<{ raw: Hex; hash: Hex }> {
  const raw = await signTransaction({
    privateKey,
    transaction: {
      type: "eip1559",
      chainId: tx.chainId,
      nonce: tx.nonce,
      to: lowerCaseIfCapitals(tx.to) as Address, // the config's schema has checked it
      data: tx.data,
      value: BigInt(tx.value),
      gas: BigInt(tx.gas),
      maxFeePerGas: BigInt(tx.fees.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(tx.fees.maxPriorityFeePerGas),
    },
  });
  return { raw, hash: keccak256(raw) };
}

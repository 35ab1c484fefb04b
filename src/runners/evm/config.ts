// EVM config: the schema of both chain actions: chain, contract, function, parameters and maximum cost.
import { z } from "zod";
import { json, jsonObject } from "#schema/json.ts";
import { findChecksumError } from "./abi.ts";
import { checksumError } from "./address.ts";

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,77})$/;

/** An amount in wei. It is a text, because the amount may exceed the exact range of a number. */
const wei = z
  .union([z.string().regex(WHOLE_NUMBER, { message: "must be a whole number of wei" }), z.number().int().nonnegative()])
  .transform((amount) => BigInt(amount).toString());

const gwei = z
  .union([
    z
      .string()
      .regex(/^\d{1,20}(?:\.\d{1,9})?$/, { message: "must be a number such as 1.5" })
      .transform(Number),
    z.number(),
  ])
  .pipe(z.number().positive().max(1e9));

const evmAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { message: "must be an address: 0x and 40 hexadecimal digits" })
  .refine((address) => checksumError(address) === null, {
    error: ({ input }) => checksumError(String(input)) ?? undefined,
  });

const gasPrice = z.union([
  z.literal("auto"),
  wei,
  z
    .strictObject({ maxFeePerGas: wei, maxPriorityFeePerGas: wei })
    .refine(({ maxFeePerGas, maxPriorityFeePerGas }) => BigInt(maxPriorityFeePerGas) <= BigInt(maxFeePerGas), {
      path: ["maxPriorityFeePerGas"],
      message: "must not exceed maxFeePerGas, of which it is a part",
    }),
]);

const fragment = z.union([z.string().min(1).max(10_000), jsonObject]);

export const evmFields = {
  /** Both values mean a chain that uses Ethereum's protocol. */
  blockchain: z.enum(["ethereum", "evm"]).default("ethereum"),
  /** The network, such as base. A name that is not a known network needs a connection that sets the chain's id. */
  network: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,40}$/, { message: "must be a chain's name such as base, mainnet or polygon" })
    .default("mainnet"),
  contractAddress: evmAddress,
  /** The ABI, human-readable ("function mint(address to, string uri)") or as JSON; one fragment or a list. */
  abi: z.union([fragment, z.array(fragment).min(1).max(500)]).optional(),
  /**
   * The parameters as an object by name, or as a list in the function's order. Whole numbers above 2^53 are written as
   * text.
   */
  parameters: z.union([jsonObject, z.array(json)]).default({}),
  gasLimit: z
    .union([z.string().regex(WHOLE_NUMBER, { message: "must be a whole number" }).transform(Number), z.number()])
    .pipe(z.number().int().min(21_000).max(1e9))
    .optional(),
  gasPrice: gasPrice.default("auto"),
  /** The maximum fee per gas of the transaction and its replacements, in gwei. */
  maxFeeCapGwei: gwei.optional(),
  /** The number of blocks to wait for, including the transaction's own. */
  confirmations: z.number().int().min(1).max(1_000).default(1),
  /** The amount of the chain's native coin to send, in wei. */
  value: wei.default("0"),
  connection: z.string().min(1).optional(),
};

const functionName = z
  .string()
  .regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,200}$/, { message: "must be a function's name, without its parameters" });

/**
 * This check also runs if other fields are templates. A wrong checksum stays wrong, whatever the other fields contain.
 */
const addresses = {
  when: () => true,
  path: ["parameters"],
  error: ({ input }: { readonly input?: unknown }) => findChecksumError(input) ?? undefined,
};
const hasValidChecksums = (config: unknown): boolean => findChecksumError(config) === null;

export const mintConfig = z
  .strictObject({ ...evmFields, function: functionName.default("mint") })
  .refine(hasValidChecksums, addresses);
export const callConfig = z.strictObject({ ...evmFields, function: functionName }).refine(hasValidChecksums, addresses);
export type EvmConfig = z.infer<typeof callConfig>;

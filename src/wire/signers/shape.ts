// Signers: API shapes of a blockchain address on one chain, with its nonces.
import { z } from "zod";
import { instant, reason } from "#schema/values.ts";

export const signerParams = z.object({
  chain: z
    .string()
    .regex(/^(?:[1-9]\d{0,15}|[a-z][a-z0-9_-]{0,40})$/, {
      message: "must be a chain's id such as 8453, or a known name such as base",
    })
    .meta({ examples: ["8453"] }),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, { message: "must be an address: 0x and 40 hexadecimal digits" })
    .meta({ examples: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"] }),
});

export const reconcileBody = z
  .strictObject({
    reason,
    connection: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({
        description:
          "The connection that holds the private key of this address. Required if the tenant has several connections of the provider `evm`.",
      }),
  })
  .meta({ id: "ReconcileSigner", examples: [{ reason: "nothing is mined since the reorganisation" }] });
export type ReconcileBody = z.input<typeof reconcileBody>;

const nonce = z.number().int();
const own = {
  nonce,
  key: z
    .string()
    .meta({
      description:
        "The idempotency key of the run that has the nonce. `gap:…` means an empty transfer that fills an unused nonce.",
    }),
  hash: z.string().meta({ description: "The hash of the last transaction that was signed with this nonce." }),
};
const chain = {
  mined: z.number().int().meta({ description: "The number of transactions of the address that are on the chain." }),
  pending: z
    .number()
    .int()
    .meta({ description: "The number of transactions of the address, including those in the node's pool." }),
  final: z.number().int().nullable().meta({ description: "The number of transactions of the address that are final." }),
};

export const signer = z
  .object({
    chainId: z.number().int(),
    address: z.string(),
    nextNonce: nonce
      .nullable()
      .meta({ description: "The next nonce; null if the engine has to query the chain first." }),
    inFlight: z.array(
      z.object({
        ...own,
        hashes: z
          .array(z.string())
          .meta({
            description: "The hashes of all transactions with this nonce, newest first. Any of them may be mined.",
          }),
        signedAt: instant,
        sentAt: instant.nullable(),
        unseenSince: instant
          .nullable()
          .meta({ description: "Since when the outcome of the transaction is unknown; null if it is known." }),
      }),
    ),
    reserved: z.array(z.object({ nonce, key: own.key, since: instant })),
    gaps: z
      .array(nonce)
      .meta({ description: "Nonces that were reserved and released. The next transactions use them." }),
    kept: z
      .object({ count: z.number().int(), from: nonce.nullable(), to: nonce.nullable() })
      .meta({
        description: "Mined transactions that the engine stores until they are final, to send them again if needed.",
      }),
    lost: z
      .array(z.object({ ...own, since: instant }))
      .meta({
        description: "Transactions that a reorganisation removed and whose nonces other transactions then used.",
      }),
    waitsFor: z
      .object({ nonce, since: instant })
      .nullable()
      .meta({
        description: "The nonce for which the chain waits and the engine has no transaction; null if there is none.",
      }),
    chain: z
      .object({ ...chain, at: instant })
      .nullable()
      .meta({ description: "The chain's last answer." }),
    advice: z.array(z.string()).meta({ description: "The recommended steps; empty if no step is needed." }),
  })
  .meta({ id: "Signer" });
export type ApiSigner = z.infer<typeof signer>;

export const reconciledSigner = z
  .object({
    dryRun: z.boolean(),
    chain: z.object(chain),
    resent: z
      .array(z.object(own))
      .meta({ description: "Transactions that were not on the chain and were sent again, lowest nonce first." }),
    released: z.array(nonce).meta({ description: "Unused nonces that were released. The next transactions use them." }),
    closed: nonce
      .nullable()
      .meta({
        description: "Unused nonces that were filled with an empty transfer, so that later transactions are mined.",
      }),
    mined: z.array(z.object(own)).meta({ description: "Transactions that are final on the chain." }),
    lost: z
      .array(z.object(own))
      .meta({
        description:
          "Transactions whose nonces other transactions used. If their runs failed, the runs may be retried with a new nonce.",
      }),
    signer,
  })
  .meta({ id: "ReconciledSigner" });
export type ApiReconciledSigner = z.infer<typeof reconciledSigner>;

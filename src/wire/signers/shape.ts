// Signers: API shapes of an address on a chain, with its nonces.
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
        description: "The connection whose key belongs to the address. Required if the tenant has several for `evm`.",
      }),
  })
  .meta({ id: "ReconcileSigner", examples: [{ reason: "nothing is mined since the reorganisation" }] });
export type ReconcileBody = z.input<typeof reconcileBody>;

const nonce = z.number().int();
const own = {
  nonce,
  key: z.string().meta({ description: "Owner: the run's idempotency key; `gap:…` fills a nonce without an owner." }),
  hash: z.string().meta({ description: "Of the last transaction signed with this nonce." }),
};
const chain = {
  mined: z.number().int().meta({ description: "Number of the address's transactions on the chain." }),
  pending: z.number().int().meta({ description: "The same, including the node's pool." }),
  final: z.number().int().nullable().meta({ description: "Number of transactions that are final." }),
};

export const signer = z
  .object({
    chainId: z.number().int(),
    address: z.string(),
    nextNonce: nonce.nullable().meta({ description: "null: the chain is queried first." }),
    inFlight: z.array(
      z.object({
        ...own,
        hashes: z.array(z.string()).meta({ description: "Newest first; any of them may be mined." }),
        signedAt: instant,
        sentAt: instant.nullable(),
        unseenSince: instant.nullable().meta({ description: "Set: its outcome is unknown since then." }),
      }),
    ),
    reserved: z.array(z.object({ nonce, key: own.key, since: instant })),
    gaps: z.array(nonce).meta({ description: "Reserved and released: the next transactions use them." }),
    kept: z
      .object({ count: z.number().int(), from: nonce.nullable(), to: nonce.nullable() })
      .meta({ description: "Mined, and stored until final, to be sent again if needed." }),
    lost: z
      .array(z.object({ ...own, since: instant }))
      .meta({ description: "Mined, then removed by a reorganisation, and their nonces used by other transactions." }),
    waitsFor: z
      .object({ nonce, since: instant })
      .nullable()
      .meta({ description: "The nonce that the chain waits for and that the engine has no transaction for." }),
    chain: z
      .object({ ...chain, at: instant })
      .nullable()
      .meta({ description: "The chain's last answer." }),
    advice: z.array(z.string()).meta({ description: "Recommended steps; empty if all is well." }),
  })
  .meta({ id: "Signer" });
export type ApiSigner = z.infer<typeof signer>;

export const reconciledSigner = z
  .object({
    dryRun: z.boolean(),
    chain: z.object(chain),
    resent: z.array(z.object(own)).meta({ description: "Not on the chain: sent again, lowest nonce first." }),
    released: z.array(nonce).meta({ description: "Without an owner: the next transactions use them." }),
    closed: nonce.nullable().meta({ description: "Filled with an empty transfer, so that later ones are mined." }),
    mined: z.array(z.object(own)).meta({ description: "Checked, and final on the chain." }),
    lost: z
      .array(z.object(own))
      .meta({
        description:
          "Their nonces are used by other transactions. Failed runs among them may be retried with a new nonce.",
      }),
    signer,
  })
  .meta({ id: "ReconciledSigner" });
export type ApiReconciledSigner = z.infer<typeof reconciledSigner>;

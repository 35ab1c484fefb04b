// Signers on the wire: an address on a chain, with its nonces.
import { z } from "zod";
import { instant, reason } from "#schema/values.ts";

export const signerParams = z.object({
  chain: z
    .string()
    .regex(/^(?:[1-9]\d{0,15}|[a-z][a-z0-9_-]{0,40})$/, {
      message: "a chain's id such as 8453, or a known name such as base",
    })
    .meta({ examples: ["8453"] }),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, { message: "an address: 0x and 40 hexadecimal digits" })
    .meta({ examples: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"] }),
});

export const reconcileBody = z
  .strictObject({
    reason,
    connection: z.string().min(1).max(200).optional().meta({
      description: "The connection whose key belongs to the address; needed where the tenant has several for `evm`.",
    }),
  })
  .meta({ id: "ReconcileSigner", examples: [{ reason: "nothing is mined since the reorganisation" }] });
export type ReconcileBody = z.input<typeof reconcileBody>;

const nonce = z.number().int();
const own = {
  nonce,
  key: z.string().meta({ description: "Whose: the run's idempotency key; `gap:…` filled a nonce that nobody had." }),
  hash: z.string().meta({ description: "Of the last one signed under this nonce." }),
};
const chain = {
  mined: z.number().int().meta({ description: "How many transactions of the address the chain has." }),
  pending: z.number().int().meta({ description: "The same, with those in the node's pool." }),
  final: z.number().int().nullable().meta({ description: "How many no reorganisation takes back." }),
};

export const signer = z
  .object({
    chainId: z.number().int(),
    address: z.string(),
    nextNonce: nonce.nullable().meta({ description: "null: the chain is asked first." }),
    inFlight: z.array(
      z.object({
        ...own,
        hashes: z.array(z.string()).meta({ description: "Newest first: each may be the one that is mined." }),
        signedAt: instant,
        sentAt: instant.nullable(),
        unseenSince: instant
          .nullable()
          .meta({ description: "Set: since then its node has not said what became of it." }),
      }),
    ),
    reserved: z.array(z.object({ nonce, key: own.key, since: instant })),
    gaps: z.array(nonce).meta({ description: "Given out and given back: the next transactions take them." }),
    kept: z.object({ count: z.number().int(), from: nonce.nullable(), to: nonce.nullable() }).meta({
      description: "Mined, and kept to be sent again until they are final.",
    }),
    lost: z.array(z.object({ ...own, since: instant })).meta({
      description: "Mined once, taken back by a reorganisation, and their nonces used by something else for good.",
    }),
    waitsFor: z.object({ nonce, since: instant }).nullable().meta({
      description: "The nonce that the chain waits for and that nothing here can be sent under.",
    }),
    chain: z
      .object({ ...chain, at: instant })
      .nullable()
      .meta({ description: "What the chain said last." }),
    advice: z.array(z.string()).meta({ description: "What to do; empty where all goes its way." }),
  })
  .meta({ id: "Signer" });
export type ApiSigner = z.infer<typeof signer>;

export const reconciledSigner = z
  .object({
    dryRun: z.boolean(),
    chain: z.object(chain),
    resent: z
      .array(z.object(own))
      .meta({ description: "Not in the chain (any more): sent again, lowest nonce first." }),
    released: z.array(nonce).meta({ description: "Nobody had them any more: they go to the next." }),
    closed: nonce
      .nullable()
      .meta({ description: "Filled with a transfer of nothing, so that what is above is mined." }),
    mined: z.array(z.object(own)).meta({ description: "Looked up, and in the chain for good." }),
    lost: z.array(z.object(own)).meta({
      description:
        "Their nonces are used for good, and not by them. A run among them that has failed may be retried: it begins anew.",
    }),
    signer,
  })
  .meta({ id: "ReconciledSigner" });
export type ApiReconciledSigner = z.infer<typeof reconciledSigner>;

// Schemes for senders that cannot sign: a password, a token, or only the secret URL.
import { fromBase64, textOf } from "../bytes.ts";
import { header, noDigest, type Scheme } from "../scheme.ts";

export const basic: Scheme<"basic"> = {
  claim: (request, { username }) => {
    const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header(request, "Authorization") ?? "") ?? [];
    const bytes = encoded === undefined ? null : fromBase64(encoded);
    const given = bytes && textOf(bytes);
    if (given === null) return null;
    const claim = { kind: "same", given, expected: (password: string) => `${username}:${password}` } as const;
    return { claim, signedAt: null, ...noDigest };
  },
  deliveryId: () => null,
};

/** Accepts the token as `Authorization: Bearer …`, or without a prefix in another header. */
export const token: Scheme<"token"> = {
  claim: (request, settings) => {
    const given = header(request, settings.header)?.replace(/^Bearer(?: +|$)/i, "");
    if (given === undefined || given === "") return null;
    return { claim: { kind: "same", given, expected: (secret: string) => secret }, signedAt: null, ...noDigest };
  },
  deliveryId: () => null,
};

export const none: Scheme<"none"> = {
  claim: () => ({ claim: { kind: "none" }, signedAt: null, ...noDigest }),
  deliveryId: () => null,
};

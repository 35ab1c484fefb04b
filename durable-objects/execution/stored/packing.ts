// Row packing: compresses the body of a row, as deflated JSON. A shared dictionary contains the words that every body
// has, which are mostly field names. These words then take almost no space in a row.
import { deflateSync, inflateSync } from "node:zlib";
import { WORDS } from "./dictionary.ts";

/** The body of a row as stored: text, or packed bytes. */
export type PackedBody = string | ArrayBuffer;

/** The first byte of a packed body: the version of the format, including its dictionary. */
const FORMAT = 1;
/** This compression level finds repeated names within a body. A higher level takes more time and gains little. */
const LEVEL = 3;
/**
 * The maximum size of a body that fits in a B-tree leaf. A row above 1,002 bytes does not fit in its leaf, and each
 * commit then writes one or two more pages. A body slightly above this size is compressed at a higher level.
 */
export const LEAF_BYTES = 940;
/**
 * The level for a body slightly above LEAF_BYTES, and the greatest share of the body that this level saves in addition.
 */
const HARDER = { level: 6, savesMax: 0.1 } as const;
const dictionary = new TextEncoder().encode(WORDS);

export function packBody(text: string): ArrayBuffer {
  const ordinary = deflateSync(text, { dictionary, level: LEVEL });
  const mayFit = fitsIfHarder(ordinary.byteLength + 1);
  const deflated = mayFit ? deflateSync(text, { dictionary, level: HARDER.level }) : ordinary;
  const body = new Uint8Array(deflated.byteLength + 1);
  body[0] = FORMAT;
  body.set(deflated, 1);
  return body.buffer;
}

function fitsIfHarder(bytes: number): boolean {
  return bytes > LEAF_BYTES && bytes * (1 - HARDER.savesMax) <= LEAF_BYTES;
}

/** Returns the text of a packed body. Throws with the reason if the body has another format or is damaged. */
export function unpackBody(body: PackedBody): string {
  if (typeof body === "string") return body;
  const [format = 0] = new Uint8Array(body);
  if (format !== FORMAT) {
    const supported = `this code supports formats up to ${FORMAT}`;
    throw new Error(`the stored row has format ${format}, but ${supported}: deploy the newer code`);
  }
  try {
    return inflateSync(new Uint8Array(body, 1), { dictionary }).toString();
  } catch {
    throw new Error(`the stored row (${body.byteLength} bytes) cannot be unpacked: it was truncated or overwritten`);
  }
}

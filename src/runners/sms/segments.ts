// SMS segments: count the parts of an SMS, which the carrier bills.

/** The basic alphabet of GSM 03.38. Characters of its extension take two places. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const EXTENDED = "\f^{}\\[~]|€";

const widthOf: ReadonlyMap<string, number> = new Map([
  ...Array.from(BASIC, (char) => [char, 1] as const),
  ...Array.from(EXTENDED, (char) => [char, 2] as const),
]);

type Segments = { readonly encoding: "GSM-7" | "UCS-2"; readonly segments: number };

/**
 * Returns encoding and segment count. A single message has 140 bytes; each part of a longer text uses six of them for a
 * header.
 */
export function segmentsOf(text: string): Segments {
  const chars = Array.from(text);
  const isGsm = chars.every((char) => widthOf.has(char));
  // A character of two places (an extension, a surrogate pair) is not split between parts.
  const widths = chars.map((char) => (isGsm ? (widthOf.get(char) ?? 1) : char.length));
  const [singleMax, partMax] = isGsm ? [160, 153] : [70, 67];
  return { encoding: isGsm ? "GSM-7" : "UCS-2", segments: partsOf(widths, singleMax, partMax) };
}

function partsOf(widths: readonly number[], singleMax: number, partMax: number): number {
  if (widths.reduce((sum, width) => sum + width, 0) <= singleMax) return 1;
  let parts = 1;
  let partWidth = 0;
  for (const width of widths) {
    if (partWidth + width > partMax) {
      parts++;
      partWidth = 0;
    }
    partWidth += width;
  }
  return parts;
}

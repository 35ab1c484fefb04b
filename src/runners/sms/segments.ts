// SMS segments: count the segments of an SMS, because the carrier bills each segment.

/** The basic alphabet of GSM 03.38. A character of its extension counts as two characters. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const EXTENDED = "\f^{}\\[~]|€";

const widthOf: ReadonlyMap<string, number> = new Map([
  ...Array.from(BASIC, (char) => [char, 1] as const),
  ...Array.from(EXTENDED, (char) => [char, 2] as const),
]);

type Segments = { readonly encoding: "GSM-7" | "UCS-2"; readonly segments: number };

/**
 * Returns the encoding and the number of segments. A single message has 140 bytes. Each segment of a longer text uses
 * six of its 140 bytes for a header.
 */
export function segmentsOf(text: string): Segments {
  const chars = Array.from(text);
  const isGsm = chars.every((char) => widthOf.has(char));
  // The width of each character. A character with width 2 (an extension, a surrogate pair) is not split between two
  // segments.
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

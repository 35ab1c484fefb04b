// How big values are: the measure behind every limit and budget.

/** Bytes of the text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate is half of a character of four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** About the bytes the value takes as JSON; also the price of looking through all of it. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return byteLength(value) + 2;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item) + 1, 2);
  if (value === null || typeof value !== "object") return 5;
  return Object.entries(value).reduce((sum, [key, item]) => sum + byteLength(key) + 4 + sizeOf(item), 2);
}

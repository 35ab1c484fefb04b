// JSON pointers (RFC 6901): address a place in a document.

export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === "number" ? key : escaped(key)}`;
}

/** A fast path: most names contain nothing to escape, and a definition has thousands of names. */
function escaped(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

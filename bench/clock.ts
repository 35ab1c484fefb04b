// Milliseconds since 1970 with fractions, the same in the client and in the sink's thread.
export function clock(): number {
  return performance.timeOrigin + performance.now();
}
